"""How far a calibrated scenario can be believed: at the load of the log, at more of it, or not at all."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from simulations.pipeline.telemetry.fitting.fit import QueueFit
from simulations.pipeline.telemetry.fitting.holdout import NEAR, Check
from simulations.pipeline.telemetry.fitting.spec import Work

NOT_VALIDATED, TODAY, BACK_TESTED = "not_validated", "today", "back_tested"
USUAL = "that service times and threads stay as they are and that all rates grow alike"


@dataclass(frozen=True)
class Verdict:
    """``reach``: the load up to which it holds, relative to the mean rate of the log; 0 where nothing is validated.

    ``kind``: not_validated; today: validated at the load of the log; back_tested: at more of it, by its busier hours.
    ``title`` and ``scope`` say it in words; ``assumption``: what a prediction of more load rests on.
    """

    kind: str
    reach: float
    title: str
    scope: str
    assumption: str


def verdict_of(checks: Sequence[Check], fits: Sequence[Work], steep: Callable[[float, float], float]) -> Verdict:
    """Return the verdict. ``steep``: by how much the prediction at a load moves when the load differs so much."""
    assumption = next((found for fit in fits if (found := _weakest(fit))), "")
    carried = f"A prediction of more load assumes {assumption or USUAL}."
    if not checks or any(check.contradicts for check in checks):
        return Verdict(NOT_VALIDATED, 0.0, "Not validated", "", carried)
    reach = min((check.load for check in checks if check.kind == "busiest" and check.validated), default=1.0)
    if reach == 1.0:
        why = "no busier stretch tells more"
    elif assumption:
        why = "the assumption below does not stand"
    elif steep(reach, max(_uncertainty(fit) for fit in fits)) > NEAR:
        why = f"at {reach:.3g} times as much, errors as small as those of the fit move the answer by more than 10 %"
    else:
        scope = f"This holds up to {reach:.3g} times the mean rate of the log: beyond it nothing is validated."
        title = f"Validated by back-testing up to {reach:.3g} times the load of the log"
        return Verdict(BACK_TESTED, reach, title, scope, carried)
    scope = f"This holds for the load of the log: {why}, and beyond it nothing is validated."
    return Verdict(TODAY, 1.0, "Validated at the load of the log", scope, carried)


def _weakest(fit: Work) -> str:
    """What more load rests on although the log speaks against it, or does not show it; empty where there is nothing."""
    if isinstance(fit, QueueFit) and fit.dependence:
        return f"that service times do not change with the load; but at {fit.name} {fit.dependence.sentence}"
    if not fit.concurrency.limited:
        return f"{fit.concurrency.threads} threads at {fit.name}, the most seen busy: nothing was seen waiting for one"
    return ""


def _uncertainty(fit: Work) -> float:
    """Half the interval of the work offered, relative."""
    rate, mean = fit.arrivals, fit.service_mean
    time = (mean.high - mean.low) / mean.value if mean.high is not None and mean.low is not None else 0.0
    return math.hypot((rate.high - rate.low) / rate.rate, time) / 2
