"""Formula answers of WebSphere for z/OS, each with its computation written out, and the verdicts of all rules."""

from collections.abc import Iterator
from dataclasses import replace

from simulations.analysis.estimates.summary import Derived, Source
from simulations.declarations.system import Queue, Server, System
from simulations.declarations.tables import table_beside
from simulations.engine.network.model import Horizon
from simulations.platforms.shared import queues
from simulations.platforms.shared.listener_port import service_answers
from simulations.platforms.shared.queues import about, answers_by, expectations, mean_service, number, settings_of
from simulations.platforms.websphere_zos import formulas, sources
from simulations.platforms.websphere_zos.mapping import build_network
from simulations.platforms.websphere_zos.parameters import ListenerPort, ServerSettings

PLAIN_PROFILE = Source(sources.THREADS, "Workload profile, rule without bounds")
answer = answers_by(table_beside(__file__, "answers.yaml"), vars(sources))


def answers(system: System) -> Iterator[Derived]:
    """Yield all formula answers: of servers, of queues, what closed forms expect, then how servants end."""
    for server in system.servers:
        yield from about(server.name, _of_server(server))
    for queue in system.queues:
        yield from about(queue.name, _of_queue(system, queue))
    yield from _expected(system)
    for server in system.servers:
        yield from about(server.name, _of_servants(server))


def _expected(system: System) -> tuple[Derived, ...]:
    """Closed forms know no time limits: they answer only where hardly any message comes near the queue timeout."""
    network = build_network(system, Horizon())
    network = replace(network, streams=tuple(replace(stream, timeouts=None) for stream in network.streams))
    expected = tuple(expectations(network, system))
    late = {
        queue.name
        for queue in system.queues
        for item in expected
        if item.entity == queue.name and item.name in ("expected.latency.p999", "expected.latency.mean")
        if 0 < formulas.queue_timeout(system.server_of(queue), queue) <= item.value
    }
    return tuple(item for item in expected if item.entity not in late)


def _of_server(server: Server) -> Iterator[Derived]:
    settings = settings_of(server, ServerSettings)
    each, total = formulas.threads_per_servant(settings, server.cpus), formulas.worker_threads(server)
    formula = f"{settings.workload_profile} with {server.cpus} CPUs by the {settings.thread_rule} rule = {each}"
    per_servant = answer("threads_per_servant", each, formula)
    yield per_servant if settings.thread_rule == "capped" else replace(per_servant, source=PLAIN_PROFILE)
    yield answer("worker_threads", total, f"{formulas.servants(settings)[1]} servants × {each} threads = {total}")
    yield answer("baseline_sessions", 2 * total, f"2 × {total} = {2 * total}")
    limit = settings.mdb_request_timeout * settings.mdb_queue_timeout_percent / 100
    percent, whole = number(settings.mdb_queue_timeout_percent), number(settings.mdb_request_timeout)
    yield answer("queue_timeout", limit, f"{percent} % × {whole} s = {number(limit)} s")


def _of_servants(server: Server) -> Iterator[Derived]:
    settings = settings_of(server, ServerSettings)
    threads, away = formulas.threads_per_servant(settings, server.cpus), formulas.servant_outage(settings)
    hung = int(threads * settings.stalled_thread_threshold / 100)
    yield answer("stalled_threads", hung, f"⌊{threads} × {number(settings.stalled_thread_threshold)} %⌋ = {hung}")
    formula = f"{number(settings.timeout_delay)} s + {number(settings.servant_start_time)} s = {number(away)} s"
    yield answer("servant_outage", away, formula)
    classes, most = settings.service_classes, formulas.servants(settings)[1]
    yield answer("servants_per_class", most / classes, f"{most} servants / {classes} = {number(most / classes)}")
    if settings.zos_recovery:
        yield from service_answers(settings)


def _of_queue(system: System, queue: Queue) -> Iterator[Derived]:
    server, threads = system.server_of(queue), formulas.worker_threads(system.server_of(queue))
    high = formulas.thresholds(server, queue)[0]
    yield from _of_spec(server, queue) if settings_of(queue, ListenerPort).activated else _of_port(server, queue)
    tail, mean = formulas.tail_wait(system, server), mean_service(queue)
    formula = f"max(0, {high} - {threads}) × {number(mean)} s / {threads} = {number(tail)} s"
    if len(system.queues_of(server)) > 1:
        formula = f"W at which H × T / (W + T) of all listeners add up to {threads} threads = {number(tail)} s"
    yield answer("tail_wait", tail, formula)
    if formulas.is_dispatched(queue):
        limit, whole = formulas.queue_timeout(server, queue), formulas.request_timeout(server, queue)
        formula = f"share of the WLM dispatch timeout of {number(whole)} s = {number(limit)} s"
        if formulas.listens_in_servant(queue):
            yield answer("topic_queue_timeout", limit, formula)
        else:
            yield answer("spec_queue_timeout", limit, formula)
    yield from _rates(system, queue)


def _of_spec(server: Server, queue: Queue) -> Iterator[Derived]:
    """The one limit of an activation specification, and what is advised for it."""
    port, most = settings_of(queue, ListenerPort), formulas.servants(settings_of(server, ServerSettings))[1]
    limit, threads = formulas.in_flight_limit(most, port), formulas.worker_threads(server)
    parts = f"{most} × {port.maximum_server_sessions} × {number(port.in_flight_scale_factor)}"
    yield answer("in_flight_limit", limit, f"⌊{parts} + {port.in_flight_constant}⌋ = {limit}")
    advised = formulas.sessions_reaching(server, port, 2 * threads)
    formula = f"smallest that gives 2 × {threads} = {2 * threads} in flight with {most} servants = {advised}"
    yield answer("recommended_server_sessions", advised, formula)


def _of_port(server: Server, queue: Queue) -> Iterator[Derived]:
    port = settings_of(queue, ListenerPort)
    high, low, threads = port.maximum_sessions, formulas.low_threshold(port), formulas.worker_threads(server)
    yield answer("low_threshold", low, f"LOW.EQUALS.HIGH: {high}" if port.low_equals_high else f"⌊{high} / 2⌋ = {low}")
    ready = max(formulas.ready_backlog(high, threads), 0)
    yield answer("backlog", ready, f"max(0, ⌊{high} / 2⌋ - {threads}) = {ready}")
    advised = formulas.sessions_for(threads, ready)
    yield answer("recommended_sessions", advised, f"2 × ({threads} + {ready}) = {advised}")


def _rates(system: System, queue: Queue) -> Iterator[Derived]:
    server, mean = system.server_of(queue), mean_service(queue)
    threads, busy = formulas.worker_threads(server), formulas.busy_threads(server, queue)
    most = formulas.carried(system, queue)
    if busy is not None:
        high, low = formulas.thresholds(server, queue)
        yield answer("busy_threads_saturated", busy, f"window {low}..{high} over {threads} threads = {number(busy)}")
    if most is not None and busy is not None:
        refill, agent = formulas.refill_time(server, queue), settings_of(queue, ListenerPort).queue_agent_time
        spent = f"({number(mean)} s + {number(refill)} s)" if refill else f"{number(mean)} s"
        each = f"{number(busy)} threads / {spent}"
        if busy * agent > mean + refill:
            each = f"1 / {number(agent)} s"
        yield answer("carried_rate", most, f"{server.instances} × {each} = {number(most)}/s")
        rate = queues.offered_rate(system, queue, formulas.carried)
        if rate is not None:
            yield answer("load", rate / most, f"{number(rate)}/s / {number(most)}/s = {number(100 * rate / most)} %")
