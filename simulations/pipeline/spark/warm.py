"""Load the compiled kernel, and what else a task needs, before anyone waits for it."""

import fcntl
import os
import signal
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import replace
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, cast

from numba import typeof
from numba.core.registry import cpu_target

from simulations.analysis.replications.rows import compact
from simulations.engine import replicate as door
from simulations.engine.compiled import locked
from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Horizon, Law, LawKind, NetworkSpec, Pool, Stream
from simulations.engine.packing.tables import variant_of
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
ONE_FOR_EACH_VARIANT = (SMALLEST, TWO_QUEUES, MECHANISMS)
"""What the worked example and every task on Spark need comes first."""
_CACHE = vars(door)["run"]._cache
_COMPILING = Path(_CACHE.cache_path, "compiling.lock")


def load_task() -> None:
    """Do what every task does, once: Arrow loads pandas for its first array, pydantic prepares a platform's fields."""
    for platform in PLATFORMS:
        scenario_model(platform)
    results = [replicate(network, seed=1, replication=0) for network in (SMALLEST, TWO_QUEUES)]
    packed(replication_batch(0, map(compact, results)))


def compile_kernels() -> None:
    """Compile all variants of the kernel, one on each core, and print how many are ready. Where another process does
    this already, wait until it is done; where none is missing, do nothing."""
    if not variants_missing():
        return
    cores = min(os.cpu_count() or 1, len(ONE_FOR_EACH_VARIANT))
    with (
        locked(_COMPILING),
        ProcessPoolExecutor(cores, mp_context=get_context("spawn"), initializer=_start_compiler) as pool,
    ):
        jobs = [pool.submit(replicate, network, seed=1, replication=0) for network in ONE_FOR_EACH_VARIANT]
        for ready, job in enumerate(as_completed(jobs), 1):
            job.result()
            sys.stdout.write(f"Engine: {ready} of {len(jobs)} variants are ready\n")
            sys.stdout.flush()


def variants_missing() -> int:
    """Return how many variants of the kernel this machine would still have to compile."""
    return len(ONE_FOR_EACH_VARIANT) - len(_compiled())


def variants_awaited(network: NetworkSpec | None = None) -> int:
    """Return how many variants ``compile_kernels`` still compiles; 0 where the one for ``network`` is there."""
    if not _is_compiling():
        return 0
    ready = _compiled()
    wanted = network and tuple(map(cast("Any", typeof), (0, *variant_of(network))))
    return 0 if wanted in ready else len(ONE_FOR_EACH_VARIANT) - len(ready)


def _compiled() -> set[tuple[Any, ...]]:
    """The types of the variants that are on disk."""
    codegen = cpu_target.target_context.codegen()
    return {key[0] for key in _CACHE._cache_file._load_index() if _CACHE._index_key(key[0], codegen) == key}


def _is_compiling() -> bool:
    try:
        with suppress(FileNotFoundError), _COMPILING.open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _start_compiler() -> None:
    """Let Ctrl-C end this process inside the compiler, too, and the end of its parent however that comes."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


if __name__ == "__main__":
    compile_kernels()
