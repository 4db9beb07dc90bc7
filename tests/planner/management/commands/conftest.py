"""Commands as people and pipelines call them: a process, its output and its exit code; or in this process."""

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command, load_command_class

from planner.api.examples import DESCRIPTOR
from tests.waiting import LONG

ROOT = Path(__file__).parents[4]


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
    """Call a command as the shell does, in a process of its own, which takes seconds to start."""
    command = [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)]
    variables = {**os.environ, "STATE_DIR": str(state), "NO_COLOR": "1", **environment}
    return subprocess.run(command, capture_output=True, text=True, env=variables, timeout=LONG, check=False)


def called(capsys: pytest.CaptureFixture[str], *arguments: object) -> subprocess.CompletedProcess[str]:
    """Do in this process what the shell's call does once Python and Django have started."""
    words, code = [*map(str, arguments)], 0
    capsys.readouterr()
    try:
        load_command_class("planner", words[0]).run_from_argv(["manage.py", *words])
    except SystemExit as ended:
        code = int(ended.code or 0)
    told = capsys.readouterr()
    return subprocess.CompletedProcess(words, code, told.out, told.err)


def printed(*arguments: object) -> str:
    """Run a command in this process and return what it prints."""
    out = StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Run a command that ends with code 2 and return what it says about the input."""
    with pytest.raises(SystemExit) as ended:
        printed(*arguments)
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.fixture
def descriptor(tmp_path: Path) -> Path:
    """A descriptor on disk."""
    path = tmp_path / "weblogic-ejb-jar.xml"
    path.write_text(DESCRIPTOR)
    return path
