"""Events per second of the compiled loop: by mechanism, by size, next to SimPy, Ciw and a bare loop in the same run.

An event is an arrival or a timer that goes off: the end of a service, of one of its parts, of an agent's work, of a
delay or of a timeout. A plain message has two, in every simulator. All figures are CPU time, best of a few rounds.

SimPy runs the throttle twice: built from its own parts (limits/simpy_resources.py), and by hand on its clock alone. The
bare loop (limits/bare_loop.py) is one model that measures next to nothing, with the usual heap.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.limits import bare_loop
from benchmarks.limits.simpy_resources import ThreadResource
from benchmarks.validation.peers import peers
from simulations.engine.loop.kernel import run
from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Constraint,
    Copies,
    Dispatch,
    Downstream,
    FlowControl,
    Gate,
    Horizon,
    Law,
    LawKind,
    NetworkSpec,
    Poller,
    PollerKind,
    Pool,
    PoolGrowth,
    Quota,
    Redelivery,
    Stream,
    Thresholds,
    Timeouts,
    Transaction,
    Window,
)
from simulations.engine.packing.tables import EVERYTHING, LONE, PLAIN, Variant, pack
from simulations.engine.replicate import replicate

MESSAGES = 1_000_000
PEER_MESSAGES = 10_000
ROUNDS = 3
THREADS = 18
FIRST_CALL = """
import time
from benchmarks.engine import NETWORKS, replicate, shorter
start = time.process_time()
replicate(shorter(NETWORKS["throttle"], 1000), seed=1, replication=0)
print(time.process_time() - start)
"""


def network(**settings: Any) -> NetworkSpec:
    """Return the queue of the worked example, 81 messages/s of 0.2 s on 18 threads, with ``settings`` of its stream."""
    arrivals = ArrivalSpec(ArrivalKind.POISSON, rate=81.0)
    given = {"arrivals": arrivals, "service": Law(LawKind.EXPONENTIAL, a=0.2), **settings}
    pool = Pool(cpus=2, threads_per_servant=THREADS)
    return NetworkSpec((pool,), (Stream("q", 0, **given),), Horizon(messages=MESSAGES))


COMMON: dict[str, Any] = {
    "service": Law(LawKind.LOGNORMAL, -2.0, 0.6),
    "cpu_share": 0.03,
    "redelivery": Redelivery(delay=0.5, limit=3),
    "downstream": Downstream(0, 0.3),
    "failure_rate": 0.01,
}
"""What all queues of the networks with many mechanisms have."""


def everything() -> NetworkSpec:
    """Return a network of two queues that uses most mechanisms at once."""
    pool = Pool(cpus=2, threads_per_servant=20, dispatch=Dispatch.THREAD_TIME, constraints=(Constraint(2, 12),))
    common: dict[str, Any] = {**COMMON, "quota": Quota(messages=100_000)}
    arrivals = ArrivalSpec(ArrivalKind.POISSON, rate=35.0)
    gated = Stream(
        "gated", 0, arrivals, gate=Gate(36, 18, 0.001), timeouts=Timeouts(queue=60.0), constraint=(0,), **common
    )
    windowed = Stream("window", 0, arrivals, window=Window(36, 18, 0.005), transaction=Transaction(1, 0.002), **common)
    return NetworkSpec((pool,), (gated, windowed), Horizon(messages=MESSAGES), resources=(15,))


def platforms() -> NetworkSpec:
    """Return six queues on three servers with mechanisms of all platforms, more than any one of them knows."""
    arrivals, quota = ArrivalSpec(ArrivalKind.POISSON, rate=20.0), Quota(messages=100_000)
    slower = FlowControl(500.0, 50.0, interval=60.0, steps=10, marks=Thresholds(2000, 1000))
    work, token = Constraint(2, 12, 5000), Poller(PollerKind.TOKEN, 8, receive_timeout=5.0)
    here = Pool(cpus=2, threads_per_servant=20, dispatch=Dispatch.THREAD_TIME, constraints=(work,))
    there = Pool(2, 2, threads_per_servant=10, dispatch=Dispatch.NEXT_THREAD, growth=PoolGrowth.HISTORY)
    limits = Timeouts(queue=60.0, dispatch=30.0)
    streams = (
        Stream("gated", 0, arrivals, gate=Gate(36, 18, 0.001), timeouts=limits, constraint=(0,), quota=quota, **COMMON),
        Stream("windowed", 0, arrivals, window=Window(36, 18, 0.005, 100, 50), quota=quota, **COMMON),
        Stream("piped", 0, arrivals, pipeline=5, concurrency=10, flow=slower, **COMMON),
        Stream("polled", 1, arrivals, poller=token, transaction=Transaction(2, 0.002), **COMMON),
        Stream("topic", 1, arrivals, copies=Copies.PER_INSTANCE, **COMMON),
        Stream("other", 1, arrivals, background=True, **COMMON),
    )
    return NetworkSpec((here, there), streams, Horizon(messages=MESSAGES), resources=(15,))


NETWORKS = {
    "no throttle": network(),
    "throttle": network(gate=Gate(36, 18)),
    "throttle, agent and timeouts": network(gate=Gate(36, 18, 0.002), timeouts=Timeouts(queue=100.0)),
    "processor sharing": network(gate=Gate(36, 18), cpu_share=0.05),
    "credit window": network(window=Window(36, 18)),
    "credit window with round trip": network(window=Window(36, 18, 0.005)),
    "pollers with a token": network(poller=Poller(PollerKind.TOKEN, THREADS)),
    "pipeline": network(pipeline=10),
    "transactions of two": network(transaction=Transaction(2, commit_time=0.001)),
    "downstream limit": replace(network(downstream=Downstream(0, 0.5)), resources=(16,)),
    "redelivery": network(gate=Gate(36, 18), failure_rate=0.05, redelivery=Redelivery(delay=1.0, limit=5)),
    "most mechanisms at once": everything(),
    "mechanisms of all platforms": platforms(),
}


def shorter(spec: NetworkSpec, messages: int) -> NetworkSpec:
    """Return ``spec`` with fewer messages."""
    return replace(spec, horizon=Horizon(messages=messages))


def fastest(events: Callable[[], int]) -> float:
    """Return the most events per second of CPU time."""
    speeds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        count = events()
        speeds.append(count / (time.process_time() - start))
    return max(speeds)


def engine(spec: NetworkSpec) -> float:
    """Return the engine's events per second."""
    replicate(shorter(spec, 1000), seed=1, replication=0)
    return fastest(lambda: replicate(spec, seed=1, replication=0).events)


