"""The page of a run in each of its states."""

import html
import re
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.contrib.auth.models import Permission, User
from django.contrib.messages import get_messages
from django.test import Client

from planner import services
from planner.jobs import execute
from planner.jobs.leases import job_claim, job_end, job_paused, job_touch
from planner.models import Run, RunStatus, Scenario
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.scenario.spec import parse
from tests.claims import taken
from tests.frontend.conftest import PATH


def text_of(person: Client, run: Run, query: str = "") -> str:
    """Return the page as text."""
    return person.get(f"/runs/{run.pk}/{query}").content.decode()


def test_a_queued_run_says_so_and_can_be_cancelled(person: Client, queued: Run) -> None:
    text = text_of(person, queued)
    assert "Waiting for a worker" in text
    person.post(f"/runs/{queued.pk}/cancel/")
    queued.refresh_from_db()
    assert queued.status == "cancelled"
    text = text_of(person, queued)
    assert "This run was canceled." in text
    assert "results so far" not in text
    assert f'action="/runs/{queued.pk}/retry/"' in text


def test_a_running_run_shows_precision_now_and_wanted(person: Client, queued: Run) -> None:
    run = taken(queued)
    progress = {
        "fraction": 0.4,
        "points_done": 1,
        "replications_done": 8,
        "precision_now": 0.031,
        "precision_target": 0.01,
        "eta_s": 4.0,
    }
    job_touch(run, progress=progress)
    text = person.get(f"/runs/{run.pk}/live/").json()["html"]["progress"]
    assert re.search(r"± 3.1 %,\s+wanted ± 1 %", text)
    assert 'value="0.4"' in text
    assert "1 of 2 points" in text


def test_cancelling_waits_for_the_cluster(person: Client, queued: Run) -> None:
    job_claim(Run, key=queued.pk, worker="test")
    person.post(f"/runs/{queued.pk}/cancel/")
    assert "Stopping the cluster job" in text_of(person, queued)


def test_a_run_is_paused_and_says_what_is_kept(person: Client, queued: Run) -> None:
    claimed = taken(queued)
    assert f'action="/runs/{queued.pk}/pause/"' in text_of(person, queued)
    person.post(f"/runs/{queued.pk}/pause/")
    assert "The current round finishes first" in text_of(person, queued)
    job_paused(claimed)
    text = text_of(person, queued)
    assert "Paused. What is computed so far is kept" in text
    assert f'action="/runs/{queued.pk}/cancel/"' in text
    drawer = person.get("/runs/", headers={"HX-Request": "true"}).content.decode()
    assert "1 paused" in drawer
    assert f'action="/runs/{queued.pk}/resume/"' in drawer
    person.post(f"/runs/{queued.pk}/resume/")
    queued.refresh_from_db()
    assert queued.status == "queued"


def test_a_failed_run_gives_the_cause_and_can_be_tried_again(person: Client, queued: Run) -> None:
    run = taken(queued)
    job_end(run, to=RunStatus.FAILED, error={"code": "internal", "message": "it broke", "id": "abc123"})
    text = text_of(person, queued)
    assert "Something went wrong in Sluice" in text
    assert "abc123" in text
    person.post(f"/runs/{queued.pk}/retry/")
    queued.refresh_from_db()
    assert queued.status == "queued"


def test_the_log_of_a_failure_is_for_the_staff(person: Client, queued: Run) -> None:
    def broken(run: Run) -> InlineExecutor:
        raise ZeroDivisionError("redis://me:hidden-word@host is away")

    execute.run_compute(run_id=queued.pk, worker="test", executor_of=broken)
    queued.refresh_from_db()
    assert queued.error is not None
    text = text_of(person, queued)
    assert "Something went wrong in Sluice, not in your scenario" in text
    assert queued.error["id"] in text
    assert "ZeroDivisionError" not in text
    queued.owner.user_permissions.add(Permission.objects.get(codename="view_auditevent"))
    text = text_of(person, queued)
    assert "ZeroDivisionError: redis://•••@host is away" in text
    assert "in broken" in text
    assert "hidden-word" not in text


def test_a_point_that_failed_is_named_with_its_values(person: Client, queued: Run) -> None:
    run = taken(queued)
    message = "point 1 (queues.orders.settings.maximum_sessions = 36): ValueError: no such thing"
    job_end(run, to=RunStatus.FAILED, error={"code": "point_failed", "message": message})
    text = text_of(person, queued)
    assert "One point could not be simulated:" in text
    assert "Input that failed: <strong>Maximum sessions 36 messages</strong>" in text


