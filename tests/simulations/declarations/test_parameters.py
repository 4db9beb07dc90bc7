"""A parameter is declared once; what every consumer needs is derived from it."""

from typing import Annotated, Literal

import pytest
from pydantic import Field, ValidationError

from simulations.declarations.parameters import (
    PlatformParameters,
    Quantity,
    addresses_of,
    changed,
    held_by,
    labeled,
    parameters_of,
)
from simulations.declarations.units import Duration


class Example(PlatformParameters):
    """One parameter of each kind."""

    count: Annotated[int, Field(ge=1, le=9), Quantity("threads", source="Manual: count", native="n", sweep=True)] = 2
    """How many there are."""
    wait: Annotated[Duration, Quantity("s", source="Manual: wait", title="Waiting time")] = 0.5
    mode: Annotated[Literal["a", "b"] | None, Quantity("1", source="Manual: mode")] = None
    on: Annotated[bool, Quantity("1", source="Manual: on", trust="unverified")] = True
    size: Annotated[Annotated[int, Field(ge=0)] | None, Quantity("B", source="Manual: size")] = None
    needed: Annotated[str, Quantity("1", source="Manual: needed")]
    plain: int = 1


def test_declarations_carry_kind_limits_default_and_meaning() -> None:
    found = {item.name: item for item in parameters_of(Example)}
    assert "plain" not in found, "without a Quantity a field is no parameter"
    assert [item.kind for item in found.values()] == ["integer", "number", "choice", "boolean", "integer", "text"]
    count = found["count"]
    assert (count.minimum, count.maximum, count.default, count.meaning) == (1, 9, 2, "How many there are.")
    assert (count.title, found["wait"].title, count.quantity.sweep) == ("Count", "Waiting time", True)
    assert (found["wait"].minimum, found["wait"].maximum) == (0, 1e9)
    assert found["mode"].choices == ("a", "b")
    assert (found["needed"].required, found["needed"].default) == (True, None)
    assert found["on"].quantity.trust == "unverified"


def test_a_unit_must_be_declared() -> None:
    with pytest.raises(ValueError, match="furlong"):
        Quantity("furlong", source="Manual: length")


def test_values_are_immutable_and_changes_are_validated_again() -> None:
    value = Example(needed="x")
    with pytest.raises(ValidationError):
        value.count = 3  # type: ignore[misc]
    assert changed(value, {"count": 3}).count == 3
    with pytest.raises(ValidationError):
        changed(value, {"count": 10})
    with pytest.raises(ValidationError):
        changed(value, {"cuont": 3})


at_pool = held_by("Manual of pools", "bean/pool", doubt="the default", factor=1000)
at_port = held_by("Manual of ports", "port", labeled)


class Held(PlatformParameters):
    """Settings of two objects, and one of none."""

    pause: Annotated[Duration, at_pool("s", "pause-ms", (0, 9))] = 0.5
    size: Annotated[int, at_pool("B", "size", factor=1, doubt="the range")] = 1
    sessions: Annotated[int, at_port("sessions", "maxSessions", title="Maximum sessions")] = 1
    own: Annotated[int, Quantity("1", "Manual")] = 1


def test_settings_of_one_object_share_its_document_and_are_found_by_their_addresses() -> None:
    pause, size, sessions, _ = parameters_of(Held)
    assert addresses_of(Held, "bean") == {("pool", "pause-ms"): pause, ("pool", "size"): size}
    assert addresses_of(Held, "bean/pool") == {("pause-ms",): pause, ("size",): size}
    assert addresses_of(Held, "port") == {("maxSessions",): sessions}
    assert addresses_of(Held, "po") == {}
    assert (pause.quantity.source, pause.quantity.factor, pause.quantity.trust) == (
        "Manual of pools: pause-ms; the default was not confirmed",
        1000,
        "unverified",
    )
    assert (size.quantity.source, size.quantity.factor) == ("Manual of pools: size; the range was not confirmed", 1)
    assert sessions.quantity.source == "Manual of ports: Maximum sessions"
    assert (pause.title, pause.typical, sessions.title) == ("Pause", (0, 9), "Maximum sessions")
