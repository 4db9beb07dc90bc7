"""The rules of WebLogic about concurrency, threads and work managers.

The list of work managers is one setting, so a cure that changes one gives all of them.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from simulations.analysis.theory.mechanisms import batch_capacity
from simulations.declarations.system import Queue, Server, System
from simulations.declarations.texts import step
from simulations.engine.network.model import ArrivalKind
from simulations.platforms.shared.laws import arrivals_of
from simulations.platforms.shared.queues import mean_service, settings_of
from simulations.platforms.shared.rules import Verdict, carries, ignored, judged, more_members, per_queue, per_server
from simulations.platforms.weblogic import formulas
from simulations.platforms.weblogic.parameters import MdbSettings, ServerSettings, WorkManager
from simulations.platforms.weblogic.parameters.server import DEFAULT_FAIR_SHARE, DEFAULT_WORK_MANAGER, WorkSettings
from simulations.platforms.weblogic.sources import DEPLOYMENT, OWN_MODEL, TUNING, WORK

MOST_THREADS = 65534
"""The largest pool."""
BURSTS = (ArrivalKind.SURGE, ArrivalKind.PERIODIC, ArrivalKind.ON_OFF)


def _unbounded(server: Server, queue: Queue) -> bool:
    """True in the row of the table that ends at 16."""
    manager = formulas.work_of(server, queue)
    return formulas.is_self_tuned(server, queue) and formulas.count_of(server, manager, "max_threads") is None


@per_queue("weblogic.stable", "error", OWN_MODEL, "concurrency divided by service time", trust="assumed")
def stable(system: System, server: Server, queue: Queue) -> Verdict | None:
    """Fewer messages arrive than the bean carries."""
    return carries(system, queue, formulas.carried, partial(carrying, server, queue), formulas.goes_to_each_server)


@per_queue("weblogic.limit-of-16", "error", TUNING, "Table 10-1 and the note on 16")
def limit_of_16(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """A pool of more than 16 beans has a max-threads-constraint."""
    if not _unbounded(server, queue):
        return None
    beans, details = mdb.max_beans_in_free_pool, {"max_concurrency": float(formulas.concurrency(server, queue).maximum)}
    limit = formulas.SELF_TUNED_LIMIT
    pool = beans if formulas.own_threads(server, queue) else formulas.threads_of(server)
    if pool <= limit < beans:
        return Verdict("ok", f"The {pool} threads of the server are not above {limit}.", details=details)
    good = f"The pool of {beans} beans is not above {limit}."
    why = "without a max-threads-constraint raising max-beans-in-free-pool changes nothing"
    problem = f"{limit} of {beans} beans run: {why}."
    return judged(beans <= limit, good, problem, limited(server, queue, max_threads=min(beans, pool)), details)


@per_queue("weblogic.fair-share-keeps-16", "warning", TUNING, "note on the default concurrency of 16")
def fair_share_alone(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """A work manager that should exceed 16 has a max-threads-constraint."""
    manager = formulas.work_of(server, queue)
    others = manager.fair_share or manager.response_time_goal or manager.min_threads
    if not _unbounded(server, queue) or others is None:
        return None
    message = (
        f"Work manager {manager.name!r} has no max-threads-constraint: a fair share, a goal or a min-threads-"
        f"constraint leaves the limit of {formulas.SELF_TUNED_LIMIT} in place."
    )
    return Verdict("violated", message, limited(server, queue, max_threads=2 * formulas.SELF_TUNED_LIMIT))


@per_queue("weblogic.dispatch-policy-ignored", "info", TUNING, "thread utilization by destination and transaction")
def dispatch_policy_ignored(system: System, server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """A bean with threads of its own needs no share of the pool."""
    own, manager = formulas.own_threads(server, queue), formulas.work_of(server, queue)
    shares = ("fair_share", "response_time_goal", "min_threads", "capacity")
    if not own or all(getattr(manager, name) is None for name in shares):
        return None
    message = f"{own} threads are beside the pool: of {manager.name!r} at most the max-threads-constraint counts."
    fix = limited(server, queue, **dict.fromkeys(shares))
    return Verdict("ignored", message, {} if formulas.users(system, server)[manager.name] else fix)


@per_queue("weblogic.beans-cover-constraint", "warning", TUNING, "Table 10-1, custom work manager")
def beans_cover_constraint(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """The pool of beans covers the max-threads-constraint."""
    most = formulas.count_of(server, formulas.work_of(server, queue), "max_threads")
    if most is None or formulas.is_single_threaded_topic(queue):
        return None
    good = f"The pool of {mdb.max_beans_in_free_pool} beans covers the {most} threads."
    problem = f"{mdb.max_beans_in_free_pool} beans are fewer than the {most} threads of the max-threads-constraint."
    return judged(mdb.max_beans_in_free_pool >= most, good, problem, {"settings.max_beans_in_free_pool": most})


@per_queue("weblogic.work-manager-declared", "error", DEPLOYMENT, "dispatch-policy")
def manager_declared(mdb: MdbSettings, settings: ServerSettings) -> Verdict | None:
    """The dispatch policy names a work manager of the server."""
    name, managers = mdb.work_manager, settings.work_managers
    if name == DEFAULT_WORK_MANAGER or name in {manager.name for manager in managers}:
        return None
    message = f"No work manager is named {name!r}: the default one is used."
    return Verdict("violated", message, {"settings.work_manager": "default"})


@per_server("weblogic.background-manager-declared", "error", DEPLOYMENT, "dispatch-policy")
def work_declared(server: Server, settings: ServerSettings) -> Verdict | None:
    """The dispatch policies of the server's other work name work managers of the server."""
    known = {DEFAULT_WORK_MANAGER, *(manager.name for manager in settings.work_managers)}
    used = {work.name: settings_of(work, WorkSettings).work_manager for work in server.background}
    lost = {work: name for work, name in used.items() if name not in known}
    message = f"No work manager is named {' or '.join(map(repr, lost.values()))}: the default one is used."
    fix = {f"background{step(work)}.settings.work_manager": DEFAULT_WORK_MANAGER for work in lost}
    return judged(not lost, "All other work has its work manager.", message, fix) if used else None


