"""Services for tests: started like those of an installation, and ended even when the tests themselves are killed."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_urlsafe

from planner.runtime.processes import Child, Service
from planner.runtime.services import spark_service
from planner.runtime.supervisor import Watchdog
from planner.settings.environment import BASE_DIR
from simulations.pipeline.spark.server import ServerPlan, free_port
from tests.waiting import LONG, wait_until

NOT_INHERITED = ("BROKER_URL", "SPARK_REMOTE", "DATABASE_URL", "DJANGO_ALLOW_ASYNC_UNSAFE")


def launched(command: str, port: int, *, output: Path, **variables: str) -> tuple["subprocess.Popen[bytes]", Watchdog]:
    """Start the product as `make up` or `make cluster` does, apart from the services of the tests.

    The watchdog ends it when this process cannot.
    """
    kept = {key: value for key, value in os.environ.items() if key not in NOT_INHERITED}
    with output.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "planner.runtime", command, "--port", str(port)],
            cwd=BASE_DIR,
            env={**kept, **variables},
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
    watchdog = Watchdog()
    watchdog.add(process.pid)
    return process, watchdog


def wait_until_served(process: "subprocess.Popen[bytes]", output: Path) -> None:
    """Return when the product says that it serves; fail with what it said when it ends instead."""
    wait_until(
        lambda: "Sluice serves" in output.read_text() or process.poll() is not None,
        "Sluice serves",
        seconds=LONG,
    )
    assert process.poll() is None, output.read_text()


@contextmanager
def running(service: Service, folder: Path) -> Iterator[None]:
    """Run the service, with its log in `folder`, from when it is ready until the block ends.

    A watchdog ends it when this process cannot: a test that times out ends the whole process at once.
    """
    watchdog = Watchdog()
    try:
        child = Child(service, folder / f"{service.name}.log", folder=BASE_DIR)
        watchdog.add(child.process.pid)
        wait_until(
            lambda: service.ready() or child.exit_code() is not None,
            f"{service.name} is ready",
        )
        assert child.exit_code() is None, (folder / f"{service.name}.log").read_text()
        yield
        child.stop(hurried=lambda: False)
        watchdog.remove(child.process.pid)
    finally:
        watchdog.close()


@contextmanager
def local_server(*, cores: int) -> Iterator[ServerPlan]:
    """Run a Spark Connect server on a free port."""
    with tempfile.TemporaryDirectory(prefix="sluice-spark-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        plan = ServerPlan(port=free_port(), token=token_urlsafe(32), folder=folder / "spark", cores=cores)
        with running(spark_service("spark", plan), folder):
            yield plan
