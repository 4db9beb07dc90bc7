"""Generated pages are written, and compared with --check."""

import subprocess
import sys
from pathlib import Path

import pytest

from docs.generate import DOCS, generated_pages, main


def test_the_pages_in_the_docs_are_up_to_date() -> None:
    command = [sys.executable, "-m", "docs.generate", "--check"]
    done = subprocess.run(command, cwd=DOCS.parent, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_missing_and_stale_pages_are_named_and_then_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = ["--folder", str(tmp_path)]
    assert main([*folder, "--check"]) == 1
    assert capsys.readouterr().out.count("out of date: ") == len(generated_pages())
    assert list(tmp_path.iterdir()) == []
    assert main(folder) == 0
    assert main([*folder, "--check"]) == 0
    (tmp_path / "metrics.md").write_text("# Metrics\n")
    capsys.readouterr()
    assert main([*folder, "--check"]) == 1
    assert capsys.readouterr().out == f"out of date: {tmp_path / 'metrics.md'}\n"
