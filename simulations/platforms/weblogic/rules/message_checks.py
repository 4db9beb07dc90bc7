"""The functions behind WebLogic's rules about transactions, topics, redelivery, flow control and quotas."""

import math

from simulations.analysis.theory.laws import law_mean
from simulations.platforms.shared.queues import number, service_of
from simulations.platforms.shared.rules import ONE_AT_A_TIME, Verdict
from simulations.platforms.weblogic.flow import is_armed_ever, table_of
from simulations.platforms.weblogic.formulas import (
    batch_size,
    carried,
    concurrency,
    is_asynchronous,
    is_single_threaded_topic,
    mdb_of,
    offered,
    polls,
    pools_of,
    transaction_time,
)
from simulations.system import Queue, Server, System

BEANS = "settings.max_beans_in_free_pool"


def compatibility_topic(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A transactional topic in Compatibility mode, whatever its pool."""
    if not is_single_threaded_topic(queue):
        return None
    message = (
        f"A transactional topic in Compatibility mode has one instance; max-beans-in-free-pool "
        f"{mdb_of(queue).max_beans_in_free_pool} does nothing."
    )
    fix = {"settings.topic_messages_distribution_mode": "One-Copy-Per-Server"}
    return Verdict("ignored", message, fix, ONE_AT_A_TIME)


def foreign_topic(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A non-transactional bean on a foreign topic with more than one instance."""
    mdb = mdb_of(queue)
    if queue.kind == "queue" or mdb.transactional or mdb.destination == "weblogic":
        return None
    if mdb.max_beans_in_free_pool == 1:
        return Verdict("ok", "One instance reads the foreign topic.")
    message = "Without transactions several instances on a foreign topic can lose messages when onMessage fails: set 1."
    return Verdict("violated", message, {BEANS: 1})


def unit_of_order(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A unit of order that a non-transactional Compatibility topic does not keep."""
    mdb = mdb_of(queue)
    compatible = mdb.topic_messages_distribution_mode == "Compatibility" and mdb.destination == "weblogic"
    if not mdb.unit_of_order or queue.kind == "queue" or mdb.transactional or not compatible:
        return None
    if mdb.max_beans_in_free_pool == 1:
        return Verdict("ok", "One instance keeps the unit of order.", details=ONE_AT_A_TIME)
    message = "Without transactions a Compatibility topic keeps the unit of order only with one instance."
    return Verdict("violated", message, {BEANS: 1})


def mode_ignored(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A topic setting at a queue."""
    if queue.kind == "topic" or mdb_of(queue).topic_messages_distribution_mode == "Compatibility":
        return None
    message = "The topic messages distribution mode does nothing at a queue."
    return Verdict("ignored", message, {"settings.topic_messages_distribution_mode": "Compatibility"})


def batch_needs_transaction(_: System, __: Server, queue: Queue) -> Verdict | None:
    """Batching without transactions."""
    mdb = mdb_of(queue)
    if mdb.transactional or mdb.max_messages_in_transaction == 1:
        return None
    message = "Batching needs container-managed transactions: max-messages-in-transaction does nothing."
    return Verdict("ignored", message, {"settings.transactional": True})


def batch_fits(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A full batch against the transaction timeout."""
    mdb = mdb_of(queue)
    if not mdb.transactional:
        return None
    longest, size = transaction_time(queue), batch_size(queue)
    details = {"transaction_s": longest, "transaction_timeout_s": mdb.transaction_timeout}
    if longest < mdb.transaction_timeout:
        return Verdict("ok", f"A full transaction, {size} messages, takes up to {number(longest)} s.", details=details)
    message = (
        f"A full transaction, {size} slow messages, takes {number(longest)} s, above "
        f"{number(mdb.transaction_timeout)} s: the batch is rolled back and tried again in smaller ones."
    )
    return Verdict("violated", message, {"settings.transaction_timeout": 2 * longest}, details)


def batches_form(_: System, server: Server, queue: Queue) -> Verdict | None:
    """So many instances that a batch rarely finds a second message."""
    size, rate = batch_size(queue), offered(server, queue)
    if size == 1 or rate is None:
        return None
    busy = rate * (law_mean(service_of(queue)) + mdb_of(queue).commit_time) / server.instances
    parallel = concurrency(server, queue).maximum
    details = {"unbatched_busy_threads": busy, "max_concurrency": float(parallel)}
    if _wait_for_each_other(busy, parallel):
        return Verdict("ok", "Messages wait often enough for batches to form.", details=details)
    if parallel == 1:
        return Verdict(
            "ok", "One instance takes what waits: batches form as far as messages come so fast.", details=details
        )
    message = (
        f"Without batching {number(round(busy, 1))} of {parallel} instances would be busy: messages run in parallel "
        f"instead of in batches. Reduce the number of instances to let batches form."
    )
    pools = pools_of(server, queue)
    beans = max(1, int(busy / pools))
    enough = beans * pools == 1 or _wait_for_each_other(busy, beans * pools)
    return Verdict("violated", message, {BEANS: beans} if enough else {}, details)


def _wait_for_each_other(busy: float, parallel: int) -> bool:
    """Whether so many instances, of which ``busy`` would run without batches, leave messages waiting."""
    return busy > 0.8 * parallel


def polling_ignored(_: System, __: Server, queue: Queue) -> Verdict | None:
    """8.1-style polling at a bean that does not poll."""
    if not mdb_of(queue).use_81_style_polling or polls(queue):
        return None
    message = "8.1-style polling does nothing: messages are pushed to this bean."
    return Verdict("ignored", message, {"settings.use_81_style_polling": False})


def polling_pins_threads(_: System, server: Server, queue: Queue) -> Verdict | None:
    """8.1-style polling of a foreign provider."""
    mdb = mdb_of(queue)
    if not polls(queue) or not mdb.use_81_style_polling:
        return None
    count = concurrency(server, queue).maximum
    message = f"8.1-style polling can keep {count} threads until the bean is undeployed: other work may starve."
    return Verdict("violated", message, {"settings.use_81_style_polling": False})


def pipeline_hoards(_: System, server: Server, queue: Queue) -> Verdict | None:
    """Messages that wait behind one instance while others are idle."""
    mdb, parallel = mdb_of(queue), concurrency(server, queue).maximum
    if not is_asynchronous(queue) or parallel * server.instances == 1 or mdb.messages_maximum == 1:
        return None
    held = parallel * mdb.messages_maximum
    mean = law_mean(service_of(queue))
    details = {"pipeline": held}
    if mdb.messages_maximum * mean < 1:
        return Verdict("ok", f"{held} messages may wait behind instances, each for less than 1 s.", details=details)
    message = (
        f"{mdb.messages_maximum} messages can wait about {number(mdb.messages_maximum * mean)} s behind one busy "
        f"instance while others are idle; messages-maximum 1 is fair at some cost in throughput."
    )
    return Verdict("violated", message, {"settings.messages_maximum": 1}, details)


def redelivery_ends(_: System, __: Server, queue: Queue) -> Verdict | None:
    """Messages that fail and come back at once, for ever."""
    mdb = mdb_of(queue)
    if mdb.failure_rate == 0 and mdb.poison_rate == 0:
        return None
    if mdb.redelivery_limit >= 0 or mdb.redelivery_delay > 0:
        return Verdict("ok", "A failing message waits or ends.")
    message = "A failing message comes back at once and for ever: set a redelivery limit and a delay."
    fix = {"settings.redelivery_limit": 5, "settings.redelivery_delay": 1.0}
    return Verdict("violated", message, fix)


def error_destination(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A redelivery limit without a place for the messages that reach it."""
    mdb = mdb_of(queue)
    if mdb.redelivery_limit < 0:
        return None
    if mdb.error_destination:
        return Verdict("ok", f"Messages go to {mdb.error_destination} after {mdb.redelivery_limit} redeliveries.")
    return Verdict(
        "violated", f"After {mdb.redelivery_limit} redeliveries a message is dropped: name an error destination."
    )


def flow_triggers(_: System, __: Server, queue: Queue) -> Verdict | None:
    """Flow control that is on while all thresholds are off."""
    mdb = mdb_of(queue)
    if not mdb.flow_control_enabled:
        return None
    if is_armed_ever(mdb):
        return Verdict("ok", "A threshold slows producers down.")
    return Verdict("ignored", "Flow control is on but never acts: no threshold is set.")


def flow_bounds(system: System, _: Server, queue: Queue) -> Verdict | None:
    """Producers at their minimum against what is consumed."""
    mdb, most = mdb_of(queue), carried(system, queue)
    if not is_armed_ever(mdb) or most is None:
        return None
    floor = queue.producers * mdb.flow_minimum
    details = {"floor": floor, "carried_rate": most}
    if floor < most:
        return Verdict("ok", f"Slowed down, all producers send {floor}/s, below {number(most)}/s.", details=details)
    message = f"Even slowed down {queue.producers} producers may send {floor}/s, {number(most)}/s are consumed."
    slower = math.ceil(most / queue.producers) - 1
    return Verdict("violated", message, {"settings.flow_minimum": slower} if slower else {}, details)


def flow_admits(_: System, __: Server, queue: Queue) -> Verdict | None:
    """What producers may still send while they are slowed down."""
    mdb = mdb_of(queue)
    if not is_armed_ever(mdb):
        return None
    total = queue.producers * table_of(mdb).admitted_down
    message = (
        f"After a threshold is exceeded {queue.producers} producers may still send {number(round(total))} messages in "
        f"the first {number(mdb.flow_interval)} s. Changed values reach new connections only."
    )
    return Verdict("ok", message, details={"admitted": total})


def quota_waits(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A quota whose senders hardly wait."""
    mdb = mdb_of(queue)
    if mdb.messages_quota < 0 and mdb.bytes_quota < 0:
        if mdb.send_timeout == 0.01:
            return None
        return Verdict("ignored", "The send timeout does nothing: there is no quota.", {"settings.send_timeout": 0.01})
    drain = law_mean(service_of(queue))
    if mdb.send_timeout >= drain:
        return Verdict("ok", f"A sender waits up to {number(mdb.send_timeout)} s for room.")
    message = (
        f"A sender waits {number(mdb.send_timeout)} s for room, one onMessage takes {number(drain)} s: most sends to a "
        f"full destination fail."
    )
    return Verdict("violated", message, {"settings.send_timeout": 10 * drain})


def one_way_window(_: System, __: Server, queue: Queue) -> Verdict | None:
    """One-way sends that are switched off in effect."""
    mdb = mdb_of(queue)
    if mdb.one_way_send_mode == "disabled":
        message = "The window does nothing: one-way sends are off."
        window = {"settings.one_way_send_window": 1}
        return None if mdb.one_way_send_window == 1 else Verdict("ignored", message, window)
    off = {"settings.one_way_send_mode": "disabled", "settings.one_way_send_window": 1}
    if mdb.one_way_send_window == 1:
        message = "One-way sends do nothing: with a window of 1 every message waits for a reply."
        return Verdict("ignored", message, off)
    if mdb.messages_quota < 0 and mdb.bytes_quota < 0:
        return Verdict("ok", f"Every {mdb.one_way_send_window}th message waits for a reply.")
    return Verdict("violated", "Over quota, one-way messages are dropped without notice.", off)
