"""The form is derived from the declarations and loses nothing."""

import copy
from collections import Counter
from typing import Any

import pytest

from frontend.workbench.fields import FormField
from frontend.workbench.form import ScenarioForm, form_read, scenario_form
from frontend.workbench.items import rows_changed
from planner.presets.files import Preset, presets
from simulations.declarations.parameters import parameters_of
from simulations.declarations.problems import InvalidInput, Problem
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse
from tests.scenarios import listener_port


def all_fields(body: dict[str, Any]) -> dict[str, FormField]:
    """Return every field of the form by its name."""
    groups = scenario_form(body).groups
    return {field.name: field for group in groups for field in (*group.fields, *group.more)}


def sent(body: dict[str, Any], **changes: str) -> dict[str, str]:
    """Return what a browser sends for the form of ``body`` when nothing but ``changes`` was touched."""
    return {**{name: field.text for name, field in all_fields(body).items()}, **changes}


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.key)
def test_an_untouched_form_gives_the_same_scenario(preset: Preset) -> None:
    body = preset.spec.body()
    assert parse(form_read(body, sent(body))).body() == body


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.key)
def test_every_field_stands_once(preset: Preset) -> None:
    names = Counter(field.name for field in scenario_form(preset.spec.body()).fields)
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("name", PLATFORMS)
def test_every_declared_setting_of_every_platform_is_a_field(name: str) -> None:
    work = {"arrivals": {"kind": "poisson", "rate": 10}, "service": {"kind": "constant", "mean": 0.1}}
    base = {
        "sluice": 1,
        "name": "x",
        "platform": name,
        "servers": [{"name": "s"}],
        "queues": [{"name": "q", "server": "s", **work}],
    }
    body = parse(base).body()
    fields = all_fields(body)
    family = PLATFORMS[name]
    for part, model in (("servers", family.server_parameters), ("queues", family.queue_parameters)):
        for item in parameters_of(model):
            name = f"{part}.0.settings.{item.name}"
            field = fields[f"{name}.rows" if item.kind == "structure" else name]
            assert (field.declaration.title, field.declaration.unit) == (item.title, item.unit)
            assert field.range_text or item.minimum is None
    assert parse(form_read(body, sent(body))).body() == body


def body_of(key: str) -> dict[str, Any]:
    """Return a fresh body of a preset."""
    return copy.deepcopy(next(preset.spec.body() for preset in presets() if preset.key == key))


def test_texts_with_units_are_read() -> None:
    body = body_of("surge-backlog")
    changed = parse(
        form_read(body, sent(body, **{"queues.0.service.mean": "0.25 s", "queues.0.arrivals.rate": "3600/h"}))
    )
    assert changed.queues[0].service.model_dump()["mean"] == 0.25
    assert changed.queues[0].arrivals.model_dump()["rate"] == 1.0


def test_every_wrong_field_is_named_at_its_place() -> None:
    body = body_of("surge-backlog")
    wrong = {
        "queues.0.settings.maximum_sessions": "-3",
        "servers.0.cpus": "two",
        "queues.0.arrivals.rate": "nan",
        "run.precision.relative": "0%",
        "objectives.0.value": "soon",
        "sweep.values": "",
    }
    typed = form_read(body, sent(body, **wrong))
    with pytest.raises(InvalidInput) as caught:
        parse(typed)
    form = scenario_form(typed, caught.value.problems)
    shown = {field.name: field for group in form.groups for field in (*group.fields, *group.more) if field.problem}
    assert set(shown) == set(wrong)
    assert form.problems == ()
    assert shown["servers.0.cpus"].text == "two"


def test_another_kind_starts_with_plain_values_and_keeps_what_both_have() -> None:
    body = body_of("surge-backlog")
    surge = form_read(body, sent(body, **{"queues.0.arrivals.kind": "surge"}))["queues"][0]["arrivals"]
    constant = form_read(body, sent(body, **{"queues.0.arrivals.kind": "constant"}))["queues"][0]["arrivals"]
    assert surge == {"kind": "surge", "count": 1000}
    assert constant == {"kind": "constant", "rate": "81/s"}


