"""How commands end: the number that a pipeline sees, and what it reads on stderr."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import manage
from planner.management.exits import EXIT_DEFECT, EXIT_STOPPED, EXIT_UNREAD
from tests.scenarios import listener_port
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("command", "variable", "value"),
    [("simulate", "SPARK_REMOTE", "sc://"), ("derive", "PUBLIC_URL", "ftp://x"), ("migrate", "SPARK_CORES", "many")],
)
def test_a_bad_environment_ends_with_2(tmp_path: Path, command: str, variable: str, value: str) -> None:
    environment = {**os.environ, "STATE_DIR": str(tmp_path), variable: value}
    call = [sys.executable, str(ROOT / "manage.py"), command, "nothing.yaml"]
    done = subprocess.run(call, capture_output=True, text=True, env=environment, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"\n{variable}: " in done.stderr
    assert "Traceback" not in done.stderr


def test_what_nobody_expected_is_a_defect_with_its_trace(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: list[str]) -> None:
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr(manage, "execute_from_command_line", broken)
    with pytest.raises(SystemExit) as end:
        manage.main()
    assert end.value.code == EXIT_DEFECT
    assert "Traceback" in (told := capsys.readouterr().err)
    assert "ZeroDivisionError: of ours" in told


def _started(*arguments: str) -> subprocess.Popen[bytes]:
    call = [sys.executable, str(ROOT / "manage.py"), *arguments]
    return subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_reader_that_goes_away_is_no_defect() -> None:
    """The scenario comes from standard input; nobody reads the answer."""
    with _started("derive", "-") as command:
        assert command.stdin is not None
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.close()
        command.stdin.write(json.dumps(listener_port("Unread")).encode())
        command.stdin.close()
        assert (command.wait(timeout=PATIENCE), command.stderr.read()) == (EXIT_UNREAD, b"")


def test_ctrl_c_ends_without_a_trace(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stopped(_: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(manage, "execute_from_command_line", stopped)
    monkeypatch.setattr("os._exit", sys.exit)
    with pytest.raises(SystemExit) as end:
        manage.main()
    assert end.value.code == EXIT_STOPPED
    assert capsys.readouterr().err == "\nStopped.\n"
