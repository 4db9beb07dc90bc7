"""Formula answers of WebSphere for z/OS, each with its computation written out, and the verdicts of all rules."""

from collections.abc import Iterator
from dataclasses import replace

from simulations.analysis.estimates.summary import Derived, Source
from simulations.declarations.system import Queue, Server, System
from simulations.engine.network.model import Horizon
from simulations.platforms.shared import queues
from simulations.platforms.shared.listener_port import SERVICE, service_answers
from simulations.platforms.shared.queues import about, derived, expectations, mean_service, number, settings_of
from simulations.platforms.websphere_zos import formulas, sources
from simulations.platforms.websphere_zos.mapping import build_network
from simulations.platforms.websphere_zos.parameters import ListenerPort, ServerSettings

PROFILE = Source(sources.ORB, "Workload profile, rule with bounds")
PLAIN_PROFILE = Source(sources.THREADS, "Workload profile, rule without bounds")
WORKED = Source(sources.THROTTLE, "worked example: 100 = 2 × (3 × 6 + 32)")
LOW = Source(sources.THROTTLE, "low threshold = high threshold / 2, rounded down")
TWICE = Source(sources.THROTTLE, "twice the worker threads of all servants")
QUEUE_TIMEOUT = Source(sources.TIMEOUTS, "control_region_mdb_queue_timeout_percent")
RECOVERY = Source(SERVICE, "MAX.RECOVERY.RETRIES and RECOVERY.RETRY.INTERVAL", "unverified")
STALLED = Source(sources.TIMEOUTS, "server_region_stalled_thread_threshold_percent")
OUTAGE = Source(sources.OWN_MODEL, "timeout delay and servant start", "assumed")
CLASSES = Source(sources.SERVANTS, "servants and service classes", "unverified")
IN_SERVANT = Source(sources.LISTENING, "WLM dispatch timeout of a non-durable subscription")
FLIGHT = Source(sources.IN_FLIGHT, "in-flight limit of an activation specification")
QUEUE_TIMEOUT_SPEC = Source(sources.TIMEOUTS, "control_region_iiop_queue_timeout_percent")
TAIL = Source(sources.OWN_MODEL, "wait of the last record in a full window", "assumed")
WINDOW = Source(sources.OWN_MODEL, "mean busy threads of a window with hysteresis", "assumed")


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
    source = PROFILE if settings.thread_rule == "capped" else PLAIN_PROFILE
    formula = f"{settings.workload_profile} with {server.cpus} CPUs by the {settings.thread_rule} rule = {each}"
    yield derived("threads_per_servant", "Threads per servant", each, "threads", formula, source)
    formula = f"{formulas.servants(settings)[1]} servants × {each} threads = {total}"
    yield derived("worker_threads", "Worker threads", total, "threads", formula, WORKED)
    formula = f"2 × {total} = {2 * total}"
    yield derived("baseline_sessions", "Twice the worker threads", 2 * total, "messages", formula, TWICE)
    limit = settings.mdb_request_timeout * settings.mdb_queue_timeout_percent / 100
    percent, whole = number(settings.mdb_queue_timeout_percent), number(settings.mdb_request_timeout)
    formula = f"{percent} % × {whole} s = {number(limit)} s"
    yield derived("queue_timeout", "Queue timeout", limit, "s", formula, QUEUE_TIMEOUT)


def _of_servants(server: Server) -> Iterator[Derived]:
    settings = settings_of(server, ServerSettings)
    threads, away = formulas.threads_per_servant(settings, server.cpus), formulas.servant_outage(settings)
    hung = int(threads * settings.stalled_thread_threshold / 100)
    formula = f"⌊{threads} × {number(settings.stalled_thread_threshold)} %⌋ = {hung}"
    yield derived("stalled_threads", "Hung threads a servant may have", hung, "threads", formula, STALLED)
    formula = f"{number(settings.timeout_delay)} s + {number(settings.servant_start_time)} s = {number(away)} s"
    yield derived("servant_outage", "Time without a servant that timed out", away, "s", formula, OUTAGE)
    classes, most = settings.service_classes, formulas.servants(settings)[1]
    formula = f"{most} servants / {classes} = {number(most / classes)}"
    yield derived("servants_per_class", "Servants per service class", most / classes, "servants", formula, CLASSES)
    if settings.zos_recovery:
        yield from service_answers(settings, RECOVERY)