def refused(body: dict[str, Any], **changes: str) -> ScenarioForm:
    """Return the form that shows what is wrong with these changes."""
    typed = form_read(body, sent(body, **changes))
    with pytest.raises(InvalidInput) as caught:
        parse(typed)
    return scenario_form(typed, caught.value.problems)


def test_problems_between_fields_stand_at_one_by_the_names_on_the_screen() -> None:
    form = refused(body_of("non-asf"), **{"queues.0.settings.receive_timeout": "0", "name": ""})
    wrong = {field.name: field.problem for field in form.fields if field.problem}
    assert list(wrong) == ["queues.0.settings.receive_timeout"]
    assert "receive_timeout" not in wrong["queues.0.settings.receive_timeout"]
    assert (form.wrong, form.problems) == (2, ())
    assert "must not be empty" in form.name_problem


def test_a_problem_of_a_row_stands_in_that_row() -> None:
    goal = "servers.0.settings.work_managers.1.response_time_goal"
    form = refused(body_of("bursts"), **{goal: "2 s"})
    wrong = [field for field in form.fields if field.problem]
    assert [field.row[1] for field in wrong] == ["mdb"]
    assert "give Fair share or Response time goal" in wrong[0].problem


def test_what_the_scenario_sweeps_leads_its_section_and_that_leads_the_form() -> None:
    for preset in presets():
        body = preset.spec.body()
        path, first = body["sweep"][0]["path"], scenario_form(body).groups[0].fields
        assert path in [field.path for field in first], preset.key
        rows = ("servers.0.settings.work_managers", "servers.0.settings.outage")
        assert first[0].path == path or first[0].place in rows, preset.key


def test_a_decimal_comma_is_read_where_it_can_be_nothing_else() -> None:
    body = body_of("surge-backlog")
    typed = {"queues.0.arrivals.rate": "81,5/s", "run.precision.relative": "2,5 %", "objectives.0.value": "0,75 s"}
    read = parse(form_read(body, sent(body, **typed))).body()
    assert read["queues"][0]["arrivals"]["rate"] == 81.5
    assert (read["run"]["precision"]["relative"], read["objectives"][0]["at_most"]) == (0.025, 0.75)
    assert refused(body, **{"queues.0.arrivals.rate": "1,000/s"}).wrong == 1


def test_measured_values_and_points_are_typed_without_brackets() -> None:
    body = body_of("flow-control")
    points = "queues.0.arrivals.points"
    assert "[" not in all_fields(body)[points].text
    read = parse(form_read(body, sent(body, **{points: "0, 10\n60 s, 20/s"}))).body()
    assert read["queues"][0]["arrivals"]["points"] == [[0.0, 10.0], [60.0, 20.0]]
    measured = {**body["queues"][0], "service": {"kind": "empirical", "source": [0.1, 0.25]}}
    body = parse({**body, "queues": [measured]}).body()
    source = "queues.0.service.source"
    assert all_fields(body)[source].text == "0.1, 0.25"
    read = parse(form_read(body, sent(body, **{source: "100 ms, 0.3"}))).body()
    assert read["queues"][0]["service"]["source"] == [0.1, 0.3]
    assert [field.name for field in refused(body, **{source: "0.1, soon"}).fields if field.problem] == [source]


def test_without_a_swept_setting_there_is_no_sweep() -> None:
    body = body_of("surge-backlog")
    assert form_read(body, sent(body, **{"sweep.path": ""}))["sweep"] == []


def test_sliders_reach_beyond_the_value_and_stay_inside_the_limits() -> None:
    for preset in presets():
        for name, field in all_fields(preset.spec.body()).items():
            if field.slider:
                assert field.slider.minimum <= field.slider.value <= field.slider.maximum, name
                assert field.slider.minimum < field.slider.maximum, name


