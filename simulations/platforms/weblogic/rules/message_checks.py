"""The rules of WebLogic about transactions, topics, polling and redelivery."""

from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared import rules
from simulations.platforms.shared.laws import quantile_of_sum
from simulations.platforms.shared.queues import mean_service, number, service_of
from simulations.platforms.shared.rules import ONE_AT_A_TIME, Verdict, ignored, is_no_topic, judged, per_queue
from simulations.platforms.weblogic import formulas
from simulations.platforms.weblogic.parameters.mdb import MdbSettings
from simulations.platforms.weblogic.sources import BATCHING, BEANS, JMS, TOPICS, TUNING

POOL_SIZE = "settings.max_beans_in_free_pool"
WAITING = 0.8
"""Share of the instances that would be busy without batches from which on messages wait for each other."""


@per_queue("weblogic.compatibility-topic", "warning", TUNING, "transactional MDBs on topics")
def compatibility_topic(queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """A transactional topic in Compatibility mode has one instance."""
    if not formulas.is_single_threaded_topic(queue):
        return None
    message = (
        f"A transactional topic in Compatibility mode has one instance; max-beans-in-free-pool "
        f"{mdb.max_beans_in_free_pool} does nothing."
    )
    fix = {"settings.topic_messages_distribution_mode": "One-Copy-Per-Server"}
    return Verdict("ignored", message, fix, ONE_AT_A_TIME)


@per_queue("weblogic.foreign-topic", "error", TUNING, "caution on foreign topics")
def foreign_topic(queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """A non-transactional bean on a foreign topic has one instance."""
    if formulas.may_lose(queue):
        message = "Without transactions several instances on a foreign topic can lose messages when onMessage fails."
        return Verdict("violated", message, {POOL_SIZE: 1})
    if formulas.is_at_provider(queue) and queue.kind == "topic":
        return Verdict("ok", "One instance reads the foreign topic.")
    return ignored(mdb, "No failure is acknowledged here.", "acknowledged_failures")


@per_queue("weblogic.unit-of-order", "error", TUNING, "caution on unit of order")
def unit_of_order(queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """A non-transactional Compatibility topic with unit of order has one instance."""
    compatible = mdb.topic_messages_distribution_mode == "Compatibility" and mdb.destination == "weblogic"
    if not mdb.unit_of_order or queue.kind == "queue" or mdb.transactional or not compatible:
        return None
    if mdb.max_beans_in_free_pool == 1:
        return Verdict("ok", "One instance keeps the unit of order.", details=ONE_AT_A_TIME)
    message = "Without transactions a Compatibility topic keeps the unit of order only with one instance."
    return Verdict("violated", message, {POOL_SIZE: 1})


@per_queue("weblogic.distribution-mode-ignored", "info", TOPICS, "topicMessagesDistributionMode", is_no_topic)
def mode_ignored(mdb: MdbSettings) -> Verdict | None:
    """The distribution mode counts only at a topic."""
    message = "The topic messages distribution mode does nothing at a queue."
    return ignored(mdb, message, "topic_messages_distribution_mode")


@per_queue("weblogic.batching-needs-transaction", "warning", BATCHING, "requirements")
def batch_needs_transaction(mdb: MdbSettings) -> Verdict | None:
    """Batching has container-managed transactions."""
    if mdb.transactional or mdb.max_messages_in_transaction == 1:
        return None
    message = "Batching needs container-managed transactions: max-messages-in-transaction does nothing."
    return Verdict("ignored", message, {"settings.transactional": True})


@per_queue("weblogic.batch-fits-timeout", "error", BATCHING, "transaction timeout")
def batch_fits(queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """A full batch fits in the transaction timeout."""
    if not mdb.transactional:
        return None
    longest, size = formulas.transaction_time(queue), formulas.batch_size(queue)
    details = {"transaction_s": longest, "transaction_timeout_s": mdb.transaction_timeout}
    good = f"99 % of the full transactions, {size} messages, end within {number(longest)} s."
    slow = f"One full transaction in a hundred, {size} messages, takes longer than {number(longest)} s"
    again = f"it is tried again{' in smaller ones' if size > 1 else ''}"
    problem = f"{slow}. Beyond {number(mdb.transaction_timeout)} s {again}."
    fix = {"settings.transaction_timeout": 2 * longest}
    return judged(longest < mdb.transaction_timeout, good, problem, fix, details)


@per_queue("weblogic.batches-form", "warning", TUNING, "number of concurrent instances with batching")
def batches_form(system: System, server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """There are not too many instances for batches to form."""
    size, rate = formulas.batch_size(queue), formulas.offered(system, queue)
    if size == 1 or rate is None:
        return None
    busy = rate * (mean_service(queue) + mdb.commit_time) / server.instances
    parallel = formulas.concurrency(server, queue).maximum
    details = {"unbatched_busy_threads": busy, "max_concurrency": float(parallel)}
    would = f"Without batching the load would need {number(round(busy, 1))} instances by formula, {parallel} can run"
    if parallel == 1 or busy > WAITING * parallel:
        return Verdict("ok", f"{would}: messages that wait share a transaction.", details=details)
    if formulas.transaction_time(queue) >= mdb.transaction_timeout:
        return None  # what is rolled back comes again, and more waits than this formula knows
    message = f"{would}: messages run in parallel instead of in batches."
    pools = formulas.pools_of(server, queue)
    beans = max(1, int(busy / pools))
    enough = beans * pools == 1 or busy > WAITING * beans * pools
    return Verdict("violated", message, {POOL_SIZE: beans} if enough else {}, details)


@per_queue("weblogic.polling-ignored", "info", TUNING, "use81-style-polling")
def polling_ignored(queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """8.1-style polling counts only for beans that poll."""
    message = "8.1-style polling does nothing: messages are pushed to this bean."
    return None if formulas.polls(queue) else ignored(mdb, message, "use_81_style_polling")


@per_queue("weblogic.polling-pins-threads", "warning", TUNING, "8.1-style polling of foreign providers")
def polling_pins_threads(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """8.1-style polling does not pin threads."""
    if not formulas.polls(queue) or not mdb.use_81_style_polling:
        return None
    count = formulas.concurrency(server, queue).maximum
    message = f"8.1-style polling can keep {count} threads until the bean is undeployed: other work may starve."
    return Verdict("violated", message, {"settings.use_81_style_polling": False})


@per_queue("weblogic.pipeline-hoards", "warning", JMS, "messages-maximum")
def pipeline_hoards(server: Server, queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """Messages do not wait long behind one instance while others are idle."""
    parallel = formulas.concurrency(server, queue).maximum
    members = 1 if formulas.goes_to_each_server(queue) else server.instances  # copies of a topic stay with theirs
    if not formulas.is_asynchronous(queue) or parallel * members == 1 or mdb.messages_maximum == 1:
        return None
    each, held = mdb.messages_maximum, parallel * mdb.messages_maximum
    slow = quantile_of_sum(service_of(queue), each, 0.99)
    good = f"{held} messages may wait behind instances; {each} in a row take less than 1 s in 99 of 100 cases."
    problem = f"{each} messages can wait up to about {number(slow)} s behind one busy instance while others are idle."
    return judged(slow < 1, good, problem, {"settings.messages_maximum": 1}, {"pipeline": held})


@per_queue("weblogic.urgent-overtake", "info", JMS, "messages-maximum")
def urgent_overtake(queue: Queue, mdb: MdbSettings) -> Verdict | None:
    """Urgent messages overtake nearly all that wait."""
    if not 0 < mdb.urgent_share < 1 or not formulas.is_asynchronous(queue):
        return None
    most = mdb.messages_maximum
    problem = (
        f"Up to {most} messages wait for each instance in the order in which they were sent to it: urgent ones too."
    )
    good = "An instance has one message sent ahead: urgent ones overtake all others that wait."
    return judged(most == 1, good, problem, {"settings.messages_maximum": 1})


@per_queue("weblogic.redelivery-ends", "warning", BEANS, "redelivery-limit and redelivery-delay")
def redelivery_ends(mdb: MdbSettings) -> Verdict | None:
    """A failing message does not come back at once for ever."""
    if mdb.failure_rate == 0 and mdb.poison_rate == 0:
        return None
    good = "A failing message waits or ends."
    problem = "A failing message comes back at once and for ever: there is no redelivery limit."
    fix = {"settings.redelivery_limit": 5, "settings.redelivery_delay": 1.0}
    return judged(mdb.redelivery_limit >= 0 or mdb.redelivery_delay > 0, good, problem, fix)


@per_queue("weblogic.redelivery-outlasts-outage", "warning", BEANS, "redelivery-limit and redelivery-delay")
def outlasts_outage(mdb: MdbSettings) -> Verdict | None:
    """A failing message is delivered again until an outage downstream is over."""
    names = ("settings.redelivery_limit", "settings.redelivery_delay")
    limit, delay = mdb.redelivery_limit, mdb.redelivery_delay
    return rules.outlasts_outage(mdb.downstream_outage, limit, delay, names) if limit >= 0 else None


@per_queue("weblogic.error-destination", "warning", BEANS, "error-destination")
def error_destination(mdb: MdbSettings) -> Verdict | None:
    """Messages that reach the redelivery limit are kept."""
    if mdb.redelivery_limit < 0:
        return None
    good = f"Messages go to {mdb.error_destination} after {mdb.redelivery_limit} redeliveries."
    problem = f"After {mdb.redelivery_limit} redeliveries a message is dropped: name an error destination."
    return judged(mdb.error_destination, good, problem)
