"""Experiments in words: quantities, objectives, and why points lost."""

from dataclasses import replace

import pytest

from simulations.analysis.estimates.summary import Estimate
from simulations.experiment.questions import asked_spec
from simulations.experiment.verdicts import ObjectiveVerdict, lost_more
from simulations.experiment.words import (
    binding,
    infeasible_reason,
    objective_text,
    setting_title,
    settings_text,
    unit_of,
    value_and_bound,
    why,
)
from simulations.scenario.runsettings import Objective
from tests.simulations.experiment.answers import RATE, SESSIONS, SPEC, answer
from tests.simulations.experiment.test_choice import NONE, SOME, asked, at, best


def test_every_loser_has_its_reason() -> None:
    question = asked()
    spec = asked_spec(question, SPEC)
    found = best(question, at(0, 36, 0.7), at(1, 18, None), at(2, 24, 0.9), at(3, 50, 0.65))
    assert why(question, spec, found, 0) == "Chosen: it meets every objective with the lowest Maximum sessions."
    plain = asked(minimize=[])
    assert (
        why(plain, spec, best(plain, at(0, 36, 0.7)), 0)
        == "Chosen: it meets every objective with the best p95 latency."
    )
    assert why(question, spec, found, 1) == "Unstable: 67.6/s is the ceiling, and 60/s arrive."
    assert why(question, spec, found, 2) == "p95 latency is 900.0 ± 1.0 ms, not at most 800 ms."
    assert "takes Maximum sessions 50 where 36 is enough" in why(question, spec, found, 3)


def test_infeasible_names_the_nearest_or_the_ceiling() -> None:
    question = asked()
    spec = asked_spec(question, SPEC)
    near = best(question, at(0, 36, 1.2), at(1, 50, 0.9))
    assert (near.status, near.chosen) == ("infeasible", None)
    assert infeasible_reason(spec, near) == (
        "No point meets p95 latency at most 800 ms. Nearest is Maximum sessions 50: "
        "p95 latency is 900.0 ± 1.0 ms, not at most 800 ms."
    )
    capped = best(question, at(0, 18, None))
    assert "67.6/s is the ceiling" in infeasible_reason(spec, capped)


def test_settings_and_objectives_have_the_names_of_the_pages() -> None:
    overrides = {SESSIONS: 36, "queues.orders.service.mean": 0.05}
    assert settings_text(SPEC, overrides) == "Maximum sessions 36, Mean service time 50 ms"
    assert (setting_title(SPEC, "arrivals"), setting_title(SPEC, "run.seed")) == ("Arrivals", "Seed")
    assert (unit_of(SPEC, RATE), unit_of(SPEC, "run.seed")) == ("/s", "1")
    assert objective_text(Objective(metric="timeouts.queue", equals=0.0)).endswith("exactly 0 messages")
    assert objective_text(Objective(metric="throughput", at_least=50.0)).endswith("at least 50/s")


@pytest.mark.parametrize(
    ("value", "half", "bound", "written"),
    [
        (1.165, 0.007, 0.8, ("1,165 ± 7 ms", "at most 800 ms")),
        (187.2, 35.0, 220.0, ("187 ± 35 s", "at most 220 s")),
        (34.79, 0.9, 0.8, ("34.79 ± 0.90 s", "at most 800 ms")),
        (0.0003, 0.00001, 2.0, ("300 ± 10 µs", "at most 2 s")),
    ],
)
def test_what_is_reached_is_written_in_the_unit_of_its_bound(
    value: float, half: float, bound: float, written: tuple[str, str]
) -> None:
    reached = Estimate(value, value - half, value + half, "s")
    assert value_and_bound(ObjectiveVerdict(Objective(metric="latency.p95", at_most=bound), reached, 0.5)) == written


def test_lost_messages_are_the_reason_where_only_they_stand_against_a_point() -> None:
    question = asked()
    spec = asked_spec(question, SPEC)
    losing = answer(1, {SESSIONS: 24}, 0.6, dead_letters=SOME)
    found = best(question, answer(0, {SESSIONS: 36}, 0.7, dead_letters=NONE), losing)
    lost = "Dead letters 50.0 ± 5.0 messages, 0 messages as it is now"
    assert why(question, spec, found, 1) == f"It loses messages: {lost}."
    assert binding(spec, found) == "dead_letters"
    none = best(question, answer(0, {SESSIONS: 36}, 0.9, dead_letters=NONE), losing)
    assert infeasible_reason(spec, none) == (
        "No point meets p95 latency at most 800 ms without losing more messages or holding senders back longer, "
        f"which an objective would have to allow. Nearest is Maximum sessions 24: {lost}."
    )


def test_senders_that_wait_longer_are_a_reason_too() -> None:
    """A smaller limit makes latencies shorter by what it adds to the wait of the senders, which they do not count."""
    question, spec = asked(), asked_spec(asked(), SPEC)
    now, longer = answer(0, {SESSIONS: 36}, 0.7), answer(1, {SESSIONS: 24}, 0.6)
    now = replace(now, metrics={**now.metrics, "producer.wait": Estimate(2.0, 1.5, 2.5, "s")})
    longer = replace(longer, metrics={**longer.metrics, "producer.wait": Estimate(4.0, 3.5, 4.5, "s")})
    found = best(question, now, longer)
    assert found.chosen is not None
    assert found.chosen.index == 0
    lost = "Wait of senders 4.00 ± 0.50 s, 2.00 ± 0.50 s as it is now"
    assert why(question, spec, found, 1) == f"It holds senders back: {lost}."
    unsure = replace(longer, differences={"producer.wait": Estimate(2.0, -1.0, 5.0, "s")})
    assert best(question, now, unsure).chosen is not None
    assert lost_more((), unsure, now) == ""
    assert lost_more((Objective(metric="producer.wait", at_most=9.0),), longer, now) == ""
    assert lost_more((Objective(metric="backlog.max", at_most=9.0),), longer, now) == "", "that is what was asked for"
    assert lost_more((), longer, now, times=2.0) == "", "more load makes them wait longer"
