"""Formula answers of WebSphere listener ports, each with its computation written out, and the verdicts of all rules."""

from collections.abc import Iterator

from simulations.analysis.estimates.summary import Derived, Source
from simulations.declarations.system import Queue, Server, System
from simulations.engine.network.model import Horizon
from simulations.platforms.shared.listener_port import SERVICE, service_answers
from simulations.platforms.shared.queues import about, derived, expectations, number, settings_of
from simulations.platforms.websphere import formulas, sources
from simulations.platforms.websphere.mapping import build_network
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings
from simulations.platforms.websphere.sources import AVOIDING, CONNECTIONS, LISTENER_POOL, MODES, OWN_MODEL

POOL = Source(LISTENER_POOL, "Maximum size covers the sum of the sessions")
ACTIVE = Source(MODES, "threads of a started listener port")
CONVERSATIONS = Source(CONNECTIONS, "conversations of a listener port")
TIMEOUT_RULE = Source(AVOIDING, "receive timeout, transaction lifetime and onMessage")
POOLING = Source(SERVICE, "MQJMS.POOLING.THRESHOLD", "unverified")
RECOVERY = Source(SERVICE, "MAX.RECOVERY.RETRIES and RECOVERY.RETRY.INTERVAL", "unverified")
REAPER = Source(SERVICE, "SERVER.SESSION.POOL.REAP.TIME and SERVER.SESSION.POOL.UNUSED.TIMEOUT", "unverified")
ADAPTER = Source(sources.ADAPTER_POOL, sources.ALL_SESSIONS)
WAIT = Source(OWN_MODEL, "wait of the last message for a thread", "assumed")
EMPTY = Source(MODES, "receive() without a message")
OWN = Source(OWN_MODEL, "exact for one session that waits and Poisson arrivals", "assumed")
CAPACITY = Source(OWN_MODEL, "sessions divided by service time", "assumed")


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
    pool = formulas.pool_threads(system, server)
    formula = _sum_of_sessions(formulas.queues_of(system, server, "listener"), total)
    yield derived("sessions_total", "Sessions of all ports", total, "sessions", formula, POOL)
    missing = formulas.shortage(system, server)
    formula = f"max(0, {total} - {pool}) = {missing}"
    yield derived("pool_shortage", "Sessions without a thread", missing, "threads", formula, POOL)
    kept = min(settings.listener_pool_minimum, pool)
    formula = f"the lower of {settings.listener_pool_minimum} and {pool} = {kept}"
    yield derived("threads_kept", "Listener threads that stay when idle", kept, "threads", formula, POOL)
    spare, talks = formulas.spare_handles(system, server), formulas.handles(system, server)
    formula = f"max(0, {talks} - {settings.pooling_threshold}) = {spare}"
    title = "Unused handles that the pooling timeout closes"
    yield derived("handles_closed", title, spare, "connections", formula, POOLING)
    yield from service_answers(settings, RECOVERY)
    yield from _of_adapter(system, server, settings)


def _of_adapter(system: System, server: Server, settings: ServerSettings) -> Iterator[Derived]:
    """Threads of the resource adapter, where activation specifications of IBM MQ use them."""
    specs = formulas.queues_of(system, server, "adapter")
    if not specs:
        return
    total, pool = formulas.sessions_of_server(system, server, "adapter"), settings.adapter_pool_maximum
    formula, missing = _sum_of_sessions(specs, total), formulas.shortage(system, server, "adapter")
    yield derived("adapter_sessions", "Sessions of all activation specifications", total, "sessions", formula, ADAPTER)
    formula = f"max(0, {total} - {pool}) = {missing}"
    yield derived("adapter_shortage", "Server sessions without a thread", missing, "threads", formula, ADAPTER)


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
    yield derived("threads_held", "Threads held while idle", held, "threads", formula, ACTIVE)
    formula = f"{count} sessions = {talks}" if port.mode == "non_asf" else f"1 + {count} = {talks}"
    if talks == 0:
        formula = "the default messaging provider holds none"
    yield derived("conversations", "Conversations with IBM MQ", talks, "conversations", formula, CONVERSATIONS)
    sharing, links = settings_of(server, ServerSettings).sharing_conversations, formulas.connections(server, queue)
    formula = f"⌈{talks} / {sharing}⌉ = {links}"
    yield derived("connections", "TCP connections, at least", links, "connections", formula, CONVERSATIONS)
    if formulas.group_of(queue) == "adapter":
        missing, wait = formulas.shortage(system, server, "adapter"), formulas.start_wait(system, server, queue)
        threads = settings_of(server, ServerSettings).adapter_pool_maximum
        formula = f"{missing} × {number(mean)} s / {threads} = {number(wait)} s"
        yield derived("start_wait", "Wait of the last scheduled message for a thread", wait, "s", formula, WAIT)
    most = formulas.carried(system, queue)
    if most is not None:
        formula = f"{number(most * mean)} threads / {number(mean)} s = {number(most)}/s"
        yield derived("carried_rate", "Largest throughput", most, "/s", formula, CAPACITY)


def _of_reaper(port: ListenerPort) -> Iterator[Derived]:
    if port.mode == "asf" and port.session_unused_timeout > 0:
        unused, reap = port.session_unused_timeout, port.session_reap_time
        formula = f"{number(unused)} s + {number(reap)} s = {number(unused + reap)} s"
        title = "Idle server sessions are gone after, at most"
        yield derived("sessions_reaped_after", title, unused + reap, "s", formula, REAPER)


def _of_waiting_port(system: System, server: Server, queue: Queue, port: ListenerPort) -> Iterator[Derived]:
    slow, wait = formulas.slowest_service(queue), port.receive_timeout
    lifetime = settings_of(server, ServerSettings).total_transaction_timeout
    worst, bound = formulas.worst_case(queue), formulas.receive_timeout_bound(server, queue)
    formula = f"{number(wait)} s + {number(slow)} s = {number(worst)} s"
    yield derived("worst_case", "Oldest transaction", worst, "s", formula, TIMEOUT_RULE)
    formula = f"{number(lifetime)} s - {number(slow)} s = {number(bound)} s, not reached"
    yield derived("max_receive_timeout", "Receive timeout must stay below", bound, "s", formula, TIMEOUT_RULE)
    share, rate = formulas.rollback_share(system, queue), formulas.rate_per_session(system, queue)
    if share is not None and rate is not None:
        formula = f"(e^(-λ(T - S)) - e^(-λR)) / (1 - e^(-λR)) with λ = {number(rate)}/s per session = {number(share)}"
        yield derived("rollback_probability", "Rollback probability", share, "1", formula, OWN)
    churn = formulas.empty_transactions(system, server, queue)
    formula = f"{server.instances} × {formulas.held(system, server, queue)} / {number(wait)} s = {number(churn)}/s"
    yield derived("empty_transactions", "Empty transactions while idle", churn, "/s", formula, EMPTY)
