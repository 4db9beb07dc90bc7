"""From settings to what the engine simulates: a credit window per instance before its pool of beans."""

from dataclasses import replace

from simulations.declarations.system import Queue, Server, System
from simulations.engine.network import model
from simulations.platforms.openmq import formulas
from simulations.platforms.openmq.parameters import InstanceSettings, MdbSettings
from simulations.platforms.shared.networks import network_of
from simulations.platforms.shared.outages import absence_of
from simulations.platforms.shared.queues import is_saturated, settings_of


def build_network(system: System, horizon: model.Horizon) -> model.NetworkSpec:
    """Return the network: one pool of threads per server, one window per MDB. In a cluster the instances share a
    topic's subscription, so each message is processed once, as from a queue."""
    return network_of(system, horizon, _pool, _stream)


def _pool(system: System, server: Server) -> model.Pool:
    instances = formulas.working_instances(system, server)
    threads = settings_of(server, InstanceSettings).thread_pool_maximum
    return model.Pool(instances=instances, cpus=server.cpus, threads_per_servant=threads)


def _stream(system: System, queue: Queue, plain: model.Stream) -> model.Stream:
    server, mdb = system.server_of(queue), settings_of(queue, MdbSettings)
    return replace(
        plain,
        concurrency=formulas.pool_size(server, queue),
        window=_window(server, queue, mdb),
        transaction=None if mdb.messages_per_commit == 1 else model.Transaction(mdb.messages_per_commit),
        redelivery=_redelivery(mdb),
        quota=_quota(system, queue, mdb),
        absence=absence_of(server, formulas.tries(server), settings_of(server, InstanceSettings).reconnect_delay),
    )


def _window(server: Server, queue: Queue, mdb: MdbSettings) -> model.Window:
    settings = settings_of(server, InstanceSettings)
    return model.Window(
        limit=formulas.effective_limit(server, queue),
        threshold=formulas.threshold_of(server, queue),
        round_trip=mdb.round_trip,
        connection_limit=settings.connection_flow_limit if settings.connection_flow_limit_enabled else 0,
        connection_count=settings.connection_flow_count,
    )


def _redelivery(mdb: MdbSettings) -> model.Redelivery:
    if mdb.failure_mode == "rollback":
        return model.Redelivery(limit=mdb.max_consecutive_rollbacks, exhausted=model.Exhausted.DEAD_LETTER)
    return model.Redelivery(
        delay=mdb.redelivery_interval,
        limit=1 + mdb.redelivery_attempts if mdb.send_undeliverable_to_dmq else 0,
        exhausted=model.Exhausted.DEAD_LETTER,
        in_place=True,
    )


def _quota(system: System, queue: Queue, mdb: MdbSettings) -> model.Quota | None:
    """A queue that is never empty has no producers to limit. The broker's own limit refuses whatever the queue does."""
    (messages, fewer), (size, smaller) = limits_of(system, queue)
    if is_saturated(queue) or (messages == 0 and size == 0):
        return None
    behaviour = "REJECT_NEWEST" if fewer or smaller else mdb.limit_behavior
    return model.Quota(
        messages=int(messages),
        bytes=size,
        behaviour=model.LimitBehaviour[behaviour],
        producer_batch=formulas.producer_batch(mdb) if behaviour == "FLOW_CONTROL" else 0,
        producer_bytes=size // formulas.sharing_producers(mdb) if behaviour == "FLOW_CONTROL" else 0.0,
    )


def limits_of(system: System, queue: Queue) -> tuple[tuple[float, bool], tuple[float, bool]]:
    """Return the most messages and bytes that get in, 0 = no limit, each with whether it is the broker's limit."""
    broker, mdb = settings_of(system.server_of(queue), InstanceSettings), formulas.mdb_of(queue)
    alone = len(system.queues) == 1
    messages = _lower(max(0, mdb.max_num_msgs), max(0, broker.broker_max_count) if alone else 0)
    return messages, _lower(mdb.max_total_msg_bytes, broker.broker_max_size if alone else 0.0)


def _lower(own: float, broker: float) -> tuple[float, bool]:
    """The limit that counts, 0 = none, and whether it is the broker's."""
    return (broker, True) if broker > 0 and (own == 0 or broker < own) else (own, False)
