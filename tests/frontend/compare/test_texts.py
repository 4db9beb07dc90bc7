"""The sentences of a comparison."""

from typing import Any

from frontend.compare.texts import comparison_sentences
from planner.selectors import Change, Comparison, Kpi
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate

LABELS = ("v1", "v2", "v3", "v4", "v5")


def change(value: float, verdict: Any, *, paired: bool = True) -> Change:
    return Change(Estimate(value, value - 0.1, value + 0.1, "s"), paired, verdict)


def compared(name: str, base: Estimate | None, *changes: Change | None) -> Comparison:
    kpi = Kpi(BY_NAME[name], (base,) + (None,) * len(changes), (None, *changes))
    return Comparison((), 0, "", (), (), (kpi,), ())


def test_the_best_comes_first_with_its_share_and_how_it_was_compared() -> None:
    base = Estimate(2.0, 1.9, 2.1, "s")
    found = compared("latency.p95", base, change(0.5, "worse", paired=False), change(-1.0, "better"))
    assert comparison_sentences(found, LABELS) == (
        "p95 latency of v3 is 1.00 ± 0.10 s lower than that of v1 (50 %): better, compared message by message.",
        "p95 latency of v2 is 500 ± 100 ms higher than that of v1 (25 %): worse.",
    )


def test_more_throughput_is_better_and_three_sentences_are_enough() -> None:
    base = Estimate(80.0, 79.0, 81.0, "/s")
    found = compared("throughput", base, *(change(value, "better") for value in (1.0, 4.0, 2.0, 3.0)))
    leads = [sentence.split(" is ")[0] for sentence in comparison_sentences(found, LABELS)]
    assert leads == [
        "Throughput of v3",
        "Throughput of v5",
        "Throughput of v4",
    ]


def test_what_is_not_resolved_says_so() -> None:
    found = compared("latency.p95", Estimate(2.0, 1.9, 2.1, "s"), change(0.05, "not resolved"))
    (sentence,) = comparison_sentences(found, LABELS)
    assert sentence == "p95 latency of v2 cannot be told from that of v1: the difference is 50 ± 100 ms."


def test_without_a_headline_metric_nothing_is_said() -> None:
    assert comparison_sentences(compared("latency.p95", None, change(1.0, "worse")), LABELS) == ()
    assert comparison_sentences(compared("cpu.utilisation", Estimate(1, 1, 1, "1"), change(1.0, "worse")), LABELS) == ()
