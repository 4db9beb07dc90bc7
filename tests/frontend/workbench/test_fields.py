"""Sliders span what is declared as typical, whatever the value is."""

import json
from typing import Any

import pytest

from frontend.workbench.fields import FormField, build_field, with_point
from frontend.workbench.form import form_read, scenario_form
from simulations.declarations.parameters import parameters_of
from simulations.declarations.system import Server
from simulations.platforms.openmq.parameters import MdbSettings as OpenMqSettings
from simulations.platforms.weblogic.parameters.mdb import MdbSettings
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body

PLACE = "servers.0.settings.work_managers"
SHARE = f"{PLACE}.0.fair_share"


def field_of(model: Any, name: str, value: Any) -> FormField:
    declaration = next(item for item in parameters_of(model) if item.name == name)
    return build_field(name=name, path=name, declaration=declaration, value=value)


def reach(field: FormField) -> tuple[float, float]:
    """Return both ends of a slider in the base unit."""
    assert field.slider is not None
    ends = field.slider.minimum, field.slider.maximum
    return tuple(round(10**end, 6) for end in ends) if field.slider.log else ends  # type: ignore[return-value]


@pytest.mark.parametrize("value", [-1, 50_000, 1_000_000])
def test_a_threshold_in_bytes_reaches_from_kilobytes_to_gigabytes(value: int) -> None:
    assert reach(field_of(MdbSettings, "bytes_threshold_high", value)) == (1e4, 1e10)


@pytest.mark.parametrize("value", [1, 8, 64])
def test_cpus_have_one_range_whatever_the_value_is(value: int) -> None:
    assert reach(field_of(Server, "cpus", value)) == (1, 64)


def test_a_value_outside_extends_the_slider_to_it_only() -> None:
    assert reach(field_of(Server, "cpus", 200)) == (1, 200)
    assert reach(field_of(MdbSettings, "bytes_threshold_high", 100)) == (100, 1e10)
    assert reach(field_of(MdbSettings, "bytes_threshold_high", 0)) == (0, 1e10)


def test_no_limit_stands_at_the_upper_end() -> None:
    for model, name, value in ((MdbSettings, "bytes_quota", -1), (OpenMqSettings, "max_total_msg_bytes", 0.0)):
        field = field_of(model, name, value)
        assert field.slider is not None
        assert field.slider.value == field.slider.maximum
        assert field.default_text.endswith("(unlimited)")


def test_a_slider_writes_units_that_its_field_reads() -> None:
    quota = field_of(OpenMqSettings, "max_total_msg_bytes", 1e6)
    assert quota.slider is not None
    assert json.loads(quota.slider.units) == {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}
    count = field_of(Server, "cpus", 4)
    assert count.slider is not None
    assert json.loads(count.slider.units) == {}


def body_of(*managers: dict[str, Any]) -> dict[str, Any]:
    return parse(scenario_body("weblogic", server={"work_managers": list(managers)})).body()


def fields_of(body: dict[str, Any]) -> dict[str, FormField]:
    return {field.name: field for group in scenario_form(body).groups for field in (*group.fields, *group.more)}


def test_a_fair_share_is_a_field_with_a_slider() -> None:
    body = body_of({"name": "first", "fair_share": 80}, {"name": "second", "max_threads": 5})
    fields = fields_of(body)
    share = fields[SHARE]
    assert (share.text, share.row[1], reach(share)) == ("80", "first", (1, 100))
    assert share.path == "servers.payments.settings.work_managers.first.fair_share"
    sent = {name: field.text for name, field in fields.items()}
    moved = parse(form_read(body, {**sent, SHARE: "20"})).body()
    assert [item["fair_share"] for item in moved["servers"][0]["settings"]["work_managers"]] == [20, None]
    fewer = parse(form_read(body, {**sent, f"{PLACE}.rows": "0", f"{PLACE}.1.max_threads": "7"})).body()
    assert len(fewer["servers"][0]["settings"]["work_managers"]) == 1


@pytest.mark.parametrize(
    ("typed", "read"),
    [("1,5", "1.5"), ("0,250 s", "0.250 s"), ("1,000", "1,000"), ("12,345 ms", "12,345 ms"), ("1,2,3", "1,2,3")],
)
def test_a_comma_is_a_point_unless_it_may_part_thousands(typed: str, read: str) -> None:
    assert with_point(typed) == read


def test_the_sweep_chooser_offers_list_items_with_name_and_unit() -> None:
    body = body_of({"name": "first", "fair_share": 80})
    offered = dict(fields_of(body)["sweep.path"].options)
    assert (
        offered["servers.payments.settings.work_managers.first.fair_share"] == "Fair share [weight] (first, payments)"
    )
    assert offered["queues.orders.arrivals.rate"] == "Arrival rate [/s] (orders)"
    assert "queues.orders.name" not in offered
