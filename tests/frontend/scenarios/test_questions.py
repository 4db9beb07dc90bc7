"""The worked questions: each has an answer that its own sweep gives."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from frontend.answers.sentences import asked_estimate
from frontend.scenarios.questions import questions, worked_answer
from frontend.wording.numbers import swept_values, value_text
from planner.answers.choice import verdict_word
from planner.answers.quick import quick_answer
from planner.answers.summaries import StoredPoint
from planner.presets.files import Preset, presets
from simulations.experiment import changes_nothing, expansion, with_overrides
from simulations.scenario.spec import ScenarioSpec, revised


@pytest.mark.parametrize(
    ("key", "verdict", "words"),
    [
        ("surge-backlog", "met", "Keep Maximum sessions at 36: p95 latency"),
        ("saturated", "", "less, compared in pairs"),
        ("bursts", "met", "Set Fair share of mdb to 320: p95 latency"),
    ],
)
def test_an_answer_names_the_value_that_is_enough(key: str, verdict: str, words: str) -> None:
    preset = next(item for item in presets() if item.key == key)
    answer = worked_answer(preset)
    assert answer.verdict == verdict
    assert words in " ".join(answer.sentences)
    assert answer.curve is not None
    assert (preset.spec.family.title, preset, answer) in questions()


def test_a_card_asks_for_its_answer_after_the_page_stands(person: Client) -> None:
    assert 'hx-get="/questions/limit-of-16/"' in person.get("/questions/").content.decode()
    answer = person.get("/questions/limit-of-16/").content.decode()
    assert 'Set Work manager to orders: drain time <span class="nowrap">2 s</span>' in answer
    assert answer.strip() in person.get("/questions/").content.decode()
    assert person.get("/questions/no-such/").status_code == 404


def test_a_card_waits_for_the_engine_and_asks_again(person: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.answers.quick.variants_awaited", lambda network=None: 2)
    monkeypatch.setattr("frontend.scenarios.questions._ANSWERS", {})
    answer = person.get("/questions/limit-of-16/").content.decode()
    assert re.search(r"Waits for\s+the engine\.", answer)
    assert 'hx-trigger="load delay:3s"' in answer


ASKED = {
    "surge-backlog": ("p95 latency", "ms"),
    "saturated": ("throughput", "/s"),
    "surge": ("drain time", "s"),
    "slow-mdb": ("queue timeouts", "messages"),
    "outage": ("time to recover", "s"),
    "member": ("p99 latency", "s"),
    "order": ("overtaken", "%"),
    "non-asf": ("transaction timeouts", "events"),
    "limit-of-16": ("drain time", "s"),
    "bursts": ("p95 latency", "s"),
    "batches": ("p95 latency", "ms"),
    "flow-control": ("largest backlog", "messages"),
    "balance": ("drain time", "s"),
    "flow-limit": ("busy threads", "threads"),
    "chain": ("p95 end-to-end latency of ledger", "s"),
}
"""What the question of each preset is about, and the unit of its answer."""


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.key)
def test_the_first_sentence_answers_the_question(preset: Preset) -> None:
    """It names what to set, the question's metric and its value there; another run at that value agrees."""
    spec, (asked, unit) = preset.spec, ASKED[preset.key]
    first = worked_answer(preset).sentences[0]
    told = re.fullmatch(rf"(Keep|Set) (.+?): {asked} ([\d,.]+)(?: ± ([\d,.]+))? ?{unit}(\W.*)", first)
    assert told, first
    advice, place, value, half, rest = told.groups()
    named = re.split(r" (?:at|to|and) ", place)[1::2]
    point = next(item for item in expansion(spec).points if values_of(spec, item.overrides) == named)
    assert (advice == "Keep") == changes_nothing(spec.body(), point.overrides)
    other = revised(point.spec, [(("run", "seed"), 7)])
    answer = quick_answer(other).summary
    estimate = asked_estimate(spec, StoredPoint(0, {}, partial=False, summary=answer))
    assert estimate is not None
    seen = estimate.value * {"%": 100, "ms": 1000, "min": 1 / 60}.get(unit, 1)
    spread = 3 * (number(half or "0") + estimate.half_width) + 0.005 * seen
    assert number(value) == pytest.approx(seen, abs=spread), first
    if spec.objectives:
        verdict = verdict_word(spec.objectives, answer)
        judged = {"met": "meets", "missed": "misses", "unresolved": "cannot be told"}[verdict]
        assert judged in rest or "is too close to call against" in rest, first


def values_of(spec: ScenarioSpec, overrides: Mapping[str, Any]) -> list[str]:
    """The values as the sentence writes them."""
    if len(overrides) == 1:
        return [swept_values(spec, overrides)]
    return [value_text(spec, path, value) for path, value in overrides.items()]


def number(text: str) -> float:
    return float(text.replace(",", ""))


def test_timeouts_of_a_slow_bean_begin_where_the_sweep_has_no_value() -> None:
    preset = next(item for item in presets() if item.key == "slow-mdb")
    found = re.search(r"met up to (\d+) and missed from (\d+) on", worked_answer(preset).sentences[0])
    assert found
    last, first = map(int, found.groups())
    assert first == last + 1
    assert 60 <= last < 80
    path = preset.spec.sweep[0].path
    below, above = (with_overrides(preset.spec.unswept, {path: value}) for value in (last - 2, first + 2))
    assert quick_answer(below).summary.metrics["timeouts.queue"].value == 0
    assert quick_answer(above).summary.metrics["timeouts.queue"].value > 0


def test_the_question_of_a_chain_is_answered_with_the_queue_that_moved() -> None:
    """More sessions at the first queue bring nothing as soon as the second is the limit: the wait is there then."""
    preset = next(item for item in presets() if item.key == "chain")
    first, second = worked_answer(preset).sentences
    assert first.startswith("Set Maximum sessions of orders to 20: ")
    assert "Other values gain about 0.15 % at most." in first
    told = re.fullmatch(
        r"Maximum sessions of orders 40 moves the queue from orders to ledger: a message spends ([\d.]+) ± [\d.]+ s at "
        r"orders \(now ([\d.]+) s\) and ([\d.]+) ± [\d.]+ s at ledger \(now ([\d.]+) s\), on average\.",
        second,
    )
    assert told, second
    orders, orders_now, ledger, ledger_now = map(float, told.groups())
    # 1,000 messages at once: half of them leave before the mean. 40 sessions of 200 ms, 5 of them now, 6 of 100 ms.
    assert orders == pytest.approx(1000 * 0.2 / 40 / 2, rel=0.05)
    assert orders_now == pytest.approx(1000 * 0.2 / 5 / 2, rel=0.05)
    assert ledger == pytest.approx(1000 * 0.1 / 6 / 2 - orders, rel=0.1)
    assert ledger_now == pytest.approx(0.1, rel=0.1)


def test_the_questions_of_a_platform_stand_together() -> None:
    platforms = [platform for platform, _, _ in questions()]
    assert platforms == sorted(platforms, key=platforms.index)
