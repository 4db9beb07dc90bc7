"""Rows of the scenario table: name, platform, key setting and the newest answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontend.wording import Quantity, estimate_quantity, plain, setting_text
from planner.models import Scenario
from planner.selectors.overview import Headline, NewestRun, newest_runs
from simulations.analysis.summary import Estimate
from simulations.parameters import parameters_of
from simulations.platforms import PLATFORMS


@dataclass(frozen=True)
class ScenarioRow:
    """One line of the table.

    ``stale``: the scenario was changed since its newest run. ``verdict`` on the objective for the 95 % latency:
    met, missed, not resolved (the interval holds the bound), or nothing without an objective or an answer.
    """

    scenario: Scenario
    platform: str
    setting: str
    answer: Quantity | None
    at: str
    run: Any
    state: str
    stale: bool
    verdict: str


def scenario_rows(scenarios: Sequence[Scenario]) -> tuple[ScenarioRow, ...]:
    """Return the rows of ``scenarios`` in their order."""
    newest = newest_runs(scenario_ids=[scenario.pk for scenario in scenarios])
    return tuple(_row(scenario, newest.get(scenario.pk)) for scenario in scenarios)


def _row(scenario: Scenario, newest: NewestRun | None) -> ScenarioRow:
    spec = scenario.version.spec
    headline = _chosen(newest.points, spec) if newest else None
    return ScenarioRow(
        scenario=scenario,
        platform=PLATFORMS[scenario.platform].title if scenario.platform in PLATFORMS else scenario.platform,
        setting=_key_setting(scenario.platform, spec),
        answer=_answer(headline),
        at=", ".join(plain(value) for value in headline.overrides.values()) if headline else "",
        run=newest.run if newest else None,
        state=newest.run.status if newest else "",
        stale=bool(newest and newest.run.version.content_hash != scenario.version.content_hash),
        verdict=_verdict(headline, spec),
    )


def _key_setting(platform: str, spec: Mapping[str, Any]) -> str:
    """The swept setting, else the first setting of the first queue, with its value."""
    queue = spec["queues"][0]
    path = spec["sweep"][0]["path"] if spec["sweep"] else ""
    named = path.startswith(f"queues.{queue['name']}.settings.")
    key = path.rsplit(".", 1)[-1] if named else next(iter(_own(queue["settings"])), "")
    declared = PLATFORMS[platform].queue_parameters if platform in PLATFORMS else None
    known = next((item for item in parameters_of(declared) if item.name == key), None) if declared else None
    return f"{known.title} {setting_text(queue['settings'][key], known.unit)}" if known else ""


def _own(settings: Mapping[str, Any]) -> list[str]:
    return [name for name in settings if name not in ("failure_rate", "poison_rate", "downstream")]


def _chosen(points: Sequence[Headline], spec: Mapping[str, Any]) -> Headline | None:
    """The point at the scenario's own setting, else the one with the lowest p95, else any."""
    if not points:
        return None
    own = [point for point in points if _is_own(point, spec)]
    rated = sorted((point for point in points if point.p95), key=lambda point: (point.p95 or {})["value"])
    return next(iter([*own, *rated, *points]))


def _is_own(point: Headline, spec: Mapping[str, Any]) -> bool:
    queues = {queue["name"]: queue for queue in spec["queues"]}
    for path, value in point.overrides.items():
        part, name, *rest = path.split(".")
        held: Any = queues.get(name, {}) if part == "queues" else {}
        for key in rest:
            held = held.get(key) if isinstance(held, Mapping) else None
        if held != value:
            return False
    return True


def _verdict(headline: Headline | None, spec: Mapping[str, Any]) -> str:
    bounds = [
        item["at_most"]
        for item in spec["objectives"]
        if item["metric"] == "latency.p95" and item.get("at_most") is not None and not item.get("queue")
    ]
    if headline is None or not bounds:
        return ""
    bound = min(bounds)
    if not headline.p95:
        return "missed"
    if headline.p95["low"] <= bound <= headline.p95["high"]:
        return "not resolved"
    return "met" if headline.p95["value"] <= bound else "missed"


def _answer(headline: Headline | None) -> Quantity | None:
    if headline is None:
        return None
    estimate = headline.p95 or headline.throughput
    return estimate_quantity(Estimate(**{**estimate})) if estimate else None
