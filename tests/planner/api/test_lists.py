"""Every list asks the database as often for thirty rows as for three."""

from collections.abc import Callable, Iterator
from copy import copy
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from planner import services
from planner.api.openapi import openapi_document
from planner.models import (
    ApiToken,
    AuditEvent,
    Baseline,
    Calibration,
    Delivery,
    DeliveryStatus,
    Membership,
    Queue,
    Report,
    ReportComment,
    Role,
    Run,
    Scenario,
    Server,
    ServiceAccount,
    ShareLink,
    Team,
    Webhook,
)
from planner.models.team import Invitation
from tests.planner.services.test_inventory import QUEUE, SERVER

FEW, MORE = 3, 27


class Stored:
    """One row of each kind, and as many more as a test wants."""

    def __init__(self, run: Run) -> None:
        self.run, self.owner, self.version = run, run.owner, run.version
        self.scenario = Scenario.objects.get(pk=run.version.scenario_id)
        question = {"type": "sweep", "knobs": {"queues.orders.settings.maximum_sessions": [18, 36]}}
        prepared = services.experiment_prepare(version=self.version, owner=self.owner, question=question, force=False)
        self.experiment = prepared().run
        self.webhook = Webhook.objects.create(owner=self.owner, url="https://example.org/hook", nonce="n")
        self.account = self.accounts(1)[0]
        self.team = services.team_create(actor=self.owner, name="Payments")
        self.report = Report.objects.create(owner=self.owner, run=run, title="t", payload={}, payload_hash="0")
        self.places = iter(range(10, 1000))

    @property
    def ids(self) -> dict[str, str]:
        """The parameters of addresses."""
        rows: dict[str, Any] = {"scenario": self.scenario, "run": self.run, "experiment": self.experiment}
        rows |= {"report": self.report, "webhook": self.webhook, "service": self.account, "team": self.team}
        return {f"{name}_id": str(row.pk) for name, row in rows.items()}

    def copies(self, row: Any, count: int, **different: Callable[[int], Any]) -> list[Any]:
        """Store copies of a row; what must be different in each is made of a number."""
        made = []
        for place in (next(self.places) for _ in range(count)):
            other = copy(row)
            other.pk = row._meta.pk.get_default()
            other._state = copy(row._state)
            for name, value in different.items():
                setattr(other, name, value(place))
            made.append(other)
        return list(type(row).objects.bulk_create(made))

    def accounts(self, count: int) -> list[ServiceAccount]:
        names = [f"program-{User.objects.count()}-{place}" for place in range(count)]
        users = [User.objects.create_user(f"service-{name}") for name in names]
        pairs = zip(names, users, strict=True)
        return [ServiceAccount.objects.create(name=name, user=user, created_by=self.owner) for name, user in pairs]

    def versions(self, count: int) -> list[Any]:
        return self.copies(self.version, count, number=int, content_hash=str)

    def runs(self, count: int) -> list[Run]:
        versions = iter(self.versions(count))
        return self.copies(
            self.run,
            count,
            forced=bool,
            repeats=lambda _: self.run,
            content_hash=str,
            version=lambda _: next(versions),
        )

    def scenarios(self, count: int) -> None:
        for _ in range(count):
            copied = services.scenario_copied(scenario=self.scenario)
            services.scenario_store(owner=self.owner, spec=copied)

    def baselines(self, count: int) -> None:
        for run in self.runs(count):
            Baseline.objects.create(owner=self.owner, application=run.pk, version=run.version)

    def experiments(self, count: int) -> None:
        self.copies(self.experiment, count, forced=bool, repeats=lambda _: self.run, content_hash=str)

    def points(self, run: Run, count: int) -> None:
        row = self.run.points.order_by("index").first()
        assert row is not None
        self.copies(row, count, index=int, run=lambda _: run, summary=lambda place: {**row.summary, "index": place})

    def reports(self, count: int) -> None:
        for run in self.runs(count):
            Report.objects.create(owner=self.owner, run=run, title="t", payload={}, payload_hash="0")

    def links(self, count: int) -> None:
        row = ShareLink(report=self.report, expires_at=timezone.now() + timedelta(days=1), created_by=self.owner)
        self.copies(row, count, digest=str)

    def comments(self, count: int) -> None:
        self.copies(ReportComment(report=self.report, section="summary", author=self.owner, text="why"), count)

    def calibrations(self, count: int) -> None:
        for version in self.versions(count):
            row = Calibration(owner=self.owner, name="c", location="l", base=version, scenario=self.scenario)
            self.copies(row, 1)

    def servers(self, count: int) -> list[Server]:
        row = Server(owner=self.owner, platform="websphere-zos", settings=SERVER["settings"])
        return self.copies(row, count, name=str)

    def queues(self, count: int) -> None:
        values = {name: QUEUE[name] for name in ("arrivals", "service", "settings")}
        for server in self.servers(count):
            Queue.objects.create(owner=self.owner, name="q", server=server, **values)

    def tokens(self, owner: User, count: int) -> None:
        self.copies(ApiToken(owner=owner, name="t", prefix="p"), count, digest=str)

    def deliveries(self, count: int) -> None:
        row = Delivery(webhook=self.webhook, event="run.succeeded", status=DeliveryStatus.DELIVERED)
        self.copies(row, count, target=str)

    def teams(self, count: int) -> None:
        for team in self.copies(Team(), count, name=str):
            Membership.objects.create(team=team, user=self.owner, role=Role.VIEWER)

    def members(self, count: int) -> None:
        for account in self.accounts(count):
            Membership.objects.create(team=self.team, user=account.user, role=Role.VIEWER)

    def invitations(self, count: int) -> None:
        row = Invitation(team=self.team, role=Role.VIEWER, expires_at=timezone.now() + timedelta(days=1))
        self.copies(row, count, invited=str, digest=str)

    def events(self, count: int) -> None:
        row = AuditEvent(actor=self.owner, team=self.team, action="scenario.update")
        self.copies(row, count, target=str, pk=lambda _: None)


