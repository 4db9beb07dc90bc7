"""Formula answers of Open MQ, each with its computation written out, and the verdicts of all rules."""

from collections.abc import Iterator

from simulations.analysis.estimates.summary import Derived
from simulations.declarations.system import Queue, Server, System
from simulations.declarations.tables import table_beside
from simulations.engine.network.model import Horizon
from simulations.platforms.openmq import formulas, sources
from simulations.platforms.openmq.mapping import build_network
from simulations.platforms.openmq.parameters import InstanceSettings, MdbSettings
from simulations.platforms.shared.queues import (
    MAX_INT,
    about,
    answers_by,
    expectations,
    mean_service,
    number,
    settings_of,
)

answer = answers_by(table_beside(__file__, "answers.yaml"), vars(sources))


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
        yield answer("carried_rate", most, f"{instances} × {busy} / {mean} s = {number(most)}/s")
    yield from _of_window(server, queue, mdb)
    yield from _of_failures(mdb)
    yield from _of_destination(server, queue, mdb)


def _of_server(server: Server) -> Iterator[Derived]:
    settings = settings_of(server, InstanceSettings)
    tries = formulas.tries(server)
    wait = tries * settings.reconnect_delay
    formula = f"{tries} × {number(settings.reconnect_delay)} s = {number(wait)} s" if tries else "it does not reconnect"
    yield answer("reconnect_time", wait, formula)


def _of_destination(server: Server, queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    active, backup = formulas.active_consumers(server, queue), formulas.backup_consumers(server, queue)
    most = "all" if mdb.max_active_consumers < 0 or queue.kind == "topic" else str(mdb.max_active_consumers)
    yield answer("active_consumers", active, f"{most} of {server.instances} instances = {active}")
    yield answer("backup_consumers", backup, f"{backup} of {server.instances - active} others")
    share = formulas.refused_share(queue)
    shown = "no limit" if mdb.max_bytes_per_msg == 0 else f"above {number(mdb.max_bytes_per_msg)} B"
    yield answer("refused_share", share, shown)


def _of_window(server: Server, queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    limit, left = formulas.effective_limit(server, queue), formulas.threshold_of(server, queue)
    shown = "unlimited" if limit == MAX_INT else str(limit)
    formula = f"the lower of {mdb.consumer_flow_limit} and {mdb.destination_consumer_flow_limit} = {shown}"
    if not mdb.prefetch:
        formula = "prefetch off = 1"
    yield answer("effective_limit", limit, formula)
    yield answer("top_up_threshold", left, f"⌊{shown} × {number(mdb.consumer_flow_threshold)} %⌋ = {left}")
    yield answer("first_top_up", limit - left, f"{shown} - {left} = {limit - left}")
    heap, clients = formulas.heap_bytes(server, queue), formulas.active_consumers(server, queue)
    beans = formulas.pool_size(server, queue)
    if heap is not None:
        yield answer("heap", heap * clients, f"{clients} × {number(heap)} B = {number(heap * clients)} B")
    spare = max(0, limit - beans)
    yield answer("hoarding_bound", spare, f"max(0, {shown} - {beans}) = {spare}")


def _of_pool(server: Server, queue: Queue, mdb: MdbSettings) -> Iterator[Derived]:
    beans, percent = formulas.pool_size(server, queue), mdb.consumer_flow_threshold
    most, mean = formulas.max_concurrency(server, queue), formulas.mean_concurrency(server, queue)
    yield answer("max_concurrency", most, f"the lowest of pool {beans}, consumer limit and connection limit = {most}")
    if mdb.messages_per_commit > 1:
        return
    left, limit = formulas.narrower_window(server, queue)
    formula = f"window {left}..{limit} over {beans} beans = {number(mean)}"
    yield answer("mean_concurrency_saturated", mean, formula, of=formulas.ideal(server, queue))
    consumed = formulas.consumed_in_round_trip(server, queue)
    full, safe = (formulas.limit_for_full_pool(beans, percent, more) for more in (0.0, consumed))
    if full is not None and safe is not None:
        formula = f"smallest limit with limit × {number(percent)} % ≥ {beans}"
        yield answer("min_limit_for_full_pool", full, f"{formula}: {full}")
        yield answer("min_limit_with_round_trip", safe, f"{formula} + {number(consumed)}: {safe}")


def _of_failures(mdb: MdbSettings) -> Iterator[Derived]:
    tries = 1 + mdb.redelivery_attempts
    end = "the dead message queue" if mdb.send_undeliverable_to_dmq else "again from the broker"
    yield answer("invocations", tries, f"1 + {mdb.redelivery_attempts} = {tries}, then {end}")
    wait = mdb.redelivery_attempts * mdb.redelivery_interval
    formula = f"{mdb.redelivery_attempts} × {number(mdb.redelivery_interval)} s = {number(wait)} s"
    yield answer("redelivery_wait", wait, formula)
    batch = formulas.producer_batch(mdb)
    formula = f"⌊{mdb.max_num_msgs} / {formulas.sharing_producers(mdb)}⌋ between 1 and 1000 = {batch}"
    yield answer("producer_batch", batch, formula)
