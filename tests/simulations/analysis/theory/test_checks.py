"""The formulas refuse impossible numbers by name."""

import math

import pytest

from simulations.analysis.theory.checks import Unstable, not_negative, positive, stable, whole


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_what_must_be_above_0_is_finite_and_named(value: float) -> None:
    positive(rate=1e-9)
    with pytest.raises(ValueError, match=f"mean must be a finite number above 0, not {value}"):
        positive(rate=1.0, mean=value)


@pytest.mark.parametrize("value", [-1e-9, math.nan, math.inf])
def test_what_may_be_0_is_finite_and_named(value: float) -> None:
    not_negative(wait=0.0)
    with pytest.raises(ValueError, match="wait must be a finite number of at least 0"):
        not_negative(wait=value)


@pytest.mark.parametrize("value", [0, -3, 1.5])
def test_counts_are_whole(value: int) -> None:
    whole(servers=1)
    with pytest.raises(ValueError, match="servers must be a whole number above 0"):
        whole(servers=value)


@pytest.mark.parametrize("load", [1.0, 1.25])
def test_a_full_server_has_no_steady_state(load: float) -> None:
    stable(0.999)
    with pytest.raises(Unstable, match=f"the load is {load:.4g} per server"):
        stable(load)
