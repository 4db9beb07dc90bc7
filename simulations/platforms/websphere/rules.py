"""The rules of WebSphere listener ports as data."""

from simulations.analysis.summary import Source
from simulations.platforms.listener_port import MQ_BACKOUT, PORT, backout_before_retries, retries_stop_port
from simulations.platforms.rules import Rule, per_queue, per_server
from simulations.platforms.websphere import checks
from simulations.platforms.websphere.parameters import (
    AVOIDING,
    CONNECTIONS,
    LISTENER_POOL,
    MODES,
    OWN_MODEL,
    TRANSACTIONS,
)

RULES: tuple[Rule, ...] = (
    Rule(
        "websphere.transaction-timeout",
        "error",
        "Receive timeout and onMessage together stay below the transaction lifetime",
        Source(AVOIDING, "difference greater than onMessage"),
        per_queue(checks.transaction_timeout),
    ),
    Rule(
        "websphere.receive-timeout-below-lifetime",
        "error",
        "The receive timeout is below the transaction lifetime",
        Source(AVOIDING, "receive timeout smaller than the lifetime"),
        per_queue(checks.receive_below_lifetime),
    ),
    Rule(
        "websphere.quiet-time-rollbacks",
        "warning",
        "No message is rolled back for the wait before it",
        Source(AVOIDING, "message after a long wait"),
        per_queue(checks.quiet_times),
    ),
    Rule(
        "websphere.receive-timeout-ignored",
        "info",
        "The receive timeout counts only in non-ASF mode",
        Source(MODES, "NON.ASF.RECEIVE.TIMEOUT"),
        per_queue(checks.receive_ignored),
    ),
    Rule(
        "websphere.maximum-messages-ignored",
        "info",
        "Maximum messages counts only in ASF mode",
        Source(PORT, "Maximum messages"),
        per_queue(checks.messages_ignored),
    ),
    Rule(
        "websphere.topic-sessions-ignored",
        "info",
        "A topic in non-ASF mode has one session",
        Source(MODES, "topic destinations"),
        per_queue(checks.topic_sessions),
    ),
    Rule(
        "websphere.pool-covers-sessions",
        "error",
        "The listener pool covers the sessions of all ports",
        Source(LISTENER_POOL, "Maximum size"),
        per_server(checks.pool_covers),
    ),
    Rule(
        "websphere.threads-held",
        "info",
        "A non-ASF port holds its threads all the time",
        Source(MODES, "threads of a started listener port"),
        per_queue(checks.threads_held),
    ),
    Rule(
        "websphere.connections-shared",
        "info",
        "Conversations share connections to IBM MQ",
        Source(CONNECTIONS, "SHARECNV"),
        per_queue(checks.connections_shared),
    ),
    Rule(
        "websphere.empty-transactions",
        "info",
        "Idle sessions rarely begin empty transactions",
        Source(MODES, "receive() without a message"),
        per_queue(checks.empty_polls),
    ),
    Rule(
        "websphere.transaction-covers-batch",
        "error",
        "The messages of one transaction end within its lifetime",
        Source(TRANSACTIONS, "Total transaction lifetime timeout"),
        per_queue(checks.batch_fits),
    ),
    Rule(
        "websphere.order-needs-one-session",
        "info",
        "Only one session on one member keeps the order of arrival",
        Source(PORT, "Maximum sessions"),
        per_queue(checks.order),
    ),
    Rule(
        "websphere.retries-stop-port",
        "warning",
        "One bad message does not stop the listener port",
        Source(PORT, "Maximum retries"),
        per_queue(retries_stop_port),
    ),
    Rule(
        "websphere.backout-before-retries",
        "error",
        "The backout threshold is not above Maximum retries",
        Source(MQ_BACKOUT, "BOTHRESH"),
        per_queue(backout_before_retries),
    ),
    Rule(
        "websphere.migrate-listener-ports",
        "info",
        "Listener ports give way to activation specifications",
        Source(MODES, "stabilised listener ports"),
        per_queue(checks.stabilised),
    ),
    Rule(
        "websphere.stable",
        "error",
        "Fewer messages arrive than the settings carry",
        Source(OWN_MODEL, "capacity of one port", "assumed"),
        per_queue(checks.stable),
    ),
)
