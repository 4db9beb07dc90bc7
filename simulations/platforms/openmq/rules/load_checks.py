"""The rules of Open MQ about memory, threads, redelivery and producers."""

import math

from simulations.analysis.theory.laws import law_mean
from simulations.declarations.system import Queue, Server, System
from simulations.platforms.openmq.formulas import heap_bytes, mdb_of, pool_size, producer_batch
from simulations.platforms.openmq.parameters.instance import InstanceSettings
from simulations.platforms.openmq.sources import ADAPTER, ADMIN, CONTAINER, FLOW
from simulations.platforms.shared.queues import mean_size, number, service_of, settings_of
from simulations.platforms.shared.rules import Verdict, per_queue, per_server

LARGE_HEAP = 64e6
"""Bytes of messages sent ahead per instance above which memory is worth a warning; our choice."""


@per_queue("openmq.client-memory", "warning", FLOW, "pre-sent messages take up client memory")
def memory(_: System, server: Server, queue: Queue) -> Verdict:
    """Messages sent ahead fit in the memory of the client."""
    heap = heap_bytes(server, queue)
    if heap is None:
        message = "Nothing limits the messages sent ahead: the client can run out of memory."
        return Verdict("violated", message, {"settings.consumer_flow_limit": 1000})
    details = {"heap_bytes": heap}
    if heap <= LARGE_HEAP:
        return Verdict("ok", f"Messages sent ahead take at most {number(heap / 1e6)} MB per instance.", details=details)
    message = f"Messages sent ahead take up to {number(round(heap / 1e6))} MB per instance."
    fitting = int(LARGE_HEAP / mean_size(queue))
    fix = {"settings.consumer_flow_limit": fitting} if fitting >= pool_size(server, queue) else {}
    return Verdict("violated", message, fix, details)


@per_server("openmq.threads-cover-pools", "warning", CONTAINER, "work manager threads")
def threads_cover_pools(system: System, server: Server) -> Verdict:
    """The work threads cover the pools of all MDBs."""
    settings = settings_of(server, InstanceSettings)
    beans = sum(mdb_of(queue).bean_pool_maximum or settings.max_pool_size for queue in system.queues_of(server))
    if beans <= settings.thread_pool_maximum:
        return Verdict("ok", f"{settings.thread_pool_maximum} threads run up to {beans} beans.")
    message = f"The MDBs may run {beans} beans, the work threads allow {settings.thread_pool_maximum}."
    return Verdict("violated", message, {"settings.thread_pool_maximum": beans})


@per_server("openmq.steady-pool", "info", CONTAINER, "steady-pool-size")
def steady_pool_ignored(_: System, server: Server) -> Verdict | None:
    """The steady pool is not above the maximum."""
    settings = settings_of(server, InstanceSettings)
    if settings.steady_pool_size <= settings.max_pool_size:
        return None
    message = f"The steady pool {settings.steady_pool_size} is above the maximum {settings.max_pool_size}."
    return Verdict("violated", message, {"settings.steady_pool_size": settings.max_pool_size})


@per_queue("openmq.rollbacks-end", "warning", ADMIN, "imq.transaction.message.maxConsecutiveRollbacks")
def rollbacks_end(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A message that is rolled back again and again ends."""
    mdb = mdb_of(queue)
    if mdb.failure_mode == "exception":
        return None
    if mdb.max_consecutive_rollbacks > 0:
        count = mdb.max_consecutive_rollbacks
        return Verdict("ok", f"After {count} rollbacks in a row a message goes to the dead message queue.")
    message = "A message whose transaction is rolled back comes back at once and for ever."
    return Verdict("violated", message, {"settings.max_consecutive_rollbacks": 5})


@per_queue("openmq.redelivery-holds-beans", "warning", ADAPTER, "endpointExceptionRedeliveryInterval")
def redelivery_holds_beans(_: System, __: Server, queue: Queue) -> Verdict | None:
    """Redelivery does not keep beans waiting."""
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


@per_queue("openmq.producers-slowed", "warning", ADMIN, "limitBehavior")
def producers_slowed(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A full destination slows its producers."""
    mdb = mdb_of(queue)
    if mdb.max_num_msgs < 0 and mdb.max_total_msg_bytes == 0:
        return None
    if mdb.limit_behavior == "FLOW_CONTROL":
        batch = producer_batch(mdb)
        return Verdict("ok", f"A full destination slows its producers; each gets {batch} messages when it may go on.")
    message = f"A full destination does not slow its producers: {mdb.limit_behavior} refuses or drops messages."
    return Verdict("violated", message, {"settings.limit_behavior": "FLOW_CONTROL"})


@per_queue("openmq.behavior-ignored", "info", ADMIN, "limitBehavior")
def behaviour_ignored(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A limit behavior counts only with a limit."""
    mdb = mdb_of(queue)
    if mdb.limit_behavior == "REJECT_NEWEST" or mdb.max_num_msgs > 0 or mdb.max_total_msg_bytes > 0:
        return None
    message = f"{mdb.limit_behavior} does nothing: the destination has no limit."
    return Verdict("ignored", message, {"settings.limit_behavior": "REJECT_NEWEST"})
