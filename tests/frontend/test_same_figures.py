"""One run as page, command output, API answer and report: the same figures everywhere."""

import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from planner import services
from planner.models import Report, Run
from simulations.analysis.estimates.metrics import METRICS
from simulations.scenario.spec import parse
from tests.frontend.conftest import PATH
from tests.frontend.experiments import computed

UNITS = {"µs": 1e-6, "ms": 1e-3, "min": 60.0, "h": 3600.0, "%": 0.01, "kB": 1e3, "MB": 1e6, "GB": 1e9}
"""What one of a unit is worth in the base unit, where that is another."""
FIGURE = re.compile(r"([+−-]?[\d.,]+)(?: ± ([\d.,]+))?(?: ?(%|/s|[A-Za-zµ]+))?")
TITLES = {metric.title: metric.name for metric in METRICS}
Figures = dict[tuple[int, str], str]
"""Point and metric -> value, half-width and unit as they are shown."""


class Everywhere(NamedTuple):
    """The texts of one run: pages of its points, output of the command, its JSON, the API's, the report's two forms."""

    pages: list[str]
    table: str
    printed: dict[str, Any]
    answered: list[dict[str, Any]]
    report: str
    frozen: dict[str, Any]
    compared: str


class Tables(HTMLParser):
    """The tables of a page as rows of texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[list[list[str]]] = []
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.found.append([])
        elif tag == "tr":
            self.found[-1].append([])
        elif tag in ("td", "th"):
            self.found[-1][-1].append("")
            self.inside = True
        elif tag == "br" and self.inside:
            self.found[-1][-1][-1] += "\n"

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found[-1][-1][-1] += data


@pytest.fixture
def everywhere(person: Client, owner: User, body: dict[str, Any], tmp_path: Path) -> Everywhere:
    """A sweep of two points with objectives that both meet, the first at the scenario's own setting."""
    body["sweep"] = [{"path": PATH, "values": [18, 24]}]
    body["queues"][0]["settings"]["maximum_sessions"] = 18
    body["queues"][0]["arrivals"]["rate"] = 64
    body["run"]["replications"] = {"min": 8, "max": 8}
    body["objectives"] = [
        {"metric": "latency.p95", "at_most": "1min"},
        {"metric": "gate.blocked_fraction", "at_most": "100%"},
    ]
    version = services.scenario_store(owner=owner, spec=parse(body)).version
    run = computed(services.run_start(version=version, owner=owner).run)
    person.post(f"/runs/{run.pk}/report/", {"title": "The same"})
    report = Report.objects.get()
    file = tmp_path / "scenario.yaml"
    file.write_text(yaml.safe_dump(body))
    return Everywhere(
        pages=[_text(person, f"/runs/{run.pk}/?point={point}") for point in range(2)],
        table=_printed(file),
        printed=json.loads(_printed(file, "--json")),
        answered=_answered(person, run),
        report=_text(person, f"/reports/{report.pk}/"),
        frozen=json.loads(_text(person, f"/reports/{report.pk}/data.json")),
        compared=_text(person, f"/compare/?id={run.pk}:0&id={run.pk}:1"),
    )


def _text(person: Client, address: str) -> str:
    answer = person.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def _printed(file: Path, *options: str) -> str:
    output = StringIO()
    call_command("simulate", str(file), *options, stdout=output)
    return output.getvalue()


def _answered(person: Client, run: Run) -> list[dict[str, Any]]:
    found = json.loads(_text(person, f"/api/v1/runs/{run.pk}/results"))
    assert found["result_hash"] == run.result_hash
    return [item["point"] for item in found["points"]]


