"""Sentences about a simulated point, every number of them taken from the summary or the formulas."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.estimates.summary import PointSummary
from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared import claims
from simulations.platforms.shared.family import Claim
from simulations.platforms.shared.queues import settings_of
from simulations.platforms.weblogic import formulas
from simulations.platforms.weblogic.parameters.server import ServerSettings


def explain(system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """Return what held the messages up, in the order of importance."""
    of_queues = [claim for queue in system.queues for claim in _of_queue(system, queue, summary)]
    return (*of_queues, *(claim for server in system.servers for claim in _beside(server, summary)))


def _of_queue(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    rate, most = formulas.offered(system, queue), formulas.carried(system, queue)
    yield from claims.unstable_claim(queue, most, summary)
    if queue.name in summary.growth and rate and most and rate < most:
        slowed = "Flow control limits the producers {} of the time: they get less in than arrives, and than is carried."
        yield from claims.measured_claim(queue, summary, "producer.limited_fraction", slowed)
    yield from _held_up(system, queue, summary)
    size = formulas.batch_size(queue)
    if size > 1:
        batches = f"A transaction holds {{n}} messages on average, at most {size}."
        yield from claims.measured_claim(queue, summary, "batch.mean_size", batches)
    late = "{n} transactions per replication outlived their limit: the work was wasted and the messages came again."
    yield from claims.measured_claim(queue, summary, "timeouts.transaction", late)
    yield from claims.measured_claim(queue, summary, "rejected", _refused(system.server_of(queue), queue))
    dropped = "{n} messages per replication were dropped without an outcome."
    yield from claims.measured_claim(queue, summary, "dropped", dropped)


def _refused(server: Server, queue: Queue) -> str:
    """Who refuses messages: the work manager, the destination, or one of the two."""
    mdb = formulas.mdb_of(queue)
    capacity = formulas.count_of(server, formulas.work_of(server, queue), "capacity")
    counts = capacity is not None and not formulas.own_threads(server, queue)
    by = f"by the capacity {capacity} of work manager {mdb.work_manager!r}" if counts else ""
    full = "" if by and max(mdb.messages_quota, mdb.bytes_quota) < 0 else "for want of room within the send timeout"
    return f"{{n}} messages per replication were refused {' or '.join(filter(None, (by, full)))}."


def _held_up(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    """What messages of a bean waited for: the pool of threads, or else what limits its instances."""
    busy, about = claims.estimate_of(summary, queue.name, "threads.busy"), {"queue": queue.name}
    if busy is not None and claims.waited(queue, summary):
        for name, sentence in list(_pool(system, queue, summary)) or _ceiling(system, queue, summary):
            yield claims.stated(f"{queue.name}.{name}", sentence, "threads.busy", busy, about=about)


def _pool(system: System, queue: Queue, summary: PointSummary) -> Iterator[tuple[str, str]]:
    """Say where the pool keeps most messages of a bean waiting, as far as the course over time shows: all its threads
    are taken, or it has not grown to what the bean alone may use while messages are left on the destination."""
    server = system.server_of(queue)
    names = [item.name for item in formulas.pooled(system, server)]
    if queue.name not in names:
        return
    size, grows = formulas.threads_of(server), settings_of(server, ServerSettings).thread_growth == "history"
    most = {item.name: formulas.concurrency(server, item).maximum for item in system.queues_of(server)}
    used = sum(np.minimum(_course(summary, name, "running"), most.get(name, size) * server.instances) for name in names)
    backlog = _course(summary, queue.name, "backlog")
    waiting = backlog + _course(summary, queue.name, "prepared")
    full = used >= size * server.instances
    could_grow = grows & (backlog > 0) & (used < min(most[queue.name], size))
    if 2 * waiting[full | could_grow].sum() > waiting.sum():
        taken = f"all {size} threads of the pool{claims.members_text(server)} are taken"
        why = "the pool, which grows by its history, has no thread free" if grows else taken
        yield "pool", f"Most messages wait while {why}; on average {{n}} are busy with this bean."


def _course(summary: PointSummary, name: str, column: str) -> NDArray[np.float64]:
    """A column of the course over time of one queue or other work; 0 where there is nothing."""
    return np.nan_to_num(np.array(summary.timeline.get(name, {}).get(column, 0.0), np.float64))


def _ceiling(system: System, queue: Queue, summary: PointSummary) -> Iterator[tuple[str, str]]:
    """What kept fewer instances running than the pool of beans promises: the ceiling of 16 or a constraint."""
    server, mdb = system.server_of(queue), formulas.mdb_of(queue)
    beans, manager = mdb.max_beans_in_free_pool, formulas.work_of(server, queue)
    most, possible = formulas.count_of(server, manager, "max_threads"), min(beans, formulas.threads_of(server))
    limit = most or formulas.SELF_TUNED_LIMIT
    bound = formulas.is_self_tuned(server, queue) and formulas.concurrency(server, queue).maximum == limit
    if not bound or possible <= limit or not claims.reached(_limited_with(system, queue), limit, summary):
        return
    why = f"work manager {mdb.work_manager!r} has no max-threads-constraint"
    if most is not None:
        others = [name for name in _limited_with(system, queue) if name != queue.name]
        shared = f", shared with {' and '.join(others)}" if others else ""
        why = f"max-threads-constraint {most} of work manager {manager.name!r}{shared}"
    where = claims.members_text(server)
    sentence = f"At most {limit} of {beans} instances run at once{where}, on average {{n}}{where and ' in all'}: {why}."
    yield "limit_of_16" if most is None else "max_threads", sentence


def _limited_with(system: System, queue: Queue) -> list[str]:
    """Names of the queues and other work that share the queue's max-threads-constraint; of the queue, without one."""
    server = system.server_of(queue)
    own = formulas.work_of(server, queue)
    if own.max_threads is None or formulas.own_threads(server, queue):
        return [queue.name]
    shared = isinstance(own.max_threads, str) and own.max_threads
    users = [(item.name, formulas.work_of(server, item)) for item in formulas.pooled(system, server)]
    return [name for name, manager in users if manager == own or manager.max_threads == shared]


def _beside(server: Server, summary: PointSummary) -> Iterator[Claim]:
    """What the other work of a server gets done: threads that a queue reserves are taken from it."""
    for work in server.background:
        done = summary.queues.get(work.name, {}).get("throughput")
        if done is not None:
            sentence = f"Meanwhile {work.name} completes {{}}."
            about = {"queue": work.name}
            yield claims.stated(f"{server.name}.{work.name}.beside", sentence, "throughput", done, about=about)
