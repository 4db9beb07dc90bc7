"""Numbers as people read them."""

from typing import Any

import pytest

from frontend.wording.numbers import TEXTS, horizon_text, lowered, problem_text, setting_text, work_text
from planner.models import Role, Scope
from simulations.analysis.estimates.summary import (
    Estimate,
    change_text,
    estimate_quantity,
    estimate_text,
    percent,
    quantity,
)
from simulations.declarations.problems import problem
from simulations.experiment.words import plain
from simulations.scenario.spec import parse
from tests.scenarios import listener_port

SESSIONS = "queues.orders.settings.maximum_sessions"


@pytest.mark.parametrize(
    ("value", "unit", "half", "text"),
    [
        (0.7017, "s", 0.0102, "702 ± 10 ms"),
        (2.1591, "s", 0.0123, "2.159 ± 0.012 s"),
        (67.5534, "/s", 0.06, "67.55 ± 0.06/s"),
        (118.8, "s", 0.0, "118.8 s"),
        (36, "messages", 0.0, "36 messages"),
        (0.0, "s", 0.0, "0 ms"),
        (24.94068, "%", 0.0, "24.94 %"),
        (2000.0, "B", 0.0, "2 kB"),
        (7200.0, "s", 0.0, "2 h"),
        (220.0, "s", 0.0, "220 s"),
        (240.0, "s", 0.0, "4 min"),
        (10 / 60, "/s", 0.0, "0.1667/s"),
        (0.25, "/s", 0.0, "0.25/s"),
        (1 / 3, "/s", 0.02, "0.333 ± 0.020/s"),
        (400 / 3 * 2, "s", 0.0, "4.444 min"),
        (220.0, "s", 6.0, "3.67 ± 0.10 min"),
        (1234567.0, "events", 0.0, "1,234,567 events"),
    ],
)
def test_value_half_width_and_unit(value: float, unit: str, half: float, text: str) -> None:
    assert str(quantity(value, unit, half)) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(1, "messages", "1 message"), (1.0, "s", "1 s"), (0.001, "s", "1 ms"), (1, "CPUs", "1 CPU"), (81, "/s", "81/s")],
)
def test_one_of_a_thing_is_said_as_one(value: float, unit: str, text: str) -> None:
    assert setting_text(value, unit) == str(quantity(value, unit)) == text


def test_the_longest_time_of_a_setting_is_no_limit() -> None:
    assert (setting_text(1e9, "s"), setting_text(9e8, "s")) == ("no limit", "250,000 h")


def test_a_number_and_its_bound_share_the_unit_that_shows_the_bound_as_it_was_typed() -> None:
    reached = Estimate(260.12, 254.0, 266.0, "s")
    assert (estimate_text(reached, 220.0), str(quantity(220.0, "s", beside=260.12))) == ("260.1 ± 6.1 s", "220 s")
    assert (estimate_text(reached, 240.0), str(quantity(240.0, "s", beside=260.12))) == ("4.34 ± 0.10 min", "4 min")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (Estimate(0.000039, -0.000036, 0.000114, "/s"), "+0.000039 ± 0.000075/s"),
        (Estimate(-0.5, -0.6, -0.4, "/s"), "−0.50 ± 0.10/s"),
        (Estimate(0.0, 0.0, 0.0, "/s"), "0/s"),
        (Estimate(0.000039, 0.0, 0.0001, "s"), "+39 ± 61 µs"),
        (Estimate(4e-7, -2e-7, 9e-7, "threads"), "0 threads"),
        (Estimate(-4e-17, -9e-17, 2e-17, "threads"), "0 threads"),
        (Estimate(4e-7, -2e-7, 9e-7, "s"), "+0.40 ± 0.60 µs"),
        (Estimate(-0.001, -0.3, 0.3, "/s"), "0.00 ± 0.30/s"),
        (Estimate(2e-6, -3e-6, 7e-6, "threads"), "+0.000002 ± 0.000005 threads"),
    ],
)
def test_a_difference_has_its_sign_and_the_digits_that_its_interval_allows(change: Estimate, text: str) -> None:
    assert change_text(change) == text


def test_a_list_of_parts_is_said_without_brackets_and_keys_of_python() -> None:
    managers = [{"name": "orders-work", "fair_share": 50, "max_threads": None}]
    assert plain(managers) == "(name orders-work, fair share 50)"
    assert plain([]) == "none"


def test_the_wider_side_of_an_uneven_interval_is_shown() -> None:
    assert str(estimate_quantity(Estimate(1.0, 0.9, 1.3, "s"))) == "1.00 ± 0.30 s"


def test_a_fraction_is_a_percentage() -> None:
    assert estimate_text(Estimate(0.185, 0.183, 0.187, "1")) == "18.50 ± 0.20 %"
    assert estimate_text(Estimate(0.5, 0.4, 0.6, "s")) == "500 ± 100 ms"


def test_the_rounding_of_floats_is_no_interval() -> None:
    assert str(estimate_quantity(Estimate(2.0, 2.0 - 4e-16, 2.0 + 4e-16, "s"))) == "2 s"


