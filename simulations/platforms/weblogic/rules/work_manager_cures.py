"""Cures that change work managers: the whole list is one setting, so a cure gives all of them."""

from typing import Any

from simulations.analysis.theory.laws import law_mean
from simulations.analysis.theory.transactions import batch_capacity
from simulations.declarations.system import Queue, Server
from simulations.platforms.shared.queues import service_of, settings_of
from simulations.platforms.shared.rules import more_members
from simulations.platforms.weblogic.formulas import batch_size, is_single_threaded_topic, threads_of
from simulations.platforms.weblogic.parameters.mdb import MdbSettings
from simulations.platforms.weblogic.parameters.server import (
    DEFAULT_FAIR_SHARE,
    DEFAULT_WORK_MANAGER,
    Kind,
    ServerSettings,
    WorkManager,
)


def opened(server: Server, queue: Queue, count: int) -> dict[str, object]:
    """Return the fix that lets ``count`` threads run the bean: a max-threads-constraint at its work manager."""
    return limited(server, queue, {"max_threads": count})


def limited(server: Server, queue: Queue, limits: dict[str, int | None]) -> dict[str, object]:
    """Return the fix that gives the bean's work manager these limits; None takes one away.

    A bean without a declared work manager gets one of its own, so that nothing else shares the limit.
    """
    managers = list(settings_of(server, ServerSettings).work_managers)
    wanted = settings_of(queue, MdbSettings).work_manager
    declared = {item.name for item in managers}
    name = f"{queue.name}-work" if wanted == DEFAULT_WORK_MANAGER and wanted not in declared else wanted
    if name not in declared:
        managers.append(WorkManager(name=name, fair_share=DEFAULT_FAIR_SHARE))
    bodies = [_body(item, limits if item.name == name else {}) for item in managers]
    fix: dict[str, object] = {f"{server.path}.settings.work_managers": bodies}
    return fix if name == wanted else {**fix, f"{queue.path}.settings.work_manager": name}


def unshared(server: Server, kind: Kind) -> dict[str, object]:
    """Return the fix that gives each work manager a constraint of its own, of the size of the shared one."""
    settings = settings_of(server, ServerSettings)
    counts = {item.name: item.count for item in settings.constraints}
    bodies = []
    for manager in settings.work_managers:
        value = getattr(manager, kind)
        bodies.append(_body(manager, {kind: counts[value]} if isinstance(value, str) else {}))
    return {"settings.work_managers": bodies}


def carrying(server: Server, queue: Queue, rate: float, most: float) -> dict[str, object]:
    """Return the fix that lets the bean carry ``rate``: more threads, or more members where there can be no more."""
    mdb = settings_of(queue, MdbSettings)
    commit = mdb.commit_time if mdb.transactional else 0.0
    each = batch_capacity(batch_size(queue), law_mean(service_of(queue)), commit, 1)
    needed = int(rate / (server.instances * each)) + 1
    tuned = settings_of(server, ServerSettings).self_tuning and mdb.execute_queue_size is None
    if not tuned or needed > threads_of(server) or is_single_threaded_topic(queue):
        return more_members(server, queue, rate, most)
    fix = opened(server, queue, needed)
    return fix if mdb.max_beans_in_free_pool >= needed else {**fix, "settings.max_beans_in_free_pool": needed}


def _body(manager: WorkManager, limits: dict[str, int | None]) -> dict[str, Any]:
    body = {**manager.model_dump(), **limits}
    return {key: value for key, value in body.items() if value is not None}
