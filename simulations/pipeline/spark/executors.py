"""Where replications are computed: in this process or on Spark. Both yield the same rows, as they are done."""

import logging
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Protocol, TypeAlias, cast

import pyarrow as pa
from pyspark.sql.connect.dataframe import DataFrame
from pyspark.sql.connect.session import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from simulations.pipeline import work
from simulations.pipeline.archive.schemas import PACKED, unpacked
from simulations.pipeline.spark.session import SparkInterrupted, SparkLink, SparkUnavailable

POLL_SECONDS = 0.25
"""How often a running executor asks whether to stop."""

STOP_SECONDS = 4.0
"""How long a cancelled job waits for the server to confirm that nothing of it runs any more."""

INLINE_SECONDS = 0.05
"""Replications that take less together are computed together, so that handing them over costs little."""
TASKS_AT_ONCE = 2_000
"""Tasks of one Spark job: half an hour of two cores or more, and little enough memory to plan it."""
ShouldStop = Callable[[], bool]
logger = logging.getLogger(__name__)
Delivery: TypeAlias = pa.RecordBatch | Exception | None


class Cancelled(Exception):
    """The work was stopped on request, and nothing of it runs any more."""


class Paused(Exception):
    """The work stopped between two rounds on request; called again, it goes on."""


class Executor(Protocol):
    """Computes replications and yields them, in any order, as batches of ``REPLICATION``."""

    def run(self, items: Sequence[work.WorkItem], *, should_stop: ShouldStop) -> Generator[pa.RecordBatch, None, None]:
        """Yield the rows of all items; raises PointFailed, and Cancelled once the work has stopped."""


@dataclass(frozen=True)
class InlineExecutor:
    """Computes in this process on ``threads`` threads: the compiled kernel runs outside Python's lock. ``together``:
    replications that take less than so many seconds are computed together."""

    threads: int = 1
    together: float = INLINE_SECONDS

    def run(self, items: Sequence[work.WorkItem], *, should_stop: ShouldStop) -> Generator[pa.RecordBatch, None, None]:
        """Yield the rows in the order in which they are done."""
        waiting = (single for task in work.split(items, self.together) for single in task)
        with _pool(self.threads) as pool:
            running: set[Future[pa.RecordBatch]] = set()
            while True:
                room = 2 * self.threads - len(running)
                running |= {pool.submit(work.simulate, item) for item in islice(waiting, room)}
                if not running:
                    return
                done, running = wait(running, POLL_SECONDS, FIRST_COMPLETED)
                if should_stop():
                    raise Cancelled
                yield from (future.result() for future in done)


@contextmanager
def _pool(threads: int) -> Iterator[ThreadPoolExecutor]:
    """A pool whose threads have ended when it is left; Ctrl-C alone does not wait for what they compute."""
    pool = ThreadPoolExecutor(threads)
    patient = True
    try:
        yield pool
    except KeyboardInterrupt:
        patient = False
        raise
    finally:
        pool.shutdown(wait=patient, cancel_futures=not patient)


@dataclass(frozen=True)
class SparkExecutor:
    """Computes on Spark through ``link``: one job for each ``TASKS_AT_ONCE`` tasks, one work row each, no shuffle.

    ``tag`` names the job for whoever interrupts it; ``slots`` is the number of cores that Spark has;
    ``partitions`` is the number of Spark tasks; None cuts the work by its expected time.
    """

    link: SparkLink
    tag: str
    slots: int = 2
    partitions: int | None = None

    def run(self, items: Sequence[work.WorkItem], *, should_stop: ShouldStop) -> Generator[pa.RecordBatch, None, None]:
        """Yield the rows task by task. Raises SparkUnavailable too, when the server was lost."""
        waiting = work.split(items, work.task_seconds(items, self.slots), slots=self.slots)
        while tasks := list(islice(waiting, TASKS_AT_ONCE)):
            yield from self._job(tasks, should_stop)

    def _job(self, tasks: list[work.Task], should_stop: ShouldStop) -> Generator[pa.RecordBatch, None, None]:
        logger.info("%d tasks go to Spark as %s", len(tasks), self.tag)
        mailbox: SimpleQueue[Delivery] = SimpleQueue()
        reader = Thread(target=self._read, args=(tasks, mailbox), name=self.tag, daemon=True)
        reader.start()
        try:
            while (delivery := _receive(mailbox, should_stop)) is not None:
                if isinstance(delivery, Exception):
                    raise delivery
                yield delivery
        finally:
            self._stop(reader)

    def _read(self, tasks: list[work.Task], mailbox: "SimpleQueue[Delivery]") -> None:
        try:
            with self.link.operation(self.tag) as session:
                for batch in _stream(replications(session, tasks, self.partitions or len(tasks))):
                    mailbox.put(batch)
            mailbox.put(None)
        except Exception as error:  # raised again in the thread that waits for the rows
            mailbox.put(_in_our_words(error))

    def _stop(self, reader: Thread) -> None:
        """Interrupt the job until its reader is gone. Where the server hangs, a thread goes on without us."""
        if not reader.is_alive():
            return
        stopper = Thread(target=_interrupt, args=(copy(self.link), self.tag, reader), daemon=True)
        stopper.start()
        stopper.join(STOP_SECONDS)
        if stopper.is_alive():
            self.link.forget()


def _interrupt(link: SparkLink, tag: str, reader: Thread) -> None:
    """Interrupt again and again: an interrupt that comes before the job is registered is lost."""
    while reader.is_alive():
        with suppress(SparkUnavailable):
            link.interrupt(tag)
        reader.join(POLL_SECONDS)


def replications(session: SparkSession, tasks: Sequence[work.Task], partitions: int) -> DataFrame:
    """Return the frame of the tasks' replications, packed: a local table in ``partitions`` parts and one map."""
    session.conf.set("spark.sql.leafNodeDefaultParallelism", partitions)
    schema = from_arrow_schema(PACKED)
    frame = cast("DataFrame", session.createDataFrame(work.work_table(tasks)))
    frame._cached_schema = schema  # mapInArrow wants its columns, and would ask the server for 30 ms
    return cast("DataFrame", frame.mapInArrow(work.simulate_batches, schema))


def _stream(frame: DataFrame) -> Iterator[pa.RecordBatch]:
    """Yield the frame's batches as its partitions end; PySpark's public iterator makes an object of each number."""
    client = frame._session.client
    for part in client.to_table_as_iterator(frame._plan.to_proto(client), {}):
        if isinstance(part, pa.Table):
            for batch in part.cast(PACKED).to_batches():
                yield from unpacked(batch)


def _receive(mailbox: "SimpleQueue[Delivery]", should_stop: ShouldStop) -> Delivery:
    while True:
        if should_stop():
            return Cancelled()
        with suppress(Empty):
            return mailbox.get(timeout=POLL_SECONDS)


def _in_our_words(error: Exception) -> Exception:
    """The reason in one line where a worker's trace holds it."""
    if isinstance(error, SparkInterrupted):
        return Cancelled()
    found = re.search(r"PointFailed: (.*)", str(error))
    if not found:
        return error
    failure = work.PointFailed(found[1])
    failure.__cause__ = error
    return failure
