"""The workbench: the form, saving, and the live answer."""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Thread
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.messages import get_messages
from django.test import Client, RequestFactory

from frontend.workbench import views
from frontend.workbench.form import scenario_form
from planner import services
from planner.models import Run, RunStatus, Scenario
from simulations.declarations.problems import InvalidInput, problem
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse
from tests.scenarios import listener_port

SESSIONS = "queues.0.settings.maximum_sessions"


def address(scenario: Scenario, tail: str = "") -> str:
    """Return the address of the workbench, or of what lies below it."""
    return f"/scenarios/{scenario.pk}/{tail}"


def test_every_declared_setting_has_a_field(person: Client, scenario: Scenario) -> None:
    text = person.get(address(scenario)).content.decode()
    family = scenario.version.spec
    for name in family["servers"][0]["settings"]:
        assert re.search(rf'name="servers.0.settings.{name}(.rows)?"', text), name
    for name in family["queues"][0]["settings"]:
        assert re.search(rf'name="queues.0.settings.{name}(.rows)?"', text), name


def test_saving_makes_a_version_and_keeps_the_rest(person: Client, scenario: Scenario) -> None:
    before = scenario.version.spec
    person.post(address(scenario), {"action": "save", "version": 1, "revision": scenario.revision, SESSIONS: "100"})
    scenario.refresh_from_db()
    assert scenario.version.number == 2
    changed = scenario.version.spec
    assert changed["queues"][0]["settings"].pop("maximum_sessions") == 100
    assert before["queues"][0]["settings"].pop("maximum_sessions") == 36
    assert changed == before


def test_a_scenario_of_a_hundred_queues_is_saved(person: Client, owner: User) -> None:
    """Its form has thousands of fields."""
    body = listener_port("A hundred queues")
    body["queues"] = [{**body["queues"][0], "name": f"queue-{place}"} for place in range(100)]
    made = services.scenario_store(owner=owner, spec=parse(body))
    found = person.get(address(made)).content.decode()
    names = set(re.findall(r'name="(queues\.\d+\.settings\.(?:maximum|backout|recovery|failure_delivery)\w*)"', found))
    names |= {f"queues.{place}.service.mean" for place in range(100)} | {
        f"queues.{place}.arrivals.rate" for place in range(100)
    }
    form = {name: {"mean": "50 ms", "rate": "1/s"}.get(name.rsplit(".", 1)[-1], "7") for name in names}
    for place in range(100):
        form |= {f"queues.{place}.service.kind": "exponential", f"queues.{place}.arrivals.kind": "poisson"}
        form |= {f"queues.{place}.settings.poison_rate": "0", f"queues.{place}.settings.failure_rate": "0"}
    assert len(form) > 1000
    answer = person.post(address(made), {"action": "save", "version": 1, **form})
    assert answer.status_code == 302
    made.refresh_from_db()
    assert made.version.spec["queues"][99]["settings"]["maximum_sessions"] == 7


def test_running_saves_and_starts(person: Client, scenario: Scenario) -> None:
    answer = person.post(address(scenario), {"action": "run", "version": 1, SESSIONS: "50"})
    run = Run.objects.get()
    assert answer.headers["Location"] == f"/runs/{run.pk}/"
    assert run.spec["queues"][0]["settings"]["maximum_sessions"] == 50


def test_a_run_of_the_same_content_answers_and_says_whose_it_is(person: Client, scenario: Scenario) -> None:
    other = services.scenario_store(owner=scenario.owner, spec=scenario.version.parsed)
    started = services.run_start(version=other.version, owner=other.owner).run
    Run.objects.update(status=RunStatus.SUCCEEDED, result_hash="0" * 64)
    answer = person.post(address(scenario), {"action": "run", "version": 1})
    assert answer.headers["Location"] == f"/runs/{started.pk}/"
    (said,) = get_messages(answer.wsgi_request)
    assert str(said) == f"This was simulated before, in {other.name}."


def test_wrong_values_are_named_all_at_once_beside_their_fields(person: Client, scenario: Scenario) -> None:
    wrong = {SESSIONS: "-3", "servers.0.cpus": "many", "queues.0.service.mean": "NaN", "action": "save"}
    answer = person.post(address(scenario), wrong)
    text = answer.content.decode()
    assert answer.status_code == 422
    for name in (SESSIONS, "servers.0.cpus", "queues.0.service.mean"):
        line = text.split(f'id="p-{name}"')[1].split("</p>")[0]
        assert "hidden" not in line.split(">")[0], name
    assert "data-stale" in text
    scenario.refresh_from_db()
    assert scenario.version.number == 1


