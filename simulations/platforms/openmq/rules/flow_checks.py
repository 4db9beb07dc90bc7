"""The functions behind the rules of Open MQ: each looks at one MDB or one instance."""

import math

from simulations.analysis.theory.laws import law_mean
from simulations.platforms.openmq.formulas import (
    connection_marks,
    consumed_in_round_trip,
    effective_limit,
    is_shared_topic,
    limit_for_full_pool,
    max_concurrency,
    mdb_of,
    mean_concurrency,
    pool_size,
    producer_batch,
    threshold_of,
)
from simulations.platforms.openmq.parameters.instance import InstanceSettings
from simulations.platforms.shared.queues import MAX_INT, number, service_of, settings_of
from simulations.platforms.shared.rules import Verdict
from simulations.system import Queue, Server, System

THRESHOLD = "settings.consumer_flow_threshold"
DEFAULT_THRESHOLD = 50.0
"""Percent of the limit at which a client asks for more, as delivered."""


def _limits_fix(server: Server, queue: Queue, limit: int) -> dict[str, object]:
    """Raise the limits that are set below ``limit``; without prefetch none of them counts."""
    mdb = mdb_of(queue)
    names = ["consumer_flow_limit", "destination_consumer_flow_limit"]
    if is_shared_topic(server, queue):
        names[1] = "shared_consumer_flow_limit"
    prefetch: dict[str, object] = {} if mdb.prefetch else {"settings.prefetch": True}
    return prefetch | {f"settings.{name}": limit for name in names if 0 < getattr(mdb, name) < limit}


def _raised_threshold(server: Server, queue: Queue, beans: int) -> dict[str, object]:
    """The usual threshold, for one that no limit makes large enough, with the limit that it needs."""
    limit = limit_for_full_pool(beans, DEFAULT_THRESHOLD)
    return {THRESHOLD: DEFAULT_THRESHOLD, **({} if limit is None else _limits_fix(server, queue, limit))}


def limit_covers_pool(_: System, server: Server, queue: Queue) -> Verdict:
    """The effective limit against the pool."""
    limit, beans = effective_limit(server, queue), pool_size(server, queue)
    details = {"max_concurrency": max_concurrency(server, queue), "pool": beans}
    if limit >= beans:
        return Verdict("ok", "The limit does not keep any bean from work.", details=details)
    why = "the consumer flow limit is below the pool" if mdb_of(queue).prefetch else "there is no prefetch"
    message = f"At most {limit} of {beans} beans can work: {why}."
    return Verdict("violated", message, _limits_fix(server, queue, beans), details)


def threshold_covers_pool(_: System, server: Server, queue: Queue) -> Verdict:
    """The messages left at a top-up against the pool."""
    beans, left, mean = pool_size(server, queue), threshold_of(server, queue), mean_concurrency(server, queue)
    details = {"mean_concurrency": mean, "top_up_threshold": left}
    if left >= beans - 1:
        return Verdict("ok", f"{left} messages are left at each top-up: no bean runs dry.", details=details)
    full = limit_for_full_pool(beans, mdb_of(queue).consumer_flow_threshold)
    message = (
        f"The broker tops up only when {left} messages are left: on average {number(round(mean, 2))} of {beans} beans "
        f"work ({number(round(100 * mean / beans, 1))} %)."
    )
    if full is None:
        return Verdict("violated", f"{message} Raise the threshold.", _raised_threshold(server, queue, beans), details)
    return Verdict("violated", f"{message} {full} keeps all busy.", _limits_fix(server, queue, full), details)


def round_trip_covered(_: System, server: Server, queue: Queue) -> Verdict | None:
    """The messages left at a top-up against what the pool consumes until they arrive."""
    consumed, beans = consumed_in_round_trip(server, queue), pool_size(server, queue)
    needed = limit_for_full_pool(beans, mdb_of(queue).consumer_flow_threshold, consumed)
    if consumed < 1 or needed is None:
        return None
    limit = effective_limit(server, queue)
    if limit >= needed:
        return Verdict("ok", f"The limit covers {number(round(consumed))} messages consumed in a round trip.")
    message = (
        f"{number(round(consumed))} messages are consumed while the broker answers: below a limit of {needed} the "
        f"beans run dry at each top-up."
    )
    return Verdict("violated", message, _limits_fix(server, queue, needed))


