"""Retries, backouts and recovery of listener ports."""

from typing import Any

import pytest

from simulations.engine.network.model import Exhausted
from tests.simulations.platforms.samples import surge, verdict

SPEC = {"mode": "activation_spec"}


@pytest.mark.parametrize(
    ("settings", "limit", "end"),
    [
        ({}, 1, Exhausted.STOP_STREAM),
        ({"maximum_retries": 5}, 5, Exhausted.STOP_STREAM),
        ({"maximum_retries": 5, "backout_threshold": 3}, 3, Exhausted.DEAD_LETTER),
        ({"maximum_retries": 2, "backout_threshold": 3}, 2, Exhausted.STOP_STREAM),
    ],
)
def test_backout_comes_first_only_below_the_retries(settings: dict[str, Any], limit: int, end: Exhausted) -> None:
    redelivery = surge(**settings).network().streams[0].redelivery
    assert (redelivery.limit, redelivery.exhausted) == (limit, end)


@pytest.mark.parametrize(
    ("changes", "status", "fix"),
    [
        ({}, "ok", {}),
        ({"failure_rate": 0.1}, "violated", {"queue.maximum_retries": 3, "queue.backout_threshold": 3}),
        (
            {"failure_rate": 0.1, "maximum_retries": 5},
            "violated",
            {"queue.maximum_retries": 5, "queue.backout_threshold": 5},
        ),
        ({"failure_rate": 0.1, "maximum_retries": 5, "backout_threshold": 5}, "ok", {}),
        (
            {"poison_rate": 0.1, **SPEC},
            "violated",
            {"queue.stop_if_delivery_fails": False, "queue.backout_threshold": 3},
        ),
        ({**SPEC, "stop_if_delivery_fails": False}, "ok", {}),
        ({"poison_rate": 0.1, **SPEC, "stop_if_delivery_fails": False}, "violated", {"queue.backout_threshold": 3}),
    ],
)
def test_one_bad_message_stops_the_port(changes: dict[str, Any], status: str, fix: dict[str, Any]) -> None:
    assert verdict("websphere", "retries-stop-port", {"queue": changes}) == (status, fix)


@pytest.mark.parametrize(
    ("changes", "status", "fix"),
    [
        ({}, "", {}),
        ({"maximum_retries": 3, "backout_threshold": 3}, "ok", {}),
        ({"maximum_retries": 3, "backout_threshold": 4}, "violated", {"queue.maximum_retries": 4}),
        ({**SPEC, "failure_delivery_count": 3, "backout_threshold": 4}, "ok", {}),
        (
            {**SPEC, "failure_delivery_count": 3, "backout_threshold": 5},
            "violated",
            {"queue.failure_delivery_count": 4},
        ),
    ],
)
def test_a_backout_comes_before_the_port_stops(changes: dict[str, Any], status: str, fix: dict[str, Any]) -> None:
    assert verdict("websphere", "backout-before-retries", {"queue": changes}) == (status, fix)
