"""Logging."""

import logging
import sys

from planner.settings.logs import LineFormatter


def test_an_event_with_a_trace_is_one_line() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        record = logging.LogRecord("planner.x", logging.ERROR, __file__, 1, "went %s", ("wrong",), sys.exc_info())
    line = LineFormatter().format(record)
    assert "\n" not in line
    assert " ERROR planner.x went wrong\\nTraceback" in line
    assert "ValueError: two\\nlines" in line


def test_times_are_utc() -> None:
    record = logging.LogRecord("a", logging.INFO, __file__, 1, "m", (), None)
    record.created, record.msecs = 0.0, 0.0
    assert LineFormatter().format(record) == "1970-01-01T00:00:00.000Z INFO a m"
