"""A map of 1,600 cells on Spark, and searches through 10,000 and 100,000 settings in this process.

Run it with `python -m benchmarks.experiments [--side 40] [--cores 2] [--only map|search]`.
"""

import argparse
import time
from typing import Any, cast

from simulations.experiment.choice import best_of
from simulations.experiment.questions import Optimize, asked_spec
from simulations.experiment.reading import read_question
from simulations.pipeline.experiments import run_question
from simulations.pipeline.spark.executors import Executor, InlineExecutor, SparkExecutor
from simulations.pipeline.spark.session import SparkLink
from simulations.scenario.spec import ScenarioSpec, parse
from tests.scenarios import listener_port
from tests.services import local_server

READABLE_BAR = 2.0
COMPLETE_BAR = 15.0
READABLE_CELLS = 100
SEARCH_BARS = {10_000: 20.0, 100_000: 60.0}
"""Settings -> seconds to the choice with its guarantee, on two cores with nothing else running."""


def scenario() -> ScenarioSpec:
    """One z/OS listener port with an objective on its p95 latency."""
    return parse(listener_port("Map", rate="81/s", objectives=[{"metric": "latency.p95", "at_most": "800ms"}]))


def question(side: int) -> dict[str, Any]:
    """The grid of sessions and arrival rates, ``side`` values each, saving sessions."""
    knobs = [
        {"path": "queues.orders.settings.maximum_sessions", "from": 10, "to": 10 + 2 * (side - 1), "steps": side},
        {"path": "queues.orders.arrivals.rate", "from": 40, "to": 95, "steps": side},
    ]
    return {"type": "optimize", "minimize": ["max_sessions"], "knobs": knobs}


def search(size: int) -> dict[str, Any]:
    """Sessions, servants and, for 100,000 settings, CPUs; the cheapest threads that meet the objective."""
    knobs: dict[str, list[int]] = {
        "queues.orders.settings.maximum_sessions": list(range(1, 101)),
        "servers.payments.settings.max_servants": list(range(3, 103)),
        "servers.payments.cpus": list(range(1, 1 + size // 10_000)),
    }
    return {"type": "optimize", "minimize": ["threads"], "knobs": knobs}


def measure_search(size: int, executor: Executor) -> None:
    """Print how long the choice takes, and what simulating every setting at the fewest replications would take."""
    spec = scenario()
    begin = time.perf_counter()
    asked = cast("Optimize", read_question(search(size), spec))
    answers: dict[int, Any] = {}
    replications = 0
    for step in run_question(asked, spec, executor, should_stop=lambda: False):
        answers |= {summary.index: summary for summary in step.summaries}
        replications = step.progress.replications_done
    seconds = time.perf_counter() - begin
    best = best_of(asked, asked_spec(asked, spec), answers)
    least = asked.effort.replications.min if asked.effort.replications else 10
    exhaustive = seconds / replications * size * least
    print(f"{size:,} settings: {len(answers)} simulated, {replications} replications, {best.probability:.4f} sure")
    print(f"  choice                          {seconds:8.2f} s   (bar: {SEARCH_BARS[size]:g} s)")
    print(f"  every setting, {least} replications {exhaustive:10.0f} s   ({exhaustive / seconds:.0f} times as long)")


def warm(executor: Executor) -> None:
    """Load the kernel where the executor computes, so that no figure contains it."""
    spec = scenario()
    effort = {"messages": 1000, "replications": {"min": 2, "max": 2}}
    asked = read_question({**question(2), "effort": effort}, spec)
    for _ in run_question(asked, spec, executor, should_stop=lambda: False):
        pass


def measure(side: int, executor: Executor) -> None:
    """Print the course of one search."""
    spec = scenario()
    asked = read_question(question(side), spec)
    begin, answered, readable, replications = time.perf_counter(), set[int](), 0.0, 0
    for step in run_question(asked, spec, executor, should_stop=lambda: False):
        answered |= {summary.index for summary in step.summaries}
        if not readable and len(answered) >= READABLE_CELLS:
            readable = time.perf_counter() - begin
        replications = step.progress.replications_done
    complete = time.perf_counter() - begin
    print(f"{side} x {side} = {side * side} cells: {len(answered)} simulated, {replications} replications")
    print(f"  readable ({READABLE_CELLS} cells)            {readable:8.2f} s   (bar: {READABLE_BAR} s)")
    print(f"  complete                        {complete:8.2f} s   (bar: {COMPLETE_BAR} s)")


def main() -> None:
    """Measure with a Spark server of its own."""
    parser = argparse.ArgumentParser(description="Measure a map of two knobs on Spark.")
    parser.add_argument("--side", type=int, default=40)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--only", choices=["map", "search"], help="one of the two")
    options = parser.parse_args()
    warm(InlineExecutor())
    if options.only != "map":
        for size in SEARCH_BARS:
            measure_search(size, InlineExecutor(options.cores))
    if options.only == "search":
        return
    with local_server(cores=options.cores) as plan, SparkLink(plan.remote, plan.token) as link:
        executor = SparkExecutor(link, tag="benchmark", slots=options.cores)
        warm(executor)
        measure(options.side, executor)


if __name__ == "__main__":
    main()
