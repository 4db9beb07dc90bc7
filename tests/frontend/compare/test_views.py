"""The Compare page: its state is its address."""

import html
import re
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings

from planner import services
from planner.jobs import execute
from planner.models import Run, Scenario
from simulations.declarations.problems import InvalidInput, problem
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.scenario.spec import parse
from tests.frontend.conftest import PATH


@pytest.fixture
def stable(owner: User, body: dict[str, Any]) -> Run:
    """A finished run of 36 and 100 sessions, which differ because the agent takes its time."""
    (queue,) = body["queues"]
    slower = {**queue, "settings": {**queue["settings"], "queue_agent_time": "2ms"}}
    run_settings = {**body["run"], "replications": {"min": 4, "max": 4}}
    wanted = {**body, "run": run_settings, "queues": [slower], "sweep": [{"path": PATH, "values": [36, 100]}]}
    scenario = services.scenario_store(owner=owner, spec=parse(wanted))
    run = services.run_start(version=scenario.version, owner=owner).run
    execute.run_compute(run_id=run.pk, worker="test", executor_of=lambda _: InlineExecutor())
    run.refresh_from_db()
    return run


@pytest.fixture
def both(stable: Run) -> str:
    """The address of the comparison of its two points."""
    return f"/compare/?id={stable.pk}:0&id={stable.pk}:1"


def text_of(person: Client, address: str) -> str:
    return person.get(address).content.decode()


def test_nothing_to_compare_says_what_is_needed(person: Client) -> None:
    assert "There is nothing to compare yet" in text_of(person, "/compare/")


def test_finished_runs_are_offered(person: Client, stable: Run, finished: Run) -> None:
    text = text_of(person, f"/compare/?id={finished.pk}")
    assert f'value="{stable.pk}"' in text
    assert re.search(rf'value="{finished.pk}"\s+checked', text)


def test_only_what_differs_is_shown_until_asked(person: Client, both: str) -> None:
    text = text_of(person, both)
    assert re.findall(r'data-path="([^"]+)"', text) == [PATH]
    hidden = re.search(r"(\d+) equal settings hidden", text)
    assert hidden
    everything = text_of(person, f"{both}&all=1")
    assert len(re.findall(r'data-path="([^"]+)"', everything)) == int(hidden[1]) + 1
    assert "Only what differs" in everything


def test_differences_have_intervals_and_verdicts(person: Client, both: str) -> None:
    text = text_of(person, both)
    row = text.split('data-metric-row="latency.mean"')[1].split("</tr>")[0]
    assert re.search(r'class="change">[+−]?[\d.,]+ ± [\d.,]+ [mµ]?s<', row)
    assert re.search(r'data-verdict="(better|worse|not resolved)"', row)
    assert "unpaired" not in text
    assert "Maximum sessions 36 ★" in text


def test_the_baseline_is_part_of_the_address(person: Client, both: str) -> None:
    text = text_of(person, f"{both}&baseline=1")
    assert "Maximum sessions 100 ★" in text
    assert "Maximum sessions 36 ★" in text_of(person, f"{both}&baseline=9")


def test_every_picture_has_a_sentence_and_a_table(person: Client, both: str) -> None:
    text = text_of(person, both)
    charts = re.findall(r'data-chart="([a-z]+)"', text)
    assert charts == ["differences", "tails", "budget", "latency", "latency"]
    for part in text.split("data-chart=")[1:]:
        figure = part.split("</figure>")[0]
        assert re.search(r'<p class="sentence">(?:[^<]|</?span[^>]*>){20,}</p>', figure)
        assert "<table" in figure


def test_small_multiples_have_one_height(person: Client, both: str) -> None:
    ranges = re.findall(r'"latency \[m?s\]"\},"range":\[0,([\d.]+)\]', text_of(person, both))
    assert len(ranges) == 2
    assert len(set(ranges)) == 1


def test_the_question_of_the_baseline_leads_even_where_it_is_zero(
    person: Client, owner: User, body: dict[str, Any]
) -> None:
    (queue,) = body["queues"]
    asked = {"metric": "timeouts.dispatch", "queue": "orders", "equals": 0}
    wanted = {**body, "queues": [queue, {**queue, "name": "more"}], "objectives": [asked], "sweep": []}
    wanted["queues"][0]["arrivals"] = wanted["queues"][1]["arrivals"] = {"kind": "poisson", "rate": 10.0}
    runs = []
    for seed in (1, 2):
        spec = parse({**wanted, "run": {**body["run"], "seed": seed}})
        scenario = services.scenario_store(owner=owner, spec=spec)
        runs.append(services.run_start(version=scenario.version, owner=owner).run)
        execute.run_compute(run_id=runs[-1].pk, worker="test", executor_of=lambda _: InlineExecutor())
    address = f"/compare/?id={runs[0].pk}&id={runs[1].pk}"
    text = text_of(person, address)
    assert re.findall(r'data-metric-row="([\w.]+)"', text)[0] == "timeouts.dispatch"
    assert "are the same, 0 messages." in text.split('id="sentences"')[1].split("</li>")[0]
    chosen = re.search(r'href="([^"]+)" aria-current="true">(.+?)</a>', text.split("Numbers of:")[1])
    assert chosen and chosen[2] == "orders"
    whole = re.search(r'href="([^"]+)" *>whole system', text.split("Numbers of:")[1])
    assert whole
    again = text_of(person, f"/compare/{html.unescape(whole[1])}").split("Numbers of:")[1]
    assert 'aria-current="true">whole system' in again
    assert "&queue=" in html.unescape(whole[1])


