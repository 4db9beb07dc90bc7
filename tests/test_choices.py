"""Choices against brute force, as small as it can be; `python -m benchmarks.choices` does it at full size."""

import pytest

from benchmarks.choices import drawn, problem, searched, table


def test_drawn_problems_are_decided_and_right_where_that_is_claimed() -> None:
    claims = [claim for number in range(40) for claim in drawn(number)]
    sure = [claim for claim in claims if claim.final and claim.probability >= 0.99]
    assert len(sure) >= 20
    assert not any(claim.wrong for claim in sure)
    assert table(claims)[-1].startswith("| 99% to 100% |")


def test_problems_are_of_all_families_with_one_to_four_knobs() -> None:
    found = [problem(number) for number in range(0, 16, 5)]
    assert {spec.platform for spec, _ in found} == {"websphere-zos", "websphere", "weblogic", "openmq"}
    assert {len(asked["knobs"]) for _, asked in found} == {1, 2, 3, 4}


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4))
def test_a_simulated_problem_of_each_family_is_right(number: int) -> None:
    claims, cells = searched(number)
    assert cells == 7
    assert claims[-1].final
    assert claims[-1].probability < 0.99 or not claims[-1].wrong
