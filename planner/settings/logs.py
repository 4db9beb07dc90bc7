"""Logging: one event is one line, readable on a terminal and JSON elsewhere, with the ids of what it belongs to.

The ids are in ``structlog.contextvars``: of the request, the task, the job and the person.
"""

import sys

from structlog import dev, processors, stdlib, typing
from structlog.contextvars import merge_contextvars

FROM_RECORDS: list[typing.Processor] = [
    merge_contextvars,
    stdlib.ExtraAdder(),
    stdlib.add_logger_name,
    stdlib.add_log_level,
    processors.TimeStamper(fmt="iso", utc=True),
]
AS_JSON: list[typing.Processor] = [processors.format_exc_info, processors.JSONRenderer(default=str, ensure_ascii=False)]


class EventFormatter(stdlib.ProcessorFormatter):
    """`{"event": "…", "request_id": "…", "logger": "planner.x", "level": "info", "timestamp": "…Z"}`."""

    def __init__(self) -> None:
        last = [dev.ConsoleRenderer()] if sys.stderr.isatty() else AS_JSON
        super().__init__(processors=[self.remove_processors_meta, *last], foreign_pre_chain=FROM_RECORDS)
