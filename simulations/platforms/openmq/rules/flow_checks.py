"""The rules of Open MQ about what an MDB carries, flow limits and their thresholds."""

from functools import partial

from simulations.declarations.system import Queue, Server, System
from simulations.platforms.openmq import formulas
from simulations.platforms.openmq.parameters import InstanceSettings, MdbSettings
from simulations.platforms.openmq.sources import ADMIN, FLOW, OWN_MODEL
from simulations.platforms.shared.queues import MAX_INT, number, offered_rate
from simulations.platforms.shared.rules import Verdict, carries, ignored, judged, more_members, per_queue, per_server

THRESHOLD = "settings.consumer_flow_threshold"
DEFAULT_THRESHOLD = 50.0
"""Percent of the limit at which a client asks for more, as delivered."""


def _limits_fix(server: Server, queue: Queue, limit: int) -> dict[str, object]:
    """Raise the limits that are set below ``limit``; without prefetch none of them counts."""
    mdb = formulas.mdb_of(queue)
    names = ["consumer_flow_limit", "destination_consumer_flow_limit"]
    if formulas.is_shared_topic(server, queue):
        names[1] = "shared_consumer_flow_limit"
    prefetch: dict[str, object] = {} if mdb.prefetch else {"settings.prefetch": True}
    return prefetch | {f"settings.{name}": limit for name in names if 0 < getattr(mdb, name) < limit}


def _covering(server: Server, queue: Queue, messages: int) -> dict[str, object]:
    """The limit whose threshold covers the messages; with the usual threshold where no limit makes it large enough."""
    full = formulas.limit_for_full_pool(messages, formulas.mdb_of(queue).consumer_flow_threshold)
    if full is not None:
        return _limits_fix(server, queue, full)
    limit = formulas.limit_for_full_pool(messages, DEFAULT_THRESHOLD)
    return {THRESHOLD: DEFAULT_THRESHOLD, **({} if limit is None else _limits_fix(server, queue, limit))}


@per_queue("openmq.stable", "error", OWN_MODEL, "capacity of one MDB", trust="assumed")
def stable(system: System, server: Server, queue: Queue, settings: InstanceSettings) -> Verdict | None:
    """Fewer messages arrive than the window carries."""
    rate, most = offered_rate(system, queue, formulas.carried, lambda _: False), formulas.most_carried(system, queue)
    if rate is not None and rate >= most and formulas.carried(system, queue) is None:
        needed, threads = int(rate * formulas.pool_size(server, queue) / most) + 1, settings.thread_pool_maximum
        message = f"{number(rate)} messages per second arrive, all its beans together carry at most {number(most)}."
        return Verdict("violated", message, {"settings.bean_pool_maximum": needed} if needed <= threads else {})
    wider = partial(more_members if formulas.mdb_of(queue).max_active_consumers < 0 else lambda *_: {}, server, queue)
    return carries(system, queue, formulas.carried, wider, copied=lambda _: False)


