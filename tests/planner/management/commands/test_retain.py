"""What the results store would forget, and forgetting it."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError
from django.test import override_settings

from planner.settings.environment import Environment
from tests.planner.management.commands.conftest import printed


@pytest.fixture
def orphan(settings: Any, tmp_path: Path, db: None) -> Any:
    """A folder of the store whose run is gone since long ago."""
    import os

    values = {**settings.ENVIRONMENT.model_dump(), "state_dir": tmp_path}
    environment = Environment.model_validate(values)
    folder = Path(environment.store) / "run_gone"
    folder.mkdir(parents=True)
    (folder / "part.parquet").write_bytes(b"x" * 2_000_000)
    for path in (folder / "part.parquet", folder):
        os.utime(path, (0, 0))
    with override_settings(ENVIRONMENT=environment):
        yield folder


def test_it_lists_and_deletes_only_when_told_to(orphan: Path) -> None:
    listed = printed("retain").splitlines()
    assert listed[0].split()[:3] == ["run_gone", "2.0", "MB"]
    assert listed[1] == "Would be removed: 1 run, 2.0 MB (with --apply)"
    assert orphan.exists()
    assert printed("retain", "--apply").splitlines()[1] == "Removed: 1 run, 2.0 MB"
    assert not orphan.exists()
    assert printed("retain") == "Would be removed: 0 runs, 0.0 MB\n"


def test_a_negative_age_is_refused() -> None:
    with pytest.raises(CommandError, match="--days: must be 0 or more"):
        printed("retain", "--days", "-1")
