"""How often a page asks the database: a number that does not depend on how much there is to show."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, cast

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, reverse
from django.utils import timezone

from frontend.urls import urlpatterns
from planner import services
from planner.configuration.importing import configuration_read
from planner.jobs.execute import run_finish, run_points_save
from planner.models import Run, Scenario, Team, Webhook
from planner.models.report import secret_digest
from planner.models.team import Invitation
from planner.presets.files import presets
from planner.selectors import run_points
from simulations.scenario.spec import parse
from tests.calibrations import waiting
from tests.claims import taken

QUERIES = {
    "scenarios": 11,
    "questions": 6,
    "question-answer": 2,
    "import-new": 2,
    "import": 5,
    "scenario-export": 7,
    "scenario-drift": 6,
    "run-export": 8,
    "workbench": 13,
    "explore": 5,
    "experiments": 6,
    "experiment": 12,
    "experiment-live": 5,
    "versions": 7,
    "inventory": 6,
    "server-new": 2,
    "server": 4,
    "queue-new": 4,
    "queue": 4,
    "drawer": 8,
    "compare": 10,
    "compare-progress": 8,
    "run": 9,
    "run-live": 9,
    "calibrations": 5,
    "calibration": 3,
    "calibration-progress": 3,
    "reports": 7,
    "report-schema": 3,
    "report-capsule": 11,
    "report-parquet": 8,
    "report": 13,
    "report-csv": 8,
    "report-shared": 9,
    "report-shared-html": 8,
    "report-html": 11,
    "report-json": 8,
    "tokens": 3,
    "webhooks": 5,
    "teams": 3,
    "status": 4,
    "team": 15,
    "invitation": 3,
    "team-activity": 12,
    "activity": 16,
    "help": 2,
    "help-page": 2,
    "api-reference": 2,
    "api-resource": 2,
    "scenario-start": 2,
    "usersessions_list": 6,
}
"""Queries of each page that can be read, two of them for the session and the person."""
UNCOUNTED = ("report-pdf",)
"""Starts a browser to print what ``report-html`` reads."""


DESCRIPTOR = b"""<weblogic-ejb-jar><weblogic-enterprise-bean><ejb-name>Orders</ejb-name><message-driven-descriptor>
<pool><max-beans-in-free-pool>20</max-beans-in-free-pool></pool><destination-jndi-name>jms/orders</destination-jndi-name>
</message-driven-descriptor></weblogic-enterprise-bean></weblogic-ejb-jar>"""


@pytest.fixture
def world(owner: User, scenario: Scenario, finished: Run, rows: int) -> Iterator[dict[str, object]]:
    """As many rows of everything as ``rows`` says; the arguments of the pages' addresses by their names."""
    environment = settings.ENVIRONMENT.model_copy(update={"webhook_loopback": True})
    with override_settings(ENVIRONMENT=environment):
        made = [{**of_one(owner, finished, number), **further(owner, finished, number)} for number in range(rows)]
    yield {
        "scenario_id": scenario.pk,
        "run_id": finished.pk,
        "number": 1,
        "page": "index",
        "resource": "runs",
        "preset": presets()[0].key,
        **made[-1],
    }


def of_one(owner: User, finished: Run, number: int) -> dict[str, object]:
    """One row more in every list of the first scenario and its run."""
    scenario = finished.version.scenario
    renamed = parse({**finished.spec, "name": f"Name {number}"})
    services.scenario_replace(scenario=scenario, author=owner, spec=renamed)
    run = answered(services.run_start(version=finished.version, owner=owner, seed=number).run, finished)
    report = services.report_create(run=run, owner=owner)
    link = services.share_create(report=report, actor=owner, days=1)
    comments = [
        services.comment_create(report=report, author=owner, section="summary", text="why") for _ in range(1 + number)
    ]
    limit = {"kpi": "latency.p95", "op": "<=", "value": f"{number + 1}s"}
    headroom = {"type": "headroom", "subject_to": [limit], "least": 0.8, "most": 1.4}
    asked = services.experiment_prepare(version=finished.version, owner=owner, question=headroom)()
    named = {"report_id": report.pk, "link_id": link.row.pk, "secret": link.secret}
    return {**named, "comment_id": comments[-1].pk, "experiment_id": asked.run.pk}