@per_queue("openmq.limit-covers-pool", "error", FLOW, "limit not below the maximum pool size")
def limit_covers_pool(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict:
    """The consumer flow limit is not below the pool."""
    limit, beans = formulas.effective_limit(server, queue), formulas.pool_size(server, queue)
    details = {"max_concurrency": formulas.max_concurrency(server, queue), "pool": beans}
    good = f"The limit {limit} is not below the pool of {beans} beans."
    why = "the consumer flow limit is below the pool" if mdb.prefetch else "there is no prefetch"
    problem = f"At most {limit} of {beans} beans can work: {why}."
    return judged(limit >= beans, good, problem, _limits_fix(server, queue, beans), details)


@per_queue("openmq.threshold-covers-pool", "warning", OWN_MODEL, "window with hysteresis", trust="assumed")
def threshold_covers_pool(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict:
    """The messages left at a top-up cover the pool, and what it holds until its commits."""
    beans, left = formulas.pool_size(server, queue), formulas.threshold_of(server, queue)
    held, details = beans * mdb.messages_per_commit, {"top_up_threshold": float(left)}
    good = f"{left} messages are left at each top-up: no bean runs dry if the broker answers at once."
    problem = f"{beans} beans can hold {held} messages until their commits, the broker tops up when {left} are left."
    if mdb.messages_per_commit == 1:
        mean = details["mean_concurrency"] = formulas.mean_concurrency(server, queue)
        problem = (
            f"The broker tops up only when {left} messages are left: by formula, {formulas.ideal(server, queue)}, on "
            f"average {number(round(mean, 2))} of {beans} beans work ({number(round(100 * mean / beans, 1))} %)."
        )
    return judged(left >= held - 1, good, problem, _covering(server, queue, held), details)


@per_queue("openmq.round-trip-covered", "warning", FLOW, "client runs dry before the next batch")
def round_trip_covered(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """The messages left at a top-up cover the round trip."""
    consumed, beans = formulas.consumed_in_round_trip(server, queue), formulas.pool_size(server, queue)
    needed = formulas.limit_for_full_pool(beans, mdb.consumer_flow_threshold, consumed)
    if consumed < 1 or needed is None or mdb.messages_per_commit > 1:
        return None
    limit = formulas.effective_limit(server, queue)
    good = f"The limit covers {number(round(consumed))} messages consumed in a round trip."
    problem = (
        f"{number(round(consumed))} messages are consumed while the broker answers: with a queue that is never empty, "
        f"below a limit of {needed} the beans run dry at top-ups."
    )
    return judged(limit >= needed, good, problem, _limits_fix(server, queue, needed))


@per_queue("openmq.connection-covers-pool", "error", FLOW, "connection limit not below the maximum pool size")
def connection_covers_pool(server: Server, queue: Queue, settings: InstanceSettings) -> Verdict | None:
    """The connection flow limit is not below the pool."""
    beans = formulas.pool_size(server, queue)
    limit, (high, low) = settings.connection_flow_limit, formulas.connection_marks(server)
    if high == MAX_INT:
        return None
    good = f"The connection limit {limit} covers the {beans} beans."
    problem = f"At most {high} of {beans} beans can work: the connection flow limit is below the pool."
    if high >= beans:
        problem = (
            f"The connection takes the next {settings.connection_flow_count} messages only when {low} are left, too "
            f"few for {beans} beans: its flow limit is below the pool."
        )
    return judged(limit >= beans, good, problem, {f"{server.path}.settings.connection_flow_limit": beans})


@per_server("openmq.connection-limit-ignored", "info", ADMIN, "imqConnectionFlowLimitEnabled")
def connection_limit_ignored(settings: InstanceSettings) -> Verdict | None:
    """A connection flow limit counts only when enabled."""
    if settings.connection_flow_limit_enabled or settings.connection_flow_limit == 1000:
        return None
    message = f"The connection flow limit {settings.connection_flow_limit} does nothing: it is not enabled."
    return Verdict("ignored", message, {"settings.connection_flow_limit_enabled": True})


@per_queue("openmq.cluster-hoarding", "warning", FLOW, "application server clusters")
def hoarding(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """No instance of a cluster takes far more messages than it needs."""
    limit, beans = formulas.effective_limit(server, queue), formulas.pool_size(server, queue)
    if server.instances < 2 or mdb.messages_per_commit > 1:
        return None
    percent, consumed = mdb.consumer_flow_threshold, formulas.consumed_in_round_trip(server, queue)
    full = formulas.limit_for_full_pool(beans, percent, consumed)
    details = {"hoarding_bound": float(limit - beans)}
    if full is None or limit <= 4 * full:
        return Verdict("ok", "One instance cannot hold much more than its beans need.", details=details)
    message = (
        f"One instance can take {'any number of' if limit == MAX_INT else limit} messages for {beans} beans while "
        f"others idle: a limit of {full} keeps its beans busy and leaves the rest to others."
    )
    return Verdict("violated", message, {"settings.consumer_flow_limit": full}, details)


@per_queue("openmq.urgent-overtake", "info", FLOW, "messages sent ahead wait in the client")
def urgent_overtake(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """Urgent messages overtake nearly all that wait."""
    beans, consumed = formulas.pool_size(server, queue), formulas.consumed_in_round_trip(server, queue)
    full = formulas.limit_for_full_pool(beans, mdb.consumer_flow_threshold, consumed)
    limit = min(formulas.effective_limit(server, queue), formulas.connection_marks(server)[0])
    if not 0 < mdb.urgent_share < 1 or full is None:
        return None
    good = f"At most {limit} messages are sent ahead to an instance; urgent ones overtake all others that wait."
    most = "Any number of" if limit == MAX_INT else f"Up to {limit}"
    problem = (
        f"{most} messages are sent ahead to an instance, where urgent ones do not overtake; a limit of {full} keeps "
        f"its {beans} beans busy and lets them overtake the rest."
    )
    return judged(limit <= full, good, problem, {"settings.consumer_flow_limit": full})


@per_queue("openmq.shared-topic-limit", "error", ADMIN, "sharedConsumerFlowLimit")
def shared_topic_limit(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """The shared limit of a topic in a cluster is not below the pool."""
    limit, beans = mdb.shared_consumer_flow_limit, formulas.pool_size(server, queue)
    if not formulas.is_shared_topic(server, queue):
        return None
    good = "The shared subscription keeps no bean from work."
    problem = f"A topic in a cluster has the shared limit {limit}: at most {limit} of {beans} beans work per instance."
    return judged(limit < 0 or limit >= beans, good, problem, {"settings.shared_consumer_flow_limit": beans})


@per_queue("openmq.shared-limit-ignored", "info", ADMIN, "sharedConsumerFlowLimit")
def shared_limit_ignored(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """The shared limit counts only for a topic in a cluster."""
    if formulas.is_shared_topic(server, queue):
        return None
    message = "The limit of shared subscriptions counts only for a topic in a cluster."
    return ignored(mdb, message, "shared_consumer_flow_limit")


@per_queue("openmq.lower-limit-counts", "info", FLOW, "a lower value in the broker")
def lower_limit_counts(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """The lower of the factory and destination limit counts."""
    factory, destination = mdb.consumer_flow_limit, mdb.destination_consumer_flow_limit
    if formulas.is_shared_topic(server, queue) or factory == destination:
        return None
    higher = "factory" if destination > 0 and (factory < 0 or destination < factory) else "destination"
    limit = formulas.effective_limit(server, queue)
    message = f"The {higher}'s consumer flow limit does nothing: the lower limit {limit} counts."
    lost = {"ineffective_limit": factory if higher == "factory" else destination, "effective_limit": limit}
    own = "consumer_flow_limit" if higher == "factory" else "destination_consumer_flow_limit"
    return Verdict("ignored", message, {f"settings.{own}": limit} if mdb.prefetch else {}, lost)


@per_queue("openmq.prefetch-off", "info", ADMIN, "imqConsumerFlowLimitPrefetch")
def prefetch_off(mdb: MdbSettings) -> Verdict | None:
    """Without prefetch the limits do nothing."""
    if mdb.prefetch:
        return None
    message = "Without prefetch the broker sends one message at a time: limit and threshold do nothing."
    return Verdict("ignored", message, {"settings.prefetch": True})
