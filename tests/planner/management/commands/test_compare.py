"""Two scenario files side by side at the command line."""

from pathlib import Path
from typing import Any

import yaml

from tests.planner.management.commands.test_optimise import asked, body


def compared(folder: Path, first: dict[str, Any], other: dict[str, Any], *more: str) -> tuple[int, Any]:
    path = folder / "other.yaml"
    path.write_text(yaml.safe_dump(other))
    return asked(folder, first, str(path), *more, command="compare")


def test_the_difference_is_paired_and_its_sign_is_right(tmp_path: Path) -> None:
    code, found = compared(tmp_path, body(), body(settings={"maximum_sessions": 20}), "--json")
    change = found["other"]["differences"]["latency.mean"]
    means = [found[side]["metrics"]["latency.mean"]["value"] for side in ("first", "other")]
    assert code == 0
    assert 0 < change["ci95"][0] < means[1] - means[0] < change["ci95"][1]


def test_the_table_says_better_and_worse(tmp_path: Path) -> None:
    code, text = compared(tmp_path, body(), body(settings={"maximum_sessions": 20}))
    (line,) = (line for line in text.splitlines() if line.startswith("Mean latency"))
    assert (code, line.split()[-1]) == (0, "worse")


def test_a_second_that_misses_an_objective_of_the_first_ends_with_code_one(tmp_path: Path) -> None:
    first = body(objectives=[{"metric": "latency.p95", "at_most": "1s"}])
    assert compared(tmp_path, first, body(settings={"maximum_sessions": 2}, rate="10/s"))[0] == 1
