"""The service in parts, and the downstream resource that its last share must hold (for example a JDBC pool).

A demand is its CPU part, then its waiting part. The resource is asked for when the first ``1 - share`` of the demand is
done and held to the end; threads that find none free wait in order of asking.
"""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import schedule
from simulations.engine.events.queues import append, pop, remove
from simulations.engine.mechanisms.cpus import enter
from simulations.engine.records.codes import Stage
from simulations.engine.records.layout import Model


@inline
def work(model: Model, t: int, on_cpu: float, waiting: float) -> None:
    """Let thread ``t`` work ``on_cpu`` CPU-seconds and then wait ``waiting`` seconds."""
    if on_cpu > 0.0:
        thread = model.threads[t]
        thread.rest = waiting
        model.messages[thread.message].crowding -= on_cpu
        enter(model, t, on_cpu)
    else:
        schedule(model, t, model.now + waiting)


@inline
def _resource(model: Model, t: int) -> Any:
    thread = model.threads[t]
    stream = model.streams[model.messages[thread.message].stream]
    return model.resources[model.members[thread.member].first_resource + stream.resource]


@compiled
def begin_shared(model: Model, t: int, demand: float) -> None:
    """Begin a service of ``demand`` seconds whose last share needs the stream's resource."""
    thread = model.threads[t]
    stream = model.streams[model.messages[thread.message].stream]
    before = demand * (1.0 - stream.share)
    on_cpu = demand * stream.cpu_share
    first_cpu = min(on_cpu, before)
    first_wait = before - first_cpu
    thread.later_cpu = on_cpu - first_cpu
    thread.later_wait = demand - before - thread.later_cpu
    thread.stage = Stage.BEFORE
    if before > 0.0:
        work(model, t, first_cpu, first_wait)
    else:
        acquire(model, t)


@compiled
def acquire(model: Model, t: int) -> None:
    """Take a unit of the resource for thread ``t`` or let it wait for one."""
    thread = model.threads[t]
    message = model.messages[thread.message]
    message.waiting += model.now - message.mark
    message.mark = model.now
    resource = _resource(model, t)
    if resource.used < resource.units:
        resource.used += 1
        thread.stage = Stage.LAST
        work(model, t, thread.later_cpu, thread.later_wait)
        return
    thread.stage = Stage.QUEUED
    append(model.threads, model.queues[resource.waiters], t)


@compiled
def give_back(model: Model, t: int) -> None:
    """Return the unit that thread ``t`` holds; the thread that has waited longest goes on with it."""
    resource = _resource(model, t)
    line = model.queues[resource.waiters]
    if line.count == 0:
        resource.used -= 1
        return
    following = pop(model.threads, line)
    thread = model.threads[following]
    message = model.messages[thread.message]
    message.downstream += model.now - message.mark
    message.mark = model.now
    thread.stage = Stage.LAST
    work(model, following, thread.later_cpu, thread.later_wait)


@compiled
def abandon(model: Model, t: int) -> bool:
    """Give up what thread ``t``, stopped in the middle, holds or waits for; True when it was waiting for a unit."""
    thread = model.threads[t]
    if thread.stage == Stage.LAST:
        give_back(model, t)
        return False
    if thread.stage == Stage.BEFORE:
        return False
    remove(model.threads, model.queues[_resource(model, t).waiters], t)
    return True