def test_a_queue_can_be_chosen_only_when_there_are_several(person: Client, both: str) -> None:
    assert "Numbers of:" not in text_of(person, both)
    assert person.get(f"{both}&queue=no-such").status_code == 200


def test_an_unstable_subject_has_a_rate_instead_of_percentiles(person: Client, finished: Run) -> None:
    text = text_of(person, f"/compare/?id={finished.pk}:0&id={finished.pk}:1")
    row = text.split('data-metric-row="latency.p95"')[1].split("</tr>")[0]
    assert "–" in row
    assert "data-verdict" not in row
    assert "unstable" in text
    assert 'data-metric-row="throughput"' in text
    assert "Maximum sessions 18 has no p95 latency: its backlog grows without end." in text


def test_a_scenario_without_a_run_can_be_run_from_here(person: Client, finished: Run, scenario: Scenario) -> None:
    fresh = services.scenario_store(owner=finished.owner, spec=services.scenario_copied(scenario=scenario))
    body = {**fresh.version.spec, "sweep": []}
    services.scenario_replace(scenario=fresh, author=finished.owner, spec=parse(body))
    address = f"/compare/?id={finished.pk}&id={fresh.pk}"
    assert "not been run yet" in text_of(person, address)
    answer = person.post("/compare/run/", {"id": [finished.pk, fresh.pk]})
    assert answer.headers["Location"] == address
    assert "1 run under way" in text_of(person, address)
    progress = person.get(f"/compare/progress/?id={finished.pk}&id={fresh.pk}")
    assert "HX-Refresh" not in progress.headers
    assert person.get(f"/compare/progress/?id={finished.pk}").headers["HX-Refresh"] == "true"


def test_chosen_scenarios_come_to_the_page(person: Client, scenario: Scenario, stable: Run) -> None:
    chosen = [scenario.pk, stable.version.scenario_id]
    answer = person.post("/compare/chosen/", {"scenario": chosen})
    assert answer.headers["Location"] == f"/compare/?id={chosen[0]}&id={chosen[1]}"
    alone = person.post("/compare/chosen/", {"scenario": chosen[:1]}, follow=True).content.decode()
    assert "One answer is ready to compare; choose another one." in alone
    second = person.post("/compare/chosen/", {"scenario": chosen[1:]})
    assert second.headers["Location"] == answer.headers["Location"]
    none = person.post("/compare/chosen/", {}, follow=True).content.decode()
    assert "Choose two to six scenarios to compare; 0 are chosen" in none


def test_more_than_six_are_cut_with_a_word(person: Client, stable: Run, owner: User, body: dict[str, Any]) -> None:
    ids = [services.scenario_store(owner=owner, spec=parse({**body, "name": f"S{place}"})).pk for place in range(6)]
    text = text_of(person, f"/compare/?id={stable.pk}&" + "&".join(f"id={key}" for key in ids))
    assert "At most 6 answers fit side by side" in text
    assert "S4 v1" in text
    assert "S5 v1" not in text


def test_strangers_and_wrong_ids_are_not_found(stranger: Client, person: Client, both: str) -> None:
    assert stranger.get(both).status_code == 404
    assert person.get("/compare/?id=run_unknown&id=x").status_code == 404
    assert person.post(both).status_code == 405
    assert person.get("/compare/run/").status_code == 405


def test_running_comes_back_to_the_same_comparison(person: Client, stable: Run) -> None:
    form = {"id": [stable.pk, stable.version.scenario_id], "baseline": "1", "queue": "orders", "all": ""}
    answer = person.post("/compare/run/", form)
    assert answer.headers["Location"].endswith("&baseline=1&queue=orders&all=")
    assert person.get("/compare/", {"id": form["id"], "baseline": "²"}).status_code == 200


def test_a_plan_that_is_refused_is_told(person: Client, stable: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**about: object) -> None:
        raise InvalidInput([problem(("sweep",), "too many points")])

    fresh = services.scenario_store(owner=stable.owner, spec=services.scenario_copied(scenario=stable.version.scenario))
    changed = {**fresh.version.spec, "name": "another"}
    services.scenario_replace(scenario=fresh, author=stable.owner, spec=parse({**changed, "sweep": []}))
    monkeypatch.setattr(services, "run_prepare", refuse)
    key = {"id": [stable.pk, fresh.pk]}
    page = person.post("/compare/run/", key, headers={"referer": "/compare/"}, follow=True).content.decode()
    assert "Sweep: too many points." in page


def test_all_missing_runs_start_or_none(person: Client, owner: User, body: dict[str, Any]) -> None:
    specs = [parse({**body, "sweep": [], "run": {**body["run"], "seed": seed}}) for seed in range(2)]
    keys = [services.scenario_store(owner=owner, spec=spec).pk for spec in specs]
    one = settings.ENVIRONMENT.model_copy(update={"max_person_runs": 1})
    with override_settings(ENVIRONMENT=one):
        refused = person.post("/compare/run/", {"id": keys}, headers={"referer": "/compare/"}, follow=True)
    assert "MAX_PERSON_RUNS" in refused.content.decode()
    assert not Run.objects.exists()
    person.post("/compare/run/", {"id": keys})
    assert Run.objects.count() == 2
