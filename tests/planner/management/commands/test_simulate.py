"""A scenario from a file is simulated and answered as a table or as JSON; the exit code tells about objectives."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import load_command_class

from planner.presets.files import FOLDER
from tests.planner.conftest import SURGE
from tests.planner.management.commands.conftest import call, called

SIMULATING = ("simulate", "optimise", "headroom", "sensitivity", "compare", "robust", "check_slo")


def test_simulate_prints_what_the_scenario_format_promises(state: Path, scenario_file: Path) -> None:
    done = call(state, "simulate", scenario_file, "--json", "--inline")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["scenario"] == "Surge backlog"
    assert len(found["result_hash"]) == 64
    assert [point["overrides"] for point in found["points"]] == [
        {"queues.orders.settings.maximum_sessions": 18},
        {"queues.orders.settings.maximum_sessions": 36},
    ]
    second = found["points"][1]
    assert (second["derived"]["worker_threads"], second["derived"]["low_threshold"]) == (18, 18)
    assert set(second["metrics"]["latency.p95"]) == {"value", "ci95", "unit", "origin"}
    assert second["queues"]["orders"]["latency.mean"]["unit"] == "s"
    assert all(check["passed"] for check in second["checks"])
    assert found["events"] == sum(point["events"] for point in found["points"])


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(
    state: Path, scenario_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["simulate", scenario_file, "--json", "--set", "sweep=[]"]
    first = json.loads(call(state, *asked).stdout)
    again, other = (json.loads(called(capsys, *asked, "--seed", seed).stdout) for seed in ("42", "7"))
    assert first["result_hash"] == again["result_hash"] != other["result_hash"]
    assert (first["seed"], other["seed"]) == (42, 7)


def test_a_table_names_the_points_and_an_objective_that_is_missed_ends_with_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, body: dict[str, Any]
) -> None:
    body["objectives"] = [{"metric": "latency.p95", "queue": "orders", "at_most": "1ms"}]
    path = tmp_path / "strict.yaml"
    path.write_text(yaml.safe_dump(body))
    done = called(capsys, "simulate", path, "--set", "sweep=[]")
    assert done.returncode == 1
    header, _, row = done.stdout.splitlines()[2:5]
    assert header.split()[:2] == ["status", "latency.mean"]
    assert row.split()[-1] == "missed"


def test_where_an_objective_turns_is_told_as_text_and_as_json(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, body: dict[str, Any]
) -> None:
    body["sweep"] = [{"path": "queues.orders.settings.maximum_sessions", "values": [1, 9]}]
    body["objectives"] = [{"metric": "overtaken_fraction", "equals": 0}]
    path = tmp_path / "order.yaml"
    path.write_text(yaml.safe_dump(body))
    slow = ("--set", "queues.orders.arrivals.rate=3/s")
    turn = json.loads(called(capsys, "simulate", path, "--json", *slow).stdout)["turn"]
    assert (turn["last"], turn["first"], turn["found"]) == (1, 2, True)
    assert turn["text"] in called(capsys, "simulate", path, *slow).stdout


def test_a_point_whose_settings_do_not_fit_is_shown_beside_the_others(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, body: dict[str, Any]
) -> None:
    body["sweep"] = [{"path": "servers.payments.settings.max_servants", "values": [2, 3]}]
    body["objectives"] = [{"metric": "latency.p95", "at_most": "1min"}]
    path = tmp_path / "partly.yaml"
    path.write_text(yaml.safe_dump(body))
    done = called(capsys, "simulate", path, "--json", "--set", "queues.orders.arrivals.rate=30/s")
    assert done.returncode == 0, done.stderr
    first, second = json.loads(done.stdout)["points"]
    assert (first["status"], first["metrics"]) == ("invalid", {})
    assert "servers.payments.settings" in first["problems"][0]
    assert (second["index"], second["problems"]) == (1, [])
    table = called(capsys, "simulate", path, "--set", "queues.orders.arrivals.rate=30/s").stdout
    assert "point 0: servers.payments.settings: " in table
    assert [line.split()[-1] for line in table.splitlines()[4:6]] == ["-", "met"]


def test_without_a_spark_server_the_service_is_unavailable(state: Path, scenario_file: Path) -> None:
    done = call(state, "simulate", scenario_file, "--spark", SPARK_REMOTE="")
    assert done.returncode == 3
    assert done.stderr.startswith("Spark is not available: SPARK_REMOTE")


def test_everything_wrong_is_named_at_once_with_value_and_remedy(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    wrong = json.loads(json.dumps(SURGE))
    wrong["queues"][0]["arrivals"]["rate"] = "-81/s"
    wrong["queues"][0]["settings"]["maximum_sesions"] = 36
    wrong["servers"][0]["cpus"] = 0
    path = tmp_path / "wrong.yaml"
    path.write_text(yaml.safe_dump(wrong))
    done = called(capsys, "simulate", path, "--set", "nonsense", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert lines[0] == "The input has 4 problems:"
    assert any("queues.orders.arrivals.rate" in line and "-81" in line for line in lines)
    assert any("maximum_sesions" in line and "did you mean 'maximum_sessions'?" in line for line in lines)
    assert any("servers.payments.cpus" in line and "got 0" in line for line in lines)
    assert any("--set" in line and "PATH=VALUE" in line for line in lines)


def test_a_sweep_of_10_to_the_12_ends_with_2_at_once(capsys: pytest.CaptureFixture[str], scenario_file: Path) -> None:
    axis = "{path: run.seed, from: 1, to: 1e6, steps: 1000}"
    done = called(capsys, "simulate", scenario_file, "--set", f"sweep=[{axis}, {axis}, {axis}, {axis}]")
    assert done.returncode == 2
    assert "sweep: the sweep has 1000000000000 points" in done.stderr


def test_a_missing_file_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = called(capsys, "simulate", tmp_path / "nothing.yaml")
    assert done.returncode == 2
    assert "nothing.yaml" in done.stderr


@pytest.mark.parametrize("command", ["simulate", "derive"])
def test_a_load_that_an_import_made_up_is_called_a_placeholder(
    capsys: pytest.CaptureFixture[str], scenario_file: Path, body: dict[str, Any], command: str
) -> None:
    assumed = {"name": "jms/orders", "service_assumed": True}
    body["queues"][0].update(identity=assumed, service={"kind": "exponential", "mean": 0.1})
    scenario_file.write_text(yaml.safe_dump(body))
    unknown = "Load unknown: arrivals or onMessage times of orders are placeholders of the import."
    assert unknown in called(capsys, command, scenario_file).stdout
    (note,) = json.loads(called(capsys, command, scenario_file, "--json").stdout)["notes"]
    assert note.startswith(unknown)
    assert unknown not in called(capsys, command, scenario_file, "--set", "queues.orders.service.mean=0.11").stdout


@pytest.mark.parametrize("command", SIMULATING)
def test_where_to_compute_is_one_of_two(command: str) -> None:
    parser = load_command_class("planner", command).create_parser("manage.py", command)
    flags = [flag for action in parser._actions for flag in action.option_strings]
    assert {"--spark", "--inline"} <= set(flags)
    (pair,) = parser._mutually_exclusive_groups
    assert [action.dest for action in pair._group_actions] == ["spark", "inline"]


def test_of_a_chain_it_is_told_where_the_queue_moves(capsys: pytest.CaptureFixture[str]) -> None:
    chain = FOLDER / "chain.yaml"
    done = called(capsys, "simulate", chain, "--set", "run.replications={min: 4, max: 4}")
    assert "end_to_end.p95" in done.stdout.splitlines()[2].split()
    assert "Maximum sessions of orders 40 moves the queue from orders to ledger: a message spends " in done.stdout
