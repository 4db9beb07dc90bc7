"""Files of a vendor become a scenario with an account of every element."""

import json
from pathlib import Path

import pytest
import yaml

from tests.planner.management.commands.conftest import printed, refused


def test_an_import_prints_the_account_and_writes_a_scenario(tmp_path: Path, descriptor: Path) -> None:
    account = printed("import_configuration", descriptor, "--name", "Orders", "--output", tmp_path / "s.yaml")
    lines = account.splitlines()
    assert lines[0].startswith("unresolved    weblogic-ejb-jar.xml:6 queues.Orders: no file describes")
    beans = "understood    weblogic-ejb-jar.xml:5 queues.Orders.settings.max_beans_in_free_pool: 100"
    assert beans in lines
    assert lines[-1].startswith("0 contradictory, 1 unresolved, ")
    found = json.loads(printed("import_configuration", descriptor, "--name", "Orders", "--json"))
    assert found["scenario"] == yaml.safe_load((tmp_path / "s.yaml").read_text())
    assert len(found["account"]) == len(lines) - 2
    head = (tmp_path / "s.yaml").read_text().splitlines()[:2]
    assert [line.partition(": load unknown")[0] for line in head] == [
        "# queues.Orders.arrivals",
        "# queues.Orders.service",
    ]
    derived = json.loads(printed("derive", tmp_path / "s.yaml", "--json"))
    assert {item["name"]: item["value"] for item in derived["values"]}["max_concurrency"] == 16


def test_files_that_cannot_be_read_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "a.xml"
    broken.write_text("<weblogic-ejb-jar>\n<a></weblogic-ejb-jar>")
    assert "a.xml:2: the file is no XML" in refused(capsys, "import_configuration", broken)
    assert "no.xml: No such file" in refused(capsys, "import_configuration", tmp_path / "no.xml")
