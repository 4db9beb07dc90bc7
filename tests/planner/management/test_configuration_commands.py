"""The commands of import and export as a pipeline calls them."""

import ast
import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command

from planner.api.examples import DESCRIPTOR

SESSIONS = "queues.orders.settings.maximum_sessions"


def call(*arguments: object) -> str:
    """Run a command in this process and return what it prints."""
    out = StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Run a command that ends with code 2 and return what it says about the input."""
    with pytest.raises(SystemExit) as ended:
        call(*arguments)
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.fixture
def descriptor(tmp_path: Path) -> Path:
    """A descriptor on disk."""
    path = tmp_path / "weblogic-ejb-jar.xml"
    path.write_text(DESCRIPTOR)
    return path


def test_an_import_prints_the_account_and_writes_a_scenario(tmp_path: Path, descriptor: Path) -> None:
    printed = call("import_configuration", descriptor, "--name", "Orders", "--output", tmp_path / "s.yaml")
    lines = printed.splitlines()
    assert lines[0].startswith("unresolved    weblogic-ejb-jar.xml:6 queues.Orders: no file describes")
    beans = "understood    weblogic-ejb-jar.xml:5 queues.Orders.settings.max_beans_in_free_pool: 100"
    assert beans in lines
    assert lines[-1].startswith("0 contradictory, 1 unresolved, ")
    found = json.loads(call("import_configuration", descriptor, "--name", "Orders", "--json"))
    assert found["scenario"] == yaml.safe_load((tmp_path / "s.yaml").read_text())
    assert len(found["account"]) == len(lines) - 2
    derived = json.loads(call("derive", tmp_path / "s.yaml", "--json"))
    assert {item["name"]: item["value"] for item in derived["values"]}["max_concurrency"] == 16


def test_a_patched_descriptor_and_its_undo_part_go_to_a_folder(
    tmp_path: Path, descriptor: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = tmp_path / "s.yaml"
    call("import_configuration", descriptor, "--output", scenario)
    changes = [
        "--set",
        "servers.server.settings.work_managers=[{name: own, max_threads: 40}]",
        "--set",
        "queues.Orders.settings.work_manager=own",
    ]
    export = ["export_configuration", scenario, *changes, "--since", descriptor, "--format"]
    told = call(*export, "xml", "--folder", tmp_path / "out")
    assert re.fullmatch(r"\S+/weblogic-ejb-jar.xml is written; \S+/undo-weblogic-ejb-jar.xml takes it back\n", told)
    assert (tmp_path / "out" / "undo-weblogic-ejb-jar.xml").read_text() == DESCRIPTOR
    assert "<dispatch-policy>own</dispatch-policy>" in (tmp_path / "out" / "weblogic-ejb-jar.xml").read_text()
    ast.parse(call(*export, "wlst"))
    assert capsys.readouterr().err == "queues.Orders.settings.work_manager: not in the format wlst\n"


def test_a_scenario_is_written_against_itself_before_the_changes(
    tmp_path: Path, body: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scenario.yaml"
    path.write_text(yaml.safe_dump(body))
    export = ["export_configuration", path, "--format", "wsadmin"]
    apply, undo = (call(*export, "--set", f"{SESSIONS}=50", *more) for more in ([], ["--undo"]))
    assert "'maxSessions',), ('36',), '50')" in apply
    assert "'maxSessions',), ('50',), '36')" in undo
    assert call(*export) == ""
    assert capsys.readouterr().err.startswith("No difference: ")


def test_files_that_cannot_be_read_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "a.xml"
    broken.write_text("<weblogic-ejb-jar>\n<a></weblogic-ejb-jar>")
    assert "a.xml:2: the file is no XML" in refused(capsys, "import_configuration", broken)
    assert "no.xml: No such file" in refused(capsys, "import_configuration", tmp_path / "no.xml")