def _of_queue(system: System, queue: Queue) -> Iterator[Derived]:
    server, threads = system.server_of(queue), formulas.worker_threads(system.server_of(queue))
    high = formulas.thresholds(server, queue)[0]
    yield from _of_spec(server, queue) if settings_of(queue, ListenerPort).activated else _of_port(server, queue)
    tail, mean = formulas.tail_wait(system, server), mean_service(queue)
    formula = f"max(0, {high} - {threads}) × {number(mean)} s / {threads} = {number(tail)} s"
    if len(system.queues_of(server)) > 1:
        formula = f"W at which H × T / (W + T) of all listeners add up to {threads} threads = {number(tail)} s"
    yield derived("tail_wait", "Wait of the last record in a full window", tail, "s", formula, TAIL)
    if formulas.is_dispatched(queue):
        limit, whole = formulas.queue_timeout(server, queue), formulas.request_timeout(server, queue)
        formula = f"share of the WLM dispatch timeout of {number(whole)} s = {number(limit)} s"
        if formulas.listens_in_servant(queue):
            yield derived("topic_queue_timeout", "Queue timeout of this topic", limit, "s", formula, IN_SERVANT)
        else:
            title = "Queue timeout of this activation specification"
            yield derived("spec_queue_timeout", title, limit, "s", formula, QUEUE_TIMEOUT_SPEC)
    yield from _rates(system, queue)


def _of_spec(server: Server, queue: Queue) -> Iterator[Derived]:
    """The one limit of an activation specification, and what is advised for it."""
    port, most = settings_of(queue, ListenerPort), formulas.servants(settings_of(server, ServerSettings))[1]
    limit, threads = formulas.in_flight_limit(most, port), formulas.worker_threads(server)
    parts = f"{most} × {port.maximum_server_sessions} × {number(port.in_flight_scale_factor)}"
    formula = f"⌊{parts} + {port.in_flight_constant}⌋ = {limit}"
    yield derived("in_flight_limit", "In-flight limit, all servants active", limit, "messages", formula, FLIGHT)
    advised = formulas.sessions_reaching(server, port, 2 * threads)
    formula = f"smallest that gives 2 × {threads} = {2 * threads} in flight with {most} servants = {advised}"
    title = "Server sessions for twice the worker threads"
    yield derived("recommended_server_sessions", title, advised, "sessions", formula, FLIGHT)


def _of_port(server: Server, queue: Queue) -> Iterator[Derived]:
    port = settings_of(queue, ListenerPort)
    high, low, threads = port.maximum_sessions, formulas.low_threshold(port), formulas.worker_threads(server)
    formula = f"LOW.EQUALS.HIGH: {high}" if port.low_equals_high else f"⌊{high} / 2⌋ = {low}"
    yield derived("low_threshold", "Low threshold", low, "messages", formula, LOW)
    ready = max(formulas.ready_backlog(high, threads), 0)
    formula = f"max(0, ⌊{high} / 2⌋ - {threads}) = {ready}"
    yield derived("backlog", "Ready backlog at release", ready, "messages", formula, WORKED)
    advised = formulas.sessions_for(threads, ready)
    formula = f"2 × ({threads} + {ready}) = {advised}"
    yield derived("recommended_sessions", "Sessions for this backlog", advised, "messages", formula, WORKED)


def _rates(system: System, queue: Queue) -> Iterator[Derived]:
    server, mean = system.server_of(queue), mean_service(queue)
    threads, busy = formulas.worker_threads(server), formulas.busy_threads(server, queue)
    most = formulas.carried(system, queue)
    if busy is not None:
        high, low = formulas.thresholds(server, queue)
        formula = f"window {low}..{high} over {threads} threads = {number(busy)}"
        title = "Busy threads while the queue is never empty"
        yield derived("busy_threads_saturated", title, busy, "threads", formula, WINDOW)
    if most is not None and busy is not None:
        refill, agent = formulas.refill_time(server, queue), settings_of(queue, ListenerPort).queue_agent_time
        spent = f"({number(mean)} s + {number(refill)} s)" if refill else f"{number(mean)} s"
        each = f"{number(busy)} threads / {spent}"
        if busy * agent > mean + refill:
            each = f"1 / {number(agent)} s"
        formula = f"{server.instances} × {each} = {number(most)}/s"
        yield derived("carried_rate", "Largest throughput", most, "/s", formula, WINDOW)
        rate = queues.offered_rate(system, queue, formulas.carried)
        if rate is not None:
            formula = f"{number(rate)}/s / {number(most)}/s = {number(100 * rate / most)} %"
            yield derived("load", "Load", rate / most, "1", formula, WINDOW)
