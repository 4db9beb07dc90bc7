"""The check of a fit: what is compared, and when it is called validated."""

import numpy as np
import pytest

from simulations.pipeline.spark.executors import Cancelled
from simulations.pipeline.telemetry.fitting.holdout import (
    FEWEST,
    Check,
    Look,
    Observed,
    _judged,
    checks_of,
    steepness,
)
from simulations.scenario.spec import parse
from tests.scenarios import listener_port


@pytest.mark.parametrize(
    ("values", "observed", "verdict", "reason"),
    [
        ([1.0, 1.01, 0.99, 1.0, 1.0], 1.05, "Validated", ""),
        ([1.0, 1.01, 0.99, 1.0, 1.0], 1.2, "Not validated", "the difference is above 10 %"),
        (
            [0.5, 1.5, 1.0, 0.7, 1.3],
            1.0,
            "Not validated",
            "500 messages are too few to tell; at this load it takes",
        ),
    ],
)
def test_a_prediction_must_be_near_and_sharp(values: list[float], observed: float, verdict: str, reason: str) -> None:
    found = _judged("orders", "replayed", "latency.p95", values, FEWEST, observed)
    assert found.validated == (verdict == "Validated")
    assert found.sentence.startswith(f"{verdict}: predicted p95")
    assert reason in found.sentence
    assert found.low is not None
    assert found.high is not None
    assert found.low < np.mean(values) < found.high
    assert found.deviation == pytest.approx(np.mean(values) / observed - 1)


@pytest.mark.parametrize(
    ("values", "messages", "reason"),
    [
        ([1.0] * 9, FEWEST - 1, "too few to compare a mean wait; at this load it takes a log of about 750"),
        ([1.0] * 4, FEWEST, "grew beyond what can be held"),
    ],
)
def test_what_cannot_be_compared_is_not_validated(values: list[float], messages: int, reason: str) -> None:
    found = _judged("orders", "generated", "wait.mean", values, messages, 1.0)
    assert (found.validated, found.predicted, found.deviation) == (False, None, None)
    assert reason in found.sentence


def test_both_predictions_are_made_of_every_queue_from_the_work_that_was_seen() -> None:
    spec = parse(listener_port("Checked", run={"horizon": {"messages": 1000}}))
    asked: list[tuple[str, int]] = []

    def look(item: str, most: int) -> Look:
        asked.append((item, most))
        part = Observed(1000, {"service.mean": 0.2})
        return Look(np.arange(1000) / 60.0, part, Observed(1000, {"wait.mean": 100.0}))

    found = checks_of(spec, {"orders": "mine", "others": "theirs"}, look, should_stop=lambda: False)
    assert asked == [("mine", 200_000)]
    assert [(check.kind, check.metric) for check in found] == [("replayed", "service.mean"), ("generated", "wait.mean")]
    assert found[0].predicted == pytest.approx(0.2, rel=0.1)
    assert not found[1].validated


def test_a_check_that_is_to_stop_compares_nothing() -> None:
    spec = parse(listener_port("Stopped", run={"horizon": {"messages": 1000}}))
    seen = Observed(1000, {"latency.p95": 1.0})
    with pytest.raises(Cancelled):
        checks_of(spec, {"orders": 0}, lambda *_: Look(np.arange(9.0), seen, seen), should_stop=lambda: True)


def test_the_busiest_stretch_is_replayed_and_says_up_to_which_load_the_scenario_holds() -> None:
    spec = parse(listener_port("Busy", run={"horizon": {"messages": 1000}}))
    part = Observed(1000, {"service.mean": 0.2})
    stretch = np.arange(600) / 90.0

    def look(*_: object) -> Look:
        return Look(np.arange(1000) / 60.0, part, part, (stretch, Observed(600, {"service.mean": 0.2})), 1.5)

    found = checks_of(spec, {"orders": 0}, look, should_stop=lambda: False)
    assert [(check.kind, check.load) for check in found] == [("replayed", 1.0), ("generated", 1.0), ("busiest", 1.5)]
    assert all(check.validated for check in found)
    assert "the busiest stretch of the held-out part" in found[2].sentence


def _check(kind: str, values: list[float], observed: float) -> Check:
    return _judged("orders", kind, "latency.p95", values, FEWEST, observed)


def test_an_uncertain_busiest_stretch_contradicts_nothing() -> None:
    uncertain = [0.5, 1.5, 1.0, 0.7, 1.3]
    assert _check("replayed", uncertain, 1.0).contradicts
    assert not _check("busiest", uncertain, 1.0).contradicts
    assert _check("busiest", [1.0, 1.01, 0.99, 1.0, 1.0], 2.0).contradicts


def test_an_interval_of_a_time_begins_at_zero() -> None:
    assert _check("replayed", [0.1, 9.0, 0.1, 0.1, 0.1], 1.0).low == 0.0


def test_a_prediction_near_saturation_is_steep() -> None:
    spec = parse(listener_port("Steep", run={"horizon": {"messages": 20_000}}))

    def never() -> bool:
        return False

    calm, full = (steepness(spec, load, 0.03, never) for load in (0.7, 1.4))
    assert abs(calm) < 0.1 < full