def test_a_sweep_beyond_the_limit_is_refused_without_being_made(person: Client, scenario: Scenario) -> None:
    most = settings.ENVIRONMENT.max_sweep_points
    values = ", ".join(str(number) for number in range(1, most + 2))
    sweep = {"sweep.path": "queues.orders.settings.maximum_sessions", "sweep.values": values, "action": "run"}
    answer = person.post(address(scenario), sweep)
    assert answer.status_code == 422
    assert f"{most + 1} points" in answer.content.decode()
    assert not Run.objects.exists()


def test_a_stale_form_is_told_and_keeps_its_values(person: Client, scenario: Scenario) -> None:
    person.post(address(scenario), {"action": "save", "revision": scenario.revision, SESSIONS: "50"})
    late = person.post(
        address(scenario), {"action": "save", "version": 1, "revision": scenario.revision, SESSIONS: "77"}
    )
    assert late.status_code == 409
    assert 'value="77"' in late.content.decode()


PARTS = ("glance", "simulated")


def ask(person: Client, scenario: Scenario, part: str, **values: Any) -> Any:
    """Ask for a live answer."""
    return person.post(address(scenario, "answer/"), {"part": part, "sequence": "7", "version": 1, **values})


def test_the_formula_answers_with_the_sequence_number(person: Client, scenario: Scenario) -> None:
    answer = ask(person, scenario, "formula", **{SESSIONS: "100"})
    read = answer.json()
    assert read["sequence"] == "7"
    assert 'data-derived="backlog"' in read["html"]["derived"]
    assert read["charts"] == []


def test_the_engine_answers_with_charts_and_timing(person: Client, scenario: Scenario) -> None:
    answer = ask(person, scenario, "simulated")
    assert [chart["key"] for chart in answer.json()["charts"]] == ["latency", "tail", "throttle"]
    assert "simulate;dur=" in answer.headers["Server-Timing"]
    assert answer.json() == ask(person, scenario, "simulated").json()


def test_a_glance_is_a_short_simulation_of_the_same_course(person: Client, scenario: Scenario) -> None:
    whole, brief = (ask(person, scenario, part).json() for part in ("simulated", "glance"))
    assert "10 replications, 80," in whole["html"]["verdict"]
    assert "4 replications, 3" in brief["html"]["verdict"]
    assert [chart["key"] for chart in brief["charts"]] == ["latency", "tail", "throttle"]
    assert [chart["table"] for chart in brief["charts"]] == [None] * 3
    assert whole["charts"][2]["figure"]["layout"].pop("meta")["ways"]["step"], "a glance has no single messages"
    assert brief["charts"][2]["figure"] == whole["charts"][2]["figure"]
    unseen = ask(person, scenario, "glance", unseen="throttle").json()
    assert [chart["key"] for chart in unseen["charts"]] == ["latency", "tail"]


def test_a_surge_that_must_drain_is_never_cut(person: Client, owner: User, body: dict[str, Any]) -> None:
    queue = {**body["queues"][0], "arrivals": {"kind": "surge", "count": 60_000, "at": "0s"}}
    run = {**body["run"], "horizon": {"until": "drained"}, "warmup": "0s"}
    surge = services.scenario_store(owner=owner, spec=parse({**body, "queues": [queue], "run": run, "sweep": []}))
    said = [re.findall(r"\d+ replications", ask(person, surge, part).json()["html"]["verdict"]) for part in PARTS]
    assert said == [["2 replications"], ["8 replications"]]


@pytest.mark.parametrize("part", ["glance", "simulated"])
def test_what_is_too_long_for_a_live_answer_is_not_wrong(
    person: Client, owner: User, body: dict[str, Any], part: str
) -> None:
    queue = {**body["queues"][0], "arrivals": {"kind": "surge", "count": 1_000_000, "at": "0s"}}
    run = {**body["run"], "horizon": {"until": "drained"}, "warmup": "0s"}
    surge = services.scenario_store(owner=owner, spec=parse({**body, "queues": [queue], "run": run, "sweep": []}))
    answer = ask(person, surge, part)
    read = answer.json()
    assert (answer.status_code, read["status"], read["charts"]) == (200, "too_long", [])
    assert "events, too many for a quick answer; a full run of these settings simulates it." in read["html"]["verdict"]
    assert "Run full simulates" in read["html"]["verdict"]
    assert "the simulation follows" not in read["html"]["verdict"]
    plain = person.post(address(surge), {"action": "show"})
    assert (plain.status_code, plain.context["form"].wrong) == (200, 0)


