"""Rows of the scenario table, on the page and as CSV, and what differs between two versions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import get_annotations
from operator import itemgetter
from typing import Any

from frontend.scenarios.filters import VERDICTS
from frontend.wording.numbers import is_number, setting_rows, setting_text
from planner import selectors
from planner.answers.choice import SHOWN
from planner.answers.summaries import estimate_read
from planner.models import Run, RunStatus, Scenario, ScenarioVersion
from planner.selectors.scenarios import Answered, Overview, scenario_overviews
from simulations.analysis.estimates import summary
from simulations.analysis.estimates.summary import Estimate
from simulations.declarations.declared import Setting, settings_below
from simulations.declarations.texts import is_below, path_of, step
from simulations.experiment.words import plain
from simulations.platforms import PLATFORMS
from simulations.platforms.shared.queues import QueueParameters
from simulations.scenario.spec import scenario_model

GOES_ON = (RunStatus.RUNNING, RunStatus.PAUSING, RunStatus.PAUSED, RunStatus.CANCELLING)
ENDED_BADLY = (RunStatus.FAILED, RunStatus.CANCELLED)

WIDTH, HEIGHT, EDGE = 88, 26, 4
"""Units of the view box; ``EDGE`` keeps the end marks inside."""


@dataclass(frozen=True)
class Sparkline:
    """A small line of a few numbers: ``points`` of a polyline, the place of the last one, and the words."""

    points: str
    x: float
    y: float
    text: str


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
    answer: summary.Quantity | None
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
    headroom: Mapping[str, Any] | None = None


def scenario_rows(scenarios: Sequence[Scenario], group: str = "") -> tuple[ScenarioRow, ...]:
    """Return the rows of ``scenarios`` in their order, under headings of ``group`` (platform, tags, verdict, none)."""
    overviews = scenario_overviews(scenario_ids=[scenario.pk for scenario in scenarios])
    return tuple(_row(scenario, overviews.get(scenario.pk), group) for scenario in scenarios)


def csv_lines(rows: Iterable[ScenarioRow]) -> list[list[object]]:
    """Return the headings and one line of values per row, of which there is at least one; numbers in base units."""
    lines = [_line(row) for row in rows]
    return [list(lines[0]), *(list(line.values()) for line in lines)]


def shown_differences(before: ScenarioVersion, after: ScenarioVersion) -> list[tuple[str, str, list[str]]]:
    """Return path, title, and both values of what differs between two versions; a dash for no value."""
    differences = selectors.versions_diff(before=before, after=after)
    return setting_rows([before.parsed, after.parsed], {item.path: (item.before, item.after) for item in differences})


def sparkline(
    values: Sequence[tuple[str, float]], unit: str = "s", title: str = "p95 latency by version"
) -> Sparkline | None:
    """Draw numbers with their labels, evenly spaced from the lowest to the highest; None for fewer than two."""
    if len(values) < 2:
        return None
    low, high = min(value for _, value in values), max(value for _, value in values)
    step, reach = (WIDTH - 2 * EDGE) / (len(values) - 1), HEIGHT - 2 * EDGE
    share = [(value - low) / (high - low) if high > low else 0.5 for _, value in values]
    places = [(round(EDGE + step * at, 1), round(EDGE + reach * (1 - part), 1)) for at, part in enumerate(share)]
    text = ", ".join(f"{label} {summary.quantity(value, unit)}" for label, value in values)
    return Sparkline(" ".join(f"{x},{y}" for x, y in places), *places[-1], f"{title}: {text}")


def _row(scenario: Scenario, overview: Overview | None, group: str) -> ScenarioRow:
    run, answers = (overview.newest, overview.answers) if overview else (None, ())
    last = answers[-1] if answers else None
    headline = last.headline if last else {}
    numbers = headline.get("metrics", {})
    estimate = next((estimate_read(numbers[name]) for name in SHOWN if name in numbers), None)
    known = [(item.version, item.headline.get("metrics", {}).get("latency.p95")) for item in answers]
    course = [(f"v{version}", p95["value"]) for version, p95 in sorted(known, key=itemgetter(0)) if p95]
    return ScenarioRow(
        scenario=scenario,
        platform=_platform(scenario),
        setting=_key_setting(scenario.platform, scenario.version.spec),
        answer=summary.estimate_quantity(estimate) if estimate else None,
        estimate=estimate,
        at=", ".join(plain(value) for value in headline.get("overrides", {}).values()),
        unstable=headline.get("status") == "unstable",
        trend=sparkline(course),
        run=run,
        state=_state(run) if run else "",
        stale=bool(last and last.content_hash != scenario.version.content_hash),
        broken=bool(last and run and run.status in ENDED_BADLY),
        verdict=VERDICTS[scenario.verdict] if scenario.verdict else "",
        group=_heading(scenario, group),
        headroom=_headroom(scenario, overview.headroom) if overview and overview.headroom else None,
    )


def _headroom(scenario: Scenario, answered: Answered) -> dict[str, Any] | None:
    """By which factor the arrivals can grow, from the newest search of it; ``version`` where that was another one."""
    factor = answered.headline.get("headroom")
    if factor is None:
        return None
    other = answered.version if answered.content_hash != scenario.version.content_hash else None
    return {"text": factor_text(**factor), "experiment": answered.run_id, "version": other}


def factor_text(carried: float, low: float, high: float | None, missed: float | None) -> str:
    """The factor and half of its interval; below the smallest or above the largest that was tried only a bound."""
    if missed is None:
        return f"≥ {summary.significant(carried)}×"
    if carried == 0:
        return f"< {summary.significant(missed)}×"
    return f"{summary.estimate_text(Estimate(carried, low, high or missed, ''))}×"


def _state(run: Run) -> str:
    """The status, with what is done of a run that goes on."""
    done = run.progress.get("fraction") if run.status in GOES_ON else 0
    return f"{run.status_word} {summary.percent(float(done))}" if done else run.status_word


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
    """The swept setting, else the first of the first queue that is not the default, else its first, with the value. Of
    what names a work manager, the numbers of that one."""
    if platform not in PLATFORMS:
        return ""
    settings, queue = PLATFORMS[platform].queue_parameters, spec["queues"][0]
    path = spec["sweep"][0]["path"] if spec["sweep"] else path_of("queues", queue["name"], "settings")
    names, own = settings.model_fields.keys() - QueueParameters.model_fields.keys(), get_annotations(settings)

    def rank(item: Setting) -> tuple[bool, ...]:
        tells = is_number(item.value) or item.declaration.quantity.names
        return item.value == item.declaration.default, not tells, item.declaration.name not in own

    known = [item for item in _settings_at(platform, spec, path) if item.path == path or item.declaration.name in names]
    if not known:
        return ""
    key = min(known, key=rank)
    row = f"{path_of('servers', queue['server'], 'settings')}.{key.declaration.quantity.names}{step(str(key.value))}"
    acting = [item for item in _settings_at(platform, spec, row) if is_number(item.value)]
    shown = [(item.declaration, item.value) for item in acting or [key]]
    # Symbols stay; a word would say once more what the title counts.
    return ", ".join(f"{it.title} {setting_text(value, it.unit if len(it.unit) < 3 else '1')}" for it, value in shown)


def _settings_at(platform: str, spec: Mapping[str, Any], path: str) -> list[Setting]:
    """The declared values at a path and below it."""
    return [item for item in settings_below(scenario_model(platform), spec, towards=path) if is_below(item.path, path)]


def _line(row: ScenarioRow) -> dict[str, object]:
    scenario, estimate = row.scenario, row.estimate
    return {
        "id": scenario.pk,
        "name": scenario.name,
        "version": scenario.version.number,
        "platform": row.platform,
        "tags": " ".join(scenario.tags),
        "key setting": row.setting,
        "at": row.at,
        "metric value": estimate.value if estimate else "",
        "low": estimate.low if estimate else "",
        "high": estimate.high if estimate else "",
        "unit": estimate.unit if estimate else "",
        "objective": row.verdict,
        "headroom": row.headroom["text"] if row.headroom else "",
        "newest run": row.run.pk if row.run else "",
        "state": row.state,
        "changed since": "yes" if row.stale else "",
        "changed": scenario.updated_at.isoformat(timespec="seconds"),
    }
