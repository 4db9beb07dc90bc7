"""Load the compiled kernel, and what else a task needs, before anyone waits for it."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context, parent_process
from threading import Thread

from numba.core.registry import cpu_target

from simulations.analysis.replications.rows import compact
from simulations.engine import replicate as door
from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Horizon, Law, LawKind, NetworkSpec, Pool, Stream
from simulations.engine.replicate import replicate
from simulations.pipeline.archive.schemas import packed, replication_batch
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import scenario_model

SMALLEST = NetworkSpec(
    pools=(Pool(),),
    streams=(Stream("warm", 0, ArrivalSpec(ArrivalKind.CONSTANT, rate=1.0), Law(LawKind.CONSTANT, 0.5)),),
    horizon=Horizon(messages=10),
)

TWO_QUEUES = replace(SMALLEST, streams=(SMALLEST.streams[0], replace(SMALLEST.streams[0], name="other")))
MECHANISMS = replace(SMALLEST, streams=(replace(SMALLEST.streams[0], pipeline=1),))
ONE_FOR_EACH_VARIANT = (MECHANISMS, TWO_QUEUES, SMALLEST)
"""The one that takes longest to compile is the first."""


def load_task() -> None:
    """Do what every task does, once: Arrow loads pandas for its first array, pydantic prepares a platform's fields."""
    for platform in PLATFORMS:
        scenario_model(platform)
    results = [replicate(network, seed=1, replication=0) for network in (SMALLEST, TWO_QUEUES)]
    packed(replication_batch(0, map(compact, results)))


def compile_kernels() -> None:
    """Compile all variants of the kernel, two at a time, so that nobody waits for one later."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn"), initializer=_end_with_parent) as pool:
        for made in [pool.submit(replicate, network, seed=1, replication=0) for network in ONE_FOR_EACH_VARIANT]:
            made.result()


def variants_missing() -> int:
    """Return how many variants of the kernel this machine would still have to compile."""
    codegen = cpu_target.target_context.codegen()
    cache = vars(door)["run"]._cache
    known = cache._cache_file._load_index()
    kept = sum(cache._index_key(key[0], codegen) == key for key in known)
    return len(ONE_FOR_EACH_VARIANT) - int(kept)


def _end_with_parent() -> None:
    """Let Ctrl-C end this process inside the compiler, too, and the end of its parent however that comes."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
