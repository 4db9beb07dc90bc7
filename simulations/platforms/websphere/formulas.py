"""The formulas of listener ports: sessions that get a thread, the transaction-timeout rule, connections to IBM MQ."""

import math
from typing import Literal, get_args

import numpy as np

from simulations.analysis.theory.laws import law_mean
from simulations.analysis.theory.mechanisms import rollback_probability
from simulations.declarations.system import Queue, Server, System
from simulations.engine.network.model import Law, LawKind
from simulations.platforms.shared.laws import quantile_of, quantile_of_sum
from simulations.platforms.shared.queues import is_simple, mean_service, offered_rate, service_of, settings_of
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings

SLOWEST = 0.999
"""Share of the messages that the slowest considered onMessage does not exceed."""
_NEARLY_ALL = 1 - 1e-9
_GRID = 2000
Group = Literal["listener", "adapter", "endpoints"]
"""Threads of the message listener service, of IBM MQ's resource adapter, and of the default messaging provider."""
GROUPS: tuple[Group, ...] = get_args(Group)


def port_of(queue: Queue) -> ListenerPort:
    """Return the settings of the listener port of a queue."""
    return settings_of(queue, ListenerPort)


def waits(queue: Queue) -> bool:
    """Return whether each session of a port holds a thread that waits for messages."""
    return port_of(queue).mode == "non_asf"


def sessions(queue: Queue) -> int:
    """Return the sessions of one member: those asked for, as far as the connection factory of a port gives them."""
    port = port_of(queue)
    count = sessions_asked_for(queue)
    return count if port.activated or port.session_pool_maximum is None else min(count, port.session_pool_maximum)


def sessions_asked_for(queue: Queue) -> int:
    """Return the sessions asked for in one member: one for a topic in non-ASF mode, else what port or spec say."""
    port = port_of(queue)
    if not port.activated:
        return 1 if port.mode == "non_asf" and queue.kind == "topic" else port.maximum_sessions
    if port.provider == "ibm_mq":
        return port.maximum_server_sessions
    return min(port.maximum_concurrent_endpoints, port.mdb_pool_maximum)


def group_of(queue: Queue) -> Group:
    """Return whose threads work on the messages of a queue."""
    port = port_of(queue)
    if not port.activated:
        return "listener"
    return "adapter" if port.provider == "ibm_mq" else "endpoints"


def queues_of(system: System, server: Server, group: Group) -> tuple[Queue, ...]:
    """Return the queues of a server whose messages are worked on by the threads of a group."""
    return tuple(queue for queue in system.queues_of(server) if group_of(queue) == group)


def sessions_of_server(system: System, server: Server, group: Group = "listener") -> int:
    """Return the sum of the sessions of a member that share the threads of a group."""
    return sum(sessions(queue) for queue in queues_of(system, server, group))


def group_threads(system: System, server: Server, group: Group) -> int:
    """Return the most threads of a group in one member; that of the listener service may grow to one per session."""
    match group:
        case "listener":
            settings = settings_of(server, ServerSettings)
            own = sessions_of_server(system, server) if settings.listener_pool_growable else 0
            return max(settings.listener_pool_maximum, own)
        case "adapter":
            return settings_of(server, ServerSettings).adapter_pool_maximum
        case "endpoints":
            return sessions_of_server(system, server, "endpoints")


def groups(system: System, server: Server) -> tuple[Group, ...]:
    """Return the groups of threads that the queues of a server use; the listener service where there is no queue."""
    used = {group_of(queue) for queue in system.queues_of(server)}
    return tuple(group for group in GROUPS if group in used) or ("listener",)


def shortage(system: System, server: Server, group: Group = "listener") -> int:
    """Return the sessions that can have no thread because the pool of the group is smaller than their sum."""
    return max(0, sessions_of_server(system, server, group) - group_threads(system, server, group))


def start_wait(system: System, server: Server, queue: Queue) -> float:
    """Return the seconds that the last of all scheduled messages waits for a thread of the resource adapter."""
    missing, threads = shortage(system, server, "adapter"), group_threads(system, server, "adapter")
    return missing * mean_service(queue) / threads if group_of(queue) == "adapter" else 0.0


def handles(system: System, server: Server) -> int:
    """Return the handles to IBM MQ of one member: the conversations of all its ports."""
    return sum(conversations(queue) for queue in queues_of(system, server, "listener"))


def spare_handles(system: System, server: Server) -> int:
    """Return the handles that the pooling timeout closes when they are not used."""
    return max(0, handles(system, server) - settings_of(server, ServerSettings).pooling_threshold)


def conversations(queue: Queue) -> int:
    """Return the conversations of one member with IBM MQ: all but non-ASF need one more, to watch the destination. The
    default messaging provider has none."""
    if group_of(queue) == "endpoints":
        return 0
    return sessions(queue) if port_of(queue).mode == "non_asf" else sessions(queue) + 1


