"""A number on the picture: no digit more than its interval allows, the interval in its title."""

from frontend.templatetags.mechanism import reading, short
from simulations.analysis.estimates.summary import Estimate
from tests.frontend.answers.mechanism.test_lane import lane


def test_digits_end_where_the_interval_begins() -> None:
    assert short(Estimate(16.1288, 15.9, 16.4, "threads")) == "16.1 threads"
    assert short(Estimate(0.0203, 0.0202, 0.0204, "s")) == "20.3 ms"
    assert short(Estimate(36, 36, 36, "messages")) == "36.0 messages"


def test_a_line_has_words_and_its_interval() -> None:
    full = lane("saturated")
    assert "in flight" in reading(full, "gate.in_flight", "", "in flight", "")
    assert "±" in reading(full, "gate.in_flight")
    assert reading(full, "window.topups") == ""
