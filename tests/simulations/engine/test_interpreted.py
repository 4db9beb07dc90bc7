"""NUMBA_DISABLE_JIT=1: the same code as plain Python says the same as the compiled code."""

import dataclasses
import os
import subprocess
import sys

from simulations.engine.network.model import Downstream, Gate, Horizon, NetworkSpec, Transaction, Window
from simulations.engine.replicate import replicate_traced
from tests.simulations.engine.networks import poisson, throttle

SCRIPT = "from tests.simulations.engine.test_interpreted import print_traces; print_traces()"


def _networks() -> list[NetworkSpec]:
    plain = throttle(high=4, low=2, threads=3, arrivals=poisson(13.0), cpu_share=0.4, failure_rate=0.1)
    window, transaction, downstream = Window(4, 2, 0.01), Transaction(2, 0.01), Downstream(0, 0.5)
    whole = dataclasses.replace(
        plain.streams[0], gate=None, window=window, transaction=transaction, downstream=downstream
    )
    gated = dataclasses.replace(plain.streams[0], gate=Gate(4, 4, 0.003), name="gated")
    short = Horizon(messages=120)
    return [
        dataclasses.replace(plain, horizon=short),
        dataclasses.replace(plain, streams=(whole, gated), horizon=short, resources=(2,)),
    ]


def _traces() -> str:
    results = [replicate_traced(network, seed=3, replication=1, trace=1000) for network in _networks()]
    return "\n".join(f"{steps.tolist()} {result.sums.tolist()}" for result, steps in results)


def print_traces() -> None:
    print(_traces())  # noqa: T201 - the other process reads it


def test_plain_python_writes_the_same_trace_to_the_last_bit() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == _traces()
