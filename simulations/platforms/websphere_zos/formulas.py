"""The vendor's formulas as plain functions: threads by profile, thresholds, ready backlog, time limits, rates."""

import math

from simulations.analysis.theory.laws import law_mean
from simulations.analysis.theory.windows import window_mean_busy
from simulations.platforms.common import is_simple, service_of, settings_of
from simulations.platforms.websphere_zos.parameters import ListenerPort, ServerSettings
from simulations.system import Queue, Server, System
from simulations.workload import Exponential


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


def low_threshold(port: ListenerPort) -> int:
    """Return the in-flight count at which a blocked throttle opens."""
    return port.maximum_sessions if port.low_equals_high else port.maximum_sessions // 2


def ready_backlog(maximum_sessions: int, threads: int) -> int:
    """Return N of H = 2 × (threads + N), rounded down; negative when the low threshold does not cover the threads."""
    return maximum_sessions // 2 - threads


def sessions_for(threads: int, backlog: int) -> int:
    """Return Maximum sessions that leaves ``backlog`` prepared messages at each release of the throttle."""
    return 2 * (threads + backlog)


def listens_in_servant(queue: Queue) -> bool:
    """True for a topic without a durable subscription: a servant listens, and another time limit counts."""
    return queue.kind == "topic" and not settings_of(queue, ListenerPort).durable_subscription


def request_timeout(server: Server, queue: Queue) -> float:
    """Return the seconds from queueing the record to the end of onMessage; 0 = no limit."""
    settings = settings_of(server, ServerSettings)
    return settings.wlm_dispatch_timeout if listens_in_servant(queue) else settings.mdb_request_timeout


def queue_timeout(server: Server, queue: Queue) -> float:
    """Return the seconds after which a record is rejected on the WLM queue; 0 = never."""
    settings = settings_of(server, ServerSettings)
    in_servant = listens_in_servant(queue)
    percent = settings.iiop_queue_timeout_percent if in_servant else settings.mdb_queue_timeout_percent
    return request_timeout(server, queue) * percent / 100


def stalled_threads(server: Server) -> int:
    """Return the hung threads that one servant may have before it is ended."""
    settings = settings_of(server, ServerSettings)
    return int(threads_per_servant(settings, server.cpus) * settings.stalled_thread_threshold / 100)


def servant_outage(settings: ServerSettings) -> float:
    """Return the seconds from a dispatch timeout that ends a servant to the next one that takes work."""
    return settings.timeout_delay + settings.servant_start_time


def tail_wait(server: Server, queue: Queue) -> float:
    """Return the seconds that the last record of a full window waits for a thread: (H - WT) × T / WT, at least 0."""
    port = settings_of(queue, ListenerPort)
    threads = worker_threads(server)
    return max(0.0, (port.maximum_sessions - threads) * law_mean(service_of(queue)) / threads)


def largest_safe_sessions(server: Server, queue: Queue) -> int:
    """Return the largest Maximum sessions whose last record is taken before the queue timeout."""
    threads = worker_threads(server)
    limit = queue_timeout(server, queue)
    waiting = limit * threads / law_mean(service_of(queue))
    return threads + max(0, math.ceil(waiting) - 1)


def covers_threads(server: Server, queue: Queue) -> bool:
    """True when no thread idles behind the blocked throttle: all but the thread that just finished have work."""
    return low_threshold(settings_of(queue, ListenerPort)) >= worker_threads(server) - 1


def is_exponential(queue: Queue) -> bool:
    """True when the closed forms of exponential waiting time apply: nothing of the service needs a CPU."""
    return isinstance(queue.service, Exponential) and queue.service.cpu == 0


def busy_threads(server: Server, queue: Queue) -> float | None:
    """Return the mean busy threads of one instance while the destination is never empty; None without closed form.

    Instant refill is assumed: with queue agent time it is an upper bound.
    """
    port, threads = settings_of(queue, ListenerPort), worker_threads(server)
    if queue.service.cpu > 0:
        return None
    if port.session_pool_maximum is not None:
        threads = min(threads, port.session_pool_maximum)
    if low_threshold(port) >= threads - 1:
        return float(min(port.maximum_sessions, threads))
    if not is_exponential(queue):
        return None
    return window_mean_busy(port.maximum_sessions, low_threshold(port), threads)


def carried(system: System, queue: Queue) -> float | None:
    """Return the largest throughput in messages per second over all instances, or None without closed form."""
    if not is_simple(system, queue):
        return None
    server, port = system.server_of(queue), settings_of(queue, ListenerPort)
    busy = busy_threads(server, queue)
    if busy is None:
        return None
    rate = busy / law_mean(service_of(queue))
    agent = 1 / port.queue_agent_time if port.queue_agent_time > 0 else math.inf
    return server.instances * min(rate, agent)