def connection_covers_pool(_: System, server: Server, queue: Queue) -> Verdict | None:
    """The connection's limit against the pool."""
    settings, (high, low), beans = (
        settings_of(server, InstanceSettings),
        connection_marks(server),
        pool_size(server, queue),
    )
    limit = settings.connection_flow_limit
    if high == MAX_INT:
        return None
    if limit >= beans:
        return Verdict("ok", f"The connection limit {limit} covers the {beans} beans.")
    message = f"At most {high} of {beans} beans can work: the connection flow limit is below the pool."
    if high >= beans:
        message = (
            f"The connection takes the next {settings.connection_flow_count} messages only when {low} are left, too "
            f"few for {beans} beans: its flow limit is below the pool."
        )
    return Verdict("violated", message, {f"servers.{server.name}.settings.connection_flow_limit": beans})


def connection_limit_ignored(_: System, server: Server) -> Verdict | None:
    """A connection limit that is not switched on."""
    settings = settings_of(server, InstanceSettings)
    if settings.connection_flow_limit_enabled or settings.connection_flow_limit == 1000:
        return None
    message = f"The connection flow limit {settings.connection_flow_limit} does nothing: it is not enabled."
    return Verdict("ignored", message, {"settings.connection_flow_limit_enabled": True})


def hoarding(_: System, server: Server, queue: Queue) -> Verdict | None:
    """Messages that one instance of a cluster can hold while others idle."""
    limit, beans = effective_limit(server, queue), pool_size(server, queue)
    if server.instances < 2:
        return None
    full = limit_for_full_pool(beans, mdb_of(queue).consumer_flow_threshold, consumed_in_round_trip(server, queue))
    details = {"hoarding_bound": float(limit - beans)}
    if full is None or limit <= 4 * full:
        return Verdict("ok", "One instance cannot hold much more than its beans need.", details=details)
    message = (
        f"One instance can take {'any number of' if limit == MAX_INT else limit} messages for {beans} beans while "
        f"others idle: a limit of {full} keeps its beans busy and leaves the rest to others."
    )
    fix: dict[str, object] = {"settings.consumer_flow_limit": full}
    return Verdict("violated", message, fix, details)


def shared_topic_limit(_: System, server: Server, queue: Queue) -> Verdict | None:
    """A topic in a cluster whose shared subscription has the small default limit."""
    limit, beans = mdb_of(queue).shared_consumer_flow_limit, pool_size(server, queue)
    if not is_shared_topic(server, queue):
        return None
    if limit < 0 or limit >= beans:
        return Verdict("ok", "The shared subscription keeps no bean from work.")
    message = f"A topic in a cluster has the shared limit {limit}: at most {limit} of {beans} beans work per instance."
    return Verdict("violated", message, {"settings.shared_consumer_flow_limit": beans})


def shared_limit_ignored(_: System, server: Server, queue: Queue) -> Verdict | None:
    """A shared limit where no subscription is shared."""
    if is_shared_topic(server, queue) or mdb_of(queue).shared_consumer_flow_limit == 5:
        return None
    message = "The limit of shared subscriptions counts only for a topic in a cluster."
    return Verdict("ignored", message, {"settings.shared_consumer_flow_limit": 5})


def lower_limit_counts(_: System, server: Server, queue: Queue) -> Verdict | None:
    """Two limits of which the higher one has no effect."""
    mdb = mdb_of(queue)
    factory, destination = mdb.consumer_flow_limit, mdb.destination_consumer_flow_limit
    if is_shared_topic(server, queue) or factory == destination:
        return None
    higher = "factory" if destination > 0 and (factory < 0 or destination < factory) else "destination"
    limit = effective_limit(server, queue)
    message = f"The {higher}'s consumer flow limit does nothing: the lower limit {limit} counts."
    lost = {"ineffective_limit": factory if higher == "factory" else destination, "effective_limit": limit}
    own = "consumer_flow_limit" if higher == "factory" else "destination_consumer_flow_limit"
    return Verdict("ignored", message, {f"settings.{own}": limit} if mdb.prefetch else {}, lost)


