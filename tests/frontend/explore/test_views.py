"""The Explore page: asking, each tab, partial answers, a point and what becomes of it."""

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.messages import get_messages
from django.test import Client

from frontend.workbench.inventory import first_scenario
from planner import selectors, services
from planner.jobs.execute import run_points_save
from planner.jobs.leases import job_end, job_touch
from planner.models import Run, RunStatus, Scenario
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse
from tests.claims import taken
from tests.frontend.charts.drawn import legend
from tests.frontend.conftest import PATH
from tests.frontend.experiments import SERVICE, asked, computed


@pytest.fixture
def search(scenario: Scenario) -> Run:
    """A finished search over two knobs."""
    knobs = [{"path": PATH, "values": [18, 36, 50]}, {"path": SERVICE, "values": [0.15, 0.2, 0.22]}]
    bound = {"metric": "latency.p95", "at_most": 0.75}
    return computed(asked(scenario, type="optimize", knobs=knobs, minimize=[PATH], subject_to=[bound]))


def page_of(person: Client, run: Run, tab: str = "map", **query: Any) -> str:
    values = {"tab": tab, "experiment": run.pk, **query}
    answer = person.get(f"/scenarios/{run.version.scenario_id}/explore/", values)
    assert answer.status_code == 200
    return answer.content.decode()


def figure_of(text: str, key: str) -> dict[str, Any]:
    view = text.split(f'data-chart="{key}"')[1].split("</figure>")[0]
    assert '<p class="sentence">' in view
    assert "<table" in view
    source = view.split('class="figure">')[1].split("</script>")[0]
    found: dict[str, Any] = json.loads(source)
    return found


def test_find_best_saves_and_leads_to_the_page(person: Client, scenario: Scenario) -> None:
    form = {"action": "explore", "queues.0.settings.maximum_sessions": "40"}
    answer = person.post(f"/scenarios/{scenario.pk}/", form)
    assert answer.headers["Location"] == f"/scenarios/{scenario.pk}/explore/"
    text = person.get(answer.headers["Location"]).content.decode()
    assert 'id="find"' in text
    assert PATH in text
    started = person.post(f"/scenarios/{scenario.pk}/explore/", {"tab": "map", "action": "find"})
    run = Run.objects.get(kind="optimize")
    assert f"experiment={run.pk}" in started.headers["Location"]
    assert "waiting for a worker" in person.get(started.headers["Location"]).content.decode()


@pytest.mark.parametrize("platform", PLATFORMS)
def test_find_best_of_a_scenario_from_nothing_asks(person: Client, owner: User, platform: str) -> None:
    made = services.scenario_store(owner=owner, spec=parse(first_scenario(platform)))
    text = person.get(f"/scenarios/{made.pk}/explore/").content.decode()
    chosen = re.search(r'id="path0".*?<option value="([^"]+)" selected', text, re.S)
    started = person.post(f"/scenarios/{made.pk}/explore/", {"tab": "map", "action": "find"})
    run = Run.objects.get(kind="optimize")
    assert f"experiment={run.pk}" in started.headers["Location"]
    assert chosen
    assert [knob["path"] for knob in run.question["knobs"]] == [chosen[1]]


@pytest.mark.parametrize("tab", ["sensitivity", "headroom"])
def test_the_button_of_a_tab_asks_what_it_says(person: Client, scenario: Scenario, tab: str) -> None:
    """With all that a browser sends: the fields of the form and the button's own name and value."""
    address = f"/scenarios/{scenario.pk}/explore/"
    form = person.get(address, {"tab": tab}).content.decode().split('<form method="post">')[1].split("</form>")[0]
    sent = dict(re.findall(r'name="(\w+)" value="(\w+)"', form))
    assert sent["tab"] == tab
    started = person.post(f"{address}?tab={tab}", sent)
    run = Run.objects.exclude(kind="run").get()
    assert run.kind == tab
    assert f"tab={tab}&experiment={run.pk}" in started.headers["Location"]
    Run.objects.update(status=RunStatus.SUCCEEDED, result_hash="0" * 64)
    again = person.post(f"{address}?tab={tab}", sent)
    assert again.headers["Location"] == started.headers["Location"]
    assert [str(said) for said in get_messages(again.wsgi_request)] == [
        f"This was simulated before, in {scenario.name}."
    ]


