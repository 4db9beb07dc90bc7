"""The table of a campaign: what is counted, and where it is written."""

import json
from pathlib import Path
from typing import Any

from tests.faults.table import COLUMNS, TITLE, lines, main

WHOLE = {"status": "succeeded", "error": "", "seconds": 4.0, "same": True, "missing": 0, "points": 2}


def fault(kind: str, ready: float | None, *runs: dict[str, Any], **more: Any) -> dict[str, Any]:
    answers = {"200": 9, "503": 2, "none": 5}
    about: dict[str, Any] = {
        "installation": "up",
        "kind": kind,
        "ready": ready,
        "load": 3.0,
        "orphans": [],
        "runs_doubled": 0,
    }
    return {**about, "answers": answers, "runs": [*runs], **more}


def row(name: str, *faults: dict[str, Any]) -> dict[str, str]:
    table = [line.strip("| ").split(" | ") for line in lines(faults) if line.startswith(f"| {name} |")]
    (cells,) = table
    return dict(zip(COLUMNS, cells, strict=True))


def test_a_row_counts_what_happened_to_the_stack() -> None:
    slow, fast = fault("SIGKILL, web", 40.0, WHOLE), fault("SIGKILL, web", 10.0, WHOLE, WHOLE, orphans=["7 java"])
    down = fault("SIGKILL, web", None, answers={"200": 1, "500": 2, "502": 1})
    cells = row("SIGKILL, web", slow, fast, down, fault("full disk", 1.0))
    assert cells["times"] == "3"
    assert cells["up again within 30 s"] == "1"
    assert cells["seconds until then: median, most"] == "25.0, 40.0"
    assert cells["runs checked"] == "3"
    assert (cells["answers"], cells["503"], cells["other 5xx"], cells["orphans"]) == ("26", "4", "3", "1")


def test_a_stack_that_never_stood_again_has_no_seconds() -> None:
    assert row("FLUSHALL, broker", fault("FLUSHALL, broker", None))["seconds until then: median, most"] == "never"


def test_a_row_counts_what_became_of_the_runs() -> None:
    runs = [
        {**WHOLE, "same": False},
        {**WHOLE, "missing": 3},
        {**WHOLE, "points": 1},
        {**WHOLE, "status": "running", "same": False, "seconds": 240.0, "missing": 80},
        {**WHOLE, "missing": -1},
        {**WHOLE, "error": "internal"},
    ]
    cells = row("SIGKILL, worker", fault("SIGKILL, worker", 2.0, *runs, runs_doubled=1))
    assert cells["wrong"] == "1"
    assert cells["lost"] == "3"
    assert cells["doubled"] == "2"
    assert cells["not over 60 s later"] == "1"
    assert cells["failed, tried again"] == "1"


def test_the_last_row_is_of_all() -> None:
    assert row("all", fault("SIGKILL, web", 2.0, WHOLE), fault("full disk", 4.0, WHOLE))["runs checked"] == "2"


def test_the_text_says_how_many_and_under_which_load() -> None:
    text = " ".join(lines([fault("full disk", 1.0, load=2.0), fault("full disk", 1.0, load=9.0)]))
    assert "2 random faults" in text
    assert "2 to 9 (median 5.5)" in text
    assert "10 requests met a closed port" in text


def test_it_replaces_its_own_section_and_no_other(tmp_path: Path) -> None:
    results, page = tmp_path / "results.json", tmp_path / "operations.md"
    results.write_text(json.dumps({"faults": [fault("full disk", 1.0)], "notes": ["Mended since."]}))
    page.write_text(f"# Operations\n\n## Logs\n\nLines.\n\n## {TITLE}\n\nOld.\n\n## Upgrades\n\nStop.\n")
    main([str(results), "--page", str(page)])
    text = page.read_text()
    assert text.startswith("# Operations\n\n## Logs\n\nLines.\n")
    assert text.endswith("## Upgrades\n\nStop.\n")
    assert "Old." not in text
    assert "Mended since." in text
    assert "| full disk | 1 | 1 | 1.0, 1.0 |" in text
    main([str(results), "--page", str(page)])
    assert page.read_text() == text


def test_each_installation_has_a_section_of_its_own(tmp_path: Path) -> None:
    results, page = tmp_path / "results.json", tmp_path / "operations.md"
    results.write_text(json.dumps({"faults": [fault("SIGKILL, executor", 1.0, installation="cluster")]}))
    page.write_text(f"# Operations\n\n## {TITLE}\n\nThose of `make up`.\n")
    main([str(results), "--page", str(page)])
    text = page.read_text()
    assert "Those of `make up`." in text
    assert f"## {TITLE}: the cluster\n" in text
    assert "disturbs is `make cluster`;" in " ".join(text.split())
