"""Spark against the same kernel called in a loop: efficiency of a large sweep, overhead of a small job, cold start.

Run it with `python -m benchmarks.pipeline [--points 200] [--cores 2]`.
"""

import argparse
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

import psutil

from simulations.engine.replicate import replicate
from simulations.experiment import Point, expansion
from simulations.pipeline.archive.store import Archive
from simulations.pipeline.rounds import run_rounds
from simulations.pipeline.spark.executors import Executor, InlineExecutor, SparkExecutor
from simulations.pipeline.spark.session import SparkLink
from simulations.scenario.spec import ScenarioSpec, parse
from tests.scenarios import listener_port
from tests.services import local_server

REPLICATIONS = 10
MESSAGES = 100_000
SMALL_JOBS = 15
ROUNDS = 3
EFFICIENCY_BAR = 0.85
OVERHEAD_BAR = 1.0


def scenario(points: int, messages: int, replications: int) -> ScenarioSpec:
    """A sweep over the maximum sessions of one z/OS listener port."""
    body = listener_port(
        "Benchmark",
        run={"horizon": {"messages": messages}, "replications": {"min": replications, "max": replications}},
        sweep=[{"path": "queues.orders.settings.maximum_sessions", "values": list(range(36, 36 + points))}],
    )
    return parse(body)


def kernel(points: Sequence[Point], replications: int) -> None:
    """The engine in a loop: nothing is packed, stored or judged."""
    for point in points:
        network = point.spec.network()
        for number in range(replications):
            replicate(network, seed=point.spec.run.seed, replication=number)


def kernel_beside_others(points: int, messages: int) -> None:
    """A process of its own: its share of the kernel's loop."""
    kernel(expansion(scenario(points, messages, REPLICATIONS)).points, REPLICATIONS)


def plain_processes(points: int, messages: int, cores: int) -> float:
    """How long ``cores`` processes need that do nothing but their share of the loop: what the machine can do."""
    with get_context("spawn").Pool(cores) as pool:
        pool.starmap(kernel_beside_others, [(1, 1000)] * cores, chunksize=1)
        began = time.perf_counter()
        pool.starmap(kernel_beside_others, [(points // cores, messages)] * cores, chunksize=1)
        return time.perf_counter() - began


def rounds(spec: ScenarioSpec, executor: Executor, archive: Archive | None = None) -> None:
    """The whole way: work rows, replications, rows, judged answers, and the archive when there is one."""
    for step in run_rounds(expansion(spec).points, spec.run, executor, should_stop=lambda: False, archive=archive):
        if archive:
            archive.note(step.decided)


def seconds(action: Callable[[], None]) -> float:
    """How long the action takes."""
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def shortest(action: Callable[[], None]) -> tuple[float, float]:
    """How long the action takes, and its processor time, at the shortest of a few times: others only ever add."""
    found = []
    for _ in range(ROUNDS):
        used = processor_seconds()
        found.append((seconds(action), processor_seconds() - used))
    return min(found)


def processor_seconds() -> float:
    """Processor time used so far by this process and all that it started, Spark and its Python workers."""
    ours = psutil.Process()
    times = [process.cpu_times() for process in (ours, *ours.children(recursive=True))]
    return float(sum(sum(time[:4]) for time in times))


def compare(executor: SparkExecutor, spec: ScenarioSpec, cores: int) -> None:
    """Print the efficiency of a large sweep, and what its tables cost on top."""
    plan, replications = expansion(spec).points, spec.run.replications.min
    alone, of_kernel = shortest(lambda: kernel(plan, replications))
    inline, of_inline = shortest(lambda: rounds(spec, InlineExecutor()))
    spark, of_spark = shortest(lambda: rounds(spec, executor))
    plain = plain_processes(len(plan), spec.run.horizon.messages or MESSAGES, cores)
    with tempfile.TemporaryDirectory(prefix="sluice-benchmark-") as name:
        archive = Archive(Path(name) / "run", "benchmark")
        stored = seconds(lambda: rounds(spec, executor, archive))
        archive.finish()
        tables = seconds(lambda: archive.write_tables(plan))
        size = sum(file.stat().st_size for file in archive.folder.iterdir())
    print(f"{len(plan)} points x {replications} replications x {spec.run.horizon.messages:,} messages, {cores} cores")
    print(f"  kernel in a loop, one core      {alone:8.2f} s")
    print(f"  in {cores} plain processes           {plain:8.2f} s   (efficiency {alone / (cores * plain):.2f})")
    print(f"  rounds in this process          {inline:8.2f} s")
    print(f"  rounds on Spark                 {spark:8.2f} s")
    print(f"  parallel efficiency             {alone / (cores * spark):8.2f}     (bar: {EFFICIENCY_BAR})")
    print(f"  against the rounds in one process {inline / (cores * spark):6.2f}")
    print(f"  processor time: kernel {of_kernel:.2f} s, in this process {of_inline:.2f} s, on Spark {of_spark:.2f} s")
    print(f"  share of it in the kernel       {of_kernel / of_spark:8.2f}     (what the efficiency cannot exceed)")
    print(f"  the same with the archive       {stored:8.2f} s, tables afterwards {tables:.2f} s, {size / 1e6:.1f} MB")


def overhead(executor: SparkExecutor) -> None:
    """Print what Spark adds to a job that computes next to nothing."""
    spec = scenario(points=1, messages=100, replications=2)
    spark = statistics.median(seconds(lambda: rounds(spec, executor)) for _ in range(SMALL_JOBS))
    inline = statistics.median(seconds(lambda: rounds(spec, InlineExecutor())) for _ in range(SMALL_JOBS))
    print(f"warm small job, median of {SMALL_JOBS}: {1000 * spark:.0f} ms on Spark, {1000 * inline:.0f} ms inline")
    print(f"  overhead                        {spark - inline:8.3f} s   (bar: {OVERHEAD_BAR} s)")


def machine() -> str:
    """Where and when: a figure without them says nothing."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    processor = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")
    load = os.getloadavg()[0]
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"{when}; {processor}, {os.cpu_count()} cores; {platform.system()}; load average {load:.1f} before"


def main() -> None:
    """Measure with a Spark server of its own."""
    parser = argparse.ArgumentParser(description="Measure rounds on Spark against the kernel in a loop.")
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--messages", type=int, default=MESSAGES)
    parser.add_argument("--cores", type=int, default=2)
    options = parser.parse_args()
    print(machine())
    warm = scenario(points=8, messages=1000, replications=2)
    rounds(warm, InlineExecutor())  # loads the kernel here, so that no figure below contains it
    began = time.perf_counter()
    with local_server(cores=options.cores) as plan, SparkLink(plan.remote, plan.token) as link:
        ready = time.perf_counter() - began
        executor = SparkExecutor(link, tag="benchmark", slots=options.cores)
        first = seconds(lambda: rounds(warm, executor))
        print(f"cold start: server ready after {ready:.2f} s, its first job {first:.2f} s")
        compare(executor, scenario(options.points, options.messages, REPLICATIONS), options.cores)
        overhead(executor)


if __name__ == "__main__":
    main()
