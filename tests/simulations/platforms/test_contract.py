"""The contract that every platform family keeps, asked of each one in the registry."""

import ast
import dataclasses
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from simulations.declarations.parameters import Declaration, parameters_of
from simulations.declarations.problems import InvalidInput
from simulations.declarations.units import UNITS
from simulations.engine.packing.validate import check_network
from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Platform
from simulations.scenario.spec import parse, scenario_model
from tests.simulations.platforms.samples import BASES, empty_summary, scenario_body, sweep_value

FAMILIES = list(PLATFORMS.values())


def declarations(family: Platform) -> list[tuple[str, Declaration]]:
    """Every declared setting with the entity it belongs to."""
    server = [("servers", item) for item in parameters_of(family.server_parameters)]
    return server + [("queues", item) for item in parameters_of(family.queue_parameters)]


ALL = [
    pytest.param(family, entity, item, id=f"{family.name}-{entity}-{item.name}")
    for family in FAMILIES
    for entity, item in declarations(family)
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_defaults_make_a_valid_scenario(family: Platform) -> None:
    spec = parse(scenario_body(family.name))
    assert spec.network().streams[0].name == "orders"
    assert family.derive(spec.system).values


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize(
    "arrivals", [{"kind": "poisson", "rate": 20.0}, {"kind": "saturated"}], ids=lambda body: body["kind"]
)
def test_the_engine_accepts_every_mode(family: Platform, arrivals: dict[str, Any]) -> None:
    for base in BASES[family.name]:
        for kind in ("queue", "topic"):
            changes: dict[str, Any] = {**base, "kind": kind, "arrivals": arrivals}
            check_network(parse(scenario_body(family.name, **changes)).network())


@pytest.mark.parametrize(("family", "entity", "item"), ALL)
def test_every_parameter_has_unit_meaning_and_source(family: Platform, entity: str, item: Declaration) -> None:
    assert item.unit in UNITS
    assert len(item.meaning) > 20
    assert item.meaning.rstrip().endswith((".", ")"))
    assert ":" in item.quantity.source, "a source is a document title and a place in it"
    assert item.title


@pytest.mark.parametrize(
    ("family", "entity", "item"),
    [case for case in ALL if case.values[2].unit in ("s", "/s", "B")],  # type: ignore[union-attr]
)
def test_every_duration_rate_and_size_is_read_with_its_unit(family: Platform, entity: str, item: Declaration) -> None:
    model = family.server_parameters if entity == "servers" else family.queue_parameters
    text = {"s": "1s", "/s": "60/min", "B": "2.3kB"}[item.unit]
    try:
        model.model_validate({item.name: text})
    except ValidationError as error:
        assert [part["loc"] for part in error.errors()] == [()], "only what it is to other settings may be wrong"


@pytest.mark.parametrize(
    ("family", "entity", "item"),
    [case for case in ALL if case.values[2].quantity.sweep],  # type: ignore[union-attr]
)
def test_every_sweepable_parameter_changes_the_network_or_a_formula(
    family: Platform, entity: str, item: Declaration
) -> None:
    """Settings of a mode other than the default one are tried where that mode is switched on."""
    assert any(_changes(family, entity, item, base) for base in BASES[family.name])


def _changes(family: Platform, entity: str, item: Declaration, base: dict[str, Any]) -> bool:
    body = scenario_body(family.name, **base)
    before = body[entity][0].setdefault("settings", {}).get(item.name, item.default)
    after = scenario_body(family.name, **base)
    after[entity][0].setdefault("settings", {})[item.name] = sweep_value(item, before)
    try:
        first, second = parse(body), parse(after)
    except InvalidInput:
        return False
    if first.network() != second.network():
        return True
    values = [
        [(value.name, value.entity, value.value) for value in family.derive(spec.system).values]
        for spec in (first, second)
    ]
    return values[0] != values[1]


@pytest.mark.parametrize(
    ("family", "entity", "item"),
    [case for case in ALL if case.values[2].kind not in ("structure", "text")],  # type: ignore[union-attr]
)
def test_every_setting_changes_the_network_a_formula_or_a_finding(
    family: Platform, entity: str, item: Declaration
) -> None:
    """A knob without effect is a defect, also where it is no axis of a sweep."""
    assert any(_matters(family, entity, item, base) for base in BASES[family.name])


def _matters(family: Platform, entity: str, item: Declaration, base: dict[str, Any]) -> bool:
    outcomes = []
    body = scenario_body(family.name, **base)
    before = body[entity][0]["settings"].get(item.name, item.default)
    for value in (before, sweep_value(item, before), *_extremes(item)):
        body[entity][0]["settings"][item.name] = value
        try:
            spec = parse(body)
        except InvalidInput:
            continue
        derivation = family.derive(spec.system)
        values = [(value.name, value.entity, value.value) for value in derivation.values]
        findings = [(found.rule, found.queue, found.status, found.message) for found in derivation.findings]
        outcomes.append((spec.network(), values, findings))
    return any(outcome != outcomes[0] for outcome in outcomes)


def _extremes(item: Declaration) -> list[int]:
    """The least value, and one far above every default."""
    return (
        [] if item.choices or item.kind == "boolean" else [int(item.minimum or 0), int(min(item.maximum or 1e9, 1e6))]
    )


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_schema_lists_exactly_the_declared_names(family: Platform) -> None:
    schema = scenario_model(family.name).model_json_schema()
    for entity, model in (("Server", family.server_parameters), ("Queue", family.queue_parameters)):
        reference = schema["$defs"][entity]["properties"]["settings"]["$ref"].rsplit("/", 1)[1]
        listed = set(schema["$defs"][reference]["properties"])
        assert listed == set(model.model_fields)
        assert listed == {item.name for item in parameters_of(model)}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize("base", [0, -1], ids=["first", "last"])
def test_what_is_written_reads_back_the_same(family: Platform, base: int) -> None:
    spec = parse(scenario_body(family.name, **BASES[family.name][base]))
    scripts = {script.format: script for script in family.write(spec.system, {}, "0123abcd")}
    reading = family.read({"scenario.yaml": scripts["yaml"].apply.encode()})
    assert parse(reading.scenario).system == spec.system
    assert reading.account


@pytest.mark.parametrize(
    ("family", "entity", "item"),
    [case for case in ALL if case.values[2].kind != "structure"],  # type: ignore[union-attr]
)
def test_every_setting_can_be_exported_or_is_named_as_not_exportable(
    family: Platform, entity: str, item: Declaration
) -> None:
    for base in BASES[family.name]:
        body = scenario_body(family.name, **base)
        before = body[entity][0].setdefault("settings", {}).get(item.name, item.default)
        path = f"{entity}.{body[entity][0]['name']}.settings.{item.name}"
        value = sweep_value(item, before)
        try:
            scripts = family.write(parse(body).system, {path: value}, "0123abcd")
        except InvalidInput:
            continue
        whole = parse(yaml.safe_load(next(script.apply for script in scripts if script.format == "yaml")))
        assert getattr(getattr(whole, entity)[0].settings, item.name) == value
        for script in scripts:
            assert "0123abcd" in script.apply
            assert "0123abcd" in script.undo
            if script.filename.endswith(".py"):
                ast.parse(script.apply)
                ast.parse(script.undo)
        return
    pytest.fail(f"no base accepts a change of {item.name}")


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_unknown_paths_and_forbidden_values_are_named(family: Platform) -> None:
    system = parse(scenario_body(family.name)).system
    with pytest.raises(InvalidInput) as error:
        family.write(system, {"queues.orders.settings.no_such": 1, "queues.nobody.settings.x": 2}, "0123abcd")
    assert len(error.value.problems) == 2


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_rules_are_told_apart_and_cite_a_source(family: Platform) -> None:
    findings = family.derive(parse(scenario_body(family.name)).system).findings
    assert findings
    for finding in findings:
        assert finding.rule.startswith(f"{family.name}.")
        assert finding.message.endswith(".")
        assert finding.source.document


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_fix_that_a_rule_offers_is_accepted(family: Platform) -> None:
    for base in BASES[family.name]:
        system = parse(scenario_body(family.name, **base)).system
        for finding in family.derive(system).findings:
            settings = {path: value for path, value in finding.fix.items() if ".settings." in path}
            assert family.write(system, settings, "0123abcd")


def test_a_platform_cannot_be_changed_in_place() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        FAMILIES[0].name = "other"  # type: ignore[misc]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_claims_without_results_state_formulas_only(family: Platform) -> None:
    for base in BASES[family.name]:
        system = parse(scenario_body(family.name, **base)).system
        for claim in family.explain(system, empty_summary()):
            assert claim.sentence.endswith(".")
