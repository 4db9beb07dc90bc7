"""Every number of a scenario is declared, and every declared value has a path."""

import types
from collections.abc import Iterator
from typing import Annotated, Any, Union, get_args, get_origin

import pytest
from pydantic import BaseModel

from simulations.declarations.declared import models_at, settings_below
from simulations.declarations.parameters import parameters_of
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse, scenario_model
from tests.simulations.platforms.samples import BASES, scenario_body

BODIES = [
    pytest.param(scenario_body(name, **base), id=f"{name}-{at}")
    for name in BASES
    for at, base in enumerate(BASES[name])
]


def models_in(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """Yield ``model`` and every model inside it."""
    yield model
    for name in model.model_fields:
        for inner in (*models_at(model, name), *models_at(model, name, 0)):
            yield from models_in(inner)


def holds_a_number(annotation: Any) -> bool:
    if get_origin(annotation) in (Union, types.UnionType, tuple):
        return any(holds_a_number(part) for part in get_args(annotation))
    if get_origin(annotation) is Annotated:
        return holds_a_number(get_args(annotation)[0])
    return annotation in (int, float)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_number_of_a_scenario_is_declared_with_a_typical_range(platform: str) -> None:
    seen = 0
    for model in dict.fromkeys(models_in(scenario_model(platform))):
        declared = {item.name: item for item in parameters_of(model)}
        for name, field in model.model_fields.items():
            if holds_a_number(field.annotation):
                seen += 1
                assert (field.alias or name) in declared, f"{model.__name__}.{name}"
        for item in declared.values():
            if item.is_number and item.quantity.source and model.__name__ != "Objective":
                assert item.typical is not None, f"{model.__name__}.{item.name}"
                assert item.typical[1] < 1e12, f"{model.__name__}.{item.name}: limits are no typical range"
                assert item.meaning, f"{model.__name__}.{item.name}"
    assert seen > 80


@pytest.mark.parametrize("body", BODIES)
def test_a_scenario_and_its_body_have_the_same_settings(body: dict[str, Any]) -> None:
    spec = parse(body)
    of_spec = [(item.path, item.owner) for item in settings_below(type(spec), spec)]
    assert of_spec == [(item.path, item.owner) for item in settings_below(type(spec), spec.body())]
    for path, _ in of_spec:
        assert [item.path for item in settings_below(type(spec), spec, towards=path)].count(path) == 1


def test_items_of_lists_go_by_name_and_names_with_dots_are_quoted() -> None:
    managers = [{"name": "first", "fair_share": 80}, {"name": "weblogic.kernel", "fair_share": 20}]
    spec = parse(scenario_body("weblogic", server={"work_managers": managers}))
    shares = {
        item.path: item.owner for item in settings_below(type(spec), spec) if item.declaration.name == "fair_share"
    }
    place = "servers.payments.settings.work_managers"
    assert shares == {
        f"{place}.first.fair_share": "first, payments",
        f'{place}["weblogic.kernel"].fair_share': "weblogic.kernel, payments",
    }


def test_what_a_distribution_says_is_titled_after_what_is_distributed() -> None:
    spec = parse(scenario_body("weblogic"))
    titles = {
        item.path: item.declaration.title for item in settings_below(type(spec), spec, towards="queues.0.service")
    }
    assert titles["queues.0.service.mean"] == "Mean service time"
    assert titles["queues.0.service.cpu"] == "CPU share of service time"
