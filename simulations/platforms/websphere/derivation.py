"""Formula answers of WebSphere listener ports, each with its computation written out, and the verdicts of all rules."""

from collections.abc import Iterator

from simulations.analysis.estimates.summary import Derived
from simulations.declarations.system import Queue, Server, System
from simulations.declarations.tables import table_beside
from simulations.engine.network.model import Horizon
from simulations.platforms.shared.listener_port import SERVICE, service_answers
from simulations.platforms.shared.queues import about, answers_by, expectations, number, settings_of
from simulations.platforms.websphere import formulas, sources
from simulations.platforms.websphere.mapping import build_network
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings

answer = answers_by(table_beside(__file__, "answers.yaml"), {**vars(sources), "SERVICE": SERVICE})


def answers(system: System) -> Iterator[Derived]:
    """Yield all formula answers: of queues, of servers, what closed forms expect, then idle server sessions."""
    for queue in system.queues:
        yield from about(queue.name, _of_queue(system, queue))
    for server in system.servers:
        yield from about(server.name, _of_server(system, server))
    yield from expectations(build_network(system, Horizon()), system)
    for queue in system.queues:
        yield from about(queue.name, _of_reaper(formulas.port_of(queue)))


def _of_server(system: System, server: Server) -> Iterator[Derived]:
    settings, total = settings_of(server, ServerSettings), formulas.sessions_of_server(system, server)
    pool = formulas.group_threads(system, server, "listener")
    yield answer("sessions_total", total, _sum_of_sessions(formulas.queues_of(system, server, "listener"), total))
    missing = formulas.shortage(system, server)
    yield answer("pool_shortage", missing, f"max(0, {total} - {pool}) = {missing}")
    kept = min(settings.listener_pool_minimum, pool)
    yield answer("threads_kept", kept, f"the lower of {settings.listener_pool_minimum} and {pool} = {kept}")
    spare, talks = formulas.spare_handles(system, server), formulas.handles(system, server)
    yield answer("handles_closed", spare, f"max(0, {talks} - {settings.pooling_threshold}) = {spare}")
    yield from service_answers(settings)
    yield from _of_adapter(system, server, settings)


def _of_adapter(system: System, server: Server, settings: ServerSettings) -> Iterator[Derived]:
    """Threads of the resource adapter, where activation specifications of IBM MQ use them."""
    specs = formulas.queues_of(system, server, "adapter")
    if not specs:
        return
    total, pool = formulas.sessions_of_server(system, server, "adapter"), settings.adapter_pool_maximum
    formula, missing = _sum_of_sessions(specs, total), formulas.shortage(system, server, "adapter")
    yield answer("adapter_sessions", total, formula)
    yield answer("adapter_shortage", missing, f"max(0, {total} - {pool}) = {missing}")


def _sum_of_sessions(queues: tuple[Queue, ...], total: int) -> str:
    """The sessions of each, added up in words."""
    terms = " + ".join(str(formulas.sessions(queue)) for queue in queues)
    return f"{terms} = {total}" if terms else "no listener port = 0"


def _of_queue(system: System, queue: Queue) -> Iterator[Derived]:
    server, port = system.server_of(queue), formulas.port_of(queue)
    count, talks, mean = formulas.sessions(queue), formulas.conversations(queue), formulas.session_time(queue)
    if port.mode == "non_asf":
        yield from _of_waiting_port(system, server, queue, port)
    held = formulas.held(system, server, queue)
    formula = f"non-ASF: {held} of {count} sessions" if held else "threads are taken only when messages are there"
    yield answer("threads_held", held, formula)
    formula = f"{count} sessions = {talks}" if port.mode == "non_asf" else f"1 + {count} = {talks}"
    if talks == 0:
        formula = "the default messaging provider holds none"
    yield answer("conversations", talks, formula)
    sharing, links = settings_of(server, ServerSettings).sharing_conversations, formulas.connections(server, queue)
    yield answer("connections", links, f"⌈{talks} / {sharing}⌉ = {links}")
    if formulas.group_of(queue) == "adapter":
        missing, wait = formulas.shortage(system, server, "adapter"), formulas.start_wait(system, server, queue)
        threads = settings_of(server, ServerSettings).adapter_pool_maximum
        yield answer("start_wait", wait, f"{missing} × {number(mean)} s / {threads} = {number(wait)} s")
    most = formulas.carried(system, queue)
    if most is not None:
        yield answer("carried_rate", most, f"{number(most * mean)} threads / {number(mean)} s = {number(most)}/s")


def _of_reaper(port: ListenerPort) -> Iterator[Derived]:
    if port.mode == "asf" and port.session_unused_timeout > 0:
        unused, reap = port.session_unused_timeout, port.session_reap_time
        formula = f"{number(unused)} s + {number(reap)} s = {number(unused + reap)} s"
        yield answer("sessions_reaped_after", unused + reap, formula)


def _of_waiting_port(system: System, server: Server, queue: Queue, port: ListenerPort) -> Iterator[Derived]:
    slow, wait = formulas.slowest_service(queue), port.receive_timeout
    lifetime = settings_of(server, ServerSettings).total_transaction_timeout
    worst, bound = formulas.worst_case(queue), formulas.receive_timeout_bound(server, queue)
    yield answer("worst_case", worst, f"{number(wait)} s + {number(slow)} s = {number(worst)} s")
    formula = f"{number(lifetime)} s - {number(slow)} s = {number(bound)} s, not reached"
    yield answer("max_receive_timeout", bound, formula)
    share, rate = formulas.rollback_share(system, queue), formulas.rate_per_session(system, queue)
    if share is not None and rate is not None:
        formula = f"(e^(-λ(T - S)) - e^(-λR)) / (1 - e^(-λR)) with λ = {number(rate)}/s per session = {number(share)}"
        yield answer("rollback_probability", share, formula)
    churn = formulas.empty_transactions(system, server, queue)
    formula = f"{server.instances} × {formulas.held(system, server, queue)} / {number(wait)} s = {number(churn)}/s"
    yield answer("empty_transactions", churn, formula)
