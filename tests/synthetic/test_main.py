"""Logs of a system whose truth is known."""

import json
from pathlib import Path

import pytest

from tests.synthetic.__main__ import main

SMALL = ("--messages", "50", "--format", "csv")


def test_a_log_and_its_truth_are_written_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([*SMALL, "--folder", str(tmp_path), "--threads", "3", "--rate", "10", "--mean", "0.15"])
    assert "50 messages" in capsys.readouterr().out
    rows = (tmp_path / "orders-50-1.csv").read_text().splitlines()
    assert len(rows) == 51
    truth = json.loads((tmp_path / "orders-50-1.truth.json").read_text())
    assert (truth["threads"], truth["mean"], truth["utilisation"]) == (3, 0.15, 0.5)


def test_equal_seeds_write_equal_logs(tmp_path: Path) -> None:
    for folder, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        main([*SMALL, "--folder", str(tmp_path / folder), "--seed", seed])
    first, again, other = ((tmp_path / name).glob("*.csv") for name in "abc")
    content = next(first).read_bytes()
    assert content == next(again).read_bytes() != next(other).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--rate", "0"), "--rate must be above 0"),
        (("--failure", "1"), "--failure must be 0 or more and below 1"),
        (("--every", "0"), "--every must be above 0"),
        (("--format", "txt"), "--format txt is for --kind imqcmd"),
        (("--format", "json"), "--format json is for --kind spans and prometheus, and theirs"),
        (("--queue", "a/b"), "--queue must be letters"),
        (("--cv", "-1", "--swing", "2"), "--cv must be above 0; --swing must be 0 or more and below 1"),
    ],
    ids=str,
)
def test_every_wrong_option_is_named(
    tmp_path: Path, arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--folder", str(tmp_path), *arguments])
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("kind", "key"), [("spans", "resourceSpans"), ("prometheus", "data")])
def test_documents_are_written_as_lines(tmp_path: Path, kind: str, key: str) -> None:
    main(["--messages", "50", "--format", "json", "--kind", kind, "--folder", str(tmp_path)])
    assert key in json.loads((tmp_path / f"orders-{kind}-50-1.json").read_text())