def test_a_run_that_waits_has_the_formula_answer(person: Client, queued: Run) -> None:
    text = text_of(person, queued)
    assert '<span class="tag formula">formula</span>' in text
    assert 'data-derived="backlog"' in text


def test_assumptions_stand_beside_findings_and_checks(person: Client, finished: Run) -> None:
    text = text_of(person, finished)
    rows = text.split('id="assumptions"')[1].split("</section>")[0]
    assert f"Assumptions ({rows.count('<tr>') - 1})" in text
    assert "Work of orders: arrivals" in rows
    assert "given, not measured" in rows
    assert re.search(r"Checks \(\d+ ✓\)", text)


def test_a_finished_run_answers_in_sentences_and_tables(person: Client, finished: Run) -> None:
    text = text_of(person, finished)
    assert "Keep Maximum sessions at 36: p95 latency" in text
    assert "Messages pile up at Maximum sessions 18: orders grows by" in text
    assert finished.result_hash[:12] in text
    for chart in ("curve", "latency", "tail", "throttle"):
        figure = text.split(f'data-chart="{chart}"')[1].split("</figure>")[0]
        assert '<p class="sentence">' in figure
        assert "<table" in figure


def test_the_comparison_has_the_point_shown_and_the_recommended_one_among_six(
    person: Client, owner: User, body: dict[str, Any]
) -> None:
    body["queues"][0]["settings"]["maximum_sessions"] = 140
    wanted = {**body, "sweep": [{"path": PATH, "values": [10, 12, 14, 16, 18, 20, 100, 140]}]}
    run = services.run_start(version=services.scenario_store(owner=owner, spec=parse(wanted)).version, owner=owner).run
    execute.run_compute(run_id=run.pk, worker="test", executor_of=lambda _: InlineExecutor())
    for point, baseline in (("", "5"), ("?point=0", "0")):
        address = re.search(r'class="compare" href="/compare/\?([^"]+)"', text_of(person, run, point))
        assert address
        query = parse_qs(html.unescape(address[1]))
        assert query["id"] == [f"{run.pk}:{place}" for place in (0, 1, 2, 3, 4, 7)]
        assert query["baseline"] == [baseline]


def test_what_is_recommended_is_exported_unless_another_point_was_chosen(
    person: Client, owner: User, body: dict[str, Any]
) -> None:
    body["queues"][0]["settings"]["maximum_sessions"] = 18
    spec = parse({**body, "sweep": [{"path": PATH, "values": [18, 36]}]})
    run = services.run_start(version=services.scenario_store(owner=owner, spec=spec).version, owner=owner).run
    execute.run_compute(run_id=run.pk, worker="test", executor_of=lambda _: InlineExecutor())
    assert "Set Maximum sessions to 36: " in text_of(person, run)
    for query, place in (("", 1), ("?point=0", 0), ("?point=1", 1)):
        assert f'/runs/{run.pk}/export/?point={place}"' in text_of(person, run, query)


def test_each_point_can_be_looked_at(person: Client, finished: Run) -> None:
    unstable = text_of(person, finished, "?point=0")
    assert 'data-chart="tail"' not in unstable
    assert 'data-chart="throttle"' in unstable
    assert 'data-chart="tail"' in text_of(person, finished, "?point=1")


def test_the_address_chooses_the_percentiles(person: Client, finished: Run) -> None:
    text = text_of(person, finished, "?p=p90")
    assert 'data-metric="latency.p90" checked' in text
    assert 'data-metric="latency.p95" >' in text


def test_a_cure_starts_the_next_version(person: Client, finished: Run, scenario: Scenario) -> None:
    answer = person.post(f"/runs/{finished.pk}/fix/", {"fix": '{"queues.orders.settings.maximum_sessions": 40}'})
    scenario.refresh_from_db()
    assert scenario.version.number == 2
    assert scenario.version.spec["queues"][0]["settings"]["maximum_sessions"] == 40
    assert answer.headers["Location"] != f"/runs/{finished.pk}/"


@pytest.mark.parametrize(
    "fix",
    [
        "",
        "[]",
        "{",
        "[" * 20_000,
        '{"a": ' + "[" * 400 + "]" * 400 + "}",
        '{"\\ud800": 1}',
        '{"no.such": 1}',
        '{"queues.orders.settings.maximum_sessions": -1}',
        '{"queues.orders.settings.maximum_sessions": NaN}',
    ],
)
def test_a_forged_cure_is_refused(person: Client, finished: Run, fix: str) -> None:
    assert person.post(f"/runs/{finished.pk}/fix/", {"fix": fix}).status_code == 404