def test_exact_numbers_have_no_half_width() -> None:
    assert str(estimate_quantity(Estimate(90.0, 90.0, 90.0, "/s", "formula"))) == "90/s"


def test_infinity_is_a_sign() -> None:
    assert str(quantity(float("inf"), "messages")) == "∞ messages"


def test_titles_inside_a_sentence_keep_their_capitals() -> None:
    titles = ("CPU utilization", "Largest backlog", "p95 latency", "onMessage by itself")
    assert [*map(lowered, titles)] == ["CPU utilization", "largest backlog", "p95 latency", "onMessage by itself"]


def test_settings_read_like_words() -> None:
    values = {"on": True, "none": None, "kind surge, count 1,000": {"kind": "surge", "count": 1000, "at": None}}
    assert {text: plain(value) for text, value in values.items()} == {text: text for text in values}
    assert setting_text(0.2, "s") == "200 ms"
    assert [setting_text(value, "messages", -1) for value in (-1, 5)] == ["-1 (unlimited)", "5 messages"]
    assert [setting_text(value, "s", 0) for value in (0, False, None)] == ["0 (unlimited)", "off", "none"]
    assert percent(0.03149) == "3.15 %"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (Estimate(0.0248, 0.0219, 0.0278, "s"), "+24.8 ± 3.0 ms"),
        (Estimate(-4.73, -5.25, -4.21, "/s"), "−4.73 ± 0.52/s"),
        (Estimate(-0.001, -0.0017, -0.0003, "1"), "−0.100 ± 0.070 % points"),
        (Estimate(0.0, 0.0, 0.0, "threads"), "0 threads"),
    ],
)
def test_a_difference_shows_its_sign_and_the_wider_side_of_its_interval(change: Estimate, text: str) -> None:
    assert change_text(change) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"kind": "poisson", "rate": 81.0}, "Poisson (random), 81/s"),
        ({"kind": "exponential", "mean": 0.2, "cpu": 0.0}, "exponential, mean 200 ms"),
        ({"kind": "constant", "mean": 0.05, "cpu": 0.5}, "constant, mean 50 ms, 50 % of it on the CPU"),
        (
            {"kind": "lognormal", "mean": None, "cv": None, "p50": 0.02, "p95": 0.4, "p99": None, "cpu": 0.0},
            "lognormal, p50 20 ms, p95 400 ms",
        ),
        ({"kind": "surge", "count": 1000, "at": 0.0, "then": 0.0}, "surge, 1,000 messages"),
        ({"kind": "surge", "count": 1, "at": 5.0, "then": 2.0}, "surge, 1 message, at 5 s, then 2/s"),
        ({"kind": "periodic_burst", "count": 400, "every": 60.0}, "periodic bursts, 400 messages, every 60 s"),
        (
            {"kind": "renewal", "interval": {"kind": "gamma", "mean": 0.1, "cv": 2.0, "cpu": 0.0}},
            "renewal, intervals gamma, mean 100 ms, coefficient of variation 2",
        ),
        ({"kind": "profile", "points": [[0.0, 500.0], [60.0, 500.0], [60.1, 20.0]]}, "profile, 20/s to 500/s"),
        ({"kind": "trace", "source": [0.0, 1.0, 1.5], "sizes": []}, "trace, 3 values"),
    ],
)
def test_work_in_words(body: dict[str, Any], text: str) -> None:
    assert work_text(body) == text


def test_sizes_are_bytes() -> None:
    assert work_text(2000.0, "B") == "2 kB"
    assert work_text({"kind": "exponential", "mean": 3e6}, "B") == "exponential, mean 3 MB"


def test_when_a_replication_ends() -> None:
    assert horizon_text({"messages": 200_000, "time": None, "until": None}) == "after 200,000 messages"
    assert horizon_text({"messages": None, "time": 600.0, "until": None}) == "after 10 min of simulated time"
    assert horizon_text({"messages": None, "time": None, "until": "drained"}) == "when all messages are done"


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("token_scopes", Scope.values),
        ("team_roles", Role.values),
    ],
)
def test_every_choice_has_words_in_its_own_order(table: str, names: list[str]) -> None:
    assert list(TEXTS[table]) == names


def test_every_table_holds_texts() -> None:
    assert all(text for table in TEXTS.values() for text in table.values())


@pytest.mark.parametrize(
    ("location", "message", "text"),
    [
        (("platform",), "choose one of the two", "Platform: choose one of the two"),
        (("knobs", 0, "values"), "needs 1 or more", "Values: needs 1 or more"),
        (("knobs", 0, "values", 0), f"{SESSIONS}: must be at least 1", "Maximum sessions: must be at least 1"),
        (
            ("queues", "orders", "arrivals", "batch_size"),
            "must be at least 1",
            "orders · arrivals · batch size: must be at least 1",
        ),
        ((), "give one queue", "Input: give one queue"),
    ],
)
def test_a_page_names_what_is_wrong_as_it_names_its_fields(
    location: tuple[str | int, ...], message: str, text: str
) -> None:
    assert problem_text(problem(location, message), parse(listener_port("Wrong"))) == text
