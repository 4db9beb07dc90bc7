"""The sentences of a comparison."""

from dataclasses import replace
from typing import Any

from frontend.compare.page import comparison_sentences
from planner.selectors import Change, Comparison, Kpi
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate

LABELS = ("v1", "v2", "v3", "v4", "v5")


def change(value: float, verdict: Any, *, paired: bool = True) -> Change:
    return Change(Estimate(value, value - 0.1, value + 0.1, "s"), paired, verdict)


def paired(estimate: Estimate, verdict: Any) -> Change:
    return Change(estimate, paired=True, verdict=verdict)


def compared(name: str, base: Estimate | None, *changes: Change | None, asked: str = "") -> Comparison:
    kpi = Kpi(BY_NAME[name], (base,) + (None,) * len(changes), (None, *changes))
    return Comparison((), 0, "", asked or name, (), (), (kpi,), ())


def told(name: str, *values: Estimate | None) -> Comparison:
    """A comparison of subjects that have no difference."""
    return Comparison((), 0, "", name, (), (), (Kpi(BY_NAME[name], values, (None,) * len(values)),), ())


def test_the_best_comes_first_with_its_share_and_how_it_was_compared() -> None:
    base = Estimate(2.0, 1.9, 2.1, "s")
    found = compared("latency.p95", base, change(0.5, "worse", paired=False), change(-1.0, "better"))
    assert comparison_sentences(found, LABELS[:3]) == (
        "p95 latency: v3 is 1.00 ± 0.10 s lower than v1 (50 %), which is better; compared by replication.",
        "p95 latency: v2 is 500 ± 100 ms higher than v1 (25 %), which is worse.",
    )


def test_more_throughput_is_better_and_three_sentences_are_enough() -> None:
    base = Estimate(80.0, 79.0, 81.0, "/s")
    found = compared("throughput", base, *(change(value, "better") for value in (1.0, 4.0, 2.0, 3.0)))
    leads = [sentence.split(" is ")[0] for sentence in comparison_sentences(found, LABELS)]
    assert leads == ["Throughput: v3", "Throughput: v5", "Throughput: v4"]


def test_what_is_not_resolved_says_so() -> None:
    found = compared("latency.p95", Estimate(2.0, 1.9, 2.1, "s"), change(0.05, "not resolved"))
    (sentence,) = comparison_sentences(found, LABELS[:2])
    assert sentence == "p95 latency: v2 cannot be told from v1; the difference is 50 ± 100 ms."


def test_the_metric_of_the_question_comes_before_what_it_costs() -> None:
    zero, some, many = (Estimate(value, value, value, "messages") for value in (0.0, 361.0, 2688.0))
    losses = Kpi(
        BY_NAME["timeouts.queue"],
        (some, zero, some, many),
        (None, paired(zero - some, "better"), paired(zero, "same"), paired(many - some, "worse")),
    )
    slow = Kpi(BY_NAME["latency.p95"], (Estimate(2.0, 1.9, 2.1, "s"),) * 2, (None, change(0.5, "worse")))
    usual = Comparison((), 0, "", "timeouts.queue", (), (), (losses, slow), ())
    assert comparison_sentences(usual, LABELS[:4]) == (
        "Queue timeouts: v2 is 361 messages lower than v1 (100 %), which is better; compared by replication.",
        "Queue timeouts: v3 and v1 are the same, 361 messages.",
        "Queue timeouts: v4 is 2,327 messages higher than v1 (645 %), which is worse; compared by replication.",
    )
    two = Comparison((), 0, "", "timeouts.queue", (), (), (replace(losses, changes=losses.changes[:2]), slow), ())
    _, cost = comparison_sentences(two, LABELS[:2])
    assert cost.startswith("p95 latency: v2 is 500 ± 100 ms higher")


def test_extremes_have_no_difference_and_are_told_apart_by_their_ranges() -> None:
    low, high, wide = (Estimate(to, since, to, "messages") for since, to in ((1600, 1700), (5900, 6100), (1000, 7000)))
    assert comparison_sentences(told("backlog.max", high, low, wide), LABELS[:3]) == (
        "Largest backlog: 1,700 ± 100 messages at v2, 6,100 ± 200 messages at v1; "
        "no replication of one reaches one of the other.",
        "Largest backlog: 7,000 ± 6,000 messages at v3, 6,100 ± 200 messages at v1; "
        "their replications overlap, which tells nothing.",
    )


def test_shares_differ_by_percentage_points() -> None:
    none, some = Estimate(0.0, 0.0, 0.0, "1"), Estimate(0.2, 0.19, 0.21, "1")
    kpi = Kpi(BY_NAME["overtaken_fraction"], (none, some), (None, paired(some, "worse")))
    (sentence,) = comparison_sentences(Comparison((), 0, "", "overtaken_fraction", (), (), (kpi,), ()), LABELS[:2])
    assert sentence == (
        "Overtaken: v2 is 20.0 ± 1.0 percentage points higher than v1, which is worse; compared by replication."
    )


def test_without_a_headline_metric_nothing_is_said() -> None:
    assert comparison_sentences(told("latency.p95", None, None), LABELS[:2]) == ()
    assert comparison_sentences(Comparison((), 0, "", "latency.p95", (), (), (), ()), LABELS[:2]) == ()
