"""How far a scenario can be believed, and what that rests on."""

from dataclasses import replace
from typing import Any

import pytest

from simulations.pipeline.telemetry.fitting.fit import Concurrency, Dependence, QueueFit, Value
from simulations.pipeline.telemetry.fitting.holdout import FEWEST, Check, _judged
from simulations.pipeline.telemetry.fitting.verdict import BACK_TESTED, NOT_VALIDATED, TODAY, Verdict, verdict_of
from tests.telemetry import fit_of

SHARP = [1.0, 1.01, 0.99, 1.0, 1.0]


def checks(busiest: float | None = None, observed: float = 1.0) -> list[Check]:
    made = [_judged("orders", kind, "latency.p95", SHARP, FEWEST, 1.0) for kind in ("replayed", "generated")]
    if busiest is not None:
        made.append(replace(_judged("orders", "busiest", "latency.p95", SHARP, FEWEST, observed), load=busiest))
    return made


def judged(made: list[Check], *, steep: float = 0.05, **more: Any) -> Verdict:
    fit: QueueFit = replace(fit_of(), **more)
    return verdict_of(made, [fit], lambda load, spread: steep)


def test_without_a_busier_stretch_the_verdict_is_about_the_load_of_the_log() -> None:
    found = judged(checks())
    assert (found.kind, found.reach) == (TODAY, 1.0)
    assert "no busier stretch tells more, and beyond it nothing is validated" in found.scope
    assert "service times and threads stay as they are" in found.assumption


def test_a_busy_stretch_that_was_foretold_extends_it() -> None:
    found = judged(checks(1.46))
    assert (found.kind, found.reach) == (BACK_TESTED, 1.46)
    assert found.title == "Validated by back-testing up to 1.46 times the load of the log"


def test_a_busy_stretch_that_was_not_foretold_revokes_it() -> None:
    found = judged(checks(1.46, observed=2.0))
    assert (found.kind, found.reach, found.scope) == (NOT_VALIDATED, 0.0, "")
    assert judged([]).kind == NOT_VALIDATED


def test_near_saturation_it_does_not_reach_so_far() -> None:
    found = judged(checks(1.46), steep=0.2)
    assert (found.kind, found.reach) == (TODAY, 1.0)
    assert "at 1.46 times as much, errors as small" in found.scope


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"dependence": Dependence(1.4, 0.02, "deliveries take 1.4 times as long")}, "but at orders deliveries"),
        ({"concurrency": Concurrency(6, limited=False, share=0.0, starts=0)}, "6 threads at orders, the most seen"),
    ],
)
def test_what_the_log_speaks_against_or_does_not_show_is_named(more: dict[str, Any], named: str) -> None:
    found = judged(checks(1.46), **more)
    assert (found.kind, found.reach) == (TODAY, 1.0)
    assert named in found.assumption


def test_the_uncertainty_of_the_work_offered_decides_what_is_steep() -> None:
    asked = []

    def steep(load: float, spread: float) -> float:
        asked.append((load, spread))
        return 0.0

    verdict_of(checks(1.5), [replace(fit_of(), service_mean=Value(1.0, 0.97, 1.03, "s"))], steep)
    rate = fit_of().arrivals
    half = (rate.high - rate.low) / 2 / rate.rate
    ((load, spread),) = asked
    assert load == 1.5
    assert spread == pytest.approx((half**2 + 0.03**2) ** 0.5)
