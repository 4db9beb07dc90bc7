"""Somebody who asks something newer while a live question of theirs is being answered."""

import pytest

from planner.answers import quick
from planner.web.counters import newest_alone
from simulations.engine.network.model import NetworkSpec


def asks_meanwhile(monkeypatch: pytest.MonkeyPatch, person: int) -> None:
    """From now on a newer question of the person arrives after each question is read, before it is simulated."""
    estimate = quick.expected_events

    def then(network: NetworkSpec) -> float:
        with newest_alone(person):
            return estimate(network)

    monkeypatch.setattr(quick, "expected_events", then)
