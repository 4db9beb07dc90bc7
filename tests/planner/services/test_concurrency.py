"""Many processes at once, on a real SQLite file and on a real PostgreSQL: each run is claimed once, nothing is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from tests.waiting import LONG

ROOT = Path(__file__).parents[3]
PROCESSES, RUNS, TAGS = 4, 12, 10


def new_database(url: str) -> str:
    """Make an empty database on the server and return its address."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE contention")
    return urlunsplit(urlsplit(url)._replace(path="/contention"))


@pytest.mark.parametrize(
    "kind",
    [pytest.param("sqlite", marks=pytest.mark.nightly), pytest.param("postgres", marks=pytest.mark.postgres)],
)
def test_of_many_processes_each_thing_happens_once(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/contention.sqlite3"
    if kind == "postgres":
        url = new_database(request.getfixturevalue("postgres_url"))
    variables = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "DJANGO_SETTINGS_MODULE": "planner.settings.django",
        "STATE_DIR": str(tmp_path),
        "DATABASE_URL": url,
        "BROKER_URL": "redis://127.0.0.1:1/0",
    }
    program = [sys.executable, str(Path(__file__).with_name("contention.py"))]
    done = subprocess.run(program, env=variables, capture_output=True, text=True, timeout=LONG, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert sum(seen["claimed"]) == RUNS
    assert (seen["taken_up"], seen["states"]) == (RUNS, [["queued", 1]])
    assert seen["cancelled"] == ["cancelling"]
    assert seen["revision"] == 1 + PROCESSES * TAGS
    assert len(set(seen["started"])) == 1
    assert seen["runs"] == RUNS + 1
    assert (len(set(seen["posted"])), seen["once"]) == (1, 1)
