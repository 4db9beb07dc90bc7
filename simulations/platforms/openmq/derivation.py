"""Formula answers of Open MQ, each with its computation written out, and the verdicts of all rules."""

from collections.abc import Iterator

from simulations.analysis.estimates.summary import Derived, Source
from simulations.declarations.system import Queue, Server, System
from simulations.engine.network.model import Horizon
from simulations.platforms.openmq import formulas
from simulations.platforms.openmq.mapping import build_network
from simulations.platforms.openmq.parameters import InstanceSettings, MdbSettings
from simulations.platforms.openmq.sources import ADAPTER, ADMIN, CONTAINER, FLOW, OWN_MODEL
from simulations.platforms.shared.queues import MAX_INT, about, derived, expectations, mean_service, number, settings_of

LIMIT = Source(ADMIN, "consumer flow control, the lower limit counts")
TOP_UP = Source(FLOW, "top-up at a share of the limit")
AT_MOST = Source(FLOW, "pool of 32 behind a limit of 16")
WINDOW = Source(OWN_MODEL, "mean busy beans of a window with hysteresis", "assumed")
HEAP = Source(FLOW, "pre-sent messages take up client memory")
REDELIVERY = Source(ADAPTER, "endpointExceptionRedeliveryAttempts")
CONSUMERS = Source(ADMIN, "maxNumActiveConsumers and maxNumBackupConsumers")
TOO_LARGE = Source(ADMIN, "maxBytesPerMsg")
RECONNECT = Source(CONTAINER, "properties for reconnecting MDBs")
BATCHES = Source(ADMIN, "limitBehavior FLOW_CONTROL")


def answers(system: System) -> Iterator[Derived]:
    """Yield all formula answers: of queues, of servers, then what closed forms expect."""
    for queue in system.queues:
        yield from about(queue.name, _of_queue(system, queue))
    for server in system.servers:
        yield from about(server.name, _of_server(server))
    yield from expectations(build_network(system, Horizon()), system)


def _of_queue(system: System, queue: Queue) -> Iterator[Derived]:
    server, mdb = system.server_of(queue), settings_of(queue, MdbSettings)
    yield from _of_pool(server, queue, mdb)
    most, busy = formulas.carried(system, queue), number(formulas.mean_concurrency(server, queue))
    if most is not None:
        instances, mean = formulas.working_instances(system, server), number(mean_service(queue))
        formula = f"{instances} × {busy} / {mean} s = {number(most)}/s"
        yield derived("carried_rate", "Largest throughput", most, "/s", formula, WINDOW)
    yield from _of_window(server, queue, mdb)
    yield from _of_failures(mdb)
    yield from _of_destination(server, queue, mdb)


def _of_server(server: Server) -> Iterator[Derived]:
    settings = settings_of(server, InstanceSettings)
    tries = formulas.tries(server)
    wait = tries * settings.reconnect_delay
    formula = f"{tries} × {number(settings.reconnect_delay)} s = {number(wait)} s" if tries else "it does not reconnect"
    yield derived("reconnect_time", "Longest outage of the broker that MDBs survive", wait, "s", formula, RECONNECT)


