"""The formulas of listener ports: sessions that get a thread, the transaction-timeout rule, connections to IBM MQ."""

import math

import numpy as np

from simulations.analysis.theory.laws import arrival_rate, law_mean
from simulations.analysis.theory.transactions import largest_safe_receive_timeout, rollback_probability
from simulations.platforms.common import is_simple, service_of, settings_of
from simulations.platforms.laws import arrivals_of, quantile_of
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings
from simulations.system import Queue, Server, System
from simulations.workload import Constant

SLOWEST = 0.999
"""Share of the messages that the slowest considered onMessage does not exceed."""
_GRID = 2000


def port_of(queue: Queue) -> ListenerPort:
    """Return the settings of the listener port of a queue."""
    return settings_of(queue, ListenerPort)


def sessions(queue: Queue) -> int:
    """Return the sessions of a port in one member: those it asks for, as far as its connection factory gives them."""
    port = port_of(queue)
    wanted = sessions_asked_for(queue)
    return wanted if port.session_pool_maximum is None else min(wanted, port.session_pool_maximum)


def sessions_asked_for(queue: Queue) -> int:
    """Return the sessions a port asks for in one member: one for a topic in non-ASF mode, else Maximum sessions."""
    port = port_of(queue)
    return 1 if port.mode == "non_asf" and queue.kind == "topic" else port.maximum_sessions


def sessions_of_server(system: System, server: Server) -> int:
    """Return the sum of the sessions of all ports of a member."""
    return sum(sessions(queue) for queue in system.queues_of(server))


def pool_threads(system: System, server: Server) -> int:
    """Return the most threads of the message listener service: its maximum, or one per session where it may grow."""
    settings = settings_of(server, ServerSettings)
    most = settings.listener_pool_maximum
    return max(most, sessions_of_server(system, server)) if settings.listener_pool_growable else most


def shortage(system: System, server: Server) -> int:
    """Return the sessions that can have no thread because the listener pool is smaller than their sum."""
    return max(0, sessions_of_server(system, server) - pool_threads(system, server))


def handles(system: System, server: Server) -> int:
    """Return the handles to IBM MQ of one member: the conversations of all its ports."""
    return sum(conversations(queue) for queue in system.queues_of(server))


def spare_handles(system: System, server: Server) -> int:
    """Return the handles that the pooling timeout closes when they are not used."""
    return max(0, handles(system, server) - settings_of(server, ServerSettings).pooling_threshold)


def quiet_time(server: Server, queue: Queue) -> float | None:
    """Return the mean seconds between two messages of one member; None without a long-run rate."""
    rate = arrival_rate(arrivals_of(queue.arrivals))
    return server.instances / rate if rate else None


def conversations(queue: Queue) -> int:
    """Return the conversations of one member with IBM MQ: ASF needs one more, to watch the destination."""
    extra = 1 if port_of(queue).mode == "asf" else 0
    return sessions(queue) + extra


def connections(server: Server, queue: Queue) -> int:
    """Return the fewest TCP connections of one member; sharing is best effort, so there may be more."""
    return math.ceil(conversations(queue) / settings_of(server, ServerSettings).sharing_conversations)


def slowest_service(queue: Queue) -> float:
    """Return the seconds of the slowest onMessage that is considered: constant, or 99.9 % are not slower."""
    law = service_of(queue)
    return law_mean(law) if isinstance(queue.service, Constant) else quantile_of(law, SLOWEST)


def worst_case(queue: Queue) -> float:
    """Return the longest age of a transaction: the whole receive timeout, then the slowest onMessage, in seconds."""
    return port_of(queue).receive_timeout + slowest_service(queue)


def receive_timeout_bound(server: Server, queue: Queue) -> float:
    """Return the seconds that the receive timeout must stay below; 0 or less when no value is safe."""
    lifetime = settings_of(server, ServerSettings).total_transaction_timeout
    return largest_safe_receive_timeout(lifetime, slowest_service(queue))


def rate_per_session(server: Server, queue: Queue) -> float | None:
    """Return the messages per second of one session when all wait in turn; None without a long-run rate."""
    rate = arrival_rate(arrivals_of(queue.arrivals))
    return None if rate is None else rate / (sessions(queue) * server.instances)


def rollback_share(server: Server, queue: Queue) -> float | None:
    """Return the probability that a delivered message outlives its transaction; None in ASF mode or without a rate.

    Exact for waiting sessions and Poisson arrivals: the probability for each service time, averaged over its law.
    """
    port, rate = port_of(queue), rate_per_session(server, queue)
    if port.mode == "asf" or not rate:
        return None
    lifetime, law = settings_of(server, ServerSettings).total_transaction_timeout, service_of(queue)
    if isinstance(queue.service, Constant):
        return rollback_probability(rate, port.receive_timeout, lifetime, law.a)
    times = (quantile_of(law, (step + 0.5) / _GRID) for step in range(_GRID))
    return float(np.mean([rollback_probability(rate, port.receive_timeout, lifetime, time) for time in times]))


def empty_transactions(server: Server, queue: Queue) -> float:
    """Return the empty transactions per second that idle sessions of all members begin and roll back."""
    port = port_of(queue)
    return 0.0 if port.mode == "asf" else server.instances * sessions(queue) / port.receive_timeout


def carried(system: System, queue: Queue) -> float | None:
    """Return the largest throughput in messages per second over all members, or None without closed form."""
    if not is_simple(system, queue) or queue.service.cpu > 0:
        return None
    server = system.server_of(queue)
    threads = min(sessions(queue), pool_threads(system, server))
    return server.instances * threads / law_mean(service_of(queue))
