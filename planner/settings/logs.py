"""Logging as one line per event, so that a log can be searched line by line."""

import logging
import time


class LineFormatter(logging.Formatter):
    """`2026-01-31T12:00:00.000Z INFO planner.tasks message`: UTC, and a trace folded into the line of its event."""

    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def converter(self, timestamp: float | None) -> time.struct_time:
        """The instant in UTC."""
        return time.gmtime(timestamp)

    def format(self, record: logging.LogRecord) -> str:
        """The event as one line; line breaks inside it are written as `\\n`."""
        return super().format(record).replace("\n", "\\n")
