"""Generated pages are written, and compared with --check."""

from pathlib import Path

from tests.planner.management.commands.conftest import call


def test_generated_pages_are_up_to_date_and_stale_ones_are_found(state: Path, tmp_path: Path) -> None:
    assert call(state, "generate_docs", "--folder", tmp_path, "--check").returncode == 1
    assert call(state, "generate_docs", "--folder", tmp_path).returncode == 0
    done = call(state, "generate_docs", "--check")
    assert done.returncode == 0, done.stdout