def _loop(variant: Variant) -> float:
    """Return the events per second of one of the compiled variants of the loop on the plain throttle."""

    def events() -> int:
        tables = pack(replace(NETWORKS["throttle"], horizon=Horizon(time=5000.0)), 1, 0, 0)
        tables.head.segment_end = tables.head.end_time
        run(tables.address, *variant)
        return int(tables.head.events)

    events()
    return fastest(events)


def _references() -> dict[str, float]:
    models = {(peer.simulator, peer.model): peer for peer in peers(PEER_MESSAGES)}
    throttle = models["SimPy", "M/M/18 behind 36 sessions"]
    queue = models["Ciw", "M/M/18, load 0.9"]
    bare_loop.run(1000, 81.0, 0.2, THREADS, 36, 18)
    return {
        "SimPy": fastest(lambda: 2 * len(ThreadResource(throttle.network, 1).run(PEER_MESSAGES))),
        "by hand": fastest(lambda: 2 * len(throttle.latencies(throttle.network, PEER_MESSAGES, 1))),
        "Ciw": fastest(lambda: 2 * len(queue.latencies(queue.network, PEER_MESSAGES, 1))),
        "bare loop": fastest(lambda: int(bare_loop.run(MESSAGES, 81.0, 0.2, THREADS, 36, 18)[0])),
    }


def _line(name: str, speed: float, references: dict[str, float]) -> str:
    ratios = "".join(f"{speed / reference:13.2f}" for reference in references.values())
    return f"{name:36s} {speed / 1e6:9.3f} {1e9 / speed:9.1f}{ratios}"


def _print_mechanisms(references: dict[str, float]) -> None:
    print(f"{'':36s} {'M ev/s':>9s} {'ns/event':>9s}" + "".join(f"{'x ' + name:>13s}" for name in references))
    for name, speed in references.items():
        print(_line(name, speed, references))
    for name, spec in NETWORKS.items():
        print(_line(name, engine(spec), references))
    plain, full, lone = map(_loop, (PLAIN, EVERYTHING, LONE))
    print(f"throttle in the variant with all mechanisms: {plain / full - 1:+.0%} time beside the one without")
    print(f"throttle in the variant for a lone queue: {plain / lone - 1:+.0%} time beside the one for several")


def _print_growth() -> None:
    throttle = NETWORKS["throttle"]
    print("\nGrowth, ns per event (load 0.9 throughout):")
    for threads in (18, 128, 1000):
        stream = replace(
            throttle.streams[0],
            arrivals=ArrivalSpec(ArrivalKind.POISSON, rate=4.5 * threads),
            gate=Gate(2 * threads, threads),
        )
        spec = replace(throttle, pools=(Pool(threads_per_servant=threads),), streams=(stream,))
        print(f"  {threads:5d} threads {1e9 / engine(spec):8.1f}")
    for instances in (2, 8, 32):
        stream = replace(throttle.streams[0], arrivals=ArrivalSpec(ArrivalKind.POISSON, rate=81.0 * instances))
        spec = replace(throttle, pools=(replace(throttle.pools[0], instances=instances),), streams=(stream,))
        print(f"  {instances:5d} servers {1e9 / engine(spec):8.1f}")
    for queues in (2, 8, 32):
        stream = replace(throttle.streams[0], arrivals=ArrivalSpec(ArrivalKind.POISSON, rate=81.0 / queues))
        spec = replace(throttle, streams=tuple(replace(stream, name=f"q{number}") for number in range(queues)))
        print(f"  {queues:5d} queues  {1e9 / engine(spec):8.1f}")
    for messages in (100_000, 1_000_000, 10_000_000):
        speed = engine(shorter(throttle, messages))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"  {messages / 1e6:5.1f} M messages {1e9 / speed:5.1f}, peak memory of the process {peak:.0f} MB")


def _print_first_calls() -> None:
    with TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": "."}
        for name in ("cold", "warm"):
            command = [sys.executable, "-c", FIRST_CALL]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
            print(f"first call of a process, {name} compile cache: {float(done.stdout):.2f} s of CPU")


def main() -> None:
    """Print everything."""
    _print_mechanisms(_references())
    _print_growth()
    _print_first_calls()


if __name__ == "__main__":
    main()
