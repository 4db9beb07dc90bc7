"""Drift as a pipeline calls it: 0 the same, 2 differences, 1 an error of any kind."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from planner.api.examples import DESCRIPTOR
from tests.waiting import LONG

ROOT = Path(__file__).parents[4]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A scenario and the descriptor that it was read from."""
    (tmp_path / "live.xml").write_text(DESCRIPTOR)
    call_command("import_configuration", tmp_path / "live.xml", output=tmp_path / "s.yaml", stdout=StringIO())
    return tmp_path


def checked(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[object, str, str]:
    """Run the command as the shell does; return its exit code, and what it prints."""
    capsys.readouterr()
    out = StringIO()
    try:
        call_command("check_drift", *map(str, arguments), stdout=out)
    except SystemExit as end:
        return end.code, out.getvalue(), capsys.readouterr().err
    return 0, out.getvalue(), capsys.readouterr().err


def test_no_difference_is_a_success(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, printed, _ = checked(capsys, folder / "s.yaml", folder / "live.xml")
    assert code == 0
    assert printed.splitlines()[-1].startswith("No difference: ")
    code, printed, _ = checked(capsys, folder / "s.yaml", folder / "live.xml", "--json")
    found = json.loads(printed)
    assert (code, found["files"]) == (0, ["live.xml"])
    assert {line["status"] for line in found["lines"]} == {"same"}


def test_a_difference_ends_with_2_and_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "live.xml").write_text(DESCRIPTOR.replace(">100<", ">50<"))
    code, printed, _ = checked(capsys, folder / "s.yaml", folder / "live.xml")
    assert code == 2
    (row,) = [line for line in printed.splitlines() if "changed" in line]
    assert row.split()[:2] == ["Queue", "Orders"]
    assert row.split()[-3:-1] == ["100", "50"] or row.split()[-2:] == ["100", "50"]
    assert printed.splitlines()[-1].startswith("1 difference; ")
    code, printed, _ = checked(capsys, folder / "s.yaml", folder / "live.xml", "--json")
    (line,) = [line for line in json.loads(printed)["lines"] if line["status"] != "same"]
    assert (code, line["object"], line["scenario"], line["file"]) == (2, "Orders", 100, 50)
    assert (line["native"], line["place"]) == ("max-beans-in-free-pool", "live.xml:5")


def test_what_cannot_be_read_ends_with_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "live.xml").write_text("<weblogic-ejb-jar>")
    assert checked(capsys, folder / "s.yaml", folder / "live.xml")[0] == 1
    code, _, told = checked(capsys, folder / "no.yaml", folder / "live.xml")
    assert code == 1
    assert "no.yaml" in told


@pytest.mark.parametrize("words", [["s.yaml"], ["s.yaml", "live.xml", "--nope"]])
def test_a_wrong_command_line_ends_with_1_too(folder: Path, words: list[str]) -> None:
    command = [sys.executable, str(ROOT / "manage.py"), "check_drift", *words]
    variables = {**os.environ, "STATE_DIR": str(folder / "state"), "NO_COLOR": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=variables, cwd=folder, timeout=LONG, check=False)
    assert done.returncode == 1
    assert "usage: " in done.stderr
