"""Who listens on z/OS, and which settings only an activation specification reads."""

import pytest
from pydantic import ValidationError

from simulations.platforms.websphere_zos.parameters.listener_port import SPEC_ONLY, ListenerPort


def test_the_endpoint_says_who_listens() -> None:
    assert not ListenerPort().activated
    assert ListenerPort(endpoint="activation_spec").activated


def test_a_factor_may_be_0_but_not_below() -> None:
    assert ListenerPort(in_flight_scale_factor=0).in_flight_scale_factor == 0
    with pytest.raises(ValidationError):
        ListenerPort(in_flight_scale_factor=-0.1)


def test_what_only_a_specification_reads_is_declared() -> None:
    assert set(SPEC_ONLY) <= set(ListenerPort.model_fields)