def connections(server: Server, queue: Queue) -> int:
    """Return the fewest TCP connections of one member; sharing is best effort, so there may be more."""
    return math.ceil(conversations(queue) / settings_of(server, ServerSettings).sharing_conversations)


def search(queue: Queue) -> Law | None:
    """Return the law of the time in which receive() passes over messages that do not suit: 0, or else exponential."""
    port = port_of(queue)
    passed = port.unsuitable_messages
    if port.mode != "non_asf" or passed * port.selection_time == 0:
        return None
    return Law(LawKind.HYPEREXPONENTIAL, passed / (1 + passed), port.selection_time * (1 + passed))


def session_time(queue: Queue) -> float:
    """Return the mean seconds for which a message keeps its session: those passed over, then onMessage."""
    found = search(queue)
    return mean_service(queue) if found is None else mean_service(queue) + law_mean(found)


def slowest_service(queue: Queue, share: float = SLOWEST) -> float:
    """Return the seconds that the search and onMessage of a ``share`` of the full transactions do not exceed."""
    port, found = port_of(queue), search(queue)
    slow = quantile_of_sum(service_of(queue), port.maximum_messages if port.mode == "asf" else 1, share)
    return slow if found is None else slow + max(0.0, found.b * math.log(found.a / (1 - share)))


def rarely_longer(queue: Queue) -> str:
    """Return the remark that a few take longer than ``slowest_service``, empty where none does."""
    return " (up to 1 in 1,000 take longer)" if slowest_service(queue, _NEARLY_ALL) > slowest_service(queue) else ""


def worst_case(queue: Queue, share: float = SLOWEST) -> float:
    """Return the longest age of a transaction: the whole receive timeout, then the slowest onMessage, in seconds."""
    return port_of(queue).wait + slowest_service(queue, share)


def times_out(_: System, server: Server, queue: Queue, share: float) -> bool:
    """Return whether more transactions than all but a ``share`` can reach their lifetime."""
    return worst_case(queue, share) > settings_of(server, ServerSettings).total_transaction_timeout


def receive_timeout_bound(server: Server, queue: Queue) -> float:
    """Return the seconds that the receive timeout must stay below; 0 or less when no value is safe."""
    return settings_of(server, ServerSettings).total_transaction_timeout - slowest_service(queue)


def rate_per_session(system: System, queue: Queue) -> float | None:
    """Return the messages per second of one session that has a thread; None without a long-run rate or threads."""
    server, rate = system.server_of(queue), None if system.senders(queue) else offered_rate(system, queue, carried)
    waiting = held(system, server, queue) if waits(queue) else sessions(queue)
    return rate / (waiting * server.instances) if rate is not None and waiting else None


def rollback_share(system: System, queue: Queue) -> float | None:
    """Return the probability that a message for a waiting session outlives its transaction; None but in non-ASF mode.

    None also without a rate, and where some are passed over. Exact for Poisson arrivals and one session; several are
    taken to get messages at random. In the simulation the one that waits longest gets the next.
    """
    port, rate = port_of(queue), rate_per_session(system, queue)
    if port.mode != "non_asf" or not rate or search(queue) is not None:
        return None
    lifetime, law = settings_of(system.server_of(queue), ServerSettings).total_transaction_timeout, service_of(queue)
    times = (quantile_of(law, (step + 0.5) / _GRID) for step in range(_GRID))
    return float(np.mean([rollback_probability(rate, port.receive_timeout, lifetime, time) for time in times]))


def held(system: System, server: Server, queue: Queue) -> int:
    """Return the threads of one member that a non-ASF port holds from its start, what ports listed before it leave."""
    waiting = [item for item in queues_of(system, server, "listener") if waits(item)]
    if queue not in waiting:
        return 0
    taken = sum(sessions(item) for item in waiting[: waiting.index(queue)])
    return max(0, min(sessions(queue), group_threads(system, server, "listener") - taken))


def empty_transactions(system: System, server: Server, queue: Queue) -> float:
    """Return the empty transactions per second that idle sessions of all members begin and roll back."""
    return server.instances * held(system, server, queue) / (port_of(queue).receive_timeout or math.inf)


def carried(system: System, queue: Queue) -> float | None:
    """Return the largest throughput in messages per second over all members, or None without closed form."""
    if not is_simple(system, queue, own_threads=waits(queue)) or queue.service.cpu > 0:
        return None
    server = system.server_of(queue)
    shared = min(sessions(queue), group_threads(system, server, group_of(queue)))
    threads = held(system, server, queue) if waits(queue) else shared
    return server.instances * threads / session_time(queue) if threads else None
