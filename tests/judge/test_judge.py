"""The judge on a few scenarios in every run; 500 of new numbers by night, see ``tests.examples``."""

import random
from collections.abc import Iterable

from simulations.analysis.estimates.summary import Estimate
from simulations.declarations.problems import InvalidInput
from tests.examples import NIGHTLY
from tests.judge.drawing import scenario
from tests.judge.judging import Case, judge
from tests.judge.ruling import ruled

SUITE = (0, 1, 2, 3, 5, 8)
ONCE_WRONG = (30020, 50436, 50142, 50197, 50204, 50388)
"""Deliveries that end after few messages, or throttles that close once; producers that are still slowed down; instances
of which some complete nothing; an order that one message in 10,000 breaks; latencies that are all the same."""
SHARE = 0.99
"""Of the claims must hold."""


def numbers() -> list[int]:
    return random.sample(range(1_000, 1_000_000), 500) if NIGHTLY else list(SUITE)


def cases(chosen: Iterable[int]) -> list[Case]:
    found: list[Case] = []
    for number in chosen:
        try:
            found += judge(number, scenario(number))
        except InvalidInput:  # too long for a quick answer
            continue
    return found


def test_what_is_said_holds_with_other_random_numbers() -> None:
    found = cases(numbers())
    assert {case.kind for case in found} >= {"claim", "counterfactual", "cure", "budget"}
    assert [case for case in found if case.ruling == "contradicted"] == []
    assert sum(case.ruling == "holds" for case in found) >= SHARE * len(found)


def test_what_was_once_contradicted_is_not_any_more() -> None:
    found = cases(ONCE_WRONG)
    assert {case.scenario for case in found} == set(ONCE_WRONG)
    assert [case for case in found if case.ruling == "contradicted"] == []


def test_a_claim_that_is_off_is_found_out() -> None:
    said = Estimate(10.0, 9.0, 11.0, "s")
    assert ruled(said, Estimate(11.9, 11.5, 12.3, "s")) == "holds"
    assert ruled(said, Estimate(12.1, 11.8, 12.4, "s")) == "open"
    assert ruled(said, Estimate(12.5, 12.2, 12.8, "s")) == "contradicted"


def test_what_ten_replications_all_deny_few_of_forty_may_say() -> None:
    never = Estimate(0.0, 0.0, 0.0, "s")
    assert ruled(never, Estimate(2e-6, 4e-7, 4e-6, "s")) == "open"
    assert ruled(never, Estimate(2e-6, 1.5e-6, 3e-6, "s")) == "contradicted"


def test_percentiles_are_told_apart_by_a_bin_of_their_histogram() -> None:
    said, seen = Estimate(0.252, 0.252, 0.252, "s"), Estimate(0.2529, 0.2529, 0.2529, "s")
    assert ruled(said, seen, "latency.p95") == "holds"
    assert ruled(said, seen, "latency.mean") == "contradicted"


def test_a_number_makes_one_scenario() -> None:
    assert scenario(17) == scenario(17)
    assert {scenario(number).platform for number in range(4)} == {"websphere-zos", "websphere", "weblogic", "openmq"}
