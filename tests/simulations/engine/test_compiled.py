"""Every way of compiling a helper gives the same numbers."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from simulations.engine.compiled import apart, callable_from_python, compiled, inline

Number = Callable[[float], float]
ENTRY = """
from simulations.engine.compiled import cached

@cached
def doubled(x):
    return 2 * x

assert doubled(3) == 6 and doubled(3.5) == 7.0
print(sum(doubled.stats.cache_misses.values()))
"""


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


def test_one_process_compiles_what_several_need(tmp_path: Path) -> None:
    (tmp_path / "entry.py").write_text(ENTRY)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[3])
    command = [sys.executable, str(tmp_path / "entry.py")]
    together = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert sum(int(process.communicate()[0]) for process in together) == 2
    kept = sorted(file.suffix for file in (tmp_path / "cache").rglob("*") if file.is_file())
    assert kept == [".lock", ".lock", ".lock", ".nbc", ".nbc", ".nbi"]