@per_server("weblogic.shared-constraint", "warning", WORK, "constraints shared by work managers")
def shared_constraint(server: Server, settings: ServerSettings) -> Verdict | None:
    """No work managers share a max-threads-constraint unawares."""
    managers = settings.work_managers
    counts: dict[object, int] = {item.name: item.count for item in settings.constraints}
    named = dict.fromkeys(item.max_threads for item in managers if item.max_threads in counts)
    used = {name: [item.name for item in managers if item.max_threads == name] for name in named}
    shared = {name: users for name, users in used.items() if len(users) > 1}
    if not shared:
        return None
    parts = [f"{' and '.join(users)} have {counts[name]} threads together" for name, users in shared.items()]
    limits = {name: {"max_threads": counts[name]} for name in shared}
    own = [_body(item, limits.get(item.max_threads, {})) for item in managers]
    return Verdict("violated", f"Shared constraints: {'; '.join(parts)}, not each.", {"settings.work_managers": own})


@per_server("weblogic.reserved-threads-fit", "warning", WORK, "min-threads-constraint")
def reserved_fit(server: Server, settings: ServerSettings) -> Verdict | None:
    """All min-threads-constraints fit in the pool."""
    shared = sum(item.count for item in settings.constraints if item.kind == "min_threads")
    reserved = shared + sum(item.min_threads for item in settings.work_managers if isinstance(item.min_threads, int))
    if reserved == 0:
        return None
    most = formulas.threads_of(server)
    good = f"{reserved} reserved threads fit in the pool of {most}."
    problem = f"{reserved} threads are reserved of {most} in all: a server adds standby threads, the simulation none."
    pool = "thread_pool_maximum" if settings.self_tuning else "default_thread_pool_size"
    return judged(reserved <= most, good, problem, {f"settings.{pool}": reserved} if reserved <= MOST_THREADS else {})


@per_queue("weblogic.capacity-covers-threads", "warning", WORK, "capacity")
def capacity_covers_threads(system: System, server: Server, queue: Queue, settings: ServerSettings) -> Verdict | None:
    """A capacity constraint does not reject work while threads are free."""
    mdb, parallel = formulas.mdb_of(queue), formulas.concurrency(server, queue).maximum
    manager, users = formulas.work_of(server, queue), formulas.users(system, server)
    capacity, name = formulas.count_of(server, manager, "capacity"), manager.capacity
    held = parallel * (mdb.messages_maximum + 1 if formulas.is_asynchronous(queue) else formulas.batch_size(queue))
    # A constraint that has a name is shared, one given as a number is not.
    alike = (item for item in settings.work_managers if item == manager or (name == item.capacity != capacity))
    shared = sum(users[item.name] for item in alike) > 1
    if capacity is None or formulas.own_threads(server, queue) or (shared and capacity >= held):
        return None
    counted = "the simulation also counts messages on the destination, and refuses those beyond it"
    good = f"The capacity {capacity} rejects nothing before all {parallel} instances have work; {counted}."
    why = f"Up to {held} messages run or wait behind instances, and all count against the capacity {capacity}"
    problem = f"{why}: it can reject work while threads are free."
    return judged(capacity >= held, good, problem, limited(server, queue, capacity=held))


