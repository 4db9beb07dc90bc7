"""Arrivals, times and sizes of messages in words, with units, for tables and sentences."""

from collections.abc import Mapping
from typing import Any

from frontend.wording.numbers import choice_word, setting_text
from frontend.wording.texts import TEXTS
from simulations.analysis.estimates.summary import percent
from simulations.experiment.words import plain

UNKNOWN_LOAD = "Load unknown: enter it or import a log."
"""The note on a placeholder."""
_PARTS, _UNITS = TEXTS["work_parts"], TEXTS["work_units"]
_SILENT = ("at", "then")
"""Keys that are left out when they are 0."""


def work_text(body: Any, unit: str = "s") -> str:
    """Return arrivals or a distribution in words, for example ``exponential, mean 200 ms``.

    ``body``: as a scenario holds it, base units; a number alone is a constant. ``unit``: of a distribution's values.
    """
    if not isinstance(body, Mapping):
        return setting_text(body, unit)
    parts = [choice_word(str(body["kind"]))]
    for key, words in _PARTS.items():
        value = body.get(key)
        if value is not None and not (value == 0 and key in _SILENT):
            parts.append(words.format(setting_text(value, _UNITS.get(key, unit))))
    if "interval" in body:
        parts.append(f"intervals {work_text(body['interval'])}")
    for key, noun in (("points", "points"), ("source", "values"), ("sizes", "sizes")):
        if body.get(key):
            parts.append(f"{plain(len(body[key]))} {noun}")
    if body.get("cpu"):
        parts.append(f"{percent(body['cpu'])} of it on the CPU")
    return ", ".join(parts)


def horizon_text(horizon: Mapping[str, Any]) -> str:
    """Return when a replication ends, for example ``after 200,000 messages``."""
    if horizon.get("messages") is not None:
        return f"after {setting_text(horizon['messages'], 'messages')}"
    if horizon.get("time") is not None:
        return f"after {setting_text(horizon['time'], 's')} of simulated time"
    return "when all messages are done"
