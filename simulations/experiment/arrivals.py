"""All arrivals of a scenario made faster or slower by one factor, and what their rates are."""

from typing import Any

from simulations.analysis.theory.laws import arrival_rate
from simulations.declarations.problems import InvalidInput, problem
from simulations.declarations.workload import Saturated
from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Copies
from simulations.scenario.spec import ScenarioSpec, revised


def with_arrivals(spec: ScenarioSpec, factor: float) -> ScenarioSpec:
    """Return the scenario with all arrivals ``factor`` times as fast; a surge gets that many times the messages. Raises
    InvalidInput for a queue that is always full: it has no rate to grow."""
    full = [index for index, queue in enumerate(spec.queues) if isinstance(queue.arrivals, Saturated)]
    if full:
        message = "a queue that is always full has no rate that could grow"
        raise InvalidInput(problem(("queues", index, "arrivals"), message) for index in full)
    bodies = [queue.arrivals.model_dump(mode="json", exclude_none=True) for queue in spec.queues]
    faster = [{key: _scaled(str(body["kind"]), key, value, factor) for key, value in body.items()} for body in bodies]
    return revised(spec.unswept, [(("queues", place, "arrivals"), arrivals) for place, arrivals in enumerate(faster)])


def mean_rate(spec: ScenarioSpec) -> float | None:
    """Return the messages per second that arrive in the long run, or None where a queue has no such rate."""
    rates = [arrival_rate(stream.arrivals) for stream in spec.network().streams if not stream.background]
    known = [rate for rate in rates if rate is not None]
    return sum(known) if len(known) == len(rates) else None


def offered_rate(spec: ScenarioSpec) -> float | None:
    """Return the messages per second for all members, those of a topic at each that gets them; None in a chain."""
    network, mean = spec.network(), mean_rate(spec)
    streams = [stream for stream in network.streams if not stream.background and stream.copies is Copies.PER_INSTANCE]
    again = sum((arrival_rate(stream.arrivals) or 0.0) * (network.receivers(stream) - 1) for stream in streams)
    return None if mean is None or any(stream.sends for stream in network.streams) else mean + again


def peak_rate(spec: ScenarioSpec) -> float | None:
    """Return the highest rate that the arrivals reach by themselves; None where ``mean_rate`` is."""
    if mean_rate(spec) is None:
        return None
    return sum(_highest(stream.arrivals) for stream in spec.network().streams if not stream.background)


def _highest(arrivals: ArrivalSpec) -> float:
    match arrivals.kind:
        case ArrivalKind.ON_OFF:
            return max(arrivals.rate, arrivals.rate_off)
        case ArrivalKind.PROFILE:
            return max(arrivals.rates)
        case _:
            return arrival_rate(arrivals) or 0.0


def _scaled(kind: str, key: str, value: Any, factor: float) -> Any:
    match kind, key:
        case _, "rate" | "on_rate" | "off_rate" | "then":
            return value * factor
        case "surge", "count":
            return max(1, round(value * factor))
        case "periodic_burst", "every":
            return value / factor
        case "profile", "points":
            return [[instant, rate * factor] for instant, rate in value]
        case "counts", "scale":
            return value * factor
        case "trace", "source":
            return [instant / factor for instant in value]
        case "renewal", "interval":
            return {name: _shorter(name, item, factor) for name, item in value.items()}
        case _:
            return value


def _shorter(name: str, value: Any, factor: float) -> Any:
    if name in ("mean", "p50", "p95", "p99"):
        return value / factor
    return [item / factor for item in value] if name == "source" else value
