"""The rules of Open MQ about memory, threads, failures, and the limits of destinations and the broker."""

import math

from simulations.analysis.theory.laws import law_mean
from simulations.declarations.system import Queue, Server, System
from simulations.engine.network.model import LawKind
from simulations.platforms.openmq import formulas
from simulations.platforms.openmq.formulas import mdb_of
from simulations.platforms.openmq.parameters import InstanceSettings, MdbSettings
from simulations.platforms.openmq.sources import ADAPTER, ADMIN, CONTAINER, FLOW
from simulations.platforms.shared import rules
from simulations.platforms.shared.laws import quantile_of
from simulations.platforms.shared.outages import outage_of
from simulations.platforms.shared.queues import defaults_again, mean_service, number
from simulations.platforms.shared.rules import Verdict, ignored, judged, per_queue, per_server

LARGE_HEAP = 64e6
"""Bytes of messages sent ahead per instance above which memory is worth a warning; our choice."""
RARE = 0.001
"""Share of messages beyond the largest one that a distribution without an end is taken to have."""


@per_queue("openmq.client-memory", "warning", FLOW, "pre-sent messages take up client memory")
def memory(server: Server, queue: Queue) -> Verdict:
    """Messages sent ahead fit in the memory of the client."""
    heap = formulas.heap_bytes(server, queue)
    if heap is None:
        message = "Nothing limits the messages sent ahead: the client can run out of memory."
        return Verdict("violated", message, {"settings.consumer_flow_limit": 1000})
    details, sizes = {"heap_bytes": heap}, formulas.sizes_of(queue)
    most = "at most" if sizes.kind is LawKind.CONSTANT else "on average at most"
    message = f"Messages sent ahead take {most} {number(heap / 1e6)} MB per instance."
    if heap <= LARGE_HEAP:
        return Verdict("ok", message, details=details)
    fitting = int(LARGE_HEAP / law_mean(sizes))
    fix = {"settings.consumer_flow_limit": fitting} if fitting >= formulas.pool_size(server, queue) else {}
    return Verdict("violated", message, fix, details)


@per_server("openmq.threads-cover-pools", "warning", CONTAINER, "work manager threads")
def threads_cover_pools(system: System, server: Server, settings: InstanceSettings) -> Verdict:
    """The work threads cover the pools of all MDBs."""
    beans = sum(mdb_of(queue).bean_pool_maximum or settings.max_pool_size for queue in system.queues_of(server))
    good = f"{settings.thread_pool_maximum} threads run up to {beans} beans."
    problem = f"The MDBs may run {beans} beans, the work threads allow {settings.thread_pool_maximum}."
    return judged(beans <= settings.thread_pool_maximum, good, problem, {"settings.thread_pool_maximum": beans})


@per_server("openmq.steady-pool", "info", CONTAINER, "steady-pool-size")
def steady_pool_ignored(settings: InstanceSettings) -> Verdict | None:
    """The steady pool is not above the maximum."""
    if settings.steady_pool_size <= settings.max_pool_size:
        return None
    message = f"The steady pool {settings.steady_pool_size} is above the maximum {settings.max_pool_size}."
    return Verdict("violated", message, {"settings.steady_pool_size": settings.max_pool_size})


@per_queue("openmq.rollbacks-end", "warning", ADMIN, "imq.transaction.message.maxConsecutiveRollbacks")
def rollbacks_end(mdb: MdbSettings) -> Verdict | None:
    """A message that is rolled back again and again ends."""
    if mdb.failure_mode == "exception":
        return None
    good = f"After {mdb.max_consecutive_rollbacks} rollbacks in a row a message goes to the dead message queue."
    problem = "A message whose transaction is rolled back comes back at once and for ever."
    return judged(mdb.max_consecutive_rollbacks > 0, good, problem, {"settings.max_consecutive_rollbacks": 5})


