"""Settings of WebSphere for z/OS: what is refused, what is the same."""

import pytest
from pydantic import ValidationError

from simulations.declarations.problems import InvalidInput
from simulations.platforms.websphere_zos.parameters import SPEC_ONLY, ListenerPort
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body


def test_fewer_servants_at_most_than_at_least_are_refused() -> None:
    body = scenario_body("websphere-zos", server={"min_servants": 3, "max_servants": 2})
    with pytest.raises(InvalidInput, match="below min_servants"):
        parse(body)


def test_the_endpoint_says_who_listens() -> None:
    assert not ListenerPort().activated
    assert ListenerPort(endpoint="activation_spec").activated


def test_a_factor_may_be_0_but_not_below() -> None:
    assert ListenerPort(in_flight_scale_factor=0).in_flight_scale_factor == 0
    with pytest.raises(ValidationError):
        ListenerPort(in_flight_scale_factor=-0.1)


def test_what_only_a_specification_reads_is_declared() -> None:
    assert set(SPEC_ONLY) <= set(ListenerPort.model_fields)