def _of_destination(server: Server, queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    active, backup = formulas.active_consumers(server, queue), formulas.backup_consumers(server, queue)
    most = "all" if mdb.max_active_consumers < 0 or queue.kind == "topic" else str(mdb.max_active_consumers)
    formula = f"{most} of {server.instances} instances = {active}"
    yield derived("active_consumers", "Instances that get messages", active, "consumers", formula, CONSUMERS)
    formula = f"{backup} of {server.instances - active} others"
    yield derived("backup_consumers", "Instances that wait as backup", backup, "consumers", formula, CONSUMERS)
    share = formulas.refused_share(queue)
    shown = "no limit" if mdb.max_bytes_per_msg == 0 else f"above {number(mdb.max_bytes_per_msg)} B"
    yield derived("refused_share", "Messages that are too large", share, "1", shown, TOO_LARGE)


def _of_window(server: Server, queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    limit, left = formulas.effective_limit(server, queue), formulas.threshold_of(server, queue)
    shown = "unlimited" if limit == MAX_INT else str(limit)
    formula = f"the lower of {mdb.consumer_flow_limit} and {mdb.destination_consumer_flow_limit} = {shown}"
    if not mdb.prefetch:
        formula = "prefetch off = 1"
    yield derived("effective_limit", "Effective consumer limit", limit, "messages", formula, LIMIT)
    formula = f"⌊{shown} × {number(mdb.consumer_flow_threshold)} %⌋ = {left}"
    yield derived("top_up_threshold", "Top-up threshold", left, "messages", formula, TOP_UP)
    formula = f"{shown} - {left} = {limit - left}"
    yield derived("first_top_up", "First top-up", limit - left, "messages", formula, TOP_UP)
    heap, clients = formulas.heap_bytes(server, queue), formulas.active_consumers(server, queue)
    beans = formulas.pool_size(server, queue)
    if heap is not None:
        formula = f"{clients} × {number(heap)} B = {number(heap * clients)} B"
        yield derived("heap", "Client memory for messages sent ahead", heap * clients, "B", formula, HEAP)
    spare = max(0, limit - beans)
    formula = f"max(0, {shown} - {beans}) = {spare}"
    yield derived("hoarding_bound", "Messages one instance can hold idle", spare, "messages", formula, WINDOW)


def _of_pool(server: Server, queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    beans, percent = formulas.pool_size(server, queue), mdb.consumer_flow_threshold
    most, mean = formulas.max_concurrency(server, queue), formulas.mean_concurrency(server, queue)
    formula = f"the lowest of pool {beans}, consumer limit and connection limit = {most}"
    yield derived("max_concurrency", "Most parallel onMessage", most, "beans", formula, AT_MOST)
    if mdb.messages_per_commit > 1:
        return
    left, limit = formulas.narrower_window(server, queue)
    formula = f"window {left}..{limit} over {beans} beans = {number(mean)}"
    title = f"Mean parallel onMessage {formulas.ideal(server, queue)}"
    yield derived("mean_concurrency_saturated", title, mean, "beans", formula, WINDOW)
    consumed = formulas.consumed_in_round_trip(server, queue)
    full, safe = (formulas.limit_for_full_pool(beans, percent, more) for more in (0.0, consumed))
    if full is not None and safe is not None:
        title, formula = "Smallest limit for a full pool", f"smallest limit with limit × {number(percent)} % ≥ {beans}"
        yield derived("min_limit_for_full_pool", title, full, "messages", f"{formula}: {full}", WINDOW)
        title, formula = f"{title} with the round trip", f"{formula} + {number(consumed)}: {safe}"
        yield derived("min_limit_with_round_trip", title, safe, "messages", formula, WINDOW)


def _of_failures(mdb: MdbSettings) -> Iterator[Derived]:
    tries = 1 + mdb.redelivery_attempts
    end = "the dead message queue" if mdb.send_undeliverable_to_dmq else "again from the broker"
    formula = f"1 + {mdb.redelivery_attempts} = {tries}, then {end}"
    yield derived("invocations", "Deliveries of a failing message", tries, "attempts", formula, REDELIVERY)
    wait = mdb.redelivery_attempts * mdb.redelivery_interval
    formula = f"{mdb.redelivery_attempts} × {number(mdb.redelivery_interval)} s = {number(wait)} s"
    yield derived("redelivery_wait", "Wait of a failing message", wait, "s", formula, REDELIVERY)
    batch = formulas.producer_batch(mdb)
    formula = f"⌊{mdb.max_num_msgs} / {formulas.sharing_producers(mdb)}⌋ between 1 and 1000 = {batch}"
    yield derived("producer_batch", "Messages of a resumed producer", batch, "messages", formula, BATCHES)
