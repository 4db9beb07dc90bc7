"""Sentences about a simulated point, every number of them taken from the summary or the formulas."""

from collections.abc import Iterator, Mapping

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.declarations.system import Queue, System
from simulations.platforms.shared.claims import (
    count_claim,
    estimate_of,
    exact,
    reached,
    unstable_claim,
    value_of,
    waited,
)
from simulations.platforms.shared.family import Claim
from simulations.platforms.shared.queues import number, settings_of
from simulations.platforms.websphere import formulas
from simulations.platforms.websphere.parameters.server import ListenerPort, ServerSettings
from simulations.platforms.websphere.rules.service_checks import POOL_SETTINGS


def explain(system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """Return what held the messages up, in the order of importance."""
    return tuple(claim for queue in system.queues for claim in _of_queue(system, queue, summary))


def _of_queue(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    server, port = system.server_of(queue), settings_of(queue, ListenerPort)
    lifetime = settings_of(server, ServerSettings).total_transaction_timeout
    path = f"{queue.path}.settings"
    yield from unstable_claim(queue, formulas.carried(system, queue), summary)
    late = value_of(summary, queue.name, "timeouts.transaction") > 0
    if late and port.mode == "non_asf" and formulas.worst_case(queue) >= lifetime:
        bound, worst = formulas.receive_timeout_bound(server, queue), formulas.worst_case(queue)
        sentence = (
            f"A message that comes at the end of the receive timeout commits after {number(worst)} s,"
            f" the limit is {number(lifetime)} s: it is rolled back. Keep the receive timeout below {number(bound)} s."
        )
        proof = {f"{path}.receive_timeout": bound * 0.99} if bound > 0 else {}
        yield Claim(f"{queue.name}.transaction_too_old", sentence, proof)
    text = "{} transactions per replication outlived their limit: the work was wasted and the messages came again."
    yield from count_claim(queue, summary, "timeouts.transaction", text, {})
    text = "{} scheduled messages per replication got no thread before the start timeout and returned to their queue."
    yield from count_claim(queue, summary, "timeouts.queue", text, {})
    yield from _short_of_threads(system, queue, summary)


def _short_of_threads(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    server, group = system.server_of(queue), formulas.group_of(queue)
    missing, threads = formulas.shortage(system, server, group), formulas.group_threads(system, server, group)
    sharing = [item.name for item in formulas.queues_of(system, server, group)]
    if missing and waited(queue, summary) and reached(sharing, threads, summary):
        total = threads + missing
        word = "the listener pool" if group == "listener" else "the pool of the resource adapter"
        sentence = f"{missing} sessions of server {server.name!r} never had a thread; {word} needs {total}."
        wider = {f"{server.path}.settings.{POOL_SETTINGS[group]}": total}
        yield Claim(f"{queue.name}.pool_shortage", sentence, wider)


def _rolled_back(system: System, queue: Queue, summary: PointSummary) -> Mapping[str, Estimate]:
    """The exact share, and the measured number where the point was simulated."""
    share = formulas.rollback_share(system.server_of(queue), queue)
    cost = {} if share is None else {"rolled_back_pct": exact(100 * share, "%")}
    measured = estimate_of(summary, queue.name, "rollbacks")
    return cost if measured is None else {**cost, "rollbacks": measured}


def _capacity_lost(system: System, queue: Queue, _: PointSummary) -> Mapping[str, Estimate]:
    """Sessions without a thread, as a share of the port's sessions when it is alone on its server."""
    server = system.server_of(queue)
    lost = min(formulas.sessions(queue), formulas.shortage(system, server, formulas.group_of(queue)))
    return {"throughput_loss_pct": exact(100 * lost / formulas.sessions(queue), "%")}


COSTS = {
    "websphere.transaction-timeout": _rolled_back,
    "websphere.quiet-time-rollbacks": _rolled_back,
    "websphere.pool-covers-sessions": _capacity_lost,
    "websphere.adapter-pool-covers-sessions": _capacity_lost,
}
