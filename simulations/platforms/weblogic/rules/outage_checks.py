"""The rules of WebLogic about flow control, quotas, pools of beans, members, suspensions, stuck threads, overload."""

import math

from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared.laws import quantile_of_sum
from simulations.platforms.shared.queues import mean_service, number, service_of
from simulations.platforms.shared.rules import Verdict, ignored, judged, per_queue
from simulations.platforms.weblogic import formulas
from simulations.platforms.weblogic.parameters import MdbSettings, ServerSettings
from simulations.platforms.weblogic.sources import BEANS, DEPLOYMENT, FLOW, JMS, OWN_MODEL, TUNING, WORK


@per_queue("weblogic.flow-control-acts", "info", FLOW, "Flow Control Enabled")
def flow_triggers(mdb: MdbSettings) -> Verdict | None:
    """Flow control has a threshold."""
    if not mdb.flow_control_enabled:
        return None
    if formulas.is_armed_ever(mdb):
        return Verdict("ok", "A threshold slows producers down.")
    return Verdict("ignored", "Flow control is on but never acts: no threshold is set.")


@per_queue("weblogic.flow-minimum-whole", "warning", FLOW, "Flow Minimum")
def flow_minimum_whole(mdb: MdbSettings) -> Verdict | None:
    """The flow minimum is a whole number."""
    minimum = mdb.flow_minimum
    if minimum == round(minimum):
        return None
    message = f"A flow minimum of {number(minimum)}/s is simulated; the connection factory takes whole numbers only."
    return Verdict("violated", message, {"settings.flow_minimum": math.floor(minimum)})


@per_queue("weblogic.producers-keep-limit", "warning", OWN_MODEL, "life of a producer", trust="assumed")
def producers_keep_limit(mdb: MdbSettings) -> Verdict | None:
    """Producers live long enough to be slowed down."""
    if not formulas.is_armed_ever(mdb) or mdb.messages_per_producer == 0:
        return None
    count = mdb.messages_per_producer
    what = "flow control never slows it" if count == 1 else "its first message is never slowed"
    message = f"A producer is closed after {count} messages and the next one starts without a limit: {what}."
    return Verdict("violated", message, {"settings.messages_per_producer": 0})