def prefetch_off(_: System, __: Server, queue: Queue) -> Verdict | None:
    """No prefetch: one message at a time."""
    if mdb_of(queue).prefetch:
        return None
    message = "Without prefetch the broker sends one message at a time: limit and threshold do nothing."
    return Verdict("ignored", message, {"settings.prefetch": True})


def threads_cover_pools(system: System, server: Server) -> Verdict:
    """The work threads against the pools of all MDBs."""
    settings = settings_of(server, InstanceSettings)
    beans = sum(mdb_of(queue).bean_pool_maximum or settings.max_pool_size for queue in system.queues_of(server))
    if beans <= settings.thread_pool_maximum:
        return Verdict("ok", f"{settings.thread_pool_maximum} threads run up to {beans} beans.")
    message = f"The MDBs may run {beans} beans, the work threads allow {settings.thread_pool_maximum}."
    return Verdict("violated", message, {"settings.thread_pool_maximum": beans})


def steady_pool_ignored(_: System, server: Server) -> Verdict | None:
    """A steady pool above the maximum."""
    settings = settings_of(server, InstanceSettings)
    if settings.steady_pool_size <= settings.max_pool_size:
        return None
    message = f"The steady pool {settings.steady_pool_size} is above the maximum {settings.max_pool_size}."
    return Verdict("violated", message, {"settings.steady_pool_size": settings.max_pool_size})


def rollbacks_end(_: System, __: Server, queue: Queue) -> Verdict | None:
    """Messages that are rolled back for ever."""
    mdb = mdb_of(queue)
    if mdb.failure_mode == "exception":
        return None
    if mdb.max_consecutive_rollbacks > 0:
        count = mdb.max_consecutive_rollbacks
        return Verdict("ok", f"After {count} rollbacks in a row a message goes to the dead message queue.")
    message = "A message whose transaction is rolled back comes back at once and for ever."
    return Verdict("violated", message, {"settings.max_consecutive_rollbacks": 5})


def redelivery_holds_beans(_: System, __: Server, queue: Queue) -> Verdict | None:
    """Beans that wait between the deliveries of a failing message."""
    mdb = mdb_of(queue)
    failing = mdb.failure_rate + mdb.poison_rate
    wait = mdb.redelivery_attempts * mdb.redelivery_interval
    if mdb.failure_mode == "rollback" or failing == 0:
        return None
    if wait <= law_mean(service_of(queue)):
        return Verdict("ok", f"A message that fails keeps its bean for at most {number(wait)} s of waiting.")
    message = (
        f"A message that fails keeps its bean for up to {number(wait)} s of waiting; with {number(100 * failing)} % "
        f"failures that takes beans away from others."
    )
    whole_ms = math.floor(1000 * law_mean(service_of(queue)) / mdb.redelivery_attempts) / 1000
    return Verdict("violated", message, {"settings.redelivery_interval": min(0.01, whole_ms)})


def producers_slowed(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A limit whose messages are lost or refused instead of slowing the producers."""
    mdb = mdb_of(queue)
    if mdb.max_num_msgs < 0 and mdb.max_total_msg_bytes == 0:
        return None
    if mdb.limit_behavior == "FLOW_CONTROL":
        batch = producer_batch(mdb)
        return Verdict("ok", f"A full destination slows its producers; each gets {batch} messages when it may go on.")
    message = f"A full destination does not slow its producers: {mdb.limit_behavior} refuses or drops messages."
    return Verdict("violated", message, {"settings.limit_behavior": "FLOW_CONTROL"})


def behaviour_ignored(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A limit behaviour without a limit."""
    mdb = mdb_of(queue)
    if mdb.limit_behavior == "REJECT_NEWEST" or mdb.max_num_msgs > 0 or mdb.max_total_msg_bytes > 0:
        return None
    message = f"{mdb.limit_behavior} does nothing: the destination has no limit."
    return Verdict("ignored", message, {"settings.limit_behavior": "REJECT_NEWEST"})
