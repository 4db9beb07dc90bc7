"""Sentences about a simulated point, every number of them taken from the summary or the formulas."""

from collections.abc import Iterator

from simulations.analysis.estimates.summary import PointSummary
from simulations.declarations.system import Queue, System
from simulations.platforms.openmq import formulas
from simulations.platforms.shared import claims
from simulations.platforms.shared.family import Claim


def explain(system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """Return what held the messages up, in the order of importance."""
    return tuple(claim for queue in system.queues for claim in _of_queue(system, queue, summary))


def _of_queue(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    yield from claims.unstable_claim(queue, formulas.carried(system, queue), summary)
    yield from _dry_beans(system, queue, summary)
    yield from _balance(system, queue, summary)
    refused = "{n} messages per replication were refused for lack of room on the destination."
    yield from claims.measured_claim(queue, summary, "rejected", refused)


def _dry_beans(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    """How many beans of the server's only queue that waits have nothing to do, and when the broker tops them up."""
    server = system.server_of(queue)
    beans, mean = formulas.pool_size(server, queue), formulas.mean_concurrency(server, queue)
    if mean >= beans or [item for item in system.queues_of(server) if claims.waited(item, summary)] != [queue]:
        return
    idle = claims.of_server(system, server, "threads.idle_given_blocked", summary)
    left, _ = formulas.narrower_window(server, queue)
    every = f"{beans} beans" + (" of an instance" if server.instances > 1 else "")
    sentence = (
        f"While used-up credit keeps messages on the broker, on average {{n}} of {every} have nothing to do: "
        f"the broker tops up only when {left} messages are left."
    )
    yield from claims.idle_claim(f"{queue.name}.dry_beans", server, idle, sentence, "credit used up")


def _balance(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    server = system.server_of(queue)
    instances = formulas.working_instances(system, server)
    busiest = summary.queues.get(queue.name, {}).get("balance.busiest_share")
    beans, limit = formulas.pool_size(server, queue), formulas.effective_limit(server, queue)
    if instances < 2 or limit <= beans or busiest is None or busiest.low <= 1.2 / instances:
        return
    sentence = (
        f"The busiest of {instances} active instances does {{}} of the work: it may take {limit:,g} messages ahead for "
        f"{beans} beans."
    )
    about = {"queue": queue.name}
    yield claims.stated(f"{queue.name}.imbalance", sentence, "balance.busiest_share", busiest, about=about)
