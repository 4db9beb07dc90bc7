"""Fields of declared things: rows of lists, and names that are chosen."""

import copy
from typing import Any

import pytest

from frontend.workbench.fields import FormField
from frontend.workbench.form import form_read, scenario_form
from frontend.workbench.inventory import workbench_read
from frontend.workbench.items import named_at, origins_text, rows_changed, with_rows
from planner.presets.files import presets
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body

SERVER = {
    "work_managers": [{"name": "first", "max_threads": "shared"}, {"name": "second", "max_threads": 4}],
    "constraints": [
        {"name": "shared", "kind": "max_threads", "count": 8},
        {"name": "few", "kind": "min_threads", "count": 1},
    ],
}
PLACE = "servers.0.settings.work_managers"


def body() -> dict[str, Any]:
    return parse(scenario_body("weblogic", server=SERVER)).body()


def fields() -> dict[str, FormField]:
    return {field.name: field for field in scenario_form(body()).fields}


def test_a_name_is_chosen_among_those_of_the_same_server() -> None:
    chooser = fields()["queues.0.settings.work_manager"]
    assert (chooser.widget, [name for name, _ in chooser.options]) == ("choice", ["default", "first", "second"])
    assert [item["name"] for item in named_at(body(), "queues.0.server", "servers")] == ["payments"]
    assert "queues.0.server" not in fields()


def test_a_number_or_the_name_of_a_shared_constraint_of_its_kind() -> None:
    shared, own = fields()[f"{PLACE}.0.max_threads"], fields()[f"{PLACE}.1.max_threads"]
    assert (shared.text, own.text) == ("shared", "4")
    assert shared.options == own.options == (("shared", "shared"),)
    assert fields()[f"{PLACE}.0.min_threads"].options == (("few", "few"),)
    assert (shared.slider is None, own.slider is None) == (True, False)


def test_rows_follow_the_field_of_their_list() -> None:
    names = list(fields())
    assert names.index(f"{PLACE}.rows") + 1 == names.index(f"{PLACE}.0.name")
    assert fields()[f"{PLACE}.rows"].adds == "work manager"
    assert fields()[f"{PLACE}.1.name"].row == (f"{PLACE}.1", "second", True, "work manager")


def body_of(key: str) -> dict[str, Any]:
    return copy.deepcopy(next(preset.spec.body() for preset in presets() if preset.key == key))


def pressed(body: dict[str, Any], *changes: str, **values: str) -> dict[str, Any]:
    """Return what the scenario becomes when these buttons are pressed in turn and ``values`` are typed at last."""
    typed, rows = body, scenario_form(body).values
    for change in changes:
        rows = rows_changed({**rows, "do": change})
        typed = workbench_read(user=None, spec=body, values=rows)  # type: ignore[arg-type]
        rows = scenario_form(typed, rows=rows).values
    return parse(workbench_read(user=None, spec=body, values={**rows, **values})).body()  # type: ignore[arg-type]


def managers(body: dict[str, Any]) -> list[tuple[str, int | None]]:
    return [(item["name"], item["fair_share"]) for item in body["servers"][0]["settings"]["work_managers"]]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ((f"copy {PLACE}.0",), [("http", 80), ("http-2", 80), ("mdb", 20)]),
        ((f"copy {PLACE}.0", f"copy {PLACE}.0"), [("http", 80), ("http-3", 80), ("http-2", 80), ("mdb", 20)]),
        ((f"remove {PLACE}.0",), [("mdb", 20)]),
        ((f"up {PLACE}.1",), [("mdb", 20), ("http", 80)]),
        ((f"up {PLACE}.0",), [("http", 80), ("mdb", 20)]),
        ((f"add {PLACE}",), [("http", 80), ("mdb", 20), ("work-manager", 50)]),
        (
            (f"remove {PLACE}.0", f"add {PLACE}", f"add {PLACE}"),
            [("mdb", 20), ("work-manager", 50), ("work-manager-2", 50)],
        ),
        ((f"up {PLACE}.1", f"remove {PLACE}.1", f"copy {PLACE}.0"), [("mdb", 20), ("mdb-2", 20)]),
        (("remove nothing.7",), [("http", 80), ("mdb", 20)]),
    ],
)
def test_buttons_change_rows(changes: tuple[str, ...], expected: list[tuple[str, int | None]]) -> None:
    body = body_of("bursts")
    if changes[0].startswith("remove servers.0"):
        body["servers"][0]["background"] = []
    assert managers(pressed(body, *changes)) == expected


