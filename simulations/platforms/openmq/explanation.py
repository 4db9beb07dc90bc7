"""Sentences about a simulated point, every number of them taken from the summary or the formulas."""

from collections.abc import Iterator, Mapping

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.declarations.system import Queue, System
from simulations.platforms.openmq import formulas
from simulations.platforms.openmq.parameters.mdb import MdbSettings
from simulations.platforms.shared import claims
from simulations.platforms.shared.family import Claim
from simulations.platforms.shared.queues import is_simple, number, settings_of


def explain(system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """Return what held the messages up, in the order of importance."""
    return tuple(claim for queue in system.queues for claim in _of_queue(system, queue, summary))


def _of_queue(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    yield from claims.unstable_claim(queue, formulas.carried(system, queue), summary)
    yield from _dry_beans(system, queue, summary)
    yield from _balance(system, queue, summary)
    refused = "{} messages per replication were refused for lack of room on the destination."
    yield from claims.count_claim(queue, summary, "rejected", refused, {})
    dead = "{} messages per replication went to the dead message queue after their last delivery."
    yield from claims.count_claim(queue, summary, "dead_letters", dead, {})


def _dry_beans(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    """How many beans a saturated window keeps busy, in the words of the rule and of the law behind it."""
    server = system.server_of(queue)
    beans, mean = formulas.pool_size(server, queue), formulas.mean_concurrency(server, queue)
    idle = claims.of_server(system, server, "threads.idle_blocked", summary)
    if mean >= beans or idle is None or idle.value == 0 or not claims.waited(queue, summary):
        return
    full = formulas.limit_for_full_pool(beans, settings_of(queue, MdbSettings).consumer_flow_threshold)
    left, _ = formulas.narrower_window(server, queue)
    about = "" if formulas.is_exact(server, queue) and is_simple(system, queue) else "about "
    sentence = (
        f"At most {formulas.max_concurrency(server, queue)} of {beans} beans run, and on average "
        f"{about}{number(round(mean, 2))} while the queue is never empty: the broker tops up only when "
        f"{left} messages are left."
    )
    proof: dict[str, object] = {f"{queue.path}.arrivals": {"kind": "saturated"}}
    own = settings_of(queue, MdbSettings).prefetch and min(formulas.connection_marks(server)) >= beans
    if full is not None and own:
        sentence += f" A limit of {full} keeps all busy."
    yield Claim(f"{queue.name}.dry_beans", sentence, proof)


def _balance(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    server = system.server_of(queue)
    busiest = claims.value_of(summary, queue.name, "balance.busiest_share")
    fair = 1 / server.instances
    if server.instances < 2 or busiest <= 1.2 * fair:
        return
    beans, limit = formulas.pool_size(server, queue), formulas.effective_limit(server, queue)
    if limit <= beans:
        return
    sentence = (
        f"The busiest of {server.instances} instances did {number(round(100 * busiest, 1))} % of the work: it may take "
        f"{limit} messages ahead for {beans} beans."
    )
    full = formulas.limit_for_full_pool(beans, settings_of(queue, MdbSettings).consumer_flow_threshold)
    proof = {} if full is None else {f"{queue.path}.settings.consumer_flow_limit": full}
    yield Claim(f"{queue.name}.imbalance", sentence, proof)


def _idle_beans(system: System, queue: Queue, summary: PointSummary) -> Mapping[str, Estimate]:
    """The throughput lost to beans that the window leaves idle, where more arrives than is carried."""
    if not claims.pressed(queue, summary):
        return {}
    server = system.server_of(queue)
    loss = 100 * (1 - formulas.mean_concurrency(server, queue) / formulas.pool_size(server, queue))
    return {"throughput_loss_pct": claims.exact(loss, "%")}


COSTS = {
    "openmq.limit-covers-pool": _idle_beans,
    "openmq.threshold-covers-pool": _idle_beans,
    "openmq.shared-topic-limit": _idle_beans,
    "openmq.cluster-hoarding": claims.measured("balance.busiest_share", "drain_time"),
}
