"""What a broken rule costs: a paired run with its cure, as a table and as JSON."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command

from simulations.experiment.cures import cures_of
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse
from tests.simulations.platforms.broken_rules import BROKEN
from tests.simulations.platforms.samples import scenario_body

RUN = {
    "precision": {"metric": "latency.mean", "relative": "90%"},
    "horizon": {"messages": 3000},
    "replications": {"min": 4, "max": 4},
    "seed": 1,
}
SESSIONS = "openmq.limit-covers-pool"


def broken(**changes: Any) -> dict[str, Any]:
    """Open MQ with a window half as large as the pool, and more load than the window carries well."""
    body = scenario_body("openmq", queue={"consumer_flow_limit": 16}, **changes)
    body["queues"][0]["arrivals"] = {"kind": "poisson", "rate": 55.0}
    return {**body, "run": RUN}


def costs(folder: Path, body: dict[str, Any], *more: str) -> Any:
    path, out = folder / "scenario.yaml", StringIO()
    path.write_text(yaml.safe_dump(body))
    call_command("rule_costs", str(path), *more, stdout=out)
    return json.loads(out.getvalue()) if "--json" in more else out.getvalue()


def test_a_broken_rule_costs_what_its_cure_saves(tmp_path: Path) -> None:
    (item,) = costs(tmp_path, broken(), "--json", "--rule", SESSIONS)
    assert (item["rule"], item["status"], item["cured"]) == (SESSIONS, "violated", "ok")
    latency = item["cost"]["latency.mean"]
    low, high = latency["ci95"]
    assert 0 < low < latency["value"] < high


def test_the_table_names_rules_without_a_cure(tmp_path: Path) -> None:
    body = {**scenario_body("weblogic"), "run": RUN}
    text = costs(tmp_path, body, "--rule", "weblogic.limit-of-16", "--rule", "weblogic.flow-control-acts")
    first, second = (line for line in text.splitlines() if line.startswith("weblogic."))
    assert {"none to compare with" in first, "none to compare with" in second} == {True, False}


def test_a_rule_without_a_cure_takes_one(tmp_path: Path) -> None:
    """Only the reader knows the name of a destination for errors: the command is told."""
    body = {**scenario_body("weblogic", queue={"redelivery_limit": 2, "poison_rate": 0.1}), "run": RUN}
    cure = "queues.orders.settings.error_destination=errors"
    (item,) = costs(tmp_path, body, "--json", "--rule", "weblogic.error-destination", "--cure", cure)
    assert item["fix"] == {"queues.orders.settings.error_destination": "errors"}
    assert item["cured"] == "ok"


def test_a_rule_that_nobody_has_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        costs(tmp_path, broken(), "--rule", "openmq.limit-covers-pol")
    assert ended.value.code == 2
    assert SESSIONS in capsys.readouterr().err


@pytest.mark.parametrize("rule", BROKEN)
def test_every_broken_rule_with_a_cure_has_a_point_to_compare_with(rule: str) -> None:
    changes = dict(BROKEN[rule])
    background, copies = changes.pop("background", []), changes.pop("queues", 1)
    body = scenario_body(rule.split(".")[0], **changes)
    body["servers"][0]["background"] = background
    body["queues"] += [{**body["queues"][0], "name": f"copy{number}", "settings": {}} for number in range(1, copies)]
    base, cures = cures_of(parse(body), [rule])
    assert cures
    numbers = [cure.point.index for cure in cures if cure.point is not None]
    assert numbers == list(range(1, len(numbers) + 1))
    for cure in cures:
        assert (cure.point is None) == (not cure.finding.fix)
        assert cure.point is None or cure.point.spec.system != base.spec.system
    assert rule in {item.id for item in PLATFORMS[rule.split(".")[0]].rules}