def _untried(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The points without what cures do: the command tries them when it prints, stored answers do not."""
    rest = [
        [{key: value for key, value in item.items() if key not in ("trial", "offered")} for item in point["findings"]]
        for point in points
    ]
    return [{**point, "findings": findings, "claims": []} for point, findings in zip(points, rest, strict=True)]


def test_every_json_has_the_same_numbers(everywhere: Everywhere) -> None:
    assert everywhere.printed["result_hash"] == everywhere.frozen["reproduction"]["result_hash"]
    assert _untried(everywhere.printed["points"]) == _untried(everywhere.answered)
    kept = [dict(_numbers(point["summary"])) for point in everywhere.frozen["points"]]
    assert kept == [dict(_numbers(point)) for point in everywhere.answered]
    assert {"orders", "payments"} <= {place for numbers in kept for _, place, _ in numbers}
    changes = everywhere.frozen["changes"]
    differences = everywhere.answered[1]["differences"]
    assert (changes["baseline"], set(changes["points"])) == (0, {"1"})
    assert {name: _interval(item) for name, item in changes["points"]["1"].items()} == {
        name: _interval(differences[name]) for name in changes["points"]["1"]
    }


def test_every_figure_is_shown_as_the_same_text(everywhere: Everywhere) -> None:
    whole, *parts = [
        _all_numbers(everywhere),
        *map(_points, everywhere.pages),
        _points(everywhere.report),
        _printed_figures(everywhere),
    ]
    numbers = {
        (at, name): item for at, point in enumerate(everywhere.answered) for name, item in point["metrics"].items()
    }
    assert whole.keys() == numbers.keys()
    for figures in parts:
        assert figures
        assert figures == {key: whole[key] for key in figures}
    headline = _headline(everywhere)
    assert headline, "its numbers are in the unit of what they are compared with"
    for key, text in (*whole.items(), *headline.items()):
        _assert_says(text, numbers[key])
    lopsided = [item for item in numbers.values() if _half(item) > 0.6 * (item["ci95"][1] - item["ci95"][0])]
    assert lopsided, "no interval is uneven enough to tell two formulas of the half-width apart"


def test_every_difference_is_shown_as_the_same_text(everywhere: Everywhere) -> None:
    compared, reported = _compared(everywhere.compared), _reported(everywhere.report)
    assert len(compared.keys() & reported.keys()) > 3
    for name, text in (*compared.items(), *reported.items()):
        assert compared.get(name, text) == text
        _assert_says(text, everywhere.answered[1]["differences"][name])


def test_findings_and_their_costs_are_the_same(everywhere: Everywhere) -> None:
    for page, point in zip(everywhere.pages, everywhere.answered, strict=True):
        told = _findings(page)
        found = {item["message"]: item for item in point["findings"] if item["status"] != "not_applicable"}
        assert told.keys() == found.keys()
        assert told
        for message, item in found.items():
            assert item["status"] != "violated" or f"{item['rule']}: {message}" in everywhere.table
            costs = item["cost"] if item["status"] != "ok" else {}
            figures = re.findall(rf"({FIGURE.pattern})[^()]*\((\w+)\)", told[message])
            for (text, *_, origin), estimate in zip(figures, costs.values(), strict=True):
                _assert_says(text, estimate)
                assert origin == estimate["origin"]
    assert _findings(everywhere.report) == _findings(everywhere.pages[everywhere.frozen["choice"]["chosen"]])


def _numbers(summary: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str, str], tuple[Any, ...]]]:
    """Every number of a point by kind of place, place and metric; of a stored one as of one that was answered."""
    places = [("", "", summary["metrics"])]
    places += [(kind, name, metrics) for kind in ("queues", "servers") for name, metrics in summary[kind].items()]
    for kind, place, metrics in places:
        for name, item in metrics.items():
            yield (kind, place, name), (*_interval(item), item["origin"])


def _interval(item: Mapping[str, Any]) -> tuple[Any, ...]:
    low, high = item.get("ci95") or (item["low"], item["high"])
    return item["value"], low, high, item["unit"]


def _half(item: Mapping[str, Any]) -> float:
    value, low, high, _ = _interval(item)
    return float(max(high - value, value - low))


def _all_numbers(everywhere: Everywhere) -> Figures:
    """The table of all numbers of each point's page."""
    return {
        (point, TITLES[title]): text
        for point, page in enumerate(everywhere.pages)
        for table in Tables(page).found
        if table[0] == ["Metric", "Value", "Meaning"]
        for title, text, _ in table[1:]
    }


def _points(page: str) -> Figures:
    """The table of all points, on the page or in the report."""
    table = next(table for table in Tables(page).found if table[0][1] == "State")
    return {
        (point, TITLES[title]): text
        for point, row in enumerate(table[1:])
        for title, text in zip(table[0], row, strict=True)
        if title in TITLES
    }


def _printed_figures(everywhere: Everywhere) -> Figures:
    """The table that the command prints, its columns two blanks apart."""
    header, _, *rows = (re.split(r"\s{2,}", line.strip()) for line in everywhere.table.splitlines()[2:6])
    return {
        (point, name): text
        for point, row in enumerate(rows)
        for name, text in zip(header, row, strict=True)
        if name in TITLES.values()
    }


def _headline(everywhere: Everywhere) -> Figures:
    """The three numbers and the objectives of the report, at the point that it chose."""
    chosen = everywhere.frozen["choice"]["chosen"]
    numbers = re.findall(r'<dt>([^<]*)</dt><dd class="big">([^<]*± [^<]*)</dd>', everywhere.report)
    objectives = next(table for table in Tables(everywhere.report).found if table[0][0] == "Objective")
    numbers += [(row[0], row[2]) for row in objectives[1:]]
    return {(chosen, TITLES[unescape(title)]): unescape(text) for title, text in numbers}


def _compared(page: str) -> dict[str, str]:
    """The differences of the second point to the first on the page that compares them."""
    rows = [(row[0].split("\n")[0], row[2]) for table in Tables(page).found for row in table if len(row) == 3]
    return {TITLES[title]: _first(cell) for title, cell in rows if title in TITLES and "\n" in cell}


def _reported(page: str) -> dict[str, str]:
    """The differences of the second point to the first in the report."""
    header, row = Tables(page.split("<h3>Differences to")[1]).found[0]
    return {TITLES[title]: _first(text) for title, text in zip(header[1:], row[1:], strict=True)}


def _first(text: str) -> str:
    """The figure that a cell begins with."""
    found = FIGURE.match(text.strip())
    assert found, text
    return found[0]


def _findings(page: str) -> dict[str, str]:
    """What each finding says, and what it costs as far as that is told."""
    cards = re.findall(r'<article class="finding.*?</article>', page, re.DOTALL)
    told = {}
    for card in cards:
        message = re.search(r'<p><span class="visually-hidden">[^<]*</span>([^<]*)', card)
        cost = re.search(r'<p class="cost"><strong>([^<]*)</strong>', card)
        assert message
        told[unescape(message[1]).strip()] = unescape(cost[1]) if cost else ""
    return told


def _assert_says(text: str, item: Mapping[str, Any]) -> None:
    """A text says what the number is: the value right to half of its last digit, the half-width rounded up at most."""
    found = FIGURE.search(text)
    assert found, text
    factor = 1.0 if item["unit"] == "%" else UNITS.get(found[3] or "", 1.0)
    for part, number, share in ((found[1], item["value"], 0.501), (found[2] or "0", _half(item), 1.001)):
        digits = part.replace(",", "").replace("−", "-")
        zeros = len(digits) - len(digits.rstrip("0")) if float(digits) and "." not in digits else 0
        last = 10.0 ** (zeros - len(digits.partition(".")[2]))
        assert float(digits) * factor == pytest.approx(number, abs=share * last * factor), text
