"""The gate as a pipeline calls it: exit codes, the sentence why, JUnit XML."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from planner.answers.gate import cases, junit, read_slo, spec_under
from simulations.analysis.estimates.summary import Estimate
from simulations.declarations.problems import InvalidInput
from simulations.platforms.weblogic import WEBLOGIC
from simulations.scenario.spec import parse
from tests.planner.conftest import summary_of
from tests.simulations.platforms.samples import scenario_body
from tests.waiting import LONG

ROOT = Path(__file__).parents[4]
POOL = {"objectives": [{"metric": "threads.idle_blocked", "queue": "orders", "at_most": 1}]}
MET = {"objectives": [{"metric": "latency.p95", "queue": "orders", "at_most": "5s"}]}


def gate(folder: Path, scenario: dict[str, Any], slo: object, *more: str) -> subprocess.CompletedProcess[str]:
    (folder / "scenario.yaml").write_text(yaml.safe_dump(scenario))
    (folder / "slo.yaml").write_text(yaml.safe_dump(slo))
    command = [sys.executable, str(ROOT / "manage.py"), "check_slo", "scenario.yaml", "--slo", "slo.yaml", *more]
    variables = {**os.environ, "STATE_DIR": str(folder / "state"), "NO_COLOR": "1"}
    return subprocess.run(command, capture_output=True, text=True, env=variables, cwd=folder, timeout=LONG, check=False)


def with_sessions(body: dict[str, Any], sessions: int) -> dict[str, Any]:
    body["queues"][0]["settings"]["maximum_sessions"] = sessions
    return body


def test_a_kept_objective_ends_with_0(tmp_path: Path, body: dict[str, Any]) -> None:
    done = gate(tmp_path, with_sessions(body, 36), MET, "--junit", "out.xml")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("met    latency.p95 of orders is ")
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()[0]  # noqa: S314 - written a moment ago
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0")


def test_a_broken_objective_ends_with_1_and_says_why(tmp_path: Path, body: dict[str, Any]) -> None:
    done = gate(tmp_path, with_sessions(body, 18), MET, "--junit", "out.xml")
    assert done.returncode == 1
    assert "BROKEN latency.p95 of orders does not exist: unstable, orders grows by" in done.stdout
    assert "websphere-zos.low-covers-threads" in done.stdout
    case = ElementTree.parse(tmp_path / "out.xml").getroot()[0][0]  # noqa: S314 - written a moment ago
    assert case.get("name") == "latency.p95 of orders at most 5 s"
    failure = case.find("failure")
    assert failure is not None
    assert "websphere-zos.low-covers-threads" in (failure.text or "")


def test_invalid_input_ends_with_2_and_names_every_field(tmp_path: Path, body: dict[str, Any]) -> None:
    body["queues"][0]["producers"] = 0
    sweep = [{"path": "queues.orders.nope", "values": [1]}]
    slo = {"objectives": [{"metric": "latency.p96", "at_most": "1s"}], "laod": 2}
    done = gate(tmp_path, {**body, "sweep": sweep}, slo, "--set", "nonsense")
    assert done.returncode == 2
    assert done.stderr.startswith("The input has 5 problems:\n")
    for told in ("queues.orders.producers: ", "sweep.0.path: ", "slo.yaml: objectives.0.metric: ", "slo.yaml: laod: "):
        assert f"\n{told}" in done.stderr
    assert "PATH=VALUE" in done.stderr


def test_a_sweep_that_cannot_be_is_invalid_input_although_the_gate_leaves_it_out(
    tmp_path: Path, body: dict[str, Any]
) -> None:
    done = gate(tmp_path, {**body, "sweep": [{"path": "queues.nope.producers", "values": [1]}]}, MET)
    assert (done.returncode, done.stdout) == (2, "")


def test_the_load_grows_the_arrivals_and_the_sweep_is_left_out(body: dict[str, Any]) -> None:
    spec = spec_under(parse(body), read_slo({**MET, "load": 1.5}))
    assert spec.queues[0].arrivals.model_dump()["rate"] == pytest.approx(81 * 1.5)
    assert (spec.sweep, len(spec.objectives)) == ((), 1)


def test_the_scenarios_own_objectives_count_without_a_file(body: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="has none"):
        spec_under(parse(body), None)
    own = spec_under(parse({**body, **MET}), None)
    assert [item.metric for item in own.objectives] == ["latency.p95"]


@pytest.mark.parametrize("slo", [None, {}, {"objectives": []}, {**MET, "load": 0}, {**MET, "limit": 1}, POOL])
def test_a_wrong_file_is_refused(slo: object) -> None:
    with pytest.raises(InvalidInput):
        read_slo(slo)


def test_an_objective_is_judged_by_the_estimate(body: dict[str, Any]) -> None:
    slo = {"objectives": [{"metric": "latency.p95", "at_most": "0.2s"}, {"metric": "latency.p95", "at_least": "0.2s"}]}
    found = cases(spec_under(parse(body), read_slo(slo)), summary_of(0, 0.25))
    assert [case.met for case in found] == [False, True]
    assert found[0].result == "latency.p95 is 250 ± 10 ms, at most 0.2 s is asked"
    suite = ElementTree.fromstring(junit("Orders \x01 & others", found, 1.0))[0]  # noqa: S314 - our own text
    assert suite.get("failures") == "1"


def test_what_keeps_instances_from_running_is_said_before_what_only_warns() -> None:
    """Job J12: max-threads lowered from 40 to 16."""
    server = {"work_managers": [{"name": "orders-work", "max_threads": 16}]}
    queue = {"work_manager": "orders-work", "max_beans_in_free_pool": 100}
    spec = parse(scenario_body("weblogic", server=server, queue=queue))
    waits = {"latency.mean": Estimate(0.3, 0.3, 0.3, "s"), "wait.prepared": Estimate(0.1, 0.1, 0.1, "s")}
    findings = WEBLOGIC.derive(spec.system).findings
    summary = replace(summary_of(0, 0.25), findings=findings, queues={"orders": waits})
    slo = read_slo({"objectives": [{"metric": "latency.p95", "at_most": "0.2s"}]})
    (case,) = cases(spec_under(spec, slo), summary)
    assert case.reasons[0].startswith("16 of 100 instances run at once: max-threads-constraint 16 of work manager")
    assert any("[weblogic.pipeline-hoards]" in reason for reason in case.reasons[1:])
