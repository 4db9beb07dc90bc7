"""The STRESS-DES checklist (Monks et al., 2019): its 20 items, where the report answers each, and how completely."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

State = Literal["given", "partly", "missing"]


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
    measured = payload.get("calibration") is not None
    no_data = "nothing was measured: calibrate the scenario with a log"
    return (
        Item("1.1", "Purpose of the model", "1, 2", *_given(question["note"], "the version has no note that says why")),
        Item("1.2", "Model outputs", "2, 7", "given"),
        Item("1.3", "Aims of the experimentation", "2, 9", *_given(aims, "no objective, sweep or experiment")),
        Item("2.1", "Overview diagram of the base model", "3", *_given(payload["servers"], "not recorded when saved")),
        Item("2.2", "Logic of the base model", "3, 11", "given"),
        Item("2.3", "Logic of the scenarios", "2, 7", "given"),
        Item("2.4", "Algorithms", "3, 11", "given"),
        Item("2.5", "Components: entities, activities, resources, queues, entry and exit", "3, 4", "given"),
        Item("3.1", "Data sources", "4", *_given(measured, no_data)),
        Item("3.2", "Pre-processing of data", "4", *_given(measured, no_data)),
        Item("3.3", "Input parameters", "3, 4, 12", "given"),
        Item("3.4", "Assumptions", "5", "given"),
        Item("4.1", "Initialisation", "11", "given"),
        Item("4.2", "Run length", "11, 12", "given"),
        Item("4.3", "Estimation approach", "11", "given"),
        Item("5.1", "Software", "12", "given"),
        Item("5.2", "Random sampling", "11", "given"),
        Item("5.3", "Model execution", "11, 12", "given"),
        Item("5.4", "System specification", "12", "partly", _hardware(made)),
        Item("6.1", "Computer model sharing statement", "12", "given"),
    )


def _given(there: object, lacking: str) -> tuple[State, str]:
    return ("given", "") if there else ("missing", lacking)


def _hardware(made: Mapping[str, Any]) -> str:
    seconds = made["timings"].get("total")
    time = f"run time {seconds:g} s; " if seconds is not None else ""
    return f"{time}hardware is not recorded: the numbers do not depend on it"