def test_the_map_recommends_in_sentences_and_draws_its_marks(person: Client, search: Run) -> None:
    text = page_of(person, search)
    assert "Recommended: Maximum sessions" in text
    assert (
        "Chosen: it meets every objective with the lowest Maximum sessions." in text
    )  # the recommended point is open already
    assert "Make this a scenario" in text
    assert 'sure that this is within <span class="nowrap">2 %</span> of the best' in text
    figure = figure_of(text, "map")
    kinds = [trace["type"] for trace in figure["data"]]
    assert kinds.count("heatmap") == 2  # the map and its legend
    assert "contour" in kinds
    names = {trace.get("name") for trace in figure["data"]}
    assert {"current", "recommended", "unstable", "objective"} <= names
    cells = figure["layout"]["meta"]["cells"]
    assert len(cells) == 3
    assert sorted(index for row in cells for index in row) == sorted(search.points.values_list("index", flat=True))


@pytest.mark.parametrize(("tab", "key"), [("front", "front"), ("all", "runs")])
def test_other_tabs_show_the_same_search(person: Client, search: Run, tab: str, key: str) -> None:
    figure = figure_of(page_of(person, search, tab), key)
    assert any(trace["x"] for trace in figure["data"])


def test_a_cell_says_why_it_lost_and_becomes_a_scenario(person: Client, search: Run, scenario: Scenario) -> None:
    loser = search.points.get(overrides={PATH: 50, SERVICE: 0.15})
    text = page_of(person, search, point=loser.index)
    assert "It meets every objective, but takes Maximum sessions 50" in text
    unstable = search.points.get(overrides={PATH: 18, SERVICE: 0.22})
    assert "is the ceiling" in page_of(person, search, point=unstable.index)
    answer = person.post(f"/experiments/{search.pk}/adopt/", {"point": loser.index})
    made = Scenario.objects.exclude(pk=scenario.pk).get()
    assert answer.headers["Location"] == f"/scenarios/{made.pk}/"
    assert made.version.spec["queues"][0]["settings"]["maximum_sessions"] == 50
    assert made.version.spec["queues"][0]["service"]["mean"] == 0.15
    assert person.post(f"/experiments/{search.pk}/adopt/", {"point": "999"}).status_code == 404


def test_a_sweep_shows_its_curve_on_the_map(person: Client, scenario: Scenario) -> None:
    run = computed(asked(scenario, type="sweep", knobs=[{"path": PATH, "values": [18, 36]}]))
    text = page_of(person, run)
    assert "Of 2 points 1 is unstable" in text
    assert figure_of(text, "map")["layout"]["xaxis"]["title"]["text"] == "Maximum sessions [messages]"


def test_sensitivity_and_headroom_have_their_pictures(person: Client, scenario: Scenario) -> None:
    limit = {"metric": "latency.p95", "at_most": 0.75}
    headroom = computed(asked(scenario, type="headroom", subject_to=[limit], least=0.8, most=1.4))
    text = page_of(person, headroom, "headroom")
    assert "times today" in text
    assert {"today", "1.5 × today", "objective crossed", "stability limit"} <= set(legend(figure_of(text, "headroom")))
    assert "a year" not in "".join(text.split("explore-sentences")[1].split("explore-progress")[:1])
    sensitivity = computed(asked(scenario, type="sensitivity", inputs={SERVICE: 0.1, PATH: [30, 42]}))
    text = page_of(person, sensitivity, "sensitivity")
    assert "depends most on Mean service time" in text
    assert len(figure_of(text, "sensitivity")["data"]) == 2


def test_what_is_not_known_exactly_is_asked_for_and_told_in_one_interval(person: Client, scenario: Scenario) -> None:
    address = f"/scenarios/{scenario.pk}/explore/"
    wrong = person.post(address, {"tab": "sensitivity", "uncertain": f"{SERVICE}: fast to slow"})
    assert wrong.status_code == 422
    assert f"{SERVICE}: fast to slow</textarea>" in wrong.content.decode(), "nothing typed is lost"
    person.post(address, {"tab": "sensitivity", "uncertain": f"{SERVICE}: 150ms to 220ms\n\n{PATH}: 30 to 42"})
    run = computed(Run.objects.get(kind="sensitivity"))
    assert run.question["inputs"] == {SERVICE: [0.15, 0.22], PATH: [30, 42]}
    text = page_of(person, run, "sensitivity")
    assert 'in <span class="nowrap">95 %</span> of 64 draws over the ranges of all inputs at once' in text
    assert "Mean service time matters most: it explains" in text
    assert "depends most on Mean service time" in text, "one at a time is told as well"