@pytest.mark.parametrize("referer", ["https://example.org/x", "no such page", "//example.org"])
def test_what_cannot_be_done_leads_back_to_a_page_of_ours(person: Client, queued: Run, referer: str) -> None:
    own = f"http://testserver/runs/{queued.pk}/"
    answers = [person.post(f"{own}report/", headers={"Referer": name}) for name in (referer, own)]
    assert [answer.headers["Location"] for answer in answers] == ["/", own]


def test_a_point_whose_settings_do_not_fit_stands_beside_the_others(
    person: Client, scenario: Scenario, body: dict[str, Any]
) -> None:
    sweep = [{"path": "servers.payments.settings.max_servants", "values": [2, 3, 4]}]
    changed = services.scenario_replace(scenario=scenario, author=scenario.owner, spec=parse({**body, "sweep": sweep}))
    run = services.run_start(version=changed.version, owner=scenario.owner).run
    execute.run_compute(run_id=run.pk, worker="test", executor_of=lambda _: InlineExecutor())
    text = text_of(person, run)
    assert "2 is invalid: servers.payments.settings: max_servants 2 is below min_servants 3" in text
    for query in ("?point=0", "?point=1"):
        assert person.get(f"/runs/{run.pk}/{query}").status_code == 200


def test_news_of_a_run_come_with_the_points_that_are_new(person: Client, finished: Run) -> None:
    address = f"/runs/{finished.pk}/live/"
    first = person.get(address).json()
    assert "Keep Maximum sessions at 36: p95 latency" in first["html"]["sentences"]
    assert 'id="points"' in first["html"]["table"]
    page = text_of(person, finished)
    assert [chart["key"] for chart in first["charts"]] == re.findall(r'data-chart="([a-z]+)"', page)
    again = person.get(address, {"seen": first["seen"]}).json()
    assert set(again["html"]) == {"progress"}
    finished.points.get(index=1).save()
    assert person.get(address, {"seen": first["seen"]}).json()["charts"]


def test_what_is_not_precise_enough_says_what_was_reached(person: Client, finished: Run) -> None:
    point = finished.points.get(index=1)
    point.summary = {**point.summary, "status": "not_converged"}
    point.save()
    text = text_of(person, finished)
    assert re.search(r"p95 latency is known to ± [\d.]+ % at Maximum sessions 36 messages, asked was ± 50 %", text)
    assert "not converged" in text
    assert '<span class="state not_converged">final</span>' in text
    assert 'class="panel sentences unsure"' in text


def test_a_run_whose_time_was_up_says_so_and_may_have_more(person: Client, finished: Run) -> None:
    point = finished.points.get(index=1)
    point.summary = {**point.summary, "status": "not_converged"}
    point.save()
    finished.progress = {**finished.progress, "time_is_up": True}
    finished.spec = {**finished.spec, "run": {**finished.spec["run"], "max_time": 30.0}}
    finished.save()
    assert re.search(r"The computing time allowed, 30(\.0)? s, was up\.", text_of(person, finished))
    person.post(f"/runs/{finished.pk}/longer/")
    finished.version.scenario.refresh_from_db()
    assert finished.version.scenario.version.spec["run"]["max_time"] == 120


def test_a_sentence_is_proved_by_a_run_beside_the_point(person: Client, finished: Run) -> None:
    text = text_of(person, finished, "?point=0")
    assert 'name="claim" value="orders.unstable"' in text
    answer = person.post(f"/runs/{finished.pk}/proof/", {"point": "0", "claim": "orders.unstable"})
    proof = Run.objects.exclude(pk=finished.pk).get()
    assert proof.spec["sweep"] == []
    assert proof.spec["queues"][0]["arrivals"]["kind"] == "saturated"
    assert answer.headers["Location"] == f"/compare/?id={finished.pk}%3A0&id={proof.pk}"
    assert person.get(answer.headers["Location"]).status_code == 200
    assert person.post(f"/runs/{finished.pk}/proof/", {"point": "0", "claim": "made-up"}).status_code == 404
    Run.objects.filter(pk=proof.pk).update(status=RunStatus.SUCCEEDED, result_hash="0" * 64)
    again = person.post(f"/runs/{finished.pk}/proof/", {"point": "0", "claim": "orders.unstable"})
    assert again.headers["Location"] == answer.headers["Location"]
    (said,) = get_messages(again.wsgi_request)
    assert str(said) == f"This was simulated before, in {proof.version.scenario.name}."


def test_a_queued_run_says_how_many_wait_before_it(person: Client, queued: Run) -> None:
    assert "before it" not in text_of(person, queued)
    later = services.run_start(version=queued.version, owner=queued.owner, seed=77).run
    assert "1 run is before it." in text_of(person, later)