def test_of_several_queues_the_charts_of_one_are_shown(person: Client, owner: User, body: dict[str, Any]) -> None:
    second = {**body["queues"][0], "name": "bills", "service": {"kind": "constant", "mean": 0.05}}
    orders = {**body["queues"][0], "arrivals": {"kind": "poisson", "rate": 40.0}}
    both = services.scenario_store(owner=owner, spec=parse({**body, "queues": [orders, second], "sweep": []}))
    text = person.get(address(both)).content.decode()
    assert re.findall(r"<option(?: selected)?>(\w+)</option>", text) == ["orders", "bills"]
    shown = {name: ask(person, both, "simulated", queue=name).json()["charts"] for name in ("orders", "bills", "gone")}
    assert shown["gone"] == shown["orders"] != shown["bills"]


def test_an_unstable_system_has_growth_and_no_percentile(person: Client, scenario: Scenario) -> None:
    read = ask(person, scenario, "simulated", **{SESSIONS: "18"}).json()
    assert read["status"] == "unstable"
    assert "Unstable: orders grows by" in read["html"]["verdict"]
    assert "95 %" not in read["html"]["verdict"]
    assert [chart["key"] for chart in read["charts"]] == ["throttle"]


def test_a_wrong_value_is_answered_for_its_field(person: Client, scenario: Scenario) -> None:
    answer = ask(person, scenario, "simulated", **{SESSIONS: "0"})
    assert answer.status_code == 422
    assert list(answer.json()["problems"]) == [SESSIONS]


def test_another_kind_of_arrivals_draws_other_fields(person: Client, scenario: Scenario) -> None:
    text = person.post(address(scenario, "fields/"), {"queues.0.arrivals.kind": "surge"}).content.decode()
    assert 'name="queues.0.arrivals.count"' in text
    assert 'name="queues.0.arrivals.rate"' not in text


def test_rows_are_added_and_removed_without_scripts_too(person: Client, scenario: Scenario) -> None:
    values = {**scenario_form(scenario.version.spec).values, "version": "1"}
    text = person.post(address(scenario), {**values, "do": "copy queues.0"}).content.decode()
    assert 'name="queues.rows" value="0,0"' in text
    assert 'name="queues.1.name" value="orders-2"' in text
    assert 'name="queues.1.server"' not in text
    more = person.post(address(scenario), {**values, "do": "add servers"}).content.decode()
    assert 'name="servers.1.name" value="server"' in more
    assert 'name="queues.0.server"' in more
    scenario.refresh_from_db()
    assert scenario.version.number == 1


def test_a_wrong_name_is_answered_at_the_name_and_counted(person: Client, scenario: Scenario) -> None:
    assert list(ask(person, scenario, "simulated", name="").json()["problems"]) == ["name"]
    text = person.post(address(scenario), {"action": "save", "name": "", SESSIONS: "0"}).content.decode()
    assert "· 2 problems" in text


def test_a_cure_is_applied_without_scripts_too(person: Client, scenario: Scenario) -> None:
    fix = '{"queues.orders.settings.maximum_sessions": 64}'
    text = person.post(address(scenario), {"fix": fix}).content.decode()
    assert 'name="queues.0.settings.maximum_sessions" value="64"' in text


def test_a_forged_cure_is_refused(person: Client, scenario: Scenario) -> None:
    for fix in ("{", "[]"):
        answer = person.post(address(scenario), {"fix": fix})
        assert answer.status_code == 422
        assert "no cure of a rule" in answer.content.decode()


def test_fields_are_drawn_with_a_cure(person: Client, scenario: Scenario) -> None:
    cure = '{"queues.orders.settings.maximum_sessions": 40}'
    drawn = person.post(f"{address(scenario)}fields/", {"fix": cure, "queues.0.settings.maximum_sessions": "39"})
    assert re.search(r'name="queues.0.settings.maximum_sessions"[^>]*value="40"', drawn.content.decode())


def test_a_revision_that_is_no_number_is_refused(person: Client, scenario: Scenario) -> None:
    assert person.post(address(scenario), {"action": "save", "revision": "²"}).status_code == 400


def test_a_saved_form_is_named_to_the_browser(person: Client, scenario: Scenario) -> None:
    form = {"version": 1, "revision": scenario.revision}
    for action in ("run", "explore", "save"):
        answer = person.post(address(scenario), {"action": action, **form})
        assert answer.cookies["sluice-saved"].value == f"{scenario.pk}:1", action
    refused = person.post(address(scenario), {"action": "save", **form, SESSIONS: "-5"})
    assert "sluice-saved" not in refused.cookies
    assert 'id="saved-values"' in refused.content.decode()
    assert "sluice-saved" not in person.post(address(scenario), {"action": "run"}).cookies