def further(owner: User, finished: Run, number: int) -> dict[str, object]:
    """One row more in every list of a person."""
    body: dict[str, Any] = {**finished.spec, "name": f"Scenario {number}"}
    other = services.scenario_store(owner=owner, spec=parse(body))
    services.scenario_tag(scenario=other, actor=owner, tags=[f"tag {number}", "shared"])
    answered(services.run_start(version=other.version, owner=owner, seed=1000 + number).run, finished)
    pinned = services.baseline_pin(owner=owner, version=other.version)
    renamed = json.dumps(body).replace('"payments"', f'"server{number}"')
    files = {"weblogic-ejb-jar.xml": DESCRIPTOR}
    (server,) = services.inventory_save(owner=owner, spec=parse(json.loads(renamed)))
    webhook = services.webhook_create(owner=owner, url=f"http://127.0.0.1:1/{number}").row
    team, secret = shared_with_a_team(owner, body, number), f"secret {number}"
    asked = {"digest": secret_digest(secret), "role": "admin", "expires_at": tomorrow()}
    Invitation.objects.update_or_create(team=team, invited=owner.username, defaults=asked)
    return {
        "team_id": team.pk,
        "view_id": services.view_create(owner=owner, name=f"View {number}", query=f"q={number}").pk,
        "baseline_id": pinned.pk,
        "calibration_id": waiting(owner).pk,
        "server_id": server.pk,
        "key": server.pk,
        "queue_id": server.queues.get().pk,
        "import_id": services.import_store(owner=owner, files=files, reading=configuration_read(files)).pk,
        "webhook_id": webhook.pk,
        "delivery_id": webhook.deliveries.create(event="run.failed", target="t", body="{}", status="failed").pk,
        "token_id": services.token_create(owner=owner, name=f"token {number}", scopes=["read"]).row.pk,
        "invitation_secret": secret,
    }


def shared_with_a_team(owner: User, body: dict[str, Any], number: int) -> Team:
    """The one team, with one member, scenario, server and webhook more."""
    team = Team.objects.first() or services.team_create(actor=owner, name="Team")
    services.member_set(team=team, actor=owner, name=User.objects.create(username=f"m{number}").username, role="viewer")
    spec = parse(json.loads(json.dumps(body).replace('"payments"', f'"shared{number}"')))
    asked = {"invited": f"m{number}", "digest": f"{number}", "role": "viewer"}
    Invitation.objects.create(team=team, **asked, expires_at=tomorrow())
    Webhook.objects.create(owner=owner, team=team, url=f"http://127.0.0.1:1/team{number}", events=[], nonce="n")
    services.hand_over(row=services.scenario_store(owner=owner, spec=spec), actor=owner, team=team)
    for server in services.inventory_save(owner=owner, spec=spec):
        services.hand_over(row=server, actor=owner, team=team)
    return team


def tomorrow() -> datetime:
    return timezone.now() + timedelta(days=1)


def answered(run: Run, like: Run) -> Run:
    """End a queued run with the answer of another one."""
    claimed = taken(run)
    run_points_save(run=claimed, summaries=[point.summary for point in run_points(run=like)], partial=False)
    run_finish(run=claimed)
    run.refresh_from_db()
    return run


def further_of(name: str, world: dict[str, object]) -> dict[str, Any]:
    """What an address must say to be a page with something on it."""
    if name.startswith("compare"):
        return {"id": [f"{world['run_id']}:{point}" for point in range(2)]}
    return {"server-new": {"platform": "websphere-zos"}}.get(name, {})


def address_of(pattern: URLPattern, world: dict[str, object]) -> str:
    arguments = {name: world[name] for name in pattern.pattern.converters}
    return reverse(pattern.name, kwargs=arguments, query=further_of(str(pattern.name), world))


def queries_of(person: Client, address: str) -> int | None:
    """The number of queries of a page that was read before; None for an address that only takes changes."""
    if person.get(address).status_code == 405:
        return None
    with CaptureQueriesContext(connection) as queries:
        answer = person.get(address, follow=True)
        b"".join(cast("Iterable[bytes]", answer))
    assert answer.status_code == 200, address
    return len(queries)


@pytest.mark.parametrize("rows", [2, 20])
def test_every_page_asks_the_same_questions_whatever_there_is_to_show(person: Client, world: dict[str, object]) -> None:
    pages = [pattern for pattern in urlpatterns if pattern.name not in UNCOUNTED]
    counted = {pattern.name: queries_of(person, address_of(pattern, world)) for pattern in pages}
    assert {name: count for name, count in counted.items() if count is not None} == QUERIES
