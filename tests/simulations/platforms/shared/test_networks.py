"""What every family's network has in common: pools, streams of queues and of other work, downstream resources."""

from simulations.declarations.system import Queue, Server, System
from simulations.engine.network.model import Downstream, Horizon, Law, LawKind, Pool, Stream
from simulations.platforms.shared.networks import network_of
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body


def pool(_: System, server: Server) -> Pool:
    return Pool(server.instances, server.cpus, threads_per_servant=4)


def stream(_: System, __: Queue, plain: Stream) -> Stream:
    return plain


def two_servers() -> System:
    body = scenario_body(
        "openmq", message_size=500.0, producers=3, service={"kind": "exponential", "mean": 0.2, "cpu": 0.5}
    )
    server, queue = body["servers"][0], body["queues"][0]
    work = {"name": "http", "arrivals": {"kind": "poisson", "rate": 5.0}, "service": {"kind": "constant", "mean": 0.1}}
    body["servers"] = [{**server, "name": "calls", "instances": 2, "background": [work]}, server]
    database = {"name": "db", "limit": 8, "share": 0.5}
    body["queues"] = [
        {**queue, "settings": {"downstream": {"name": "mail", "limit": 3}}},
        {
            **queue,
            "name": "bills",
            "server": "calls",
            "settings": {"downstream": database, "failure_rate": 0.1, "urgent_share": 0.3},
        },
        {**queue, "name": "late", "settings": {"downstream": {**database, "limit": 5}, "poison_rate": 0.2}},
        {**queue, "name": "mixed", "settings": {"urgent_share": 0.3}},
    ]
    return parse(body).system


def test_pools_follow_the_servers_and_streams_the_queues_then_other_work() -> None:
    network = network_of(two_servers(), Horizon(), pool, stream)
    assert [item.instances for item in network.pools] == [2, 1]
    assert [(item.name, item.pool) for item in network.streams] == [
        ("orders", 1),
        ("bills", 0),
        ("late", 1),
        ("mixed", 1),
        ("http", 0),
    ]
    orders, bills, late, mixed, http = network.streams
    assert (orders.service, orders.cpu_share, orders.producers) == (Law(LawKind.EXPONENTIAL, 0.2), 0.5, 3)
    assert (orders.message_size, orders.size_law) == (500.0, None)
    assert (bills.failure_rate, bills.poison_rate, late.poison_rate) == (0.1, 0.0, 0.2)
    assert (orders.urgent_share, mixed.urgent_share) == (0.0, 0.3)
    assert (http.background, http.service, http.weight) == (True, Law(LawKind.CONSTANT, 0.1), 1.0)


def test_a_resource_that_queues_share_has_the_smaller_of_their_limits() -> None:
    network = network_of(two_servers(), Horizon(), pool, stream)
    assert network.resources == (3, 5)
    assert [item.downstream for item in network.streams] == [
        Downstream(0, 1.0),
        Downstream(1, 0.5),
        Downstream(1, 0.5),
        None,
        None,
    ]
