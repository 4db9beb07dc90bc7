"""The page of scenarios."""

import csv
import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from planner import services
from planner.jobs import execute
from planner.models import ReportState, Run, Scenario
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body


def test_the_first_page_asks_until_there_is_an_own_scenario(
    person: Client, owner: User, request: pytest.FixtureRequest
) -> None:
    services.presets_load(owner=owner)
    first = person.get("/").content.decode()
    assert "What do you want to know?" in first
    assert "Surge backlog (z/OS)" in first
    assert 'action="/imports/new/"' in first
    assert "Search by name" in person.get("/", {"view": ""}).content.decode()
    request.getfixturevalue("scenario")
    assert "Search by name" in person.get("/").content.decode()
    assert "Your scenarios" in person.get("/questions/").content.decode()


def test_a_preset_opens_filled_in(person: Client, owner: User) -> None:
    answer = person.post("/scenarios/new/", {"preset": "surge-backlog"})
    made = Scenario.objects.get(owner=owner)
    assert answer.headers["Location"] == f"/scenarios/{made.pk}/"
    assert made.version.spec["queues"][0]["settings"]["maximum_sessions"] == 36


def test_an_unknown_preset_is_not_found(person: Client) -> None:
    assert person.post("/scenarios/new/", {"preset": "no-such"}).status_code == 404


def test_the_newest_answer_stands_in_the_row(person: Client, finished: Run) -> None:
    text = person.get("/").content.decode()
    assert "Maximum sessions 36" in text
    assert f"/runs/{finished.pk}/" in text
    assert "at 36" in text


def test_search_finds_by_name(person: Client, scenario: Scenario) -> None:
    assert scenario.name in person.get("/", {"q": "surge"}).content.decode()
    assert "No scenario is named like" in person.get("/", {"q": "zzz"}).content.decode()


def test_archiving_can_be_undone(person: Client, scenario: Scenario) -> None:
    archived = person.post(f"/scenarios/{scenario.pk}/archive/", follow=True).content.decode()
    assert f'action="/scenarios/{scenario.pk}/restore/"' in archived
    assert f'href="/scenarios/{scenario.pk}/"' not in archived
    restored = person.post(f"/scenarios/{scenario.pk}/restore/", follow=True).content.decode()
    assert f'href="/scenarios/{scenario.pk}/"' in restored


def test_a_copy_has_its_own_versions(person: Client, scenario: Scenario) -> None:
    answer = person.post(f"/scenarios/{scenario.pk}/copy/")
    assert answer.status_code == 302
    assert answer.headers["Location"] != f"/scenarios/{scenario.pk}/"


