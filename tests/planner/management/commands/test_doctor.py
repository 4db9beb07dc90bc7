"""`manage.py doctor`: a line for each part, JSON on request, and an exit code that a script can use."""

import json
from pathlib import Path

import pytest

from planner.management.examination import PARTS
from tests.planner.management.commands.conftest import call

pytestmark = pytest.mark.slow


@pytest.mark.nightly
def test_lines_json_and_exit_codes_say_the_same(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    new = call(tmp_path, "doctor")
    assert new.returncode == 1
    assert "PROBLEM database" in new.stdout
    assert "remedy: manage.py migrate" in new.stdout
    assert call(tmp_path, "migrate").returncode == 0
    body = json.loads(call(tmp_path, "doctor", "--json").stdout)
    assert [item["part"] for item in body["parts"]] == list(PARTS)
    states = {item["part"]: item["ok"] for item in body["parts"]}
    assert states["database"]
    assert body["ok"] == all(states.values())
    assert all(bool(item["remedy"]) != item["ok"] for item in body["parts"])
