"""The run drawer and the page of all runs."""

import pytest
from django.test import Client

from planner import services
from planner.jobs.leases import job_end
from planner.models import Run, RunStatus
from tests.claims import taken

FRAGMENT = {"HX-Request": "true"}


def test_the_drawer_counts_active_runs(person: Client, queued: Run) -> None:
    text = person.get("/runs/", headers=FRAGMENT).content.decode()
    assert 'id="run-count" class="count" hx-swap-oob="true" data-active>1<' in text
    assert f"/runs/{queued.pk}/" in text
    assert "1 queued" in text
    assert "<html" not in text


def test_without_scripts_the_drawer_is_a_page(person: Client, queued: Run) -> None:
    text = person.get("/runs/").content.decode()
    assert "<h1>Runs</h1>" in text
    assert f'action="/runs/{queued.pk}/cancel/"' in text


def test_a_failed_run_can_be_tried_again_from_both(person: Client, queued: Run) -> None:
    run = taken(queued)
    job_end(run, to=RunStatus.FAILED, error={"code": "internal", "message": "it broke"})
    for headers in (FRAGMENT, {}):
        text = person.get("/runs/", headers=headers).content.decode()
        assert "1 failed" in text
        assert f'action="/runs/{queued.pk}/retry/"' in text


def test_searches_are_told_from_runs(person: Client, queued: Run) -> None:
    for headers in (FRAGMENT, {}):
        assert ">sensitivity to the inputs</span>" not in person.get("/runs/", headers=headers).content.decode()
    services.experiment_prepare(version=queued.version, owner=queued.owner, question={"type": "sensitivity"})()
    for headers in (FRAGMENT, {}):
        assert ">sensitivity to the inputs</span>" in person.get("/runs/", headers=headers).content.decode()


def test_only_own_runs_are_listed(stranger: Client, queued: Run) -> None:
    assert queued.pk not in stranger.get("/runs/").content.decode()


def test_it_tells_how_far_the_engine_is_compiled(person: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        'id="engine" role="status" hx-swap-oob="true" hidden' in person.get("/runs/", headers=FRAGMENT).content.decode()
    )
    monkeypatch.setattr("planner.answers.quick.variants_awaited", lambda network=None: 1)
    assert "2 of 3 variants are ready" in person.get("/runs/", headers=FRAGMENT).content.decode()
