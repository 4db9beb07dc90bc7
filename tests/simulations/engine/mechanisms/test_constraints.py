"""Constraints that streams share: at most so many threads, at least so many, at most so much work."""

from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Constraint, Horizon, NetworkSpec, Pool, Stream
from simulations.engine.network.results import Count
from simulations.engine.records.codes import Step
from tests.simulations.engine.courses import SECOND, counted, course, instants, one
from tests.simulations.engine.networks import network, stream, surge


def sharing(constraint: Constraint, *streams: Stream, threads: int) -> NetworkSpec:
    return network(
        *streams, pool=Pool(threads_per_servant=threads, constraints=(constraint,)), horizon=Horizon(time=50.0)
    )


def test_streams_with_a_common_maximum_never_have_more_threads() -> None:
    bound = stream(arrivals=surge(2), service=SECOND, constraint=(0,))
    spec = sharing(Constraint(maximum=1), bound, bound, threads=4)
    assert [time for time, _, _ in course(spec, Step.START)] == [0.0, 1.0, 2.0, 3.0]


def test_other_streams_use_the_threads_that_a_maximum_leaves() -> None:
    bound, free = (stream(arrivals=surge(2), service=SECOND, constraint=named) for named in ((0,), ()))
    spec = sharing(Constraint(maximum=1), bound, free, threads=2)
    assert (instants(spec, Step.START, 0), instants(spec, Step.START, 1)) == ([0.0, 1.0], [0.0, 1.0])


def test_an_unmet_minimum_comes_before_older_work() -> None:
    older = stream(arrivals=surge(3), service=SECOND)
    later = ArrivalSpec(ArrivalKind.SURGE, count=1, start=0.5)
    for named, start in (((0,), 1.0), ((), 3.0)):
        urgent = stream(arrivals=later, service=SECOND, constraint=named)
        assert instants(sharing(Constraint(minimum=1), older, urgent, threads=1), Step.START, 1) == [start]


def test_work_beyond_a_capacity_is_rejected() -> None:
    spec = one(arrivals=surge(5), constraint=(0,), pool=Pool(instances=2, constraints=(Constraint(capacity=2),)))
    assert counted(spec, Count.REJECTED, Count.COMPLETED) == [1, 4]
