"""What listener ports have in common on z/OS and elsewhere: retries that stop the port, and the backout of IBM MQ."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated

from simulations.analysis.estimates.summary import Derived, Source
from simulations.declarations.parameters import PlatformParameters, assumed, held_by, labeled, parameters_of, setting
from simulations.declarations.system import Queue, Server, System, has_outage
from simulations.declarations.units import Duration, PositiveDuration
from simulations.engine.network.model import Exhausted, Redelivery
from simulations.platforms.shared.activation import ActivationSpec
from simulations.platforms.shared.outages import ServerOutage
from simulations.platforms.shared.queues import OWN_MODEL, AtLeastOne, AtLeastZero, derived, number, settings_of
from simulations.platforms.shared.rules import Rule, Verdict, judged, per_queue

PORT = "Listener port settings"
MQ_BACKOUT = "Handling poison messages in IBM MQ classes for JMS"
SERVICE = "Message listener service custom properties"
RECOVERY = Source(SERVICE, "MAX.RECOVERY.RETRIES and RECOVERY.RETRY.INTERVAL", "unverified")
TRANSACTIONS = "Transaction service settings"
POOLS = "Connection factory: connection pool and session pool"
MAXIMUM_TIMEOUT = "propogatedOrBMTTranLifetimeTimeout"
RARE = 1e-9
"""Share of the messages for which their port is not expected to stop."""
at_pools = held_by(POOLS, "")
at_port = held_by(PORT, "ListenerPort", labeled)
at_service = held_by(SERVICE, "MessageListenerService")
at_transactions = held_by(TRANSACTIONS, "TransactionService", labeled, no_limit=0)
at_maximum = partial(at_transactions, doubt="the name of its attribute", sweep=False)


class ServiceParameters(PlatformParameters):
    """What the message listener service and the transaction service of a server say, on z/OS and elsewhere."""

    maximum_transaction_timeout: Annotated[
        PositiveDuration, at_maximum("s", MAXIMUM_TIMEOUT, (1, 600), "Maximum transaction timeout")
    ] = 300.0
    """Longest timeout that any transaction of the server can be given. Rules compare it; the simulation does not."""
    recovery_retries: Annotated[
        AtLeastZero, at_service("attempts", "MAX.RECOVERY.RETRIES", (0, 20), trust="unverified")
    ] = 5
    """Times that a port tries to connect again after its queue manager went away, before it stays down."""
    recovery_interval: Annotated[
        Duration, at_service("s", "RECOVERY.RETRY.INTERVAL", (0, 300), doubt="the default")
    ] = 60.0
    """Wait before each such try. With the retries it gives the longest outage that a port survives by itself. An
    outage of the queue manager lasts for ports until such a try."""
    outage: Annotated[ServerOutage | None, assumed("1", OWN_MODEL, place="outages", sweep=False)] = None
    """A time in which members or the queue manager are away: what runs is rolled back, and what is held goes back to
    the destinations, where other members take it. Never when empty."""


class PortParameters(ActivationSpec):
    """Retries of a listener port or an activation specification, and the backout of its IBM MQ queue."""

    maximum_retries: Annotated[AtLeastZero, at_port("attempts", "maxRetries", (0, 20), "Maximum retries")] = 0
    """Failed deliveries of one message at which the whole listener port stops; 0 = it stops at the first failure."""
    backout_threshold: Annotated[
        AtLeastZero, setting("attempts", MQ_BACKOUT, "BOTHRESH", (0, 20), doubt="that 0 switches it off")
    ] = 0
    """Failed deliveries after which IBM MQ moves a message to the backout queue; 0 = off."""
    session_pool_maximum: Annotated[
        AtLeastOne | None, at_pools("sessions", "sessionPool/maxConnections", (1, 200), trust="assumed")
    ] = None
    """Most sessions of the port's connection factory, whatever Maximum sessions says; empty = enough for it. The vendor
    gives 10 to a factory that nobody changed."""


def of_ports(model: type[PortParameters]) -> tuple[str, ...]:
    """Return the settings that only a listener port reads: those of its objects, and its session pool."""
    objects = ("ListenerPort", "MessageListenerService", "StateManageable")
    held = [item.name for item in parameters_of(model) if item.quantity.where in objects]
    return (*held, "session_pool_maximum")


def stops_at(port: PortParameters) -> int | None:
    """Return the failed deliveries of one message at which the port or endpoint stops; None = it never does."""
    if not port.activated:
        return max(1, port.maximum_retries)
    return port.failure_delivery_count + 1 if port.stop_if_delivery_fails else None


def _what(port: PortParameters) -> str:
    """What failed deliveries stop."""
    return "endpoint" if port.activated else "port"


def backs_out(port: PortParameters) -> bool:
    """Return whether IBM MQ takes a failing message away before the port or endpoint stops."""
    stop = stops_at(port)
    return port.backout_threshold > 0 and (stop is None or port.backout_threshold <= stop)


def redelivery_of(port: PortParameters) -> Redelivery:
    """Return the redelivery rule: backout comes first only where its threshold is not above the retries."""
    if backs_out(port):
        return Redelivery(limit=port.backout_threshold, exhausted=Exhausted.DEAD_LETTER)
    stop = stops_at(port)
    return Redelivery() if stop is None else Redelivery(limit=stop, exhausted=Exhausted.STOP_STREAM)


def delivery_rules(family: str, times_out: Callable[[System, Server, Queue, float], bool]) -> tuple[Rule, Rule]:
    """Return the two rules about failing deliveries; ``times_out``: whether timeouts end more than a share spares."""

    def retries_stop_port(system: System, server: Server, queue: Queue, port: PortParameters) -> Verdict:
        """One bad message does not stop the listener port."""
        stop, threshold = stops_at(port), port.backout_threshold
        late = times_out(system, server, queue, 1 - RARE ** (1 / (stop or math.inf)))
        fails = port.failure_rate + port.poison_rate > 0 or has_outage(queue)
        if backs_out(port):
            return Verdict("ok", f"IBM MQ moves a message away after {threshold} failures; the {_what(port)} goes on.")
        if stop is None:
            good = "No message is expected to fail for good; one that did would come back without end."
            message = "What keeps failing comes back without end: nothing stops the endpoint, no backout takes it."
            return judged(not (fails or late), good, message, {"settings.backout_threshold": 3})
        stops = f"Failure {stop} of one message would stop the {_what(port)}"
        good = f"{stops}; by their onMessage alone none is expected to fail so often."
        most, what = max(3, stop), "the endpoint" if port.activated else "of one message the whole listener port"
        why = "" if fails else "A timeout is a failure too, and deliveries can run into one. "
        message = f"{why}After {stop} failed deliveries {what} stops and nothing is processed."
        fix = {"settings.stop_if_delivery_fails": False} if port.activated else {"settings.maximum_retries": most}
        return judged(not (fails or late), good, message, {**fix, "settings.backout_threshold": most})

    return (
        per_queue(f"{family}.retries-stop-port", "warning", PORT, "Maximum retries")(retries_stop_port),
        per_queue(f"{family}.backout-before-retries", "error", MQ_BACKOUT, "BOTHRESH")(_backout_before_retries),
    )


def _backout_before_retries(port: PortParameters) -> Verdict | None:
    """The backout threshold is not above Maximum retries."""
    stop = stops_at(port)
    if port.backout_threshold == 0 or stop is None:
        return None
    good = f"Backout at {port.backout_threshold} comes before the {_what(port)} stops at {stop}."
    stops = f"The {_what(port)} stops after {stop} failed deliveries"
    problem = f"{stops}, before the backout threshold {port.backout_threshold} is reached: backout never happens."
    fix = {"settings.maximum_retries": port.backout_threshold}
    if port.activated:
        fix = {"settings.failure_delivery_count": port.backout_threshold - 1}
    return judged(port.backout_threshold <= stop, good, problem, fix)


def session_pool_covers(port: PortParameters, sessions: int) -> Verdict | None:
    """The session pool of the connection factory against the sessions that the port asks for."""
    pool = port.session_pool_maximum
    if pool is None:
        return None
    good = f"The session pool of {pool} covers the {sessions} sessions of the port."
    problem = f"The connection factory gives {pool} sessions, the port asks for {sessions}: the others never run."
    return judged(pool >= sessions, good, problem, {"settings.session_pool_maximum": sessions})


def maximum_covers_total(settings: ServiceParameters) -> Verdict:
    """The maximum transaction timeout covers the total transaction lifetime."""
    most, total = settings.maximum_transaction_timeout, vars(settings)["total_transaction_timeout"]
    good = f"The maximum transaction timeout of {number(most)} s covers {number(total)} s."
    lifetime = f"the total transaction lifetime {number(total)} s"
    problem = f"The maximum transaction timeout {number(most)} s is below {lifetime}."
    return judged(most >= total, good, problem, {"settings.maximum_transaction_timeout": total})


def has_ports(system: System, server: Server) -> bool:
    """Return whether listener ports listen on the server, and not only activation specifications."""
    queues = system.queues_of(server)
    return not queues or not all(settings_of(queue, PortParameters).activated for queue in queues)


def ports_come_back(system: System, server: Server, settings: ServiceParameters) -> Verdict | None:
    """Ports come back by themselves after an outage of the queue manager."""
    if not has_ports(system, server):
        return None
    tries, wait, outage = settings.recovery_retries, settings.recovery_interval, settings.outage
    longest = number(tries * wait)
    if tries > 0 and outage is not None and outage.cause == "broker" and outage.duration > tries * wait:
        message = (
            f"The queue manager is away for {number(outage.duration)} s. {tries} tries, {number(wait)} s apart, are "
            f"over by then, and the ports stay down until somebody starts them."
        )
        # Half as long again: one try at the very end of the outage would be tuned to a length that nobody knows.
        name, other = ("retries", wait) if wait else ("interval", tries)
        return Verdict("violated", message, {f"settings.recovery_{name}": math.ceil(1.5 * outage.duration / other)})
    good = f"A port comes back by itself after an outage of up to {longest} s."
    problem = "After the first lost connection a port stays down until somebody starts it: no recovery is tried."
    return judged(tries > 0, good, problem, {"settings.recovery_retries": 5})


def service_answers(settings: ServiceParameters) -> Iterator[Derived]:
    """Yield what follows from the recovery settings of a server."""
    retries, wait = settings.recovery_retries, settings.recovery_interval
    formula = f"{retries} × {number(wait)} s = {number(retries * wait)} s"
    title = "Longest outage of the queue manager that a port survives"
    yield derived("recovery_time", title, retries * wait, "s", formula, RECOVERY)
