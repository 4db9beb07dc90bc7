"""Rows of the scenario table: name, platform, key setting, the newest answer and the answers before."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontend.scenarios.filters import VERDICTS
from frontend.scenarios.sparkline import Sparkline, sparkline
from frontend.wording.numbers import plain, setting_text
from planner.answers.headlines import SHOWN
from planner.answers.summaries import estimate_read
from planner.models import Run, RunStatus, Scenario
from planner.selectors.overview import Answered, Overview, scenario_overviews
from simulations.analysis.estimates.quantities import Quantity, estimate_quantity, estimate_text, percent, significant
from simulations.analysis.estimates.summary import Estimate
from simulations.declarations.parameters import parameters_of
from simulations.declarations.path_text import is_below, last_key, path_of
from simulations.platforms import PLATFORMS

SHARED = ("failure_rate", "poison_rate", "downstream")
"""Settings that every platform's queues have."""
GOES_ON = (RunStatus.RUNNING, RunStatus.PAUSING, RunStatus.PAUSED, RunStatus.CANCELLING)
ENDED_BADLY = (RunStatus.FAILED, RunStatus.CANCELLED)


@dataclass(frozen=True)
class ScenarioRow:
    """One line of the table.

    ``answer`` is that of the newest run that succeeded, ``at`` the value of the swept setting it is for, ``estimate``
    the same with its interval; ``stale``: the scenario was changed since. ``run`` is the newest run, whatever became
    of it; ``broken``: it failed, and the answer is an older one. ``group`` is the heading that the row stands under.
    """

    scenario: Scenario
    platform: str
    setting: str
    answer: Quantity | None
    estimate: Estimate | None
    at: str
    unstable: bool
    trend: Sparkline | None
    run: Run | None
    state: str
    stale: bool
    broken: bool
    verdict: str
    group: str
    headroom: "HeadroomShown | None" = None


@dataclass(frozen=True)
class HeadroomShown:
    """By which factor the arrivals can grow, from the newest search of it; ``version`` where that was another one."""

    text: str
    experiment: str
    version: int | None


def scenario_rows(scenarios: Sequence[Scenario], group: str = "") -> tuple[ScenarioRow, ...]:
    """Return the rows of ``scenarios`` in their order, under headings of ``group`` (platform, tags, verdict, none)."""
    overviews = scenario_overviews(scenario_ids=[scenario.pk for scenario in scenarios])
    return tuple(_row(scenario, overviews.get(scenario.pk), group) for scenario in scenarios)


def _row(scenario: Scenario, overview: Overview | None, group: str) -> ScenarioRow:
    run, answers = (overview.newest, overview.answers) if overview else (None, ())
    last = answers[-1] if answers else None
    headline = last.headline if last else {}
    numbers = headline.get("metrics", {})
    estimate = next((estimate_read(numbers[name]) for name in SHOWN if name in numbers), None)
    return ScenarioRow(
        scenario=scenario,
        platform=_platform(scenario),
        setting=_key_setting(scenario.platform, scenario.version.spec),
        answer=estimate_quantity(estimate) if estimate else None,
        estimate=estimate,
        at=", ".join(plain(value) for value in headline.get("overrides", {}).values()),
        unstable=headline.get("status") == "unstable",
        trend=sparkline(list(_course(answers))),
        run=run,
        state=_state(run) if run else "",
        stale=bool(last and last.content_hash != scenario.version.content_hash),
        broken=bool(last and run and run.status in ENDED_BADLY),
        verdict=VERDICTS[scenario.verdict] if scenario.verdict else "",
        group=_heading(scenario, group),
        headroom=_headroom(scenario, overview.headroom) if overview and overview.headroom else None,
    )


def _headroom(scenario: Scenario, told: Answered) -> HeadroomShown | None:
    found = told.headline.get("headroom")
    if found is None:
        return None
    other = told.version if told.content_hash != scenario.version.content_hash else None
    return HeadroomShown(factor_text(**found), told.run_id, other)


def factor_text(carried: float, low: float, high: float | None, missed: float | None) -> str:
    """The factor and half of its interval; below the smallest or above the largest that was tried only a bound."""
    if missed is None:
        return f"≥ {significant(carried)}×"
    if carried == 0:
        return f"< {significant(missed)}×"
    return f"{estimate_text(Estimate(carried, low, high or missed, ''))}×"


def _course(answers: Sequence[Answered]) -> Iterator[tuple[int, float]]:
    """The 95 % latency by version, in the order of the versions."""
    for item in sorted(answers, key=lambda item: item.version):
        p95 = item.headline.get("metrics", {}).get("latency.p95")
        if p95:
            yield item.version, p95["value"]


def _state(run: Run) -> str:
    """The status, with what is done of a run that goes on."""
    if run.status in GOES_ON and run.progress.get("fraction"):
        return f"{run.status} {percent(float(run.progress['fraction']))}"
    return str(run.status)


def _platform(scenario: Scenario) -> str:
    return PLATFORMS[scenario.platform].title if scenario.platform in PLATFORMS else scenario.platform


def _heading(scenario: Scenario, group: str) -> str:
    headings = {
        "platform": _platform(scenario),
        "tags": ", ".join(scenario.tags) or "without a tag",
        "verdict": f"objective {VERDICTS[scenario.verdict or 'none']}",
    }
    return headings.get(group, "")


def _key_setting(platform: str, spec: Mapping[str, Any]) -> str:
    """The swept setting, else the first of the first queue that is not as always, else its first, with the value."""
    queue = spec["queues"][0]
    path = spec["sweep"][0]["path"] if spec["sweep"] else ""
    named = is_below(path, path_of("queues", queue["name"], "settings"))
    family, settings = PLATFORMS.get(platform), queue["settings"]
    declared = {item.name: item for item in parameters_of(family.queue_parameters)} if family else {}
    own = [name for name in declared if name in settings and name not in SHARED]
    changed = [name for name in own if settings[name] != declared[name].default]
    key = last_key(path) if named else next(iter([*changed, *own]), "")
    found = declared.get(key)
    return f"{found.title} {setting_text(settings[key], found.unit)}" if found and key in settings else ""