LISTS: dict[str, Callable[[Stored, int], object]] = {
    "servers": Stored.servers,
    "queues": Stored.queues,
    "scenarios": Stored.scenarios,
    "scenarios/{scenario_id}/versions": Stored.versions,
    "scenarios/{scenario_id}/runs": Stored.runs,
    "scenarios/{scenario_id}/reports": Stored.reports,
    "baselines": Stored.baselines,
    "runs": Stored.runs,
    "runs/{run_id}/results": lambda stored, count: stored.points(stored.run, count),
    "runs/{run_id}/explanation": lambda stored, count: stored.points(stored.run, count),
    "runs/{run_id}/findings": lambda stored, count: stored.points(stored.run, count),
    "runs/{run_id}/checks": lambda stored, count: stored.points(stored.run, count),
    "experiments": Stored.experiments,
    "experiments/{experiment_id}/cells": lambda stored, count: stored.points(stored.experiment, count),
    "calibrations": Stored.calibrations,
    "reports": Stored.reports,
    "reports/{report_id}/share-links": Stored.links,
    "reports/{report_id}/comments": Stored.comments,
    "tokens": lambda stored, count: stored.tokens(stored.owner, count),
    "webhooks": lambda stored, count: stored.copies(stored.webhook, count),
    "webhooks/{webhook_id}/deliveries": Stored.deliveries,
    "service-accounts": Stored.accounts,
    "service-accounts/{service_id}/tokens": lambda stored, count: stored.tokens(stored.account.user, count),
    "events": Stored.events,
    "teams": Stored.teams,
    "teams/{team_id}/members": Stored.members,
    "teams/{team_id}/invitations": Stored.invitations,
    "teams/{team_id}/events": Stored.events,
}
"""Address below api/v1/ -> how to store so many more rows of it."""


def paged() -> Iterator[str]:
    document = openapi_document()
    for path, operations in document["paths"].items():
        content = operations.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        name = content.get("application/json", {}).get("schema", {}).get("$ref", "").rpartition("/")[2]
        asked = {item["name"] for item in operations.get("get", {}).get("parameters", ())}
        if "cursor" in asked and "next" in document["components"]["schemas"].get(name, {}).get("properties", {}):
            yield path.removeprefix("/api/v1/")


def test_every_list_is_asked() -> None:
    assert set(LISTS) == set(paged())


def rows_of(page: dict[str, Any]) -> list[Any]:
    return next(value for value in page.values() if isinstance(value, list))


@pytest.mark.parametrize("address", LISTS)
def test_a_list_takes_as_many_queries_for_thirty_rows_as_for_three(
    client: APIClient, finished: Run, address: str
) -> None:
    finished.owner.user_permissions.add(Permission.objects.get(codename="manage_service_accounts"))
    stored, asked, shown = Stored(finished), [], []
    client.get("/api/v1/presets")  # notes when the token was used first
    for count in (FEW, MORE):
        LISTS[address](stored, count)
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(f"/api/v1/{address.format(**stored.ids)}").json()
        asked.append(len(queries))
        shown.append(len(rows_of(answer)))
    assert (shown[1] - shown[0], asked[1]) == (MORE, asked[0]), queries.captured_queries
    first = client.get(f"/api/v1/{address.format(**stored.ids)}?limit=2").json()
    second = client.get(first["next"]).json()
    assert rows_of(second) not in ([], rows_of(first))


def test_a_cursor_leads_through_equal_names_and_is_good_for_its_own_list_and_order(
    client: APIClient, scenario: Scenario
) -> None:
    for _ in range(6):
        copied = services.scenario_copied(scenario=scenario)
        services.scenario_store(owner=scenario.owner, spec=copied)
    Scenario.objects.update(name="Equal")
    address, found = "/api/v1/scenarios?limit=2&sort=name", []
    while address:
        page = client.get(address).json()
        found += [item["id"] for item in page["items"]]
        address, last = page["next"], address
    assert sorted(found) == sorted(Scenario.objects.values_list("pk", flat=True))
    cursor = last.partition("cursor=")[2].partition("&")[0]
    for other in (f"scenarios?sort=-name&cursor={cursor}", f"servers?sort=name&cursor={cursor}"):
        refused = client.get(f"/api/v1/{other}")
        assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/cursor")
