"""Somebody who asks something newer while a live question of theirs is being answered."""

import pytest

from planner.answers import quick
from planner.web.counters import newest_alone
from simulations.engine.network.model import NetworkSpec
from simulations.pipeline.work import expected_events


def asks_meanwhile(monkeypatch: pytest.MonkeyPatch, person: int) -> None:
    """From now on a newer question of the person arrives after each question is read, before it is simulated."""

    def then(network: NetworkSpec) -> float:
        with newest_alone(person):
            return expected_events(network)

    monkeypatch.setattr(quick, "expected_events", then)
