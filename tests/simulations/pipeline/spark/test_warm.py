"""What Spark's Python workers inherit is all that a task needs."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from numba import typeof

from simulations.engine.compiled import locked
from simulations.experiment import expansion
from simulations.pipeline.spark import warm
from simulations.pipeline.work import WorkItem, work_table
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import BASES, scenario_body

TASK = """
import sys
import pyarrow as pa
import simulations.pipeline.spark.daemon
from simulations.pipeline.spark.warm import load_task
from simulations.pipeline.work import simulate_batches

load_task()
inherited = set(sys.modules)
with pa.ipc.open_file(sys.argv[1]) as work:
    print(len(list(simulate_batches([work.get_batch(0)]))), sorted(set(sys.modules) - inherited))
"""


def test_a_task_imports_nothing_more(tmp_path: Path) -> None:
    points = [expansion(parse(scenario_body(platform))).points[0] for platform in BASES]
    table = work_table([tuple(WorkItem.of(point, first=0, count=2, cost=1.0) for point in points)])
    with pa.ipc.new_file(tmp_path / "work", table.schema) as file:
        file.write_table(table)
    command = [sys.executable, "-c", TASK, str(tmp_path / "work")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"{len(points)} []\n"


@pytest.mark.slow
def test_what_is_compiled_is_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    warm.compile_kernels()
    assert warm.variants_missing() == 0
    monkeypatch.setattr(warm, "ONE_FOR_EACH_VARIANT", (*warm.ONE_FOR_EACH_VARIANT, warm.SMALLEST))
    assert warm.variants_missing() == 1


def test_a_variant_is_awaited_while_a_process_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "_COMPILING", tmp_path / "compiling.lock")
    monkeypatch.setattr(warm, "_compiled", set)
    assert warm.variants_awaited() == 0
    with locked(tmp_path / "compiling.lock"):
        assert warm.variants_awaited() == 3
        assert warm.variants_awaited(warm.MECHANISMS) == 3
        everything = (typeof(1), typeof(1), typeof(None))  # type: ignore[no-untyped-call]
        monkeypatch.setattr(warm, "_compiled", lambda: {everything})
        assert warm.variants_awaited(warm.MECHANISMS) == 0
        assert warm.variants_awaited(warm.SMALLEST) == 2
    assert warm.variants_awaited(warm.SMALLEST) == 0
