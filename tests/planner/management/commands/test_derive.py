"""Formula answers and rule checks of a file, without simulating it."""

import json
from pathlib import Path

import pytest

from tests.planner.management.commands.conftest import call, called


def test_derive_prints_formula_answers_without_simulating(
    state: Path, scenario_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = "queues.orders.settings.maximum_sessions"
    done = call(state, "derive", scenario_file, "--json", "--set", f"{path}=99")
    values = {item["name"]: item["value"] for item in json.loads(done.stdout)["values"]}
    assert (done.returncode, values["low_threshold"], values["worker_threads"]) == (0, 49, 18)
    table = called(capsys, "derive", scenario_file).stdout
    assert "3 servants × 6 threads = 18" in table
    assert "websphere-zos.2xwt" in table


@pytest.mark.parametrize("content", [b"\x7fELF\x02\x01\x00\xff\xfe", b"x" * 1_000_001], ids=["binary", "huge"])
def test_what_is_no_scenario_file_ends_with_2(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file.yaml"
    path.write_bytes(content)
    done = called(capsys, "derive", path)
    assert done.returncode == 2
    assert "file.yaml" in done.stderr
    assert "Traceback" not in done.stderr
