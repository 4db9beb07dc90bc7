"""Scenarios: versions are kept, revisions count every change."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from planner import services
from planner.errors import Stale
from planner.models import AuditEvent, Queue, Scenario
from planner.models.bases import ImmutableError
from planner.services.inventory import queue_read, server_read
from simulations.declarations.problems import InvalidInput
from simulations.scenario.spec import parse


def test_a_version_cannot_be_changed_or_deleted(scenario: Scenario) -> None:
    version = scenario.version
    version.note = "other"
    with pytest.raises(ImmutableError):
        version.save()
    with pytest.raises(ImmutableError):
        version.delete()


def test_every_version_knows_its_parent(owner: User, scenario: Scenario) -> None:
    first = scenario.version
    body = {**first.spec, "name": "Second"}
    changed = services.scenario_replace(scenario=scenario, author=owner, spec=parse(body), note="why")
    assert (changed.version.number, changed.version.parent, changed.version.note) == (2, first, "why")
    assert (changed.name, changed.revision) == ("Second", 2)


def test_a_stale_revision_is_refused_and_told(owner: User, scenario: Scenario) -> None:
    services.scenario_tag(scenario=scenario, actor=owner, tags=["a"])
    with pytest.raises(Stale, match="revision 2"):
        services.scenario_replace(scenario=scenario, author=owner, spec=scenario.version.parsed, revision=1)


def test_what_is_so_already_changes_nothing(owner: User, scenario: Scenario) -> None:
    first = services.scenario_archive(scenario=scenario, actor=owner)
    again = services.scenario_archive(scenario=scenario, actor=owner)
    assert (again.archived_at, again.revision) == (first.archived_at, first.revision)
    assert services.scenario_archive(scenario=scenario, actor=owner, archived=False).archived_at is None
    tagged = services.scenario_tag(scenario=scenario, actor=owner, tags=["a"])
    assert services.scenario_tag(scenario=scenario, actor=owner, tags=[" a"]).revision == tagged.revision


def test_changes_leave_a_trail(owner: User, scenario: Scenario) -> None:
    services.scenario_tag(scenario=scenario, actor=owner, tags=["a"])
    services.scenario_archive(scenario=scenario, actor=owner)
    trail = AuditEvent.objects.filter(target=scenario.pk).order_by("pk")
    assert [(event.actor, event.action) for event in trail] == [
        (owner, "scenario.create"),
        (owner, "scenario.tag"),
        (owner, "scenario.archive"),
    ]


def test_a_scenario_is_composed_of_stored_rows_and_taken_apart_again(owner: User, body: dict[str, Any]) -> None:
    spec = parse(body)
    (server,) = services.inventory_save(owner=owner, spec=spec)
    assert (server.servants_min, server.servants_max, server.workload_profile) == (3, 3, "IOBOUND")
    assert not {"min_servants", "max_servants", "workload_profile"} & set(server.settings)
    queues = list(Queue.objects.all())
    extra = {"run": body["run"], "sweep": body["sweep"]}
    composed = services.scenario_store(
        owner=owner, spec=services.scenario_composed(name=spec.name, queues=queues, extra=extra)
    )
    assert composed.version.spec == spec.body()


def test_columns_decide_over_settings_when_composing(owner: User, body: dict[str, Any]) -> None:
    (server,) = services.inventory_save(owner=owner, spec=parse(body))
    server.servants_max = 5
    server.save()
    composed = services.scenario_store(
        owner=owner, spec=services.scenario_composed(name="x", queues=list(Queue.objects.all()))
    )
    assert composed.version.spec["servers"][0]["settings"]["max_servants"] == 5


def test_queues_of_two_platforms_do_not_compose(owner: User, body: dict[str, Any]) -> None:
    services.inventory_save(owner=owner, spec=parse(body))
    server = services.server_store(
        owner=owner, platform="openmq", read=server_read("openmq", {"name": "gf", "cpus": 2})
    )
    other = {"name": "jobs", "arrivals": {"kind": "saturated"}, "service": {"kind": "constant", "mean": 1}}
    services.queue_store(owner=owner, server=server, read=queue_read(server, other))
    with pytest.raises(InvalidInput, match="platform"):
        services.scenario_store(
            owner=owner, spec=services.scenario_composed(name="x", queues=list(Queue.objects.all()))
        )