def test_a_version_whose_run_is_refused_is_not_saved(person: Client, scenario: Scenario, monkeypatch: Any) -> None:
    def refuse(**about: Any) -> None:
        raise InvalidInput([problem(("run",), "too large")])

    monkeypatch.setattr(services, "run_start", refuse)
    answer = person.post(address(scenario), {"action": "run", "version": 1, SESSIONS: "50"})
    assert answer.status_code == 422
    scenario.refresh_from_db()
    assert scenario.version.number == 1


def test_the_live_panel_is_told_that_the_engine_is_being_compiled(
    person: Client, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("planner.answers.quick.variants_awaited", lambda network=None: 3)
    asked = {"part": "glance", "sequence": "7", "version": 1}
    answer = person.post(address(scenario, "answer/"), asked, headers={"Accept": "application/json"})
    assert answer.status_code == 202
    assert "0 of 3 variants are ready" in answer.json()["reason"]
    assert person.post(address(scenario, "answer/"), {**asked, "part": "formula"}).status_code == 200


ASKED = {
    "name": "Orders",
    "queues.0.arrivals.rate": "30/s",
    "queues.0.service.mean": "50ms",
    "objectives.0.value": "2 s",
}


LIMITS = {
    "websphere-zos": "Maximum sessions",
    "websphere": "Maximum sessions",
    "weblogic": "Max threads constraint",
    "openmq": "Consumer flow limit of the factory",
}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_four_numbers_make_a_scenario(person: Client, owner: User, platform: str) -> None:
    assert f"?platform={platform}" in person.get("/scenarios/start/").content.decode()
    form = person.get("/scenarios/start/", {"platform": platform}).content.decode()
    assert form.count('<div class="field') == 5
    assert f">{LIMITS[platform]}" in form, "the first limit on the way of the messages"
    answer = person.post("/scenarios/start/", {"platform": platform, **ASKED})
    made = Scenario.objects.get(owner=owner)
    assert answer.headers["Location"] == f"/scenarios/{made.pk}/"
    spec = made.version.parsed
    assert (made.name, spec.platform, spec.objectives[0].at_most) == ("Orders", platform, 2.0)
    assert spec.body()["queues"][0]["arrivals"]["rate"] == 30.0
    assert spec.body()["queues"][0]["service"]["mean"] == 0.05


def test_a_wrong_number_is_told_at_its_field(person: Client, owner: User) -> None:
    wrong = {**ASKED, "platform": "weblogic", "queues.0.arrivals.rate": "many"}
    answer = person.post("/scenarios/start/", wrong)
    assert answer.status_code == 422
    assert 'value="many"' in answer.content.decode()
    assert 'aria-invalid="true"' in answer.content.decode()
    assert not Scenario.objects.filter(owner=owner).exists()


PANEL, CURVE = ("answer/", {"part": "simulated"}), ("curve/", {"knob": "queues.0.settings.maximum_sessions"})


@pytest.mark.parametrize(("tail", "question"), [PANEL, CURVE])
@pytest.mark.parametrize(("other", "status"), [("1", 202), ("2", 200)])
def test_a_glance_ends_older_questions_of_its_page_alone(
    person: Client, scenario: Scenario, monkeypatch: Any, tail: str, question: dict[str, str], other: str, status: int
) -> None:
    glances = [ask(person, scenario, "glance", page="1")]

    @contextmanager
    def turn_that_takes_a_while() -> Iterator[None]:
        glances.append(ask(person, scenario, "glance", page=other))
        yield

    monkeypatch.setattr(views, "_LONG", turn_that_takes_a_while())
    asked = {"sequence": "7", "version": 1, "page": "1", **question}
    answer = person.post(address(scenario, tail), asked, headers={"Accept": "application/json"})
    assert [glance.status_code for glance in glances] == [200, 200]
    assert answer.status_code == status
    assert ("A newer question of this page" in answer.content.decode()) == (status == 202)


def test_whole_answers_wait_for_a_pause_between_glances(rf: RequestFactory, owner: User, monkeypatch: Any) -> None:
    monkeypatch.setattr(views, "PAUSE", 60.0)
    monkeypatch.setattr(views, "PATIENCE", 60.0)
    ended: list[str] = []

    def turn(page: str, *, brief: bool) -> AbstractContextManager[None]:
        request = rf.post("/", {"page": page})
        request.user = owner
        return views.in_turn(request, brief=brief)

    def whole() -> None:
        with turn("2", brief=False):
            ended.append("whole")

    with turn("1", brief=True):
        ended.append("glance")
    other = Thread(target=whole)
    other.start()
    other.join(0.3)
    ended.append("pause")
    monkeypatch.setattr(views, "PAUSE", 0.0)
    other.join(30)
    assert ended == ["glance", "pause", "whole"]
