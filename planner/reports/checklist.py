"""The STRESS-DES checklist (Monks et al., 2019): its 20 items, where the report answers each, and how completely."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from simulations.analysis.estimates.summary import quantity
from simulations.declarations.tables import table_beside

State = Literal["given", "partly", "missing"]
ITEMS: Sequence[tuple[str, str, str]] = table_beside(__file__, "checklist.yaml")
"""Number, title and sections of every item."""
GIVEN: tuple[State, str] = ("given", "")


@dataclass(frozen=True)
class Item:
    """One item: its number and name, where it is answered, and what is lacking where it is not given in full."""

    number: str
    title: str
    section: str
    state: State
    lacking: str = ""


def checklist(payload: Mapping[str, Any], *, experiments: int) -> tuple[Item, ...]:
    """Return the filled checklist of a report; ``experiments``: how many experiments stand in it."""
    question, made = payload["question"], payload["reproduction"]
    aims = bool(question["objectives"] or question["sweep"] or experiments)
    no_data = "nothing was measured: calibrate the scenario with a log"
    measured = _given(payload.get("calibration") is not None, no_data)
    states: dict[str, tuple[State, str]] = {
        "1.1": _given(question["note"], "the version has no note that says why"),
        "1.3": _given(aims, "no objective, sweep or experiment"),
        "2.1": _given(payload["servers"], "not recorded when saved"),
        "3.1": measured,
        "3.2": measured,
        "5.4": ("partly", _hardware(made)),
    }
    return tuple(Item(*item, *states.get(item[0], GIVEN)) for item in ITEMS)


def _given(there: object, lacking: str) -> tuple[State, str]:
    return GIVEN if there else ("missing", lacking)


def _hardware(made: Mapping[str, Any]) -> str:
    seconds = made["timings"].get("total")
    time = f"run time {quantity(float(f'{seconds:.3g}'), 's')}; " if seconds is not None else ""
    return f"{time}hardware is not recorded: the numbers do not depend on it"
