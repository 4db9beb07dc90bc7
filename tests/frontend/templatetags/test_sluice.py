"""Filters of the templates."""

from dataclasses import replace

import pytest
from django.template import Context, Template

from frontend.templatetags.sluice import (
    browser,
    check_name,
    counted,
    instant,
    json_block,
    kept,
    reading,
    share,
    short,
    unlocalise,
)
from simulations.analysis.estimates.summary import Derived, Estimate, Source
from tests.frontend.answers.mechanism.test_lane import lane


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{{ row|declared:'value' }}, {{ row|declared:'default' }}", "200 ms, 0 (unlimited)"),
        ("{{ values|words }}", "fair share 50"),
        ("{{ 2000|work:'B' }}", "2 kB"),
        ("{{ horizon|horizon }}", "after 4,000 messages"),
        ("{{ 'throughput'|metric }}", "Throughput"),
        ("{{ 0.02|precision }}", "± 2 %"),
        ("{{ values|dictitem:'fair_share' }}", "50"),
        ("{{ '1.385 ± 0.045 s <now'|held }}", '<span class="nowrap">1.385 ± 0.045 s</span> &lt;now'),
        (
            "{{ 'it is 90 % of 1,000 s'|held }}",
            'it is <span class="nowrap">90 %</span> of <span class="nowrap">1,000 s</span>',
        ),
        ("{{ '3 servers in 2 scenarios'|held }}", "3 servers in 2 scenarios"),
        ("{{ '5 ± 1 servers'|held }}", '<span class="nowrap">5 ± 1</span> servers'),
        ("{{ 'at 22.3 ± 0.2 %, as before'|held }}", 'at <span class="nowrap">22.3 ± 0.2 %</span>, as before'),
    ],
)
def test_values_are_written_as_people_read_them(text: str, shown: str) -> None:
    row = {"value": 0.2, "default": 0.0, "unit": "s", "unlimited": 0}
    context = Context({"values": {"fair_share": 50}, "horizon": {"messages": 4000}, "row": row})
    assert Template("{% load sluice %}" + text).render(context) == shown


def test_a_script_element_cannot_be_ended_by_a_value() -> None:
    assert json_block({"name": "</script>&"}) == '{"name":"\\u003C/script\\u003E\\u0026"}'
    with pytest.raises(ValueError, match="Out of range"):
        json_block(float("nan"))


def test_a_missing_share_is_a_dash() -> None:
    assert (share(None), share(0.25)) == ("–", "25 %")


def test_numbers_of_attributes_have_no_separators() -> None:
    assert (unlocalise(1234567), unlocalise(0.10)) == ("1234567", "0.1")


def test_times_end_at_the_minute() -> None:
    assert instant("2026-03-01T12:34:56+00:00") == "2026-03-01 12:34 UTC"
    assert instant("") == ""


def test_runs_that_need_attention_are_counted() -> None:
    none = dict.fromkeys(("running", "queued", "pausing", "paused", "cancelling", "failed"), 0)
    assert counted(none) == "nothing under way"
    assert counted({**none, "failed": 2, "running": 1, "cancelling": 1}) == "1 running · 1 canceling · 2 failed"


def test_a_check_without_words_shows_its_name() -> None:
    assert check_name("threads") == "Busy threads = messages on threads"
    assert check_name("new_check") == "New check"


def test_a_part_is_drawn_once_for_equal_values_and_escaped() -> None:
    tile = Derived("rate", "Rate <b>", 90.0, "/s", "18 / 200 ms", Source("Manual", "p. 3"))
    first = kept("tile", tile=tile)
    assert kept("tile", tile=replace(tile)) is first
    assert "Rate &lt;b&gt;" in first
    assert "91" in kept("tile", tile=replace(tile, value=91.0))


def test_digits_end_where_the_interval_begins() -> None:
    assert short(Estimate(16.1288, 15.9, 16.4, "threads")) == "16.1 threads"
    assert short(Estimate(0.0203, 0.0202, 0.0204, "s")) == "20.3 ms"
    assert short(Estimate(36, 36, 36, "messages")) == "36.0 messages"


def test_a_line_has_words_and_its_interval() -> None:
    full = lane("saturated")
    assert "in flight" in reading(full, "gate.in_flight", "", "in flight", "")
    assert "±" in reading(full, "gate.in_flight")
    assert reading(full, "window.topups") == ""


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36",
            "Chrome on Linux",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1", "Safari on iPhone"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", "unknown"),
    ],
)
def test_a_browser_is_named_as_people_call_it(agent: str, words: str) -> None:
    assert browser(agent) == words
