"""A scenario's body is read once where it comes in; from there it travels as a ScenarioSpec that is changed, not read.

The numbers are exact: who reads or expands once more than needed sees it here.
"""

from collections import Counter
from typing import Any

import pytest
from django.test import Client

from frontend.answers.mechanism.lane import knobs_of
from planner.jobs import execute
from planner.models import Run
from simulations.experiment import Expansion
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.scenario import spec as door
from tests.frontend.conftest import PATH, _memory_broker, body, owner, person  # noqa: F401 (fixtures)

POINTS = 10


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many whole bodies were read, how many scenarios changed, and how many sweeps expanded."""
    found: Counter[str] = Counter()
    read, expanded = door._read, Expansion.__init__

    def counting_read(data: object, held: Any) -> door.ScenarioSpec:
        found["read" if held is data else "changed"] += 1
        return read(data, held)

    def counting_expansion(self: Expansion, *args: Any) -> None:
        found["expanded"] += bool(args[0])
        expanded(self, *args)

    knobs_of.cache_clear()
    monkeypatch.setattr(door, "_read", counting_read)
    monkeypatch.setattr(Expansion, "__init__", counting_expansion)
    return found


@pytest.mark.usefixtures("_memory_broker")
def test_each_step_reads_a_scenario_once(person: Client, body: dict[str, Any], counted: Counter[str]) -> None:  # noqa: F811
    def took(**expected: int) -> None:
        assert dict(counted) == expected
        counted.clear()

    run = {**body["run"], "horizon": {"messages": 500}, "replications": {"min": 2, "max": 2}}
    sweep = [{"path": PATH, "values": list(range(27, 27 + POINTS))}]
    sent = {**body, "run": run, "sweep": sweep}

    made = person.post("/api/v1/scenarios", sent, content_type="application/json").json()
    took(read=1)
    started = person.post(f"/api/v1/scenarios/{made['id']}/runs", {}, content_type="application/json").json()
    took(read=1, changed=POINTS, expanded=1)

    execute.run_compute(run_id=started["id"], worker="test", executor_of=lambda _: InlineExecutor())
    assert Run.objects.get().status == "succeeded"
    # The executor, which is another process elsewhere, reads each point's row of work once.
    took(read=1 + POINTS, changed=POINTS, expanded=1)

    assert person.get(f"/runs/{started['id']}/").status_code == 200
    took(read=1, changed=3)

    workbench = f"/scenarios/{made['id']}/"
    assert person.get(workbench).status_code == 200
    took(read=1, changed=10)
    # A knob of the picture is the scenario at either end of its range, for as long as its values are asked about found
    # once; a cure is the scenario with its changes.
    cures: dict[str, int] = {"changed": 2}
    for part, changes in (("formula", {}), ("glance", {}), ("simulated", cures)):
        asked = {"version": 1, "part": part, "sequence": "1"}
        assert person.post(f"{workbench}answer/", asked).status_code == 200
        took(read=1, **changes)
