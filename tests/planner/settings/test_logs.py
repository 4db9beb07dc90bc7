"""Logging."""

import json
import logging
import sys
from io import StringIO
from typing import Any

import pytest
from structlog.contextvars import bound_contextvars, clear_contextvars

from planner.settings.logs import EventFormatter


def written(record: logging.LogRecord) -> dict[str, Any]:
    line = EventFormatter().format(record)
    assert "\n" not in line
    read: dict[str, Any] = json.loads(line)
    return read


def test_an_event_with_a_trace_is_one_line_of_json_with_its_ids() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        record = logging.LogRecord("planner.x", logging.ERROR, __file__, 1, "went %s", ("wrong",), sys.exc_info())
    record.ms = 1.5
    clear_contextvars()
    with bound_contextvars(request_id="r1", job_id="run_1"):
        event = written(record)
    assert event.pop("exception").endswith("ValueError: two\nlines")
    assert event.pop("timestamp").endswith("Z")
    assert event == {
        "event": "went wrong",
        "logger": "planner.x",
        "level": "error",
        "ms": 1.5,
        "request_id": "r1",
        "job_id": "run_1",
    }


def test_what_json_cannot_hold_is_written_as_text() -> None:
    record = logging.LogRecord("a", logging.INFO, __file__, 1, "Grüße", (), None)
    record.part = {1.0 + 2.0j}
    assert written(record)["event"] == "Grüße"


def test_a_person_at_a_terminal_reads_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    line = EventFormatter().format(logging.LogRecord("a", logging.INFO, __file__, 1, "hello", (), None))
    assert "hello" in line
    assert not line.startswith("{")