@pytest.mark.parametrize("rows", [1, 12])
def test_the_number_of_queries_does_not_grow(
    person: Client,
    owner: User,
    body: dict[str, Any],
    rows: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(rows):
        services.scenario_store(owner=owner, spec=parse({**body, "name": f"Scenario {number}"}))
    person.get("/runs/")  # the first answer of a day notes the browser
    with django_assert_num_queries(11):
        person.get("/")
    with django_assert_num_queries(9):
        person.get("/", {"group": "platform"})


def test_platform_and_tag_narrow_the_list(person: Client, scenario: Scenario, owner: User) -> None:
    services.scenario_tag(scenario=scenario, actor=owner, tags=["größer", "50%"])
    for query in ({"tag": "größer"}, {"tag": "50%"}, {"platform": "websphere-zos"}):
        assert f'href="/scenarios/{scenario.pk}/"' in person.get("/", query).content.decode(), query
    for query in ({"tag": "groß"}, {"tag": "%"}, {"platform": "openmq"}):
        assert "No scenario matches" in person.get("/", query).content.decode(), query


def test_the_chosen_are_archived_or_tagged_together(person: Client, owner: User, body: dict[str, Any]) -> None:
    made = [
        services.scenario_store(owner=owner, spec=parse({**body, "name": name})) for name in ("one", "two", "three")
    ]
    chosen = [item.pk for item in made[:2]]
    person.post("/scenarios/chosen/", {"scenario": chosen, "action": "tag", "tag": "prod"})
    assert list(Scenario.objects.order_by("name").values_list("tags", flat=True)) == [["prod"], [], ["prod"]]
    person.post("/scenarios/chosen/", {"scenario": chosen, "action": "tag", "tag": " "})
    assert list(Scenario.objects.filter(pk__in=chosen).values_list("tags", flat=True)) == [["prod"], ["prod"]]
    person.post("/scenarios/chosen/", {"scenario": chosen, "action": "archive"})
    assert [item.pk for item in Scenario.objects.filter(archived_at=None)] == [made[2].pk]


def test_nobody_archives_what_belongs_to_others(stranger: Client, scenario: Scenario) -> None:
    answer = stranger.post("/scenarios/chosen/", {"scenario": [scenario.pk], "action": "archive"})
    assert answer.status_code == 404
    scenario.refresh_from_db()
    assert scenario.archived_at is None


def test_the_objective_is_judged_in_the_row(person: Client, owner: User, finished: Run, body: dict[str, Any]) -> None:
    assert ">met<" not in row_of(person, finished)
    p95 = finished.points.get(index=1).summary["metrics"]["latency.p95"]["value"]
    for bound, word in (("10 s", "met"), ("1 ms", "missed"), (f"{p95} s", "not resolved")):
        bounded = {**body, "objectives": [{"metric": "latency.p95", "at_most": bound}]}
        services.scenario_replace(scenario=finished.version.scenario, author=owner, spec=parse(bounded))
        assert f">{word}<" in row_of(person, finished)


@pytest.fixture
def judged(owner: User, finished: Run, body: dict[str, Any]) -> Scenario:
    """A scenario of two versions, each with an answer; the second misses its objective."""
    scenario = finished.version.scenario
    bounded = {**body, "objectives": [{"metric": "latency.p95", "at_most": "1 ms"}]}
    services.scenario_replace(scenario=scenario, author=owner, spec=parse(bounded))
    scenario.refresh_from_db()
    again = services.run_start(version=scenario.version, owner=owner).run
    execute.run_compute(run_id=again.pk, worker="test", executor_of=lambda run: InlineExecutor())
    scenario.refresh_from_db()
    return scenario


def test_the_state_of_the_objective_narrows_the_list(person: Client, judged: Scenario) -> None:
    assert judged.verdict == "missed"
    for state, there in (("missed", True), ("met", False), ("unresolved", False), ("none", False)):
        assert (f'href="/scenarios/{judged.pk}/"' in person.get("/", {"slo": state}).content.decode()) is there, state


def test_the_answers_by_version_are_a_line_with_words(person: Client, judged: Scenario) -> None:
    text = row_of(person, judged)
    assert re.search(r'role="img" aria-label="p95 latency by version: v1 [\d.]+ m?s, v2 [\d.]+ m?s"', text)
    assert len(re.findall(r"[\d.]+,[\d.]+", re.findall(r'points="([^"]+)"', text)[0])) == 2


def test_a_failed_run_leaves_the_last_good_answer(person: Client, judged: Scenario, owner: User) -> None:
    before = re.findall(r'class="num" data-label="Answer">(.*?)</td>', row_of(person, judged))
    newer = services.run_start(version=judged.version, owner=owner, force=True).run
    assert before == re.findall(r'class="num" data-label="Answer">(.*?)</td>', row_of(person, judged))
    services.job_cancel(newer, actor=owner)
    text = row_of(person, judged)
    assert before == re.findall(r'class="num" data-label="Answer">(.*?)</td>', text)
    assert "showing an older answer" in text


def test_what_waits_for_a_signature_has_a_view(person: Client, owner: User, finished: Run) -> None:
    report = services.report_create(run=finished, owner=owner)
    link = f'href="/scenarios/{finished.version.scenario_id}/"'
    assert link not in person.get("/", {"awaiting": "1"}).content.decode()
    services.report_step(report=report, actor=owner, to=ReportState.IN_REVIEW)
    assert link in person.get("/", {"awaiting": "1"}).content.decode()


def test_the_chosen_rows_are_a_csv(person: Client, stranger: Client, judged: Scenario) -> None:
    services.scenario_replace(
        scenario=judged, author=judged.owner, spec=parse({**judged.version.spec, "name": "=2+5 is a formula"})
    )
    answer = person.post("/scenarios/chosen.csv", {"scenario": [judged.pk]})
    assert answer.headers["Content-Disposition"] == 'attachment; filename="scenarios.csv"'
    (row,) = csv.DictReader(answer.content.decode().splitlines())
    assert row["name"] == "'=2+5 is a formula"
    assert (row["objective"], row["unit"], row["at"]) == ("missed", "s", "36")
    assert float(row["low"]) <= float(row["metric value"]) <= float(row["high"])
    assert "Choose at least one" in person.post("/scenarios/chosen.csv", follow=True).content.decode()
    assert stranger.post("/scenarios/chosen.csv", {"scenario": [judged.pk]}).status_code == 404


@pytest.mark.parametrize("group", ["platform", "tags", "verdict"])
def test_groups_keep_their_rows_together(person: Client, owner: User, body: dict[str, Any], group: str) -> None:
    for number in range(4):
        tags = ["b"] if number % 2 else []
        services.scenario_store(owner=owner, spec=parse({**body, "name": f"Scenario {number}"}), tags=tags)
    text = person.get("/", {"group": group}).content.decode()
    assert len(re.findall('<tr class="group">', text)) == (2 if group == "tags" else 1)


def row_of(person: Client, of: Run | Scenario) -> str:
    """Return the table row of the scenario."""
    key = of.pk if isinstance(of, Scenario) else of.version.scenario_id
    rows = re.split("<tr[ >]", " ".join(person.get("/").content.decode().split()))
    return next(row for row in rows if f"/scenarios/{key}/" in row)


def cell_of(row: str, label: str) -> str:
    """Return the text of a cell of a row."""
    cell = re.search(f'data-label="{label}">(.*?)</td>', row)
    assert cell, row
    return re.sub("<[^>]+>", "", cell[1]).strip()


def test_the_headroom_that_was_searched_stands_in_the_row(
    person: Client, owner: User, finished: Run, body: dict[str, Any]
) -> None:
    scenario = finished.version.scenario
    assert cell_of(row_of(person, finished), "Headroom") == "–"
    question = {
        "type": "headroom",
        "subject_to": [{"metric": "latency.p95", "at_most": 0.75}],
        "least": 0.8,
        "most": 1.4,
    }
    asked = services.experiment_prepare(version=scenario.version, owner=owner, question=question)().run
    execute.run_compute(run_id=asked.pk, worker="test", executor_of=lambda run: InlineExecutor(2))
    asked.refresh_from_db()
    text = row_of(person, finished)
    value, half = (float(part) for part in re.findall(r"[\d.]+", cell_of(text, "Headroom")))
    assert value == pytest.approx(asked.headline["headroom"]["carried"], abs=0.01)
    assert 0.8 < value < 1.4
    assert half > 0
    assert f'href="/experiments/{asked.pk}/"' in text
    assert "at 36" in text, "an experiment is no run"
    wider = {**body, "queues": [{**body["queues"][0], "arrivals": {"kind": "poisson", "rate": "70/s"}}]}
    services.scenario_replace(scenario=scenario, author=owner, spec=parse(wider))
    assert cell_of(row_of(person, finished), "Headroom").endswith("of v1")


def test_without_a_sweep_the_first_setting_that_is_not_as_always_stands_in_the_row(
    person: Client, owner: User, body: dict[str, Any]
) -> None:
    made = services.scenario_store(owner=owner, spec=parse({**body, "sweep": []}))
    assert cell_of(row_of(person, made), "Setting") == "Maximum sessions 36"


@pytest.mark.parametrize(
    ("changes", "setting"),
    [
        ({"work_manager": "orders"}, "Fair share 80, Max threads constraint 24"),
        ({"work_manager": "default", "messages_maximum": 5}, "Messages maximum 5"),
        ({}, "Work manager default"),
    ],
)
def test_the_numbers_of_a_work_manager_stand_in_the_row(
    person: Client, owner: User, changes: dict[str, Any], setting: str
) -> None:
    managers = [{"name": "orders", "fair_share": 80, "max_threads": 24}]
    made = services.scenario_store(
        owner=owner, spec=parse(scenario_body("weblogic", server={"work_managers": managers}, queue=changes))
    )
    assert cell_of(row_of(person, made), "Setting") == setting


def test_a_time_in_the_row_has_its_unit(person: Client, owner: User, body: dict[str, Any]) -> None:
    path = "queues.orders.settings.queue_agent_time"
    spec = parse({**body, "sweep": [{"path": path, "values": [0.002, 0.004]}]})
    made = services.scenario_store(owner=owner, spec=spec)
    assert cell_of(row_of(person, made), "Setting").endswith(" ms")


def test_a_swept_setting_of_the_server_stands_in_the_row(person: Client, owner: User) -> None:
    path = "servers.payments.settings.work_managers.orders.fair_share"
    body = scenario_body("weblogic", server={"work_managers": [{"name": "orders", "fair_share": 80}]})
    made = services.scenario_store(owner=owner, spec=parse({**body, "sweep": [{"path": path, "values": [20, 80]}]}))
    assert cell_of(row_of(person, made), "Setting") == "Fair share 80"


def test_what_was_done_to_the_chosen_can_be_undone(person: Client, owner: User, body: dict[str, Any]) -> None:
    one, two = (services.scenario_store(owner=owner, spec=parse({**body, "name": name})) for name in ("one", "two"))
    services.scenario_tag(scenario=one, actor=owner, tags=["prod"])
    chosen = {"scenario": [one.pk, two.pk], "next": "/?q=o&page=1"}

    def undone(action: dict[str, str]) -> list[list[str]]:
        answer = person.post("/scenarios/chosen/", {**chosen, **action})
        assert answer.headers["Location"] == "/?q=o&page=1"
        page = person.get("/?q=nothing").content.decode()
        address = page.split('action="/scenarios/chosen/undo/')[1].split('"')[0]
        assert person.post(f"/scenarios/chosen/undo/{unescape(address)}").status_code == 302
        return list(Scenario.objects.filter(archived_at=None).order_by("name").values_list("tags", flat=True))

    assert undone({"action": "archive"}) == [["prod"], []]
    assert undone({"action": "tag", "tag": "prod"}) == [["prod"], []]


def test_the_table_is_the_only_place_to_go_back_to(person: Client, scenario: Scenario) -> None:
    for forged in ("https://example.org/", "//example.org/", "javascript:alert(1)//", "no such page", "login", ""):
        answer = person.post("/scenarios/chosen/", {"action": "archive", "next": forged})
        assert answer.headers["Location"] == "/"
