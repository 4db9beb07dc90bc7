"""Each part is examined by itself: what is well is said, what is not has a remedy."""

import shutil
import socket
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.test import override_settings
from django.utils import timezone

from planner.management import examination
from planner.management.examination import PARTS, Finding, Trouble, findings
from planner.models import Run
from planner.settings.environment import Environment
from simulations.pipeline.spark.server import free_port

pytestmark = pytest.mark.django_db


def environment(**changes: Any) -> Any:
    values = {**settings.ENVIRONMENT.model_dump(), **changes}
    return override_settings(ENVIRONMENT=Environment.model_validate(values))


@pytest.fixture(autouse=True)
def state(tmp_path: Path) -> Iterator[Path]:
    """A private folder, and a port of its own."""
    tmp_path.chmod(0o700)
    with environment(state_dir=tmp_path, public_url=f"http://localhost:{free_port()}"):
        yield tmp_path


def finding_of(part: str) -> Finding:
    return next(item for item in findings() if item.part == part)


def test_an_installation_that_does_not_run_is_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "variants_missing", lambda: 0)
    found = list(findings())
    assert [item for item in found if not item.ok] == []
    assert [item.part for item in found] == list(PARTS)


def test_an_engine_that_is_not_compiled_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "variants_missing", lambda: 2)
    assert finding_of("engine") == Finding(
        "engine", ok=False, detail="2 of its variants are not compiled", remedy="manage.py install"
    )


def test_packages_of_other_versions_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("django==0.1  # pages\nno-such-package==1.0\npydantic-core==2.50.4\n")
    monkeypatch.setattr(examination, "BASE_DIR", tmp_path)
    found = finding_of("packages")
    assert "django 5" in found.detail
    assert "not 0.1" in found.detail
    assert "no-such-package missing, not 1.0" in found.detail
    assert found.remedy == "make setup"


def test_a_state_folder_that_others_can_read_is_a_problem(state: Path) -> None:
    state.chmod(0o755)
    assert finding_of("state folder").remedy == f"chmod 700 {state}"


def test_a_state_folder_that_others_only_pass_through_is_well(state: Path) -> None:
    state.chmod(0o711)  # as PostgreSQL's user does below the folder of a cluster that root started
    assert finding_of("state folder").ok


def test_a_state_folder_that_is_not_there_is_a_problem(state: Path) -> None:
    with environment(state_dir=state / "none"):
        assert "set STATE_DIR" in finding_of("state folder").remedy


def test_a_full_disk_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type(shutil.disk_usage("/"))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10, 9, 1))
    assert "retain --apply" in finding_of("disk").remedy


def test_a_schema_that_is_behind_is_a_problem() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    found = finding_of("database")
    assert (found.detail, found.remedy) == ("1 migrations are not applied", "manage.py migrate")


@pytest.mark.parametrize(
    ("part", "variables"),
    [("broker", {"broker_url": "redis://127.0.0.1:1/0"}), ("Spark", {"spark_remote": "sc://127.0.0.1:1"})],
)
def test_a_part_that_does_not_answer_is_a_problem(
    part: str, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "broker_state", lambda: "OperationalError")
    with environment(**variables):
        found = finding_of(part)
    assert not found.ok
    assert "correct" in found.remedy


def test_a_port_that_another_program_uses_is_a_problem() -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)), environment(public_url=f"http://127.0.0.1:{port}"):
        found = finding_of("ports")
    assert found.detail == f"another program uses port {port} of 127.0.0.1"


def test_a_clock_that_is_behind_what_is_stored_is_a_problem(run: Run) -> None:
    Run.objects.update(created_at=timezone.now() + timedelta(hours=2))
    assert "set the machine's clock" in finding_of("clock").remedy


def test_the_clock_is_not_blamed_for_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: str) -> None:
        raise OperationalError("file is not a database")

    monkeypatch.setattr(examination, "Run", SimpleNamespace(objects=SimpleNamespace(order_by=broken)))
    assert finding_of("clock").ok


def test_a_part_that_cannot_be_examined_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> str:
        raise OSError("the disk is gone")

    monkeypatch.setattr(examination, "PARTS", {"disk": broken})
    assert [(item.ok, item.detail) for item in findings()] == [(False, "the disk is gone")]


def test_where_others_reach_it_the_checks_of_a_deployment_count() -> None:
    assert "only this machine" in finding_of("settings").detail
    with environment(public_url="https://sluice.example.org"), pytest.raises(Trouble, match=r"security\."):
        examination.checks()
