"""Load the compiled kernel, and what else a task needs, before somebody waits for it."""

from dataclasses import replace

from simulations.analysis.rows import compact
from simulations.engine.network import (
    ArrivalKind,
    ArrivalSpec,
    Horizon,
    Law,
    LawKind,
    NetworkSpec,
    Pool,
    Stream,
    Window,
)
from simulations.engine.replicate import replicate
from simulations.pipeline.schemas import packed, replication_batch
from simulations.platforms import PLATFORMS
from simulations.scenario import scenario_model

SMALLEST = NetworkSpec(
    pools=(Pool(),),
    streams=(
        Stream("warm", 0, ArrivalSpec(ArrivalKind.CONSTANT, rate=1.0), Law(LawKind.CONSTANT, 0.5)),
    ),
    horizon=Horizon(messages=10),
)  # fmt: skip


def load_kernel() -> None:
    """Simulate ten messages: compiles the kernel on its first use on a machine, reads it from disk afterwards."""
    replicate(SMALLEST, seed=1, replication=0)


def load_task() -> None:
    """Do what every task does, once: Arrow loads pandas for its first array, pydantic prepares a platform's fields."""
    for platform in PLATFORMS:
        scenario_model(platform)
    packed(replication_batch(0, [compact(replicate(SMALLEST, seed=1, replication=0))]))


def load_mechanisms() -> None:
    """Do the same with the variant of the kernel that has all mechanisms."""
    windowed = replace(SMALLEST.streams[0], window=Window(2, 1))
    replicate(replace(SMALLEST, streams=(windowed,)), seed=1, replication=0)


def compile_kernels() -> None:
    """Load both variants, so that nobody waits for one later."""
    load_kernel()
    load_mechanisms()