def test_a_row_takes_with_it_what_the_form_does_not_show() -> None:
    body = body_of("bursts")
    body["servers"][0]["settings"]["work_managers"][1]["identity"] = {"name": "MdbManager"}
    moved = pressed(body, f"up {PLACE}.1")["servers"][0]["settings"]["work_managers"]
    assert [item.get("identity") for item in moved] == [{"name": "MdbManager"}, None]


def test_queues_and_servers_are_rows_and_what_asks_about_them_follows() -> None:
    body = body_of("surge-backlog")
    two = pressed(body, "add queues", "copy servers.0", **{"queues.1.name": "bills", "queues.1.server": "payments-2"})
    assert [(item["name"], item["server"]) for item in two["queues"]] == [
        ("orders", "payments"),
        ("bills", "payments-2"),
    ]
    one = pressed(two, "remove queues.0", "remove servers.0")
    assert [item["name"] for item in one["queues"]] == ["bills"]
    assert (one["sweep"], one["objectives"]) == ([], [])
    assert [item["name"] for item in pressed(two, "up queues.1")["queues"]] == ["bills", "orders"]
    assert pressed(two, "up queues.1")["sweep"] == two["sweep"]


def test_the_last_server_and_the_last_queue_stay() -> None:
    body = body_of("surge-backlog")
    assert pressed(body, "remove queues.0", "remove servers.0") == body


def test_a_part_is_there_or_not() -> None:
    body, place = body_of("limit-of-16"), "queues.0.settings.downstream"
    made = pressed(body, f"add {place}", **{f"{place}.name": "DB pool", f"{place}.limit": "25"})
    assert made["queues"][0]["settings"]["downstream"] == {"name": "DB pool", "limit": 25, "share": 1.0}
    assert pressed(made, f"remove {place}.0") == body


def test_a_sweep_follows_a_work_manager_that_has_another_name() -> None:
    body = body_of("bursts")
    renamed = pressed(body, **{f"{PLACE}.1.name": "feed", "queues.0.settings.work_manager": "feed"})
    assert renamed["sweep"][0]["path"] == "servers.portal.settings.work_managers.feed.fair_share"


def test_lists_that_nobody_declared_are_passed_over() -> None:
    body = body_of("bursts")
    strange = {"queues.0.settings.rows": "", "a.b.rows": "0,1", "queues.9.x.rows": "0", "queues.0.arrivals.rows": ""}
    assert with_rows(body, strange) == body
    assert len(with_rows(body, {"queues.rows": "0," * 2000})["queues"]) == 500


def test_rows_come_from_the_saved_version_unless_the_form_says_otherwise() -> None:
    assert origins_text("queues.rows", 2, {}) == "0,1"
    assert origins_text("queues.rows", 2, {"queues.rows": "1,new"}) == "1,new"
    assert origins_text("queues.rows", 3, {"queues.rows": "1,new"}) == "0,1,2"


def test_an_untouched_form_of_two_queues_gives_the_same_scenario() -> None:
    body = pressed(body_of("bursts"), "copy queues.0", "copy servers.0")
    assert parse(form_read(body, scenario_form(body).values)).body() == body


def test_what_a_bean_sends_on_is_a_row_of_its_queue() -> None:
    body = body_of("bursts")
    body["queues"] = [body["queues"][0], {**copy.deepcopy(body["queues"][0]), "name": "mail"}]
    typed = pressed(body, "add queues.0.sends", **{"queues.0.sends.0.name": "mail", "queues.0.sends.0.messages": "0.5"})
    assert typed["queues"][0]["sends"] == [{"name": "mail", "messages": 0.5}]
    form = scenario_form(typed)
    (field,) = [field for field in form.fields if field.name == "queues.0.sends.0.name"]
    assert ("mail", "mail") in field.options
    assert len([field for field in form.fields if field.name == "queues.0.sends.rows"]) == 1
    assert pressed(typed, "remove queues.0.sends.0")["queues"][0]["sends"] == []
    renamed = pressed(typed, **{"queues.1.name": "letters"})
    assert renamed["queues"][0]["sends"] == [{"name": "letters", "messages": 0.5}]
