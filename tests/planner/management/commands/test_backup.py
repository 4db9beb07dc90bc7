"""`manage.py backup`: what it writes is said, with the way back."""

from pathlib import Path

import psycopg
import pytest

from tests.planner.management.commands.conftest import call
from tests.planner.management.commands.test_restore import PERSON

pytestmark = pytest.mark.slow


def test_a_file_that_exists_is_refused(state: Path, tmp_path: Path) -> None:
    (tmp_path / "b.tar.gz").write_text("precious")
    done = call(state, "backup", tmp_path / "b.tar.gz")
    assert (done.returncode, done.stdout) == (2, "")
    assert "exists: choose another name" in done.stderr
    assert (tmp_path / "b.tar.gz").read_text() == "precious"


@pytest.mark.nightly
@pytest.mark.postgres
def test_postgresql_is_dumped_and_put_back_by_its_own_tools(tmp_path: Path, postgres_url: str) -> None:
    state, file, url = tmp_path / "state", tmp_path / "b.tar.gz", {"DATABASE_URL": postgres_url}
    assert call(state, "migrate", "-v0", **url).returncode == 0
    with psycopg.connect(postgres_url) as database:
        database.execute(PERSON.format("ada").encode())
    done = call(state, "backup", file, **url)
    assert f"{file}: postgresql database and 2 files" in done.stdout
    assert f"manage.py restore {file}" in done.stdout
    with psycopg.connect(postgres_url) as database:
        database.execute(PERSON.format("eve").encode())
        refused = call(state, "restore", file, **url)
    assert "Nothing was changed. 1 other connection(s) use the database" in refused.stderr
    done = call(state, "restore", file, **url)
    assert done.returncode == 0, done.stderr
    assert postgres_url.partition("@")[0].rpartition(":")[2] not in done.stdout + done.stderr
    with psycopg.connect(postgres_url) as database:
        assert database.execute("SELECT username FROM auth_user").fetchall() == [("ada",)]
