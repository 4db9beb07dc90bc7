"""Headroom at the command line beside what one server can carry."""

import math
from datetime import date
from pathlib import Path

import pytest
from django.utils import timezone

from tests.planner.management.commands.test_optimise import asked, body


def test_headroom_ends_where_the_threads_do(tmp_path: Path) -> None:
    """18 threads of 200 ms carry 90 messages per second, three times the load."""
    code, found = asked(tmp_path, body(rate="30/s"), "--json", command="headroom")
    assert code == 0
    assert found["today"] == pytest.approx(30)
    assert found["rate"]["stable"] == pytest.approx(90, rel=0.1)
    assert found["factor"]["stable"] < found["factor"]["unstable"]
    assert found["elapsed_s"] > 0


def test_a_load_that_is_too_much_today_ends_with_code_one(tmp_path: Path) -> None:
    code, text = asked(tmp_path, body(rate="120/s"), command="headroom")
    assert code == 1
    assert "the backlog grows from" in text


def test_growth_leads_to_the_month_of_the_limit(tmp_path: Path) -> None:
    """Three times the load at 73.2 % a year, which is 4.683 % a month, two years from now."""
    options = ("--growth", "4.683% a month", "--most", "4")
    code, found = asked(tmp_path, body(rate="30/s"), *options, "--json", command="headroom")
    assert code == 0
    days = {name: date.fromisoformat(day) for name, day in found["reached"].items() if name != "sentence"}
    assert days["low"] <= days["carried"] <= days["high"]
    years = (days["carried"] - timezone.now().date()).days / 365.25
    assert years == pytest.approx(math.log(found["factor"]["carried"]) / math.log(1.732), abs=0.01)
    code, text = asked(tmp_path, body(rate="30/s"), *options, command="headroom")
    assert f"months, in {days['carried']:%B %Y}" in text