@per_queue("weblogic.flow-minimum-bounds", "error", FLOW, "Flow Minimum")
def flow_bounds(system: System, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """Producers at their minimum send less than is consumed."""
    most = formulas.carried(system, queue)
    if not formulas.is_armed_ever(mdb) or most is None:
        return None
    floor = queue.producers * mdb.flow_minimum
    details = {"floor": floor, "carried_rate": most}
    good = f"Slowed down, all producers send {number(floor)}/s, below {number(most)}/s."
    problem = f"Even slowed down {queue.producers} producers may send {number(floor)}/s, {number(most)}/s are consumed."
    slower = math.ceil(most / queue.producers) - 1
    return judged(floor < most, good, problem, {"settings.flow_minimum": slower} if slower else {}, details)


@per_queue("weblogic.flow-maximum-covers-arrivals", "warning", FLOW, "Flow Maximum")
def flow_covers(system: System, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """Producers that have been slowed down may still send what arrives."""
    rate, carried = formulas.offered(system, queue), formulas.carried(system, queue) or math.inf
    keeps_limit = formulas.is_armed_ever(mdb) and not mdb.messages_per_producer
    if not keeps_limit or formulas.goes_to_each_server(queue) or rate is None or carried <= rate:
        return None
    most = queue.producers * mdb.flow_maximum
    good = f"Producers that climb back to the flow maximum send up to {number(most)}/s, {number(rate)}/s arrive."
    problem = (
        f"Past a threshold all producers send at most {number(most)}/s and {number(rate)}/s arrive: sends pile up."
    )
    return judged(most >= rate, good, problem, {"settings.flow_maximum": math.ceil(2 * rate / queue.producers)})


@per_queue("weblogic.flow-admits", "info", FLOW, "Flow Interval")
def flow_admits(queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """What producers may still send while they are slowed down."""
    if not formulas.is_armed_ever(mdb):
        return None
    total = queue.producers * formulas.table_of(mdb).admitted_down
    message = (
        f"After a threshold is exceeded {queue.producers} producers may still send {number(round(total))} messages in "
        f"the first {number(mdb.flow_interval)} s. Changed values reach new connections only."
    )
    return Verdict("ok", message, details={"admitted": total})


@per_queue("weblogic.send-timeout", "warning", FLOW, "Send Timeout")
def quota_waits(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """Senders wait long enough for room."""
    if mdb.messages_quota < 0 and mdb.bytes_quota < 0:
        return ignored(mdb, "The send timeout does nothing: there is no quota.", "send_timeout")
    time = formulas.batch_size(queue) * mean_service(queue)
    drain = time / formulas.concurrency(server, queue).maximum / server.instances
    good = f"A sender waits up to {number(mdb.send_timeout)} s for room; some gets free about every {number(drain)} s."
    problem = f"{good[:-1]}: most sends to a full destination fail."
    return judged(mdb.send_timeout >= drain, good, problem, {"settings.send_timeout": 10 * time})


@per_queue("weblogic.one-way-sends", "warning", JMS, "one-way message sends")
def one_way_window(mdb: MdbSettings) -> Verdict | None:
    """One-way sends act and lose nothing."""
    if mdb.one_way_send_mode == "disabled":
        return ignored(mdb, "The window does nothing: one-way sends are off.", "one_way_send_window")
    off = {"settings.one_way_send_mode": "disabled", "settings.one_way_send_window": 1}
    if mdb.one_way_send_window == 1:
        message = "One-way sends do nothing: with a window of 1 every message waits for a reply."
        return Verdict("ignored", message, off)
    if mdb.messages_quota < 0 and mdb.bytes_quota < 0:
        return Verdict("ok", f"Every {mdb.one_way_send_window}th message waits for a reply.")
    return Verdict("violated", "Over quota, one-way messages are dropped without notice.", off)


@per_queue("weblogic.initial-beans", "info", TUNING, "initial-beans-in-free-pool")
def initial_beans(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """No more instances are made at deployment than can run."""
    made = mdb.initial_beans_in_free_pool
    most = formulas.concurrency(server, queue).maximum // formulas.pools_of(server, queue)
    if made == 0:
        return None
    if made <= most:
        return Verdict("ok", f"{made} of at most {most} instances are made at deployment.")
    message = f"{made} instances are made at deployment, at most {most} of them ever run."
    return Verdict("ignored", message, {"settings.initial_beans_in_free_pool": most})


@per_queue("weblogic.every-member", "info", DEPLOYMENT, "distributed-destination-connection")
def every_member(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """EveryMember counts only for a queue with several members."""
    if mdb.distributed_destination_connection == "LocalOnly":
        return None
    fix = {"settings.distributed_destination_connection": "LocalOnly"}
    if formulas.pools_of(server, queue) == 1:
        message = "EveryMember does nothing here: it counts for a queue with a member on each of several servers."
        return Verdict("ignored", message, fix)
    total = server.instances * formulas.concurrency(server, queue).maximum
    message = (
        f"Each of {server.instances} servers keeps a pool for each member: up to {total} instances of the bean, and "
        f"messages travel between servers."
    )
    return Verdict("ok", message, details={"cluster_concurrency": float(total)})


@per_queue("weblogic.one-queue-for-all", "info", OWN_MODEL, "members of a destination", trust="assumed")
def one_queue_for_all(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """What the simulation assumes of the members of a distributed queue."""
    members = server.instances
    if members == 1 or queue.kind != "queue" or mdb.destination == "foreign":
        return None
    assumed = f"The simulation lets all {members} servers take from one queue"
    if mdb.distributed_destination_connection == "EveryMember":
        return Verdict("ok", f"{assumed}, as beans do that connect to every member.")
    message = (
        f"{assumed}. LocalOnly leaves the messages at each member of a distributed queue to its own server: they wait "
        f"longer than shown here, about as long as with one server and 1/{members} of the arrivals."
    )
    return Verdict("ok", message)


@per_queue("weblogic.suspension-grows", "info", DEPLOYMENT, "init-suspend-seconds and max-suspend-seconds")
def suspension_grows(mdb: MdbSettings) -> Verdict:
    """The first suspension is not longer than the longest."""
    first, longest = mdb.init_suspend, mdb.max_suspend
    good = f"After failures the bean rests for {number(first)} s, and up to {number(longest)} s later."
    problem = f"The first suspension of {number(first)} s is longer than the longest one of {number(longest)} s."
    return judged(first <= longest, good, problem, {"settings.init_suspend": longest})


@per_queue("weblogic.not-stuck", "warning", BEANS, "stuck-thread-max-time")
def not_stuck(server: Server, queue: Queue, settings: ServerSettings) -> Verdict:
    """No thread counts as stuck that is only slow."""
    limit = settings.stuck_thread_max_time
    slow = quantile_of_sum(service_of(queue), formulas.batch_size(queue), 0.999)
    good = f"Few threads work longer than {number(slow)} s; one is stuck at {number(limit)} s."
    problem = (
        f"One thread in a thousand works longer than {number(slow)} s: at {number(limit)} s it counts as stuck, "
        f"although it is only slow."
    )
    return judged(slow < limit, good, problem, {f"{server.path}.settings.stuck_thread_max_time": 2 * slow})


@per_queue("weblogic.shared-capacity", "warning", WORK, "shared-capacity-for-work-managers")
def shared_capacity(server: Server, queue: Queue, mdb: MdbSettings, settings: ServerSettings) -> Verdict | None:
    """The capacity of the whole server covers its work."""
    shared = settings.shared_capacity
    own = formulas.count_of(server, formulas.work_of(server, queue), "capacity")
    parallel = formulas.concurrency(server, queue).maximum
    path = f"{server.path}.settings.shared_capacity"
    if shared < parallel:
        message = f"The server rejects work beyond {shared} requests while {parallel} messages could run in parallel."
        return Verdict("violated", message, {path: parallel})
    if own is None:
        return None
    if own <= shared:
        return Verdict("ok", f"The capacity {own} is not above the {shared} of the whole server.")
    message = f"The capacity {own} of the work manager is never reached: the whole server has {shared}."
    return Verdict("ignored", message, {path: own})
