"""The draw of faults: every kind in every turn, the same for the same seed."""

from collections import Counter

from tests.faults.drawing import (
    AHEAD,
    BACK,
    FULL,
    LONGEST_HOLD,
    LONGEST_WAIT,
    PROFILES,
    SHORTEST_HOLD,
    draw,
    kinds,
)

UP = PROFILES["up"]


def test_every_kind_comes_once_before_any_comes_again() -> None:
    among = kinds(UP, disk=True)
    drawn = Counter(draw(number, seed=7, among=among).kind for number in range(2 * len(among)))
    assert drawn == dict.fromkeys(among, 2)


def test_a_fault_depends_on_seed_and_number_alone() -> None:
    among = kinds(UP)
    alone = draw(40, seed=3, among=among)
    assert alone == [draw(number, seed=3, among=among) for number in range(41)][-1]
    assert alone != draw(40, seed=4, among=among)
    others = [draw(number, seed=3, among=among) for number in range(40)]
    assert len({(fault.wait, fault.hold, fault.pick) for fault in others}) == 40


def test_times_and_shares_lie_within_their_limits() -> None:
    for number in range(200):
        fault = draw(number, seed=1, among=kinds(UP))
        assert 0 <= fault.wait <= LONGEST_WAIT
        assert SHORTEST_HOLD <= fault.hold <= LONGEST_HOLD
        assert 0 <= fault.pick < 1


def test_disk_and_clock_are_disturbed_only_where_there_are_own_ones() -> None:
    own = {str(kind) for kind in kinds(UP, disk=True, clock=True)}
    assert own - {str(kind) for kind in kinds(UP)} == {FULL, AHEAD, BACK}


def test_only_services_behind_a_socket_lose_the_network() -> None:
    assert {kind.part for kind in kinds(PROFILES["apart"])} == {"broker", "database", "Spark"}
    assert not {kind.action for kind in kinds(PROFILES["apart"])} & {kind.action for kind in kinds(UP)}