def test_the_fields_of_another_kind_are_read_as_well() -> None:
    body = body_of("surge-backlog")
    typed = {"queues.0.arrivals.kind": "surge", "queues.0.arrivals.count": "400"}
    nested = {"queues.0.arrivals.kind": "renewal", "queues.0.arrivals.interval.kind": "gamma"}
    assert parse(form_read(body, sent(body, **typed))).queues[0].arrivals.model_dump()["count"] == 400
    renewal = parse(form_read(body, sent(body, **nested))).queues[0].arrivals.model_dump()
    assert (renewal["interval"]["kind"], renewal["interval"]["cv"]) == ("gamma", 1.0)


def test_the_objective_is_a_duration_with_its_unit() -> None:
    body = parse(listener_port("Bounded", objectives=[{"metric": "latency.p95", "at_most": "800ms"}])).body()
    fields = {field.name: field for group in scenario_form(body).groups for field in (*group.fields, *group.more)}
    objective = fields["objectives.0.value"]
    assert (objective.widget, objective.text, objective.declaration.unit) == ("quantity", "800 ms", "s")


def test_the_first_objective_is_shown_whatever_it_bounds() -> None:
    body = body_of("order")
    fields = all_fields(body)
    shown = [fields[f"objectives.0.{name}"].text for name in ("metric", "bound", "value")]
    assert shown == ["overtaken_fraction", "equals", "0%"]
    assert fields["objectives.0.value"].declaration.title == "Objective: Overtaken exactly"
    assert parse(form_read(body, sent(body))) == parse(body)
    assert form_read(body, sent(body, **{"objectives.0.value": ""}))["objectives"] == []
    changes = {"objectives.0.metric": "throughput", "objectives.0.bound": "at_least", "objectives.0.value": "20/s"}
    (asked,) = parse(form_read(body, sent(body, **changes))).objectives
    assert (asked.metric, asked.queue, asked.at_least) == ("throughput", "postings", 20.0)


def test_objectives_are_rows_of_which_each_is_changed_and_none_is_lost() -> None:
    wanted = [{"metric": "latency.p95", "at_most": "800ms"}, {"metric": "throughput", "at_least": "70/s"}]
    body = parse(listener_port("Bounded", objectives=wanted)).body()
    fields = all_fields(body)
    assert [fields[f"objectives.{row}.value"].text for row in (0, 1)] == ["800 ms", "70/s"]
    assert fields["objectives.1.metric"].row == ("objectives.1", "Throughput", True, "objective")
    assert parse(form_read(body, sent(body))) == parse(body)
    changed = parse(form_read(body, sent(body, **{"objectives.1.value": "75/s"})))
    assert [item.bound for item in changed.objectives] == [0.8, 75.0]
    removed = rows_changed(sent(body, do="remove objectives.0"))
    (left,) = parse(form_read(body, removed)).objectives
    assert (left.metric, left.at_least) == ("throughput", 70.0)
    assert all_fields(form_read(body, removed))["objectives.0.metric"].row[0] == ""
    assert form_read(body, {"objectives.0.bound": "at_least"})["objectives"][0]["at_least"] == 0.8


def test_a_further_objective_asks_for_its_value_and_its_queue() -> None:
    body = body_of("order")
    second = {**body["queues"][0], "name": "copies"}
    body = parse({**body, "queues": [*body["queues"], second]}).body()
    added = rows_changed(sent(body, do="add objectives"))
    form = refused(body, **added)
    assert [field.name for field in form.fields if field.problem] == ["objectives.1.value"]
    queue = all_fields(form_read(body, added))["objectives.1.queue"]
    assert queue.options == (("", "all queues"), ("postings", "postings"), ("copies", "copies"))
    given = {"objectives.1.value": "2 s", "objectives.1.queue": "copies"}
    spec = parse(form_read(body, {**added, **given}))
    assert [(item.metric, item.queue) for item in spec.objectives] == [
        ("overtaken_fraction", "postings"),
        ("latency.p95", "copies"),
    ]


