"""Every way of compiling a helper gives the same numbers."""

from collections.abc import Callable

import pytest

from simulations.engine.compiled import apart, callable_from_python, compiled, inline

Number = Callable[[float], float]


def half(x: float) -> float:
    return x / 2.0


@pytest.mark.parametrize("way", [inline, compiled, apart, callable_from_python])
def test_a_helper_serves_compiled_callers(way: Callable[[Number], Number]) -> None:
    helper = way(half)

    @callable_from_python
    def quarter(x: float) -> float:
        return helper(helper(x))

    assert quarter(10.0) == 2.5


def test_a_division_by_zero_is_infinite_as_it_is_for_numpy() -> None:
    @callable_from_python
    def inverse(x: float) -> float:
        return 1.0 / x

    assert inverse(4.0) == 0.25
    if hasattr(inverse, "py_func"):
        assert inverse(0.0) == float("inf")
