"""Spark against the same kernel called in a loop: efficiency of a large sweep, overhead of a small job.

Run it with `python -m benchmarks.pipeline [--points 200] [--cores 2]`.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from simulations.engine.replicate import replicate
from simulations.experiment import Point, expand
from simulations.pipeline.executors import Executor, InlineExecutor, SparkExecutor
from simulations.pipeline.rounds import run_rounds
from simulations.pipeline.server import local_server
from simulations.pipeline.session import SparkLink
from simulations.scenario import ScenarioSpec, parse

REPLICATIONS = 10
MESSAGES = 100_000
SMALL_JOBS = 15
EFFICIENCY_BAR = 0.85
OVERHEAD_BAR = 1.0


def scenario(points: int, messages: int, replications: int) -> ScenarioSpec:
    """A sweep over the maximum sessions of one z/OS listener port."""
    body: dict[str, Any] = {
        "sluice": 1,
        "name": "Benchmark",
        "platform": "websphere-zos",
        "servers": [{"name": "payments", "cpus": 2, "settings": {"min_servants": 3, "max_servants": 3}}],
        "queues": [
            {
                "name": "orders",
                "server": "payments",
                "arrivals": {"kind": "poisson", "rate": "60/s"},
                "service": {"kind": "exponential", "mean": "200ms"},
                "settings": {"maximum_sessions": 36},
            }
        ],
        "run": {"horizon": {"messages": messages}, "replications": {"min": replications, "max": replications}},
        "sweep": [{"path": "queues.orders.settings.maximum_sessions", "values": list(range(36, 36 + points))}],
    }
    return parse(body)


def kernel(points: Sequence[Point], replications: int) -> None:
    """The engine in a loop: nothing is packed, stored or judged."""
    for point in points:
        network = point.spec.network()
        for number in range(replications):
            replicate(network, seed=point.spec.run.seed, replication=number)


def rounds(spec: ScenarioSpec, executor: Executor) -> None:
    """The whole way: work rows, replications, rows, judged answers."""
    for _ in run_rounds(expand(spec), spec.run, executor, should_stop=lambda: False):
        pass


def seconds(action: Callable[[], None]) -> float:
    """How long the action takes."""
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def compare(executor: SparkExecutor, points: int, cores: int) -> None:
    """Print the efficiency of a large sweep."""
    spec = scenario(points, MESSAGES, REPLICATIONS)
    plan = expand(spec)
    alone = seconds(lambda: kernel(plan, REPLICATIONS))
    inline = seconds(lambda: rounds(spec, InlineExecutor()))
    spark = seconds(lambda: rounds(spec, executor))
    print(f"{points} points x {REPLICATIONS} replications x {MESSAGES:,} messages, {cores} cores")
    print(f"  kernel in a loop, one core      {alone:8.2f} s")
    print(f"  rounds in this process          {inline:8.2f} s")
    print(f"  rounds on Spark                 {spark:8.2f} s")
    print(f"  parallel efficiency             {alone / (cores * spark):8.2f}     (bar: {EFFICIENCY_BAR})")


def overhead(executor: SparkExecutor) -> None:
    """Print what Spark adds to a job that computes next to nothing."""
    spec = scenario(points=1, messages=100, replications=2)
    spark = statistics.median(seconds(lambda: rounds(spec, executor)) for _ in range(SMALL_JOBS))
    inline = statistics.median(seconds(lambda: rounds(spec, InlineExecutor())) for _ in range(SMALL_JOBS))
    print(f"warm small job, median of {SMALL_JOBS}: {1000 * spark:.0f} ms on Spark, {1000 * inline:.0f} ms inline")
    print(f"  overhead                        {spark - inline:8.3f} s   (bar: {OVERHEAD_BAR} s)")


def main() -> None:
    """Measure with a Spark server of one's own."""
    parser = argparse.ArgumentParser(description="Measure rounds on Spark against the kernel in a loop.")
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--cores", type=int, default=2)
    options = parser.parse_args()
    with local_server(cores=options.cores) as plan, SparkLink(plan.remote, plan.token) as link:
        executor = SparkExecutor(link, tag="benchmark", slots=options.cores)
        warm = scenario(points=8, messages=1000, replications=2)
        rounds(warm, InlineExecutor())  # loads the kernel here, so that no figure below contains it
        print(f"first job of a fresh server: {seconds(lambda: rounds(warm, executor)):.2f} s")
        compare(executor, options.points, options.cores)
        overhead(executor)


if __name__ == "__main__":
    main()
