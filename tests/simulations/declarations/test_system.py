"""Servers and queues find each other, and every work has a name of its own."""

from simulations.declarations.parameters import PlatformParameters
from simulations.declarations.system import Background, Queue, Server, System, told_apart
from simulations.declarations.workload import Constant, Poisson

NONE = PlatformParameters()
ARRIVALS, SERVICE = Poisson(rate=1.0), Constant(mean=0.1)


def work(name: str) -> Background:
    return Background(name=name, arrivals=ARRIVALS, service=SERVICE, settings=NONE)


def queue(name: str, server: str) -> Queue:
    return Queue(name=name, server=server, arrivals=ARRIVALS, service=SERVICE, settings=NONE)


def test_queues_and_servers_find_each_other() -> None:
    servers = (Server(name="a", settings=NONE), Server(name="b", settings=NONE))
    queues = (queue("one", "b"), queue("two", "a"), queue("three", "b"))
    system = System(platform="weblogic", servers=servers, queues=queues)
    assert system.server_of(queues[0]) is servers[1]
    assert [item.name for item in system.queues_of(servers[1])] == ["one", "three"]


def test_only_work_whose_name_is_used_twice_gets_its_server_in_front() -> None:
    first = Server(name="a", settings=NONE, background=(work("http"), work("batch"), work("orders")))
    second, third = Server(name="b", settings=NONE, background=(work("http"),)), Server(name="c", settings=NONE)
    found = told_apart([first, second, third], [queue("orders", "a")])
    assert [[item.name for item in server.background] for server in found] == [
        ["a.http", "batch", "a.orders"],
        ["b.http"],
        [],
    ]
    assert found[2] is third
