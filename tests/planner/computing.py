"""Runs that are computed in this process while a test watches, and what became of them."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
from django.db import connection

from planner import services
from planner.jobs.execute import run_compute
from planner.models import Run
from simulations.pipeline.spark.executors import Executor, InlineExecutor, ShouldStop
from simulations.pipeline.work import WorkItem


class WorkerDied(BaseException):
    """What no code of ours catches, like the end of the process."""


@dataclass
class Watched:
    """The inline executor, with something that happens after a number of rows."""

    after: int = 0
    happens: Callable[[], None] = lambda: None
    rows: list[tuple[int, int]] = field(default_factory=list)
    must_stop: ShouldStop = lambda: False

    def run(self, items: Sequence[WorkItem], *, should_stop: ShouldStop) -> Generator[pa.RecordBatch, None, None]:
        self.must_stop = should_stop
        for batch in InlineExecutor(together=0.0).run(items, should_stop=should_stop):
            if len(self.rows) == self.after:
                self.happens()
            self.rows += zip(batch["point"].to_pylist(), batch["replication"].to_pylist(), strict=True)
            yield batch


def compute(run: Run, executor: Executor | None = None) -> Run:
    assert not connection.in_atomic_block, (
        "a run's heartbeat sees committed rows: mark the test django_db(transaction=True)"
    )
    run_compute(run_id=run.pk, worker="w1", executor_of=lambda _: executor or InlineExecutor())
    run.refresh_from_db()
    return run


def again(run: Run) -> Run:
    return services.run_start(version=run.version, owner=run.owner, force=True).run


def error_of(run: Run) -> dict[str, Any]:
    assert run.error is not None
    return dict(run.error)


def ended_with(run: Run) -> tuple[str, str]:
    return run.status, error_of(run)["code"]


def raiser(error: type[BaseException]) -> Callable[[], None]:
    def happen() -> None:
        raise error("in the test")

    return happen
