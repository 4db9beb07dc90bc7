"""Sentences about a simulated point, every number of them taken from the summary or the formulas."""

from collections.abc import Iterator

from simulations.analysis.estimates.summary import PointSummary
from simulations.declarations.system import Queue, System
from simulations.platforms.openmq import formulas
from simulations.platforms.openmq.mapping import limits_of
from simulations.platforms.shared import claims
from simulations.platforms.shared.family import Claim
from simulations.platforms.shared.queues import number


def explain(system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """Return what held the messages up, in the order of importance."""
    return tuple(claim for queue in system.queues for claim in _of_queue(system, queue, summary))


def _of_queue(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    yield from claims.unstable_claim(queue, formulas.carried(system, queue), summary)
    yield from _dry_beans(system, queue, summary)
    yield from _balance(system, queue, summary)
    owners = {of_broker for limit, of_broker in limits_of(system, queue) if limit > 0}
    places = " or ".join("in the broker" if of_broker else "on the destination" for of_broker in sorted(owners))
    refused = f"{{n}} messages per replication were refused for lack of room {places}."
    yield from claims.measured_claim(queue, summary, "rejected", refused)
    dropped = "{n} messages per replication were dropped to make room for newer ones."
    yield from claims.measured_claim(queue, summary, "dropped", dropped)


def _dry_beans(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    """How many beans of the server's only queue that waits have nothing to do, and which flow limit holds it back."""
    server = system.server_of(queue)
    alone = [item for item in system.queues_of(server) if claims.waited(item, summary)] == [queue]
    if not (alone and formulas.is_dry(server, queue)):
        return
    idle = claims.of_server(system, server, "threads.idle_given_blocked", summary)
    left, high = formulas.narrower_window(server, queue)
    reason = f"the broker tops up only when {left} messages are left"
    if formulas.mdb_of(queue).round_trip > 0:
        reason += f", and takes {number(1000 * formulas.mdb_of(queue).round_trip)} ms"
    if (high, left) == formulas.connection_marks(server):
        reason = f"the connection takes more only when at most {min(left, high - 1)} messages on it are unconsumed"
    every = f"{formulas.pool_size(server, queue)} beans" + (" of an instance" if server.instances > 1 else "")
    text = f"While flow limits keep messages on the broker, on average {{n}} of {every} have nothing to do: {reason}."
    yield from claims.idle_claim(f"{queue.name}.dry_beans", server, idle, text, "messages held back")


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
