"""Scenarios for the pipeline's tests, and a computer of replications that is not the engine."""

import copy
import json
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from simulations.analysis.replications.rows import compact
from simulations.experiment import Point, expansion
from simulations.pipeline.archive.schemas import replication_batch
from simulations.pipeline.rounds import Round
from simulations.pipeline.spark.executors import Cancelled, ShouldStop
from simulations.pipeline.work import WorkItem, split
from simulations.scenario.spec import ScenarioSpec, parse
from tests.scenarios import listener_port
from tests.simulations.analysis import synthetic

SESSIONS = "queues.orders.settings.maximum_sessions"

BODY = listener_port(
    "Pipeline",
    settings={"queue_agent_time": "0ms"},
    run={
        "horizon": {"messages": 2000},
        "replications": {"min": 3, "max": 9},
        "precision": {"metric": "latency.p95", "relative": 0.02},
        "seed": 7,
    },
    sweep=[{"path": SESSIONS, "values": [18, 36, 50, 100]}],
)


def scenario(**run: Any) -> ScenarioSpec:
    """The scenario of four points, with other run settings where they are given."""
    body = copy.deepcopy(BODY)
    body["run"] |= run
    return parse(body)


def points_of(spec: ScenarioSpec) -> tuple[Point, ...]:
    """The scenario's points."""
    return expansion(spec).points


@dataclass
class SyntheticExecutor:
    """Computes M/M/18 by a recursion instead of the engine, for tests whose subject is the loop of rounds.

    ``asked`` collects (point, replication); ``backwards`` delivers the rows in the opposite order; the run is
    interrupted by ``break_with`` after ``break_after`` rows.
    """

    backwards: bool = False
    break_after: int | None = None
    break_with: type[Exception] = Cancelled
    asked: list[tuple[int, int]] = field(default_factory=list)

    def run(self, items: Sequence[WorkItem], *, should_stop: ShouldStop) -> Generator[pa.RecordBatch, None, None]:
        singles = [item for task in split(items, 0.0) for item in task]
        for item in reversed(singles) if self.backwards else singles:
            if should_stop() or len(self.asked) == self.break_after:
                raise self.break_with("stopped by the test")
            self.asked.append((item.point, item.first))
            yield synthetic_batch(item)


def synthetic_batch(item: WorkItem) -> pa.RecordBatch:
    """One replication whose service is the faster the more sessions the point has."""
    sessions = json.loads(item.overrides)[SESSIONS]
    network = synthetic.network(18, 60.0, 0.2 + 1.0 / sessions, messages=500)
    return replication_batch(item.point, [compact(synthetic.replication(network, item.first, item.seed))])


def final_answers(rounds: list[Round]) -> dict[int, dict[str, tuple[float, float, float]]]:
    """Every number of the decided points: what must be equal, bit for bit, however it was computed."""
    return {
        summary.index: {name: (e.value, e.low, e.high) for name, e in summary.metrics.items()}
        for step in rounds
        for summary in step.decided
    }
