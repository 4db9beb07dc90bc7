"""The vendor's formulas as plain functions: threads by profile, thresholds, ready backlog, time limits, rates."""

import math
from collections.abc import Iterable

from scipy.optimize import brentq

from simulations.analysis.theory.throttle import window_mean_busy
from simulations.declarations.system import Queue, Server, System
from simulations.declarations.workload import Exponential
from simulations.platforms.shared.queues import MAX_INT, is_simple, mean_service, settings_of
from simulations.platforms.websphere_zos.parameters import ListenerPort, ServerSettings

LITTLE = 0.05
"""Share of the throughput that the queue agent may cost where closed forms leave it out."""


def threads_per_servant(settings: ServerSettings, cpus: int) -> int:
    """Return the worker threads of one servant by profile and thread rule."""
    capped = settings.thread_rule == "capped"
    match settings.workload_profile:
        case "ISOLATE":
            return 1
        case "IOBOUND":
            return min(30, max(5, 3 * cpus)) if capped else 3 * cpus
        case "CPUBOUND":
            return max(cpus - 1, 3) if capped else cpus
        case "LONGWAIT":
            return 40
        case "CUSTOM":
            return settings.custom_threads


def servants(settings: ServerSettings) -> tuple[int, int]:
    """Return the fewest and the most servants; without multiple instances there is exactly one."""
    return (settings.min_servants, settings.max_servants) if settings.multiple_instances else (1, 1)


def worker_threads(server: Server) -> int:
    """Return the worker threads of all servants of one instance when every servant runs."""
    settings = settings_of(server, ServerSettings)
    return servants(settings)[1] * threads_per_servant(settings, server.cpus)


def threads_ready(server: Server) -> int:
    """Return the worker threads of one instance that run from the start; further servants come later."""
    settings = settings_of(server, ServerSettings)
    return servants(settings)[0] * threads_per_servant(settings, server.cpus)


def usable_threads(server: Server, queue: Queue) -> int:
    """Return the worker threads of one instance that a queue can use: the session pool of a port may allow it fewer."""
    port, threads = settings_of(queue, ListenerPort), worker_threads(server)
    allowed = None if port.activated else port.session_pool_maximum
    return threads if allowed is None else min(threads, allowed)


def queued_most(system: System, server: Server) -> int:
    """Return the records that wait on the WLM queue at most while the threads of the start work."""
    held = sum(thresholds(server, queue)[0] for queue in system.queues_of(server))
    return max(0, held - threads_ready(server))


def overloads(system: System, server: Server) -> bool:
    """True where a flood of messages makes the server fail: its WLM queue does not bear what may wait there."""
    capacity = settings_of(server, ServerSettings).wlm_queue_capacity
    return capacity is not None and queued_most(system, server) > capacity


def low_threshold(port: ListenerPort) -> int:
    """Return the in-flight count at which a blocked throttle opens."""
    return port.maximum_sessions if port.low_equals_high else port.maximum_sessions // 2


def in_flight_limit(active: int, port: ListenerPort) -> int:
    """Return the messages that an activation specification has in flight at most; 0 while no servant is active."""
    if active == 0:
        return 0
    return int(active * port.maximum_server_sessions * port.in_flight_scale_factor + port.in_flight_constant)


def thresholds(server: Server, queue: Queue) -> tuple[int, int]:
    """Return the in-flight counts at which a queue's listener stops taking messages and goes on, with all servants."""
    port = settings_of(queue, ListenerPort)
    if not port.activated:
        return port.maximum_sessions, low_threshold(port)
    limit = in_flight_limit(servants(settings_of(server, ServerSettings))[1], port)
    return limit, limit


def sessions_within(server: Server, port: ListenerPort, limit: int) -> int:
    """Return the largest Maximum server sessions whose in-flight limit is not above ``limit``; 0 = none."""
    each = servants(settings_of(server, ServerSettings))[1] * port.in_flight_scale_factor
    return max(0, int((limit - port.in_flight_constant) / each)) if each > 0 else 0


def sessions_reaching(server: Server, port: ListenerPort, limit: int) -> int:
    """Return the smallest Maximum server sessions whose in-flight limit reaches ``limit``; 0 where none can."""
    each = servants(settings_of(server, ServerSettings))[1] * port.in_flight_scale_factor
    if each == 0:
        return 0
    needed = max(1, math.ceil((limit - port.in_flight_constant) / each))
    return needed if needed <= MAX_INT else 0


def ready_backlog(maximum_sessions: int, threads: int) -> int:
    """Return N of H = 2 × (threads + N), rounded down; negative when the low threshold does not cover the threads."""
    return maximum_sessions // 2 - threads


def sessions_for(threads: int, backlog: int) -> int:
    """Return Maximum sessions that leaves ``backlog`` prepared messages at each release of the throttle."""
    return 2 * (threads + backlog)