@per_queue("weblogic.reserve-for-steady-work", "info", TUNING, "high and constant arrival rate")
def reserve_for_constant_work(system: System, server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """A steady stream beside other work has reserved threads, 5 % to spare: else it would wait without end."""
    manager, arrivals = formulas.work_of(server, queue), arrivals_of(queue.arrivals)
    rate = None if formulas.own_threads(server, queue) else formulas.offered(system, queue)
    if rate is None or arrivals.kind in BURSTS or not server.background:
        return None
    needed = int(1.05 * rate * mean_service(queue) / server.instances) + 1
    reserved = formulas.count_of(server, manager, "min_threads") or 0
    if reserved >= needed:
        return Verdict("ok", f"{reserved} threads are reserved for a steady stream that needs {needed}.")
    message = f"A steady stream shares its threads with other work: reserve {needed} by a min-threads-constraint."
    return Verdict("violated", message, limited(server, queue, min_threads=needed), {"needed_threads": needed})


@per_queue("weblogic.share-for-bursts", "info", TUNING, "bursts of messages")
def share_for_bursts(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """Bursts use a fair share instead of reserved threads."""
    manager, arrivals = formulas.work_of(server, queue), arrivals_of(queue.arrivals)
    if arrivals.kind not in BURSTS or not server.background or formulas.own_threads(server, queue):
        return None
    reserved = formulas.count_of(server, manager, "min_threads")
    good = "Bursts use a fair share and give the threads back in between."
    problem = "Bursts reserve threads all the time: a high fair share is usually enough and gives them back in between."
    return judged(not reserved, good, problem, limited(server, queue, min_threads=None))


@per_server("weblogic.pool-size-ignored", "info", TUNING, "Table 10-1, self-tuning disabled")
def pool_size_ignored(settings: ServerSettings) -> Verdict | None:
    """The size that is set belongs to the pool in use."""
    message, other = "The default thread pool size counts only without self-tuning.", "default_thread_pool_size"
    if not settings.self_tuning:
        message, other = "The size of the self-tuning pool does nothing: self-tuning is off.", "thread_pool_maximum"
    minimum = f"A minimum of {settings.thread_pool_minimum} threads changes no answer: threads are made as needed."
    return ignored(settings, message, other) or ignored(settings, minimum, "thread_pool_minimum")


@per_queue("weblogic.downstream-covers-threads", "warning", OWN_MODEL, "downstream resource", trust="assumed")
def downstream_covers(system: System, server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """The downstream resource serves all parallel messages."""
    resource, queues = mdb.downstream, system.queues_of(server)
    if resource is None:
        return None
    held = [used for item in queues if (used := formulas.mdb_of(item).downstream) and used.name == resource.name]
    users = [item for item in queues if formulas.mdb_of(item).downstream in held]
    bounds = [formulas.work_of(server, item).max_threads for item in users]
    if min(used.share for used in held) < 1 or (len(users) > 1 and any(bounds)):
        return None
    parallel = sum(formulas.concurrency(server, item).maximum for item in users)
    limit = min(used.limit for used in held)
    of_all = f" of {len(users)} queues together" if len(users) > 1 else ""
    good = f"{resource.name} serves all {parallel} parallel messages{of_all}."
    problem = f"{parallel} threads{of_all} queue for {limit} of {resource.name}: {limit} is the useful maximum."
    each = limit // formulas.pools_of(server, queue) if len(users) == 1 else 0
    beans: dict[str, object] = {"settings.max_beans_in_free_pool": each}
    fix = limited(server, queue, max_threads=each) if formulas.is_self_tuned(server, queue) else beans
    return judged(parallel <= limit, good, problem, fix if each else {}, {"useful_maximum": limit})


def limited(server: Server, queue: Queue, **limits: int | None) -> dict[str, object]:
    """Return the fix that gives the bean's work manager these limits; None takes one away. A bean without a declared
    work manager gets one of its own, so that nothing else shares the limit."""
    managers = list(settings_of(server, ServerSettings).work_managers)
    policy = formulas.mdb_of(queue).work_manager
    declared = {item.name for item in managers}
    name = f"{queue.name}-work" if policy == DEFAULT_WORK_MANAGER and policy not in declared else policy
    if name not in declared:
        managers.append(WorkManager(name=name, fair_share=DEFAULT_FAIR_SHARE))
    bodies = [_body(item, limits if item.name == name else {}) for item in managers]
    fix: dict[str, object] = {f"{server.path}.settings.work_managers": bodies}
    return fix if name == policy else {**fix, f"{queue.path}.settings.work_manager": name}


def carrying(server: Server, queue: Queue, rate: float, most: float) -> dict[str, object]:
    """Return the fix that lets the bean carry ``rate``: more threads, or more members where there can be no more."""
    mdb = formulas.mdb_of(queue)
    commit = mdb.commit_time if mdb.transactional else 0.0
    each = batch_capacity(formulas.batch_size(queue), mean_service(queue), commit, 1)
    needed = int(rate / (server.instances * each)) + 1
    if not formulas.is_self_tuned(server, queue) or needed > formulas.threads_of(server):
        return more_members(server, queue, rate, most)
    fix = limited(server, queue, max_threads=needed)
    return fix if mdb.max_beans_in_free_pool >= needed else {**fix, "settings.max_beans_in_free_pool": needed}


def _body(manager: WorkManager, limits: Mapping[str, Any]) -> dict[str, Any]:
    body = {**manager.model_dump(), **limits}
    return {key: value for key, value in body.items() if value is not None}
