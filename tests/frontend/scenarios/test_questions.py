"""The worked questions: each has an answer that its own sweep gives."""

import pytest
from django.test import Client

from frontend.scenarios.questions import questions, worked_answer
from planner.presets.files import presets


@pytest.mark.parametrize(
    ("key", "verdict", "words"),
    [
        ("surge-backlog", "met", "Maximum sessions 36 is enough"),
        ("saturated", "", "Throughput at 36 is"),
        ("bursts", "met", "Fair share 320 is enough"),
    ],
)
def test_an_answer_names_the_value_that_is_enough(key: str, verdict: str, words: str) -> None:
    preset = next(item for item in presets() if item.card.key == key)
    answer = worked_answer(preset)
    assert answer.verdict == verdict
    assert words in " ".join(answer.sentences)
    assert answer.curve is not None
    assert (preset.spec.family.title, preset, answer) in questions()


def test_a_card_asks_for_its_answer_after_the_page_stands(person: Client) -> None:
    assert 'hx-get="/questions/limit-of-16/"' in person.get("/questions/").content.decode()
    answer = person.get("/questions/limit-of-16/").content.decode()
    assert "Work manager orders is enough" in answer
    assert answer.strip() in person.get("/questions/").content.decode()
    assert person.get("/questions/no-such/").status_code == 404


def test_a_card_waits_for_the_engine_and_asks_again(person: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.answers.quick.variants_awaited", lambda network=None: 2)
    monkeypatch.setattr("frontend.scenarios.questions._ANSWERS", {})
    answer = person.get("/questions/limit-of-16/").content.decode()
    assert "1 of 3 variants are ready" in answer
    assert 'hx-trigger="load delay:3s"' in answer
