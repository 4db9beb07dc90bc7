"""Sentences about a simulated point, every number of them taken from the summary or the formulas."""

from collections.abc import Iterator

from simulations.analysis.estimates.summary import PointSummary, quantity
from simulations.declarations.system import Queue, System
from simulations.platforms.shared import claims
from simulations.platforms.shared.family import Claim
from simulations.platforms.shared.queues import mean_service, number, settings_of
from simulations.platforms.websphere import formulas
from simulations.platforms.websphere.parameters import ServerSettings


def explain(system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """Return what held the messages up, in the order of importance."""
    return tuple(claim for queue in system.queues for claim in _of_queue(system, queue, summary))


def _of_queue(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    server, port = system.server_of(queue), formulas.port_of(queue)
    lifetime = settings_of(server, ServerSettings).total_transaction_timeout
    yield from claims.unstable_claim(queue, formulas.carried(system, queue), summary)
    late = "{n} transactions per replication outlived their limit: the work was wasted and the messages came again."
    if port.mode == "non_asf" and formulas.worst_case(queue) >= lifetime:
        worst = f"{number(formulas.worst_case(queue))} s{formulas.rarely_longer(queue)}"
        late += f" In an idle system the longest one takes {worst}, by formula."
    yield from claims.measured_claim(queue, summary, "timeouts.transaction", late)
    text = "{n} scheduled messages per replication got no thread before the start timeout and returned to their queue."
    yield from claims.measured_claim(queue, summary, "timeouts.queue", text)
    passing = formulas.session_time(queue) - mean_service(queue)
    if passing > claims.LARGE * formulas.session_time(queue):
        why = f"passes over {number(port.unsuitable_messages)} messages that do not suit"
        text = f"For each message that it returns, receive() {why}: {quantity(passing, 's')} on average, by formula."
        yield Claim(f"{queue.name}.selectors", text, about={"queue": queue.name})
    yield from _short_of_threads(system, queue, summary)


def _short_of_threads(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    server, group = system.server_of(queue), formulas.group_of(queue)
    missing, threads = formulas.shortage(system, server, group), formulas.group_threads(system, server, group)
    sharing = [item.name for item in formulas.queues_of(system, server, group)]
    word = "the listener pool" if group == "listener" else "the pool of the resource adapter"
    why = f"{word} has {threads} for {threads + missing} sessions{claims.members_text(server)}"
    who, about = f"threads of server {server.name!r}", {"server": server.name}
    busy = claims.of_server(system, server, "threads.busy", summary)
    if formulas.waits(queue):  # its threads are its own, busy or not, as far as the ports before it left any
        held, asked = formulas.held(system, server, queue), formulas.sessions(queue)
        missing, threads, sharing, about = asked - held, held * server.instances, [queue.name], {"queue": queue.name}
        who = f"of the {threads} threads that {queue.name!r} holds for {asked * server.instances} sessions"
        busy = claims.estimate_of(summary, queue.name, "threads.busy")
    elif len(sharing) < len(system.queues_of(server)):
        busy = None  # other pools are busy, too
    if missing and busy and claims.waited(queue, summary) and claims.reached(sharing, threads, summary):
        sentence = f"On average {{n}} {who} are busy: {why}."
        yield claims.stated(f"{queue.name}.pool_shortage", sentence, "threads.busy", busy, about=about)
