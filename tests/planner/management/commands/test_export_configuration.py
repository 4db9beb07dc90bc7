"""Settings that differ are written in a vendor's format, each script with its undo part."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError

from planner.api.examples import DESCRIPTOR
from tests.planner.management.commands.conftest import printed

SESSIONS = "queues.orders.settings.maximum_sessions"


def test_a_patched_descriptor_and_its_undo_part_go_to_a_folder(
    tmp_path: Path, descriptor: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = tmp_path / "s.yaml"
    printed("import_configuration", descriptor, "--output", scenario)
    changes = [
        "--set",
        "servers.server.settings.work_managers=[{name: own, max_threads: 40}]",
        "--set",
        "queues.Orders.settings.work_manager=own",
    ]
    export = ["export_configuration", scenario, *changes, "--since", descriptor, "--format"]
    told = printed(*export, "xml", "--folder", tmp_path / "out")
    assert re.fullmatch(r"\S+/weblogic-ejb-jar.xml is written; \S+/undo-weblogic-ejb-jar.xml takes it back\n", told)
    assert (tmp_path / "out" / "undo-weblogic-ejb-jar.xml").read_text() == DESCRIPTOR
    assert "<dispatch-policy>own</dispatch-policy>" in (tmp_path / "out" / "weblogic-ejb-jar.xml").read_text()
    ast.parse(printed(*export, "wlst"))
    assert capsys.readouterr().err == "queues.Orders.settings.work_manager: not in the format wlst\n"


def test_a_scenario_is_written_against_itself_before_the_changes(
    tmp_path: Path, body: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scenario.yaml"
    path.write_text(yaml.safe_dump(body))
    export = ["export_configuration", path, "--format", "wsadmin"]
    apply, undo = (printed(*export, "--set", f"{SESSIONS}=50", *more) for more in ([], ["--undo"]))
    assert "'maxSessions',), ('36',), '50')" in apply
    assert "'maxSessions',), ('50',), '36')" in undo
    assert printed(*export) == ""
    assert capsys.readouterr().err.startswith("No difference: ")
    whole = printed(*export, "--new")
    assert "'maxSessions'" in whole
    with pytest.raises(CommandError, match="not allowed with argument"):
        printed(*export, "--new", "--since", path)