def test_a_metric_of_threads_belongs_to_no_queue() -> None:
    body = body_of("order")
    asked = {"objectives.0.metric": "threads.idle_blocked", "objectives.0.bound": "at_most", "objectives.0.value": "3"}
    (objective,) = parse(form_read(body, sent(body, **asked))).objectives
    assert (objective.metric, objective.queue) == ("threads.idle_blocked", None)


def test_an_empty_field_is_told_so() -> None:
    form = refused(body_of("surge-backlog"), **{"queues.0.settings.maximum_sessions": "", "queues.0.service.mean": ""})
    assert {field.problem for field in form.fields} == {"", "must not be empty; enter a value"}


def test_a_course_that_is_too_long_for_a_quick_answer_is_told_once() -> None:
    body = parse(listener_port("Long", run={"horizon": {"time": "1h"}})).body()
    form = scenario_form(body, (Problem("/run/horizon", "run.horizon", "too_large", "too many"),))
    assert [field.name for field in form.fields if field.problem] == ["run.horizon.kind"]


def test_another_metric_asks_for_its_value() -> None:
    body = parse(listener_port("Free")).body()
    typed = form_read(body, sent(body, **{"objectives.0.metric": "drain_time"}))
    with pytest.raises(InvalidInput) as caught:
        parse(typed)
    shown = {field.name: field for field in scenario_form(typed, caught.value.problems).fields}
    assert shown["objectives.0.metric"].text == "drain_time"
    assert shown["objectives.0.value"].problem
    assert form_read(body, sent(body))["objectives"] == []


def test_the_size_of_a_message_is_chosen_like_a_distribution() -> None:
    body = body_of("order")
    fields = all_fields(body)
    size = fields["queues.0.message_size.mean"]
    assert (size.text, size.path) == ("1 kB", "queues.postings.message_size")
    assert fields["queues.0.message_size.kind"].declaration.title == "Message size"
    drawn = form_read(body, sent(body, **{"queues.0.message_size.kind": "lognormal"}))
    assert parse(drawn).body()["queues"][0]["message_size"]["mean"] == 1000.0
    fields = all_fields(parse(drawn).body())
    assert fields["queues.0.message_size.mean"].path == "queues.postings.message_size.mean"
    wrong = form_read(body, sent(body, **{"queues.0.message_size.mean": "2ms"}))
    with pytest.raises(InvalidInput) as error:
        parse(wrong)
    groups = scenario_form(wrong, error.value.problems).groups
    told = {field.name: field.problem for group in groups for field in group.more}
    assert "one of the units B, kB" in told["queues.0.message_size.mean"]


@pytest.mark.parametrize("part", ["service", "message_size"])
def test_another_kind_starts_with_plain_values_where_the_browser_sends_none(part: str) -> None:
    """A distribution given by percentiles has no mean; the form sends its field empty."""
    body = body_of("order")
    body["queues"][0][part] = {"kind": "lognormal", "p50": 1.0, "p95": 3.0}
    body = parse(body).body()
    changed = form_read(body, sent(body, **{f"queues.0.{part}.kind": "exponential"}))
    assert parse(changed).body()["queues"][0][part]["mean"] == (0.2 if part == "service" else 1000.0)
    emptied = form_read(changed, sent(parse(changed).body(), **{f"queues.0.{part}.mean": ""}))
    with pytest.raises(InvalidInput):
        parse(emptied)


def test_what_messages_are_like_stands_with_the_work() -> None:
    body = body_of("order")
    body["queues"][0]["settings"]["urgent_share"] = 0.2
    groups = {group.key: group for group in scenario_form(body).groups}
    work = groups["queues.0.work"]
    titles = [field.declaration.title for field in work.fields]
    assert titles[-1] == "Urgent messages (JMS priority)", "what is changed is shown without asking"
    assert {"failure_rate", "poison_rate"} <= {field.declaration.name for field in work.more}
    assert not {"failure_rate", "urgent_share"} & {field.declaration.name for field in groups["queues.0"].every}
