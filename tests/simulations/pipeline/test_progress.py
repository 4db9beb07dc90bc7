"""The progress of a run never falls, weighs long points more and ends at one."""

from simulations.analysis.estimates.intervals import Precision
from simulations.pipeline.course import PointCourse
from simulations.pipeline.progress import Meter
from simulations.pipeline.work import WorkItem
from tests.simulations.pipeline.doubles import points_of, scenario, synthetic_batch

PRECISION = Precision("latency.p95", 0.02)


def courses() -> list[PointCourse]:
    return [PointCourse(point, planned=2) for point in points_of(scenario())[:2]]


def simulate(course: PointCourse, number: int) -> None:
    course.add(synthetic_batch(WorkItem.of(course.asked.point, first=number, count=1, cost=1.0)))


def test_nothing_is_known_before_the_first_row() -> None:
    progress = Meter(courses(), PRECISION, 10).read()
    assert (progress.fraction, progress.replications_done) == (0.0, 0)
    assert progress.eta_s is None
    assert progress.precision_now is None


def test_what_was_known_at_the_start_is_done_but_gives_no_speed() -> None:
    both = courses()
    simulate(both[0], 0)
    progress = Meter(both, PRECISION, 10).read()
    assert progress.fraction > 0
    assert progress.eta_s is None


def test_the_fraction_does_not_fall_when_more_turns_out_to_be_needed() -> None:
    both = courses()
    meter = Meter(both, PRECISION, 100)
    for course in both:
        simulate(course, 0)
        simulate(course, 1)
    before = meter.read()
    for course in both:
        course.judge(PRECISION, None)
    after = meter.read()
    assert after.fraction == before.fraction == 0.99
    assert after.eta_s is not None
    assert after.eta_s > 0
    assert after.precision_now is not None


def test_it_is_one_only_when_every_point_is_decided() -> None:
    both = courses()
    meter = Meter(both, PRECISION, 2)
    for course in both:
        simulate(course, 0)
        simulate(course, 1)
        assert meter.read().fraction < 1
        course.decide(course.judge(PRECISION, None), PRECISION, most=2)
    end = meter.read()
    assert (end.fraction, end.points_done, end.eta_s) == (1.0, 2, 0.0)
