"""Settings by the vendor's names, values with their units."""

import pytest

from frontend.wording.numbers import (
    choice_word,
    place_names,
    place_text,
    setting_rows,
    swept_values,
    value_text,
)
from simulations.scenario.spec import parse
from tests.scenarios import SESSIONS, listener_port
from tests.simulations.platforms.samples import scenario_body

SPEC = parse(listener_port("Names"))
CPUS, SERVICE = "servers.payments.cpus", "queues.orders.service.mean"


@pytest.mark.parametrize(
    ("path", "value", "text"),
    [(SESSIONS, 36, "36 messages"), (SERVICE, 0.05, "50 ms"), ("arrivals", 1.2, "× 1.2"), ("run.unknown", 3, "3")],
)
def test_values_have_the_unit_of_their_path(path: str, value: float, text: str) -> None:
    assert value_text(SPEC, path, value) == text


def test_swept_counts_stand_bare_and_times_have_units() -> None:
    assert swept_values(SPEC, {SESSIONS: 36, CPUS: 3, SERVICE: 0.05}) == "36 · 3 · 50 ms"
    assert swept_values(SPEC, {}) == ""


def test_the_owner_is_named_where_two_settings_have_one_title() -> None:
    queue = listener_port("Names")["queues"][0]
    two = parse({**listener_port("Names"), "queues": [queue, {**queue, "name": "bills"}]})
    other = "queues.bills.settings.maximum_sessions"
    assert place_names(two, [SESSIONS, other]) == {
        SESSIONS: "Maximum sessions of orders",
        other: "Maximum sessions of bills",
    }
    assert place_text(SPEC, {SESSIONS: 36}) == "Maximum sessions 36 messages"


def test_a_row_shows_a_dash_for_no_value_and_words_for_an_unknown_path() -> None:
    urgent, bound = "queues.orders.settings.urgent_share", "objectives.0.at_most"
    bounded = parse({**SPEC.body(), "objectives": [{"metric": "latency.urgent", "at_most": "600ms"}]})
    given = {SESSIONS: (36, None), bound: (0.8, 0.6), "run.max_time": (60,), urgent: (0.1,)}
    assert setting_rows([SPEC, bounded], given) == [
        (SESSIONS, "Maximum sessions (orders)", ["36 messages", "–"]),
        ("run.max_time", "run · max time", ["60"]),
        (urgent, "Urgent messages (JMS priority) (orders)", ["10 %"]),
        (
            "objectives.0",
            "Objective 1",
            ["–", "Mean latency of urgent messages at most 600 ms"],
        ),
    ]


def test_a_work_managers_share_is_named_after_it_and_no_limit_is_said_so() -> None:
    managers = [{"name": "http", "fair_share": 80}, {"name": "mdb", "fair_share": 20}]
    spec = parse(scenario_body("weblogic", server={"work_managers": managers}))
    share, most = (
        "servers.payments.settings.work_managers.mdb.fair_share",
        "queues.orders.settings.bytes_threshold_high",
    )
    assert setting_rows([spec], {share: (20, 320), most: (-1, 5000)}) == [
        (share, "Fair share (mdb, payments)", ["20", "320"]),
        (most, "Bytes threshold high (orders)", ["-1 (unlimited)", "5 kB"]),
    ]


def test_choices_keep_the_vendors_capitals() -> None:
    assert [choice_word(word) for word in ("AUTO", "on_off", "log_normal")] == ["AUTO", "on and off", "log normal"]