def listens_in_servant(queue: Queue) -> bool:
    """True for a topic without a durable subscription: a servant listens, and another time limit counts."""
    return queue.kind == "topic" and not settings_of(queue, ListenerPort).durable_subscription


def is_dispatched(queue: Queue) -> bool:
    """True where the WLM dispatch timeout counts: activation specifications, and what a servant listens for."""
    return settings_of(queue, ListenerPort).activated or listens_in_servant(queue)


def request_timeout(server: Server, queue: Queue) -> float:
    """Return the seconds from queueing the record to the end of onMessage; 0 = no limit."""
    settings = settings_of(server, ServerSettings)
    return settings.wlm_dispatch_timeout if is_dispatched(queue) else settings.mdb_request_timeout


def queue_timeout(server: Server, queue: Queue) -> float:
    """Return the seconds after which a record is rejected on the WLM queue; 0 = never."""
    settings = settings_of(server, ServerSettings)
    percent = settings.iiop_queue_timeout_percent if is_dispatched(queue) else settings.mdb_queue_timeout_percent
    return request_timeout(server, queue) * percent / 100


def servant_outage(settings: ServerSettings) -> float:
    """Return the seconds from a dispatch timeout that ends a servant to the next one that takes work."""
    return settings.timeout_delay + settings.servant_start_time


def _busy(server: Server, queues: Iterable[Queue], wait: float) -> float:
    """Return the threads that full windows keep busy when each record waits so long: the sum of H × T / (W + T)."""
    windows = ((thresholds(server, queue)[0], mean_service(queue)) for queue in queues)
    return sum(high * time / (wait + time) for high, time in windows)


def tail_wait(system: System, server: Server) -> float:
    """Return the seconds for which the last record waits when all windows are full; of one, (H - WT) × T / WT."""
    queues, threads = system.queues_of(server), worker_threads(server)
    all_at_once = _busy(server, queues, 0.0)
    longest = all_at_once * max(map(mean_service, queues), default=0.0) / threads
    free = all_at_once <= threads
    return 0.0 if free else round(brentq(lambda wait: _busy(server, queues, wait) - threads, 0.0, longest), 9)


def largest_safe_sessions(system: System, server: Server, queue: Queue) -> int:
    """Return the largest Maximum sessions whose last record is taken before the queue timeout; 0 = none."""
    limit, time = queue_timeout(server, queue), mean_service(queue)
    others = _busy(server, [item for item in system.queues_of(server) if item != queue], limit)
    return max(0, math.ceil((worker_threads(server) - others) * (limit + time) / time) - 1)


def busy_threads(server: Server, queue: Queue) -> float | None:
    """Return the mean busy threads of one instance while the destination is never empty; None without closed form.
    Instant refill is assumed: with queue agent time it is an upper bound."""
    threads, (high, low) = usable_threads(server, queue), thresholds(server, queue)
    if queue.service.cpu > 0 or high == 0:
        return None
    if low >= min(threads, high) - 1:
        return float(min(high, threads))
    return window_mean_busy(high, low, threads) if isinstance(queue.service, Exponential) else None


def agent_delay(server: Server, queue: Queue) -> float:
    """Return about what share of its throughput a port loses, because idle threads wait while the agent refills them.

    After a release m threads are idle, and the agent serves one after the other: m (m + 1) / 2 agent times in a cycle
    of H - L messages. It is 0 where the low threshold covers the threads.
    """
    agent, (high, low) = settings_of(queue, ListenerPort).queue_agent_time, thresholds(server, queue)
    low = min(low, high - 1)
    idle = max(0, min(high, worker_threads(server)) - low)
    return idle * (idle + 1) / 2 * agent / ((high - low) * mean_service(queue))


def refill_time(server: Server, queue: Queue) -> float:
    """Return the seconds for which each place of a window waits for the agent after a message. That is where the
    throttle opens after each message and holds no more of them than there are threads; else 0."""
    high, low = thresholds(server, queue)
    one_by_one = low >= high - 1 and high <= worker_threads(server)
    return settings_of(queue, ListenerPort).queue_agent_time if one_by_one else 0.0


def carried(system: System, queue: Queue) -> float | None:
    """Return the largest throughput in messages per second over all instances, or None without closed form."""
    server, agent = system.server_of(queue), settings_of(queue, ListenerPort).queue_agent_time
    if not is_simple(system, queue) or overloads(system, server):
        return None
    busy = busy_threads(server, queue)
    if busy is None or agent_delay(server, queue) > LITTLE:
        return None
    rate = busy / (mean_service(queue) + refill_time(server, queue))
    return server.instances * min(rate, 1 / agent if agent > 0 else math.inf)
