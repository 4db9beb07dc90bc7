"""The scenario commands as people and pipelines call them: a process, its output and its exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.planner.conftest import SURGE
from tests.waiting import LONG

ROOT = Path(__file__).parents[3]


@pytest.fixture
def scenario_file(tmp_path: Path, body: dict[str, Any]) -> Path:
    """A small scenario of two points as a file."""
    path = tmp_path / "scenario.yaml"
    path.write_text(yaml.safe_dump(body))
    return path


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder of its own, so that nothing of this machine is touched."""
    return tmp_path_factory.mktemp("state")


def call(state: Path, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)]
    variables = {**os.environ, "STATE_DIR": str(state), "NO_COLOR": "1", **environment}
    return subprocess.run(command, capture_output=True, text=True, env=variables, timeout=LONG, check=False)


def test_simulate_prints_what_the_scenario_format_promises(state: Path, scenario_file: Path) -> None:
    done = call(state, "simulate", scenario_file, "--json")
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


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(state: Path, scenario_file: Path) -> None:
    one_point = ["--set", "sweep=[]"]
    first, again, other = (
        json.loads(call(state, "simulate", scenario_file, "--json", *one_point, *seed).stdout)
        for seed in ([], ["--seed", "42"], ["--seed", "7"])
    )
    assert first["result_hash"] == again["result_hash"] != other["result_hash"]
    assert (first["seed"], other["seed"]) == (42, 7)


def test_a_table_names_the_points_and_an_objective_that_is_missed_ends_with_1(
    state: Path, tmp_path: Path, body: dict[str, Any]
) -> None:
    body["objectives"] = [{"metric": "latency.p95", "queue": "orders", "at_most": "1ms"}]
    path = tmp_path / "strict.yaml"
    path.write_text(yaml.safe_dump(body))
    done = call(state, "simulate", path, "--set", "sweep=[]")
    assert done.returncode == 1
    header, _, row = done.stdout.splitlines()[2:5]
    assert header.split()[:2] == ["status", "latency.mean"]
    assert row.split()[-1] == "missed"


def test_a_point_whose_settings_do_not_fit_is_shown_beside_the_others(
    state: Path, tmp_path: Path, body: dict[str, Any]
) -> None:
    body["sweep"] = [{"path": "servers.payments.settings.max_servants", "values": [2, 3]}]
    body["objectives"] = [{"metric": "latency.p95", "at_most": "1min"}]
    path = tmp_path / "partly.yaml"
    path.write_text(yaml.safe_dump(body))
    done = call(state, "simulate", path, "--json", "--set", "queues.orders.arrivals.rate=30/s")
    assert done.returncode == 0, done.stderr
    first, second = json.loads(done.stdout)["points"]
    assert (first["status"], first["metrics"]) == ("invalid", {})
    assert "servers.payments.settings" in first["problems"][0]
    assert (second["index"], second["problems"]) == (1, [])
    table = call(state, "simulate", path, "--set", "queues.orders.arrivals.rate=30/s").stdout
    assert "point 0: servers.payments.settings: " in table
    assert [line.split()[-1] for line in table.splitlines()[4:6]] == ["-", "met"]


def test_without_a_spark_server_the_service_is_unavailable(state: Path, scenario_file: Path) -> None:
    done = call(state, "simulate", scenario_file, "--spark", SPARK_REMOTE="")
    assert done.returncode == 3
    assert done.stderr.startswith("Spark is not available: SPARK_REMOTE")


def test_derive_prints_formula_answers_without_simulating(state: Path, scenario_file: Path) -> None:
    path = "queues.orders.settings.maximum_sessions"
    done = call(state, "derive", scenario_file, "--json", "--set", f"{path}=99")
    values = {item["name"]: item["value"] for item in json.loads(done.stdout)["values"]}
    assert (done.returncode, values["low_threshold"], values["worker_threads"]) == (0, 49, 18)
    table = call(state, "derive", scenario_file).stdout
    assert "3 servants × 6 threads = 18" in table
    assert "websphere-zos.2xwt" in table


def test_everything_wrong_is_named_at_once_with_value_and_remedy(state: Path, tmp_path: Path) -> None:
    wrong = json.loads(json.dumps(SURGE))
    wrong["queues"][0]["arrivals"]["rate"] = "-81/s"
    wrong["queues"][0]["settings"]["maximum_sesions"] = 36
    wrong["servers"][0]["cpus"] = 0
    path = tmp_path / "wrong.yaml"
    path.write_text(yaml.safe_dump(wrong))
    done = call(state, "simulate", path, "--set", "nonsense", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert lines[0] == "The input has 4 problems:"
    assert any("queues.orders.arrivals.rate" in line and "-81" in line for line in lines)
    assert any("maximum_sesions" in line and "did you mean 'maximum_sessions'?" in line for line in lines)
    assert any("servers.payments.cpus" in line and "got 0" in line for line in lines)
    assert any("--set" in line and "PATH=VALUE" in line for line in lines)


@pytest.mark.parametrize("content", [b"\x7fELF\x02\x01\x00\xff\xfe", b"x" * 1_000_001], ids=["binary", "huge"])
def test_what_is_no_scenario_file_ends_with_2(state: Path, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.yaml"
    path.write_bytes(content)
    done = call(state, "derive", path)
    assert done.returncode == 2
    assert "file.yaml" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_sweep_of_10_to_the_12_ends_with_2_at_once(state: Path, scenario_file: Path) -> None:
    axis = "{path: run.seed, from: 1, to: 1e6, steps: 1000}"
    done = call(state, "simulate", scenario_file, "--set", f"sweep=[{axis}, {axis}, {axis}, {axis}]")
    assert done.returncode == 2
    assert "sweep: the sweep has 1000000000000 points" in done.stderr


def test_a_missing_file_is_named(state: Path, tmp_path: Path) -> None:
    done = call(state, "simulate", tmp_path / "nothing.yaml")
    assert done.returncode == 2
    assert "nothing.yaml" in done.stderr


def test_presets_are_loaded_once(state: Path) -> None:
    assert call(state, "migrate", "-v0").returncode == 0
    refused = call(state, "load_presets")
    assert refused.returncode != 0
    assert "there is no administrator" in refused.stderr
    password = {"DJANGO_SUPERUSER_PASSWORD": "a long password 3"}
    created = call(state, "createsuperuser", "--noinput", "--username=root", "--email=root@example.org", **password)
    assert created.returncode == 0, created.stderr
    first, second = call(state, "load_presets"), call(state, "load_presets", "root")
    assert "preset surge-backlog: Surge backlog" in first.stdout
    assert second.stdout == "0 presets are new for root\n"


def test_generated_pages_are_up_to_date_and_stale_ones_are_found(state: Path, tmp_path: Path) -> None:
    assert call(state, "generate_docs", "--folder", tmp_path, "--check").returncode == 1
    assert call(state, "generate_docs", "--folder", tmp_path).returncode == 0
    done = call(state, "generate_docs", "--check")
    assert done.returncode == 0, done.stdout
