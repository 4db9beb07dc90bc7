"""Sentences about a simulated point, every number of them taken from the summary or the formulas."""

from collections.abc import Iterator, Mapping

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.declarations.system import Queue, System
from simulations.platforms.shared import claims
from simulations.platforms.shared.family import Claim
from simulations.platforms.shared.queues import number, settings_of
from simulations.platforms.websphere import formulas
from simulations.platforms.websphere.parameters.listener_port import ListenerPort
from simulations.platforms.websphere.parameters.server import ServerSettings
from simulations.platforms.websphere.rules.service_checks import POOL_SETTINGS


def explain(system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """Return what held the messages up, in the order of importance."""
    return tuple(claim for queue in system.queues for claim in _of_queue(system, queue, summary))


def _of_queue(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    server, port = system.server_of(queue), settings_of(queue, ListenerPort)
    lifetime = settings_of(server, ServerSettings).total_transaction_timeout
    path = f"{queue.path}.settings"
    yield from claims.unstable_claim(queue, formulas.carried(system, queue), summary)
    late = claims.value_of(summary, queue.name, "timeouts.transaction") > 0
    if late and port.mode == "non_asf" and formulas.worst_case(queue) >= lifetime:
        bound, worst = formulas.receive_timeout_bound(server, queue), formulas.worst_case(queue)
        safe = (
            f"Keep the receive timeout below {number(bound)} s." if bound > 0 else "No receive timeout is short enough."
        )
        sentence = (
            f"A message that comes at the end of the receive timeout commits after {number(worst)} s,"
            f" the limit is {number(lifetime)} s: it is rolled back. {safe}"
        )
        proof = {f"{path}.receive_timeout": bound * 0.99} if bound > 0 else {}
        yield Claim(f"{queue.name}.transaction_too_old", sentence, proof)
    text = "{} transactions per replication outlived their limit: the work was wasted and the messages came again."
    yield from claims.count_claim(queue, summary, "timeouts.transaction", text, {})
    text = "{} scheduled messages per replication got no thread before the start timeout and returned to their queue."
    yield from claims.count_claim(queue, summary, "timeouts.queue", text, {})
    yield from _short_of_threads(system, queue, summary)


def _short_of_threads(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    server, group = system.server_of(queue), formulas.group_of(queue)
    missing, threads = formulas.shortage(system, server, group), formulas.group_threads(system, server, group)
    sharing = [item.name for item in formulas.queues_of(system, server, group)]
    if missing and claims.waited(queue, summary) and claims.reached(sharing, threads, summary):
        total = threads + missing
        word = "the listener pool" if group == "listener" else "the pool of the resource adapter"
        sentence = f"{missing} sessions of server {server.name!r} never had a thread; {word} needs {total}."
        wider = {f"{server.path}.settings.{POOL_SETTINGS[group]}": total}
        yield Claim(f"{queue.name}.pool_shortage", sentence, wider)


def _rolled_back(system: System, queue: Queue, summary: PointSummary) -> Mapping[str, Estimate]:
    """What was measured; the formula's share, which is of an idle system, only where nothing was."""
    measured = claims.estimate_of(summary, queue.name, "rollbacks")
    if measured is not None:
        return {"rollbacks": measured}
    share = formulas.rollback_share(system.server_of(queue), queue)
    return {} if share is None else {"rolled_back_pct": claims.exact(100 * share, "%")}


COSTS = {
    "websphere.transaction-timeout": _rolled_back,
    "websphere.quiet-time-rollbacks": _rolled_back,
}
