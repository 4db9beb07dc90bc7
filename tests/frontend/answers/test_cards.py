"""What the cards of findings show beside their sentence, and a transaction as a bar to scale."""

from typing import Any

import pytest

from frontend.answers.cards import WIDTH, Card, cards_of, scale_bar
from planner.presets.files import presets
from simulations.scenario.spec import ScenarioSpec, parse

TOPIC = {"kind": "topic", "settings": {"max_beans_in_free_pool": 20, "unit_of_order": True}}
PLAIN = {**TOPIC["settings"], "transactional": False, "max_beans_in_free_pool": 1}  # type: ignore[dict-item]


def changed(key: str, queue: dict[str, Any]) -> ScenarioSpec:
    """Return a preset with other values of its queue."""
    body = next(preset.spec for preset in presets() if preset.key == key).body()
    settings = {**body["queues"][0]["settings"], **queue.get("settings", {})}
    return parse({**body, "queues": [{**body["queues"][0], **queue, "settings": settings}], "sweep": []})


def badges(spec: ScenarioSpec) -> dict[str, tuple[str, str]]:
    """Return badge and source of the cards that have one, by rule."""
    broken, kept = cards_of(spec.family.derive(spec.system).findings, spec)
    every: list[Card] = [*broken, *kept]
    return {card.rule: (card.badge, card.source) for card in every if card.badge}


@pytest.mark.parametrize(
    ("key", "queue", "rule", "document"),
    [
        ("order", {}, "websphere-zos.order-needs-one-session", "MDB throttle settings"),
        ("limit-of-16", TOPIC, "weblogic.compatibility-topic", "Tuning Message-Driven Beans"),
        ("limit-of-16", {**TOPIC, "settings": PLAIN}, "weblogic.unit-of-order", "Tuning Message-Driven Beans"),
    ],
)
def test_what_keeps_the_order_has_one_badge_with_its_own_source(
    key: str, queue: dict[str, Any], rule: str, document: str
) -> None:
    found = badges(changed(key, queue))
    assert list(found) == [rule]
    assert found[rule][0] == "concurrency 1"
    assert document in found[rule][1]


def test_of_several_queues_a_card_names_its_own_and_its_cure_has_units() -> None:
    spec = changed("surge-backlog", {})
    cards = cards_of(spec.family.derive(spec.system).findings, spec)[0]
    (found,) = [card for card in cards if card.fix_text.startswith("MDB request timeout")]
    assert found.fix_text == "MDB request timeout = 6 min"
    two = [spec.body()["queues"][0], {**spec.body()["queues"][0], "name": "bills"}]
    both = parse({**spec.body(), "queues": two, "sweep": []})
    named = {card.queue for cards in cards_of(both.family.derive(both.system).findings, both) for card in cards}
    assert named == {"", "orders", "bills"}


def test_parallel_work_has_no_badge() -> None:
    assert badges(changed("order", {"settings": {"maximum_sessions": 2}})) == {}
    assert badges(changed("limit-of-16", {})) == {}


def test_the_bar_is_to_scale() -> None:
    bar = scale_bar({"worst_case_s": 125.0, "max_receive_timeout_s": 105.0, "transaction_timeout_s": 120.0})
    assert bar is not None
    assert bar.wait + bar.work == pytest.approx(WIDTH)
    assert bar.limit / WIDTH == pytest.approx(120 / 125)
    assert bar.text == "One transaction to scale: waits up to 110 s, onMessage 15 s, ends at 120 s."


def test_a_safe_transaction_leaves_room() -> None:
    bar = scale_bar({"worst_case_s": 60.0, "max_receive_timeout_s": 105.0, "transaction_timeout_s": 120.0})
    assert bar is not None
    assert (bar.wait, bar.work, bar.limit) == (375.0, 125.0, 1000.0)


def test_other_rules_have_none() -> None:
    assert scale_bar({"worst_case_s": 1.0}) is None
