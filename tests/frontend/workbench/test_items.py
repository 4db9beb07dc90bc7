"""Fields of declared things: rows of lists, and names that are chosen."""

from typing import Any

from frontend.workbench.fields import FormField
from frontend.workbench.form import scenario_form
from frontend.workbench.items import named_at
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