def test_what_is_known_so_far_is_shown_and_can_be_paused_and_gone_on_with(
    person: Client, scenario: Scenario, search: Run
) -> None:
    knobs = [{"path": PATH, "values": [36, 60]}]
    run = asked(scenario, type="optimize", knobs=knobs)
    claimed = taken(run)
    summary = selectors.experiment_read(run=search).answers[0]
    run_points_save(run=claimed, summaries=[summary], partial=True)
    progress = {"fraction": 0.25, "points_done": 1, "points": 3, "eta_s": 4.0}
    job_touch(claimed, progress=progress)
    live = person.get(f"/experiments/{run.pk}/live/?tab=map").json()
    assert not live["final"]
    assert "25 % · 1 of 3 points" in live["html"]["progress"]
    assert "Recommended so far" in live["html"]["sentences"]
    assert [chart["key"] for chart in live["charts"]] == ["map"]
    person.post(f"/runs/{run.pk}/pause/")
    progress_text = person.get(f"/experiments/{run.pk}/live/").json()["html"]["progress"]
    assert "The current round finishes first" in progress_text
    assert f'action="/runs/{run.pk}/resume/"' in progress_text
    person.post(f"/runs/{run.pk}/resume/")
    person.post(f"/runs/{run.pk}/cancel/")
    assert "stopping the cluster job" in person.get(f"/experiments/{run.pk}/live/").json()["html"]["progress"]
    job_end(claimed, to=RunStatus.CANCELLED)
    assert "Go on" in page_of(person, run)
    person.post(f"/runs/{run.pk}/retry/")
    run.refresh_from_db()
    assert run.status == "queued"


def test_the_form_asks_and_names_what_is_wrong(person: Client, scenario: Scenario) -> None:
    address = f"/scenarios/{scenario.pk}/explore/"
    form = {"tab": "map", "action": "ask", "path0": PATH, "values0": "20 to 60 in 5", "minimize": PATH}
    assert person.post(address, form).status_code == 302
    run = Run.objects.get(kind="optimize")
    assert run.plan["points"] == 6
    refused = person.post(address, {**form, "values0": "0, 20"})
    assert refused.status_code == 422
    text = refused.content.decode()
    assert "maximum_sessions" in text
    assert "0, 20" in text


def test_the_csv_has_every_point(person: Client, search: Run) -> None:
    (address,) = re.findall(r'href="([^"]+)" download>All points as CSV', page_of(person, search))
    lines = person.get(address).content.decode().splitlines()
    assert {line.split(",")[0] for line in lines[1:]} == set(map(str, search.points.values_list("index", flat=True)))


def test_experiments_are_listed_and_lead_to_their_tab(person: Client, search: Run) -> None:
    assert f"/experiments/{search.pk}/" in person.get("/experiments/").content.decode()
    lead = person.get(f"/runs/{search.pk}/")
    assert lead.headers["Location"] == f"/experiments/{search.pk}/"
    lead = person.get(lead.headers["Location"])
    assert "tab=map" in lead.headers["Location"]


def test_a_stranger_sees_nothing(stranger: Client, client: Client, search: Run, owner: User) -> None:
    gets = ["", "live/"]
    assert all(stranger.get(f"/experiments/{search.pk}/{part}").status_code == 404 for part in gets)
    posts = ["cancel/", "continue/", "adopt/"]
    assert all(stranger.post(f"/experiments/{search.pk}/{part}").status_code == 404 for part in posts)
    assert stranger.get(f"/scenarios/{search.version.scenario_id}/explore/").status_code == 404
    client.logout()
    assert client.get(f"/experiments/{search.pk}/").headers["Location"].startswith("/login/")


def test_scenarios_of_one_name_are_told_apart_by_platform_and_version(person: Client, scenario: Scenario) -> None:
    page = person.get("/experiments/").content.decode()
    row = page.split(f'href="/scenarios/{scenario.pk}/explore/"')[1].split("</li>")[0]
    assert f"WebSphere Application Server for z/OS, v{scenario.version.number} of" in row
