"""Whether database, broker and Spark answer. A part that hangs is asked for a second or two, then it counts as away."""

import time
from collections.abc import Mapping

from django.conf import settings
from django.db import Error, connection
from kombu.exceptions import OperationalError

from planner.celery import app
from simulations.pipeline.spark.server import answers

OK = "ok"
NEEDED = ("database", "broker")
"""Without Spark, pages answer and runs wait."""
_away_since: dict[str, float] = {}


def parts_states() -> Mapping[str, str]:
    """Return part -> ``ok``, or what is wrong with it and how long this process has seen it so."""
    states = {"database": database_state(), "broker": broker_state(), "spark": spark_state()}
    return {part: _with_duration(part, state) for part, state in states.items()}


def database_state() -> str:
    """Return ``ok``, or why the database does not answer."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as error:
        return type(error).__name__
    return OK


def broker_state() -> str:
    """Return ``ok``, or why the broker does not answer."""
    try:
        with app.connection_for_write(connect_timeout=1) as link:
            link.ensure_connection(max_retries=1, timeout=1)
    except (OperationalError, OSError) as error:
        return type(error).__name__
    return OK


def spark_state() -> str:
    """Return ``ok``, or why the Spark Connect server does not answer."""
    remote = settings.ENVIRONMENT.spark_remote
    if remote is None:
        return "not started"
    return OK if answers(remote) else "no answer"


def _with_duration(part: str, state: str) -> str:
    if state == OK:
        _away_since.pop(part, None)
        return state
    since = _away_since.setdefault(part, time.monotonic())
    return f"{state} for {time.monotonic() - since:.0f} s"
