"""Real parts for the tests, each started once: Redis, PostgreSQL, Spark, Chromium."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache as cached
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.core.management import sql
from django.core.management.commands import flush
from django.db import connection
from django.test import override_settings
from hypothesis import settings as hypothesis_settings
from playwright.sync_api import Browser, sync_playwright
from xdist.scheduler import LoadFileScheduling

from planner.celery import app
from planner.runtime.cluster import database_service
from planner.runtime.database import plan_database
from planner.runtime.services import broker_service, broker_url
from planner.settings.connections import cache_settings
from planner.settings.environment import Environment
from simulations.pipeline.spark.server import PROJECT, ServerPlan, free_port
from simulations.pipeline.spark.session import SparkLink
from tests.examples import NIGHTLY, SUITE
from tests.machine import ADVICE, find_chromium
from tests.sampled import sampled as sampled
from tests.services import local_server, running
from tests.telemetry import calibrated as calibrated

hypothesis_settings.load_profile(SUITE)

NOT_NEEDED = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    # Chromium takes one such list, so this one says again what Playwright's own does.
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"),
    *("HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning", "AimEnabled"),
    *("AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"),
)
"""Features of Chromium. The lists below its address bar, which nobody sees here, are pages of their own in each new
window: a second of processor time."""
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(NOT_NEEDED)}",
]


SHARED = ("spark_server", "spark_link", "redis_url", "postgres_url", "calibrated", "sampled")
"""Fixtures that start a service, or need one."""


FIRST = ("services", "alone", "pages", "journeys", "tests/faults/test_cluster.py", "tests/faults/test_kills.py")
"""Groups that take longest."""


def group_of(nodeid: str) -> str:
    """Return what a test is kept together with: pages of one site in the browser, what needs services, its file."""
    return _group_of_file(nodeid.split("::", 1)[0])


@cached
def _group_of_file(file: str) -> str:
    if "/e2e/alone/" in file:
        return "alone"
    if "/e2e/" in file:
        return "journeys" if "/test_j" in file else "pages"
    text = (PROJECT / file).read_text(encoding="utf-8")
    return "services" if any(f"{name}:" in text for name in SHARED) else file


OUTSIDE = {"browser", "faults", "postgres", "redis", "spark"}
"""Marks of tests that wait for processes beside their own."""


class ByService(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """A group stays in one process, so that its services are started once."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the groups that take longest first, so that no process is left alone with them in the end.

    What is marked ``nightly`` waits for the night (docs/adr/0192). What waits for other processes is tried twice, and
    named at the end where it needed that (docs/adr/0143).
    """
    later = [] if NIGHTLY else [item for item in items if item.get_closest_marker("nightly")]
    config.hook.pytest_deselected(items=later)
    items[:] = [item for item in items if item not in later]
    for item in items:
        if OUTSIDE & {mark.name for mark in item.iter_markers()}:
            item.add_marker(pytest.mark.flaky(reruns=1))
    rank = {group: place for place, group in enumerate(FIRST)}
    items.sort(key=lambda item: rank.get(group_of(item.nodeid), len(FIRST)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByService:
    """Say which tests go together. The groups of xdist's own ``loadgroup`` get lost with the node ids of pytest 9.2."""
    return ByService(config, log)


@pytest.fixture(scope="session", autouse=True)
def own_installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests away from the data and the services of an installation in this folder."""
    state = tmp_path_factory.mktemp("state")
    environment = Environment.model_validate({**settings.ENVIRONMENT.model_dump(), "state_dir": state, "store_url": ""})
    plain = {**settings.STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    app.conf["CELERY_BROKER_URL"] = broker_url(state / "nobody.sock")
    (state / "static").mkdir()
    own = {"ENVIRONMENT": environment, "STORAGES": plain, "CACHES": cache_settings(None)}
    # A million rounds for each password would be a third of a second for each test of a page.
    own["PASSWORD_HASHERS"] = ["django.contrib.auth.hashers.MD5PasswordHasher", *settings.PASSWORD_HASHERS]
    with override_settings(**own, STATIC_ROOT=state / "static"):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Keep SQLite in a file, as installations do: in memory, threads share a cache for whose locks nobody waits."""
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = tmp_path_factory.mktemp("database") / "sluice.sqlite3"


KEPT = {"auth_permission", "django_content_type"}
"""Tables whose rows follow from the models: Django would write all of them anew after each test that commits."""


@pytest.fixture(scope="session", autouse=True)
def _rows_are_deleted() -> Iterator[None]:
    """Empty the tables row by row, apart from KEPT: to truncate all of PostgreSQL's takes a second after each test."""
    written = sql.emit_post_migrate_signal

    def where_missing(verbosity: int, interactive: bool, database: str) -> None:  # noqa: FBT001 (Django's signature)
        if not apps.get_model("auth.Permission").objects.using(database).exists():
            written(verbosity, interactive, database)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(connection.ops), "sql_flush", _deleting)
        patch.setattr(flush, "emit_post_migrate_signal", where_missing)
        yield


def _deleting(operations: Any, style: Any, tables: Iterable[str], **_: bool) -> list[str]:
    emptied = [operations.quote_name(table) for table in tables if table not in KEPT]
    return [f"DELETE FROM {table};" for table in emptied]  # noqa: S608 - no input


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    """Forget what other tests asked for from this address: who asks too often is refused."""
    cache.clear()


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """Address of a real Redis-protocol server, for Celery."""
    with tempfile.TemporaryDirectory(prefix="sluice-redis-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        socket_path = folder / "broker.sock"
        with running(broker_service(socket_path, folder / "data"), folder):
            yield broker_url(socket_path)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Address of a real PostgreSQL server. As root it runs as another user, who needs a way to its files."""
    with tempfile.TemporaryDirectory(prefix="sluice-pg-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        plan = plan_database(folder, port=free_port(), password=token_urlsafe(16))
        with running(database_service(plan), folder):
            yield plan.url


@pytest.fixture(scope="session")
def spark_server() -> Iterator[ServerPlan]:
    """A real Spark Connect server with two cores."""
    with local_server(cores=2) as plan:
        yield plan


@pytest.fixture(scope="session")
def spark_link(spark_server: ServerPlan) -> Iterator[SparkLink]:
    """A session on that server. It is given back before the server stops: otherwise PySpark waits at exit."""
    with SparkLink(spark_server.remote, spark_server.token) as link:
        yield link


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium without a window."""
    path = find_chromium()
    if path is None:
        pytest.fail(f"There is no Chromium. {ADVICE}")
    # Playwright's loop runs in this thread, where Django would refuse the database to test code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        yield chromium
        chromium.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
