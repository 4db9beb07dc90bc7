"""The draw of faults: every kind in every turn, the same for the same seed."""

from collections import Counter

from tests.faults.drawing import FULL, LONGEST_HOLD, LONGEST_WAIT, SHORTEST_HOLD, draw, kinds


def test_every_kind_comes_once_before_any_comes_again() -> None:
    among = kinds(disk=True)
    drawn = Counter(draw(number, seed=7, among=among).kind for number in range(2 * len(among)))
    assert drawn == dict.fromkeys(among, 2)


def test_a_fault_depends_on_seed_and_number_alone() -> None:
    among = kinds()
    alone = draw(40, seed=3, among=among)
    assert alone == [draw(number, seed=3, among=among) for number in range(41)][-1]
    assert alone != draw(40, seed=4, among=among)
    others = [draw(number, seed=3, among=among) for number in range(40)]
    assert len({(fault.wait, fault.hold, fault.pick) for fault in others}) == 40


def test_times_and_shares_lie_within_their_limits() -> None:
    for number in range(200):
        fault = draw(number, seed=1, among=kinds())
        assert 0 <= fault.wait <= LONGEST_WAIT
        assert SHORTEST_HOLD <= fault.hold <= LONGEST_HOLD
        assert 0 <= fault.pick < 1


def test_a_disk_is_filled_only_where_there_is_one() -> None:
    assert {str(kind) for kind in kinds(disk=True)} - {str(kind) for kind in kinds()} == {FULL}
