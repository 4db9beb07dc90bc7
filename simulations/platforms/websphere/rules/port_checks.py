"""The rules of WebSphere about the time limits and sessions of listener ports."""

import math

from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared.listener_port import PORT, TRANSACTIONS
from simulations.platforms.shared.queues import number
from simulations.platforms.shared.rules import Verdict, ignored, judged, per_queue, per_server
from simulations.platforms.websphere import formulas
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings
from simulations.platforms.websphere.sources import AVOIDING, CONNECTIONS, LISTENER_POOL, MODES

RECEIVE = "settings.receive_timeout"
_waits = formulas.waits


@per_queue("websphere.transaction-timeout", "error", AVOIDING, "difference greater than onMessage", _waits)
def transaction_timeout(server: Server, queue: Queue, port: ListenerPort, settings: ServerSettings) -> Verdict:
    """Receive timeout and onMessage together stay below the transaction lifetime."""
    lifetime = settings.total_transaction_timeout
    worst, slow = formulas.worst_case(queue), formulas.slowest_service(queue)
    bound = formulas.receive_timeout_bound(server, queue)
    details = {"worst_case_s": worst, "max_receive_timeout_s": bound, "transaction_timeout_s": lifetime}
    few = formulas.rarely_longer(queue)
    terms = f"{number(port.receive_timeout)} + {number(slow)} = {number(worst)} s{few}"
    problem = (
        f"Worst case {terms} > {number(lifetime)} s: the transaction is rolled back. The receive timeout must be below "
        f"{number(bound)} s."
    )
    if bound <= 0:
        problem = f"Without any wait a message takes up to {number(slow)} s{few}: no receive timeout is safe."
    elif worst == lifetime:
        problem = f"Worst case {terms} leaves no time before {number(lifetime)} s; stay below {number(bound)} s."
    good = f"Worst case {terms}, below {number(lifetime)} s."
    return judged(worst < lifetime, good, problem, _shorter_or_longer(server, queue), details)


def _shorter_or_longer(server: Server, queue: Queue) -> dict[str, object]:
    """A safe receive timeout, or a transaction lifetime that covers the worst case twice where none is safe."""
    bound = formulas.receive_timeout_bound(server, queue)
    safe = float(int(bound) - 1) if bound > 2 else round(bound * 0.9, 3)
    lifetime = f"{server.path}.settings.total_transaction_timeout"
    return {RECEIVE: safe} if safe > 0 else {lifetime: 2 * formulas.worst_case(queue)}


@per_queue(
    "websphere.receive-timeout-below-lifetime", "error", AVOIDING, "receive timeout smaller than the lifetime", _waits
)
def receive_below_lifetime(
    server: Server, queue: Queue, port: ListenerPort, settings: ServerSettings
) -> Verdict | None:
    """The receive timeout is below the transaction lifetime."""
    lifetime = settings.total_transaction_timeout
    good = f"The receive timeout {number(port.receive_timeout)} s is below {number(lifetime)} s."
    problem = (
        f"The receive timeout {number(port.receive_timeout)} s is not below the transaction lifetime "
        f"{number(lifetime)} s: a message that comes late can never commit."
    )
    return judged(port.receive_timeout < lifetime, good, problem, _shorter_or_longer(server, queue))


@per_queue("websphere.quiet-time-rollbacks", "warning", AVOIDING, "message after a long wait")
def quiet_times(system: System, server: Server, queue: Queue, settings: ServerSettings) -> Verdict | None:
    """No message is rolled back for the wait before it."""
    share = formulas.rollback_share(system, queue)
    if share is None:
        return None
    details = {"rollback_probability": share}
    if share == 0:
        return Verdict("ok", "No wait inside receive() can make a transaction too old.", details=details)
    if share <= 1 - formulas.SLOWEST and formulas.worst_case(queue) < settings.total_transaction_timeout:
        return Verdict("ok", f"Hardly any message comes too late in a wait: {number(100 * share)} %.", details=details)
    several = formulas.held(system, server, queue) * server.instances > 1
    turn = ", if dealt at random and not in turn as in the simulation," if several else ""
    late = f"{number(100 * share)} % of the messages that find a session waiting{turn} are rolled back"
    message = f"{late}, because they come late in the wait: the failure shows at quiet times, not in a load test."
    return Verdict("violated", message, _shorter_or_longer(server, queue), details)


@per_queue("websphere.receive-timeout-ignored", "info", MODES, "NON.ASF.RECEIVE.TIMEOUT")
def receive_ignored(port: ListenerPort) -> Verdict | None:
    """The receive timeout counts only in non-ASF mode."""
    if port.mode != "asf" or port.receive_timeout == 0:
        return None
    return Verdict("ignored", "The receive timeout does nothing in ASF mode.", {"settings.mode": "non_asf"})


@per_queue("websphere.maximum-messages-ignored", "info", PORT, "Maximum messages", _waits)
def messages_ignored(port: ListenerPort) -> Verdict | None:
    """Maximum messages counts only in ASF mode."""
    return ignored(port, "Maximum messages does nothing in non-ASF mode.", "maximum_messages")


