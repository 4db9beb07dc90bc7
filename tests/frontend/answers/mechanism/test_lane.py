"""What fills the stations of a lane, and how many threads it can have."""

from frontend.answers.mechanism.lane import Lane
from frontend.answers.mechanism.picture import picture_of
from planner.answers.quick import glance
from tests.frontend.answers.mechanism.test_picture import preset


def lane(key: str, place: int = 0) -> Lane:
    spec = preset(key)
    return picture_of(spec, glance(spec).summary, knobs=True).lanes[place]


def test_a_lane_has_the_threads_that_its_narrowest_limit_leaves() -> None:
    assert lane("surge-backlog").capacity == 18
    assert lane("limit-of-16").capacity == 16
    assert lane("balance").capacity == 64


def test_stations_follow_the_mechanisms() -> None:
    kinds = {key: [item.kind for item in lane(key).stations()] for key in ("surge-backlog", "non-asf", "limit-of-16")}
    assert "limit" in kinds["surge-backlog"]
    assert "prepared" not in kinds["non-asf"]
    assert "limit" not in kinds["limit-of-16"]
    assert [item.kind for item in lane("bursts", 1).stations()][:2] == ["producers", "prepared"]


def test_the_throttle_is_marked_where_it_opens() -> None:
    throttle = next(item for item in lane("surge-backlog").stations() if item.kind == "limit")
    assert throttle.marks == (50.0,)


def test_members_of_a_cluster_stand_side_by_side() -> None:
    threads = next(item for item in lane("balance").stations() if item.kind == "threads")
    assert [start for start, _, _ in threads.bars] == [0.0, 50.0]
    assert threads.bars[0][1] != threads.bars[1][1]


def test_what_is_lost_is_known() -> None:
    assert "rollbacks" in lane("non-asf").losses
    assert lane("order").losses == []
