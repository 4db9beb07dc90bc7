"""Members, threads, servants, ports and sessions, numbered one after the other."""

from simulations.engine.network.model import (
    Constraint,
    Copies,
    Gate,
    Horizon,
    NetworkSpec,
    Poller,
    PollerKind,
    Pool,
    PoolGrowth,
    Timeouts,
    Transaction,
    Window,
)
from simulations.engine.packing.numbering import UNLIMITED
from simulations.engine.packing.pools import sessions_of
from simulations.engine.packing.tables import Tables, pack
from simulations.engine.records.codes import NONE, State
from tests.simulations.engine.networks import stream

LATE = Pool(
    instances=2,
    cpus=3,
    threads_per_servant=2,
    servants_min=1,
    servants_max=3,
    growth=PoolGrowth.SERVANTS,
    constraints=(Constraint(1, 2, 3), Constraint(maximum=4)),
)
FIXED = Pool(threads_per_servant=4)


def packed(*streams: object, resources: tuple[int, ...] = ()) -> Tables:
    return pack(NetworkSpec((LATE, FIXED), streams, Horizon(messages=10), resources), 1, 0, 0)  # type: ignore[arg-type]


def test_threads_of_servants_that_are_not_started_are_absent() -> None:
    tables = packed(stream(), stream(pool=1))
    assert tables.threads.member.tolist() == [0] * 6 + [1] * 6 + [2] * 4
    assert tables.threads.servant.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 6]
    absent = [thread.state == State.ABSENT for thread in tables.threads]
    assert absent == [False] * 2 + [True] * 4 + [False] * 2 + [True] * 4 + [False] * 4
    assert tables.members.idle.tolist() == [2, 2, 4]


def test_idle_and_absent_threads_are_two_lists() -> None:
    tables = packed(stream(), stream(pool=1))
    for head, expected in ((tables.members[1].free, [6, 7]), (tables.members[1].parked, [8, 9, 10, 11])):
        found, t = [], head
        while t != NONE:
            found.append(t)
            t = tables.threads[t].next
        assert found == expected
    assert tables.members[2].parked == NONE


def test_each_instance_has_constraints_and_resources_of_its_own() -> None:
    tables = packed(stream(constraint=(1,)), stream(constraint=(1, 0)), stream(pool=1), resources=(7, 9))
    assert tables.constraints.maximum.tolist() == [2, 4, 2, 4]
    assert tables.constraints.capacity.tolist() == [3, 0, 3, 0]
    assert tables.resources.units.tolist() == [7, 9] * 3
    assert tables.members.first_resource.tolist() == [0, 2, 4]
    links = tables.links.count.tolist()
    assert [links[port.first_link : port.first_link + port.links] for port in tables.ports] == [
        [1],
        [1, 0],
        [3],
        [3, 2],
        [],
    ]


def test_ports_of_a_member_follow_each_other() -> None:
    tables = packed(stream(copies=Copies.PER_INSTANCE), stream(pool=1), stream())
    assert [(port.stream, port.instance) for port in tables.ports] == [(0, 0), (2, 0), (0, 1), (2, 1), (1, 0)]
    assert [(row.first_port, row.stride) for row in tables.streams] == [(0, 2), (4, 1), (1, 2)]
    own, shared = tables.streams[0].destination, tables.streams[2].destination
    assert [port.destination for port in tables.ports][:4] == [own, shared, own + 1, shared]


def test_what_bounds_a_port_is_packed() -> None:
    tables = packed(
        stream(pool=1, gate=Gate(8, 4, 0.5), timeouts=Timeouts(queue=1.0)),
        stream(pool=1, window=Window(10, 5, 0.1, 20, 30), transaction=Transaction(6)),
        stream(pool=1, poller=Poller(PollerKind.LEGACY, 9, interval=2.0)),
        stream(pool=1, concurrency=3),
    )
    gate, window, poller, limited = tables.ports
    assert (gate.high, gate.low, gate.agent_time, gate.concurrency) == (8, 4, 0.5, UNLIMITED)
    assert (window.limit, window.credit, window.threshold, window.round_trip) == (10, 10, 5, 0.1)
    assert (window.connection_limit, window.connection_count, window.batch_limit) == (20, 30, 6)
    assert (poller.concurrency, poller.sessions, poller.poll_interval) == (9, 4, 2.0)
    assert (limited.concurrency, limited.high, limited.batch_limit) == (3, UNLIMITED, 1)
    assert [port.reject_slot != NONE for port in tables.ports] == [True, False, False, False]
    assert [port.poll_slot != NONE for port in tables.ports] == [False, False, True, False]


def test_a_pipeline_gives_every_parallel_on_message_a_session() -> None:
    assert [sessions_of(spec, FIXED) for spec in (stream(), stream(pipeline=2), stream(pipeline=2, concurrency=3))] == [
        0,
        4,
        3,
    ]
    tables = packed(stream(pool=1, pipeline=2), stream(pool=1), stream(pipeline=1, concurrency=2))
    assert [session.port for session in tables.sessions] == [0, 0, 1, 1, 2, 2, 2, 2]
    assert [(port.pipeline, port.first_session) for port in tables.ports] == [(1, 0), (1, 2), (2, 4), (0, 0)]