@per_queue("websphere.topic-sessions-ignored", "info", MODES, "topic destinations", _waits)
def topic_sessions(queue: Queue, port: ListenerPort) -> Verdict | None:
    """A topic in non-ASF mode has one session."""
    message = f"A topic has one session in non-ASF mode; Maximum sessions {port.maximum_sessions} does nothing."
    return None if queue.kind == "queue" else ignored(port, message, "maximum_sessions")


@per_server("websphere.pool-covers-sessions", "error", LISTENER_POOL, "Maximum size")
def pool_covers(system: System, server: Server) -> Verdict | None:
    """The listener pool covers the sessions of all ports."""
    return pool_has_threads(system, server, "listener", "listener pool", "listener_pool_maximum")


def pool_has_threads(system: System, server: Server, group: formulas.Group, pool: str, setting: str) -> Verdict | None:
    """Judge whether a pool, whose size is ``setting``, has a thread for each session of the ``group`` that uses it."""
    if group not in formulas.groups(system, server):
        return None
    total, missing = formulas.sessions_of_server(system, server, group), formulas.shortage(system, server, group)
    details = {"sessions_total": total, "sessions_without_thread": missing}
    good = f"The {pool} has a thread for each of the {total} sessions, the sum over all that use it."
    problem = f"{missing} of {total} sessions, the sum over all that use it, can get no thread of the {pool} at once."
    return judged(missing == 0, good, problem, {f"settings.{setting}": total}, details)


@per_queue("websphere.threads-held", "info", MODES, "threads of a started listener port", _waits)
def threads_held(system: System, server: Server, queue: Queue) -> Verdict | None:
    """A non-ASF port holds its threads all the time."""
    count, asked = formulas.held(system, server, queue), formulas.sessions(queue)
    message = f"Held from the start, with or without messages: {count} each of threads, consumers and transactions."
    if count < asked:
        order = "ports take the pool's threads in the order of their list, and none is left"
        message += f" Of {asked} sessions the others get none: {order}."
    return Verdict("ok", message, details={"threads_held": count})


@per_queue("websphere.connections-shared", "info", CONNECTIONS, "SHARECNV")
def connections_shared(server: Server, queue: Queue, settings: ServerSettings) -> Verdict | None:
    """Conversations share connections to IBM MQ."""
    talks = formulas.conversations(queue)
    if talks <= 1:
        return None
    if settings.sharing_conversations > 1:
        return Verdict("ok", f"{talks} conversations share connections.", details={"conversations": talks})
    message = f"Each of {talks} conversations has its own network connection; with IBM MQ 7 or later ten can share one."
    return Verdict("violated", message, {f"{server.path}.settings.sharing_conversations": 10})


@per_queue("websphere.empty-transactions", "info", MODES, "receive() without a message")
def empty_polls(system: System, server: Server, queue: Queue, port: ListenerPort) -> Verdict | None:
    """Idle sessions rarely begin empty transactions."""
    rate = formulas.empty_transactions(system, server, queue)
    if rate == 0:
        return None
    details = {"empty_transactions_per_s": rate}
    good = f"An idle port begins {number(rate)} empty transactions per second."
    problem = f"An idle port begins and rolls back {number(rate)} empty transactions per second."
    wait = float(math.ceil(rate * port.receive_timeout))
    safe = wait < formulas.receive_timeout_bound(server, queue)
    return judged(rate <= 1, good, problem, {RECEIVE: wait} if safe else {}, details)


@per_queue("websphere.transaction-covers-batch", "error", TRANSACTIONS, "Total transaction lifetime timeout")
def batch_fits(server: Server, queue: Queue, port: ListenerPort, settings: ServerSettings) -> Verdict:
    """The messages of one transaction end within its lifetime."""
    lifetime, longest = settings.total_transaction_timeout, formulas.slowest_service(queue)
    batch = port.maximum_messages if port.mode == "asf" else 1
    details = {"transaction_s": longest, "transaction_timeout_s": lifetime}
    good = f"99.9 % of the full transactions, {batch} messages, end within {number(longest)} s."
    slow = f"One full transaction in a thousand, {batch} messages, takes longer than {number(longest)} s"
    problem = f"{slow}, the limit is {number(lifetime)} s."
    fix = {f"{server.path}.settings.total_transaction_timeout": 2 * longest}
    return judged(longest < lifetime, good, problem, fix, details)


@per_queue("websphere.order-needs-one-session", "info", PORT, "Maximum sessions")
def order(server: Server, queue: Queue, port: ListenerPort) -> Verdict:
    """Only one session on one member keeps the order of arrival."""
    count = formulas.sessions(queue)
    if count > 1:
        return Verdict("ok", f"With {count} sessions messages can overtake each other; only one keeps their order.")
    if 0 < port.urgent_share < 1:
        return Verdict("ok", "Urgent messages overtake the others.")
    if server.instances > 1:
        message = f"One session keeps the order in one member only; {server.instances} members work in parallel."
        return Verdict("violated", message, {f"{server.path}.instances": 1})
    return Verdict("ok", "One session keeps the order of arrival.")