@per_queue("openmq.redelivery-holds-beans", "warning", ADAPTER, "endpointExceptionRedeliveryInterval")
def redelivery_holds_beans(queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """Redelivery does not keep beans waiting."""
    failing = mdb.failure_rate + mdb.poison_rate
    wait = mdb.redelivery_attempts * mdb.redelivery_interval
    if mdb.failure_mode == "rollback" or failing == 0:
        return None
    if wait <= mean_service(queue):
        return Verdict("ok", f"A message that fails keeps its bean for at most {number(wait)} s of waiting.")
    message = (
        f"A message that fails keeps its bean for up to {number(wait)} s of waiting; with {number(100 * failing)} % "
        f"failures that takes beans away from others."
    )
    whole_ms = math.floor(1000 * mean_service(queue) / mdb.redelivery_attempts) / 1000
    return Verdict("violated", message, {"settings.redelivery_interval": min(0.01, whole_ms)})


@per_queue("openmq.redelivery-outlasts-outage", "warning", ADAPTER, "endpointExceptionRedeliveryAttempts")
def outlasts_outage(mdb: MdbSettings) -> Verdict | None:
    """A failing message is delivered again until an outage downstream is over."""
    names = ("settings.redelivery_attempts", "settings.redelivery_interval")
    ends = mdb.failure_mode == "exception" and mdb.send_undeliverable_to_dmq
    tries, wait = mdb.redelivery_attempts, mdb.redelivery_interval
    return rules.outlasts_outage(mdb.downstream_outage, tries, wait, names) if ends else None


@per_queue("openmq.producers-slowed", "warning", ADMIN, "limitBehavior")
def producers_slowed(mdb: MdbSettings) -> Verdict | None:
    """A full destination slows its producers."""
    if mdb.max_num_msgs < 0 and mdb.max_total_msg_bytes == 0:
        return None
    good = f"A full destination slows its producers; each gets {formulas.producer_batch(mdb)} messages when it goes on."
    problem = f"A full destination does not slow its producers: {mdb.limit_behavior} refuses or drops messages."
    return judged(mdb.limit_behavior == "FLOW_CONTROL", good, problem, {"settings.limit_behavior": "FLOW_CONTROL"})


@per_queue("openmq.behavior-ignored", "info", ADMIN, "limitBehavior")
def behaviour_ignored(mdb: MdbSettings) -> Verdict | None:
    """A limit behavior counts only with a limit, that of priorities only where there are two."""
    if mdb.max_num_msgs <= 0 and mdb.max_total_msg_bytes == 0:
        return ignored(mdb, f"{mdb.limit_behavior} does nothing: the destination has no limit.", "limit_behavior")
    if mdb.limit_behavior != "REMOVE_LOW_PRIORITY" or 0 < mdb.urgent_share < 1:
        return None
    message = "All messages have one priority: REMOVE_LOW_PRIORITY drops the oldest."
    return Verdict("ignored", message, {"settings.limit_behavior": "REMOVE_OLDEST"})


@per_queue("openmq.message-fits", "error", ADMIN, "maxBytesPerMsg")
def message_fits(queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """Every message fits the destination."""
    limit, share, sizes = mdb.max_bytes_per_msg, formulas.refused_share(queue), formulas.sizes_of(queue)
    if limit == 0:
        return None
    rare, details = 0.0 if sizes.kind is LawKind.EMPIRICAL else RARE, {"refused_share": share}
    if share <= rare:
        few = "Hardly any" if share > 0 else "No"
        return Verdict("ok", f"{few} message is larger than {number(limit)} B.", details=details)
    largest, most = float(math.ceil(quantile_of(sizes, 1 - rare))), number(100 * (1 - rare))
    message = (
        f"{number(100 * share)} % of the messages are larger than {number(limit)} B, {most} % are at most "
        f"{number(largest)} B: the broker refuses the larger ones. The simulation lets them in."
    )
    return Verdict("violated", message, {"settings.max_bytes_per_msg": largest}, details)


@per_queue("openmq.consumers-take-part", "warning", ADMIN, "maxNumActiveConsumers")
def consumers_take_part(system: System, server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """Every instance gets messages."""
    active, backup = formulas.active_consumers(server, queue), formulas.backup_consumers(server, queue)
    idle = server.instances - active
    if mdb.max_active_consumers < 0 or queue.kind == "topic":
        return None
    problem = f"No message reaches {idle} of {server.instances} instances (backup: {backup}, refused: {idle - backup})."
    if formulas.working_instances(system, server) != active:
        problem += " The simulation lets all take part, as other work shares the server."
    fix = {"settings.max_active_consumers": server.instances}
    return judged(idle == 0, "Every instance gets messages.", problem, fix)


@per_queue("openmq.backup-consumers-ignored", "info", ADMIN, "maxNumBackupConsumers")
def backups_ignored(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """Backup consumers count only where active ones are limited, and in no simulation."""
    if mdb.max_active_consumers > 0 and queue.kind == "queue":
        outage, message = outage_of(server), "The simulation lets no backup consumer take over while members are away."
        missing = outage and outage.cause == "server" and formulas.backup_consumers(server, queue)
        return Verdict("ignored", message) if missing else None
    message = "Backup consumers do nothing: the active consumers of this destination are not limited."
    return ignored(mdb, message, "max_backup_consumers")


@per_queue("openmq.producers-connect", "error", ADMIN, "maxNumProducers")
def producers_connect(queue: Queue, mdb: MdbSettings) -> Verdict:
    """Every producer may connect."""
    most = mdb.max_num_producers
    if most < 0:
        return Verdict("ok", "The destination lets any number of producers connect.")
    good = f"The destination lets {most} producers connect."
    problem = f"{queue.producers} producers send, the destination lets {most} connect: the others get an exception."
    return judged(queue.producers <= most, good, problem, {"settings.max_num_producers": queue.producers})


@per_queue("openmq.dropped-messages-kept", "warning", ADMIN, "useDMQ")
def dropped_kept(mdb: MdbSettings) -> Verdict | None:
    """Dropped messages are kept on the dead message queue."""
    drops = mdb.limit_behavior.startswith("REMOVE") and (mdb.max_num_msgs > 0 or mdb.max_total_msg_bytes > 0)
    if not drops and mdb.failure_rate + mdb.poison_rate == 0:
        return None if mdb.use_dmq else Verdict("ok", "Nothing is dropped that the dead message queue could keep.")
    good = "Messages that are dropped or cannot be delivered stay on the dead message queue."
    problem = "Messages that are dropped or cannot be delivered are lost: the dead message queue is not used."
    return judged(mdb.use_dmq, good, problem, {"settings.use_dmq": True})


@per_queue("openmq.undeliverable-ends", "warning", ADAPTER, "sendUndeliverableMsgsToDMQ")
def undeliverable_ends(mdb: MdbSettings) -> Verdict | None:
    """A message that cannot be delivered ends."""
    if mdb.send_undeliverable_to_dmq:
        return None
    fix = {"settings.send_undeliverable_to_dmq": True}
    if mdb.failure_mode == "rollback":
        return Verdict("ignored", "Where undeliverable messages go counts only for exceptions, not for rollbacks.", fix)
    message = "A message that always fails goes back to the broker and comes again, for ever."
    return Verdict("violated", message, fix)


@per_server("openmq.broker-covers-destinations", "warning", ADMIN, "imq.system.max_count and imq.system.max_size")
def broker_covers(system: System, settings: InstanceSettings) -> Verdict | None:
    """The broker holds what its destinations may hold."""
    limits: dict[str, tuple[float, float, float]] = {
        "broker_max_count": (settings.broker_max_count, _sum(system, "max_num_msgs"), -1),
        "broker_max_size": (settings.broker_max_size, _sum(system, "max_total_msg_bytes"), 0),
    }
    tight = {name: (limit, held) for name, (limit, held, _) in limits.items() if 0 < limit < held}
    if not tight:
        limited = any(limit > 0 for limit, _, _ in limits.values())
        return Verdict("ok", "The broker holds what its destinations may hold together.") if limited else None
    sums = {name: "any number" if held == float("inf") else number(held) for name, (_, held) in tight.items()}
    parts = "; ".join(f"{sums[name]} against {number(limit)}" for name, (limit, _) in tight.items())
    message = (
        f"The destinations may hold more than the broker ({parts}): beyond, persistent messages are refused and others "
        f"vanish without notice. A larger limit takes in bursts, but no load that is never carried."
    )
    if len(system.queues) > 1:
        message += " This limit is not simulated, as several destinations share it."
    fix = {f"settings.{name}": limits[name][2] if held == float("inf") else held for name, (_, held) in tight.items()}
    return Verdict("violated", message, fix)


def _sum(system: System, setting: str) -> float:
    """What all destinations may hold; infinite when one of them has no limit."""
    values = [float(getattr(mdb_of(queue), setting)) for queue in system.queues]
    return sum(values) if all(value > 0 for value in values) else float("inf")


@per_server("openmq.mdbs-come-back", "warning", CONTAINER, "properties for reconnecting MDBs")
def mdbs_come_back(server: Server, settings: InstanceSettings) -> Verdict | None:
    """MDBs come back by themselves after an outage of the broker."""
    outage, longest = settings.outage, formulas.tries(server) * settings.reconnect_delay
    if outage is None or outage.cause == "server":
        return None
    good = f"The container connects its MDBs again after an outage of up to {number(longest)} s."
    problem = f"The broker is away for {number(outage.duration)} s, above {number(longest)} s: the MDBs stay down."
    fix: dict[str, object] = {"settings.reconnect_enabled": True, "settings.reconnect_delay": outage.duration}
    if settings.reconnect_retries == 0:
        fix["settings.reconnect_retries"] = 1
    return judged(outage.duration <= longest, good, problem, fix)


@per_server("openmq.reconnect-ignored", "info", CONTAINER, "properties for reconnecting MDBs")
def reconnect_ignored(settings: InstanceSettings) -> Verdict | None:
    """Delay and retries count only with reconnecting."""
    if settings.reconnect_enabled or not defaults_again(settings, "reconnect_delay", "reconnect_retries"):
        return None
    message = "Delay and retries do nothing: reconnecting is not enabled."
    return Verdict("ignored", message, {"settings.reconnect_enabled": True})


@per_server("openmq.resize-ignored", "info", CONTAINER, "pool-resize-quantity and idle-timeout-in-seconds")
def resize_ignored(settings: InstanceSettings) -> Verdict | None:
    """Resizing counts only for pools that get smaller."""
    message = "Resize quantity and idle timeout do nothing for MDBs: the pool of their adapter never gets smaller."
    return ignored(settings, message, "pool_resize_quantity", "pool_idle_timeout")
