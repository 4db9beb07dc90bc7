"""What a page does, for automating it: as curl, as Python and as YAML."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import yaml
from django.http import HttpRequest
from django.urls import reverse

from planner.models import Report, Run, Scenario, ScenarioVersion
from planner.presets.files import presets

TOKEN = "SLUICE_TOKEN"  # noqa: S105 - the name of a variable
PYTHON = Path(__file__).with_name("automation_python.txt").read_text(encoding="utf-8")
"""A call of the API in Python, with places for its parts."""


@dataclass(frozen=True)
class Spelling:
    """One way to say it: its title, what to know before, the text to copy."""

    key: str
    title: str
    note: str
    text: str


def of_scenario(request: HttpRequest, scenario: Scenario, version: ScenarioVersion) -> tuple[Spelling, ...]:
    """Return how to run this version of the scenario."""
    url = _url(request, "api:scenario-runs", scenario.pk)
    file = _file("manage.py simulate scenario.yaml computes it without the pages.", version.spec)
    return (*_calls("POST", url, {"version": version.number}), file)


def of_run(request: HttpRequest, run: Run) -> tuple[Spelling, ...]:
    """Return how to read the results of a run, and the scenario that gave them."""
    file = _file("manage.py simulate scenario.yaml gives the same numbers.", run.spec)
    return (*_calls("GET", _url(request, "api:results-json", run.pk)), file)


def of_question(request: HttpRequest, version: ScenarioVersion, question: Mapping[str, Any]) -> tuple[Spelling, ...]:
    """Return how to ask the question of an experiment."""
    asked = {"scenario": version.scenario_id, "version": version.number, **question}
    file = _file("The question alone; its answer is the same every time.", question)
    return (*_calls("POST", _url(request, "api:experiments"), asked), file)


def of_comparison(request: HttpRequest, subjects: list[str], baseline: int) -> tuple[Spelling, ...]:
    """Return how to compare the same subjects."""
    asked = {"subjects": subjects, "baseline": baseline}
    return (*_calls("POST", _url(request, "api:comparisons"), asked), _file("What is compared with what.", asked))


def of_report(request: HttpRequest, report: Report) -> tuple[Spelling, ...]:
    """Return how to read a report, and the scenario that it is about."""
    spec = report.payload["reproduction"]["spec"]
    file = _file("manage.py simulate scenario.yaml gives the numbers of the report.", spec)
    return (*_calls("GET", _url(request, "api:report-json", report.pk)), file)


def of_scenarios(request: HttpRequest, *, search: str, platform: str, archived: bool) -> tuple[Spelling, ...]:
    """Return how to list the same scenarios, and a file that makes one."""
    asked = {"search": search, "platform": platform, "archived": "true" if archived else ""}
    query = urlencode({name: value for name, value in asked.items() if value})
    url = _url(request, "api:scenarios") + (f"?{query}" if query else "")
    first = presets()[0].spec.body()
    return (*_calls("GET", url), _file("A scenario to start from; the API and manage.py simulate take it.", first))


def of_list(request: HttpRequest, name: str) -> tuple[Spelling, ...]:
    """Return how to read one of the plain lists of the API."""
    return _calls("GET", _url(request, name))


def of_operation(request: HttpRequest, method: str, path: str, operation: Mapping[str, Any]) -> tuple[Spelling, ...]:
    """Return how to call an operation of the OpenAPI document, with the first example of its body."""
    media = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    body: Any = next((example["value"] for example in media.get("examples", {}).values()), {} if media else None)
    return _calls(method.upper(), request.build_absolute_uri("/").rstrip("/") + path, body)


def _url(request: HttpRequest, name: str, *values: str) -> str:
    return request.build_absolute_uri(reverse(name, args=values))


def _calls(method: str, url: str, body: Mapping[str, Any] | None = None) -> tuple[Spelling, ...]:
    sent = [] if body is None else ["-H 'Content-Type: application/json'", f"-d {shlex.quote(json.dumps(body))}"]
    curl = [f"curl -X {method} {shlex.quote(url)}", f'-H "Authorization: Bearer ${TOKEN}"', *sent]
    data = "None" if body is None else f"json.dumps({body!r}).encode()"
    note = f"{TOKEN} holds a token of yours."
    return (
        Spelling("curl", "curl", note, " \\\n  ".join(curl) + "\n"),
        Spelling("python", "Python", note, PYTHON.format(url=url, method=method, data=data, token=TOKEN)),
    )


def _file(note: str, body: Mapping[str, Any]) -> Spelling:
    return Spelling("yaml", "YAML", note, yaml.safe_dump(dict(body), sort_keys=False, allow_unicode=True))
