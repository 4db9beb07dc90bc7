"""The same tests on PostgreSQL: what SQLite serialises, another database runs at the same time.

By night: what only PostgreSQL can show is asked of it at each run by ``services/test_concurrency.py`` and the cluster.
"""

import os
import subprocess
import sys

import pytest

from planner.settings.environment import BASE_DIR

pytestmark = [pytest.mark.postgres, pytest.mark.slow, pytest.mark.nightly]

FOLDERS = ("tests/planner/services", "tests/planner/selectors", "tests/planner/api")
OTHER_PARTS = " and ".join(f"not {marker}" for marker in ("slow", "faults", "spark", "redis", "postgres", "browser"))


def test_the_planners_tests_pass_on_postgresql(postgres_url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--no-header", "-m", OTHER_PARTS, *FOLDERS],
        cwd=BASE_DIR,
        env={**os.environ, "DATABASE_URL": postgres_url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8_000:]
    assert " passed" in done.stdout
