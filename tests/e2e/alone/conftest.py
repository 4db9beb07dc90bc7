"""A web server alone, without worker, Redis and Spark: what the scripts of a page do by themselves."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from simulations.pipeline.spark.server import PROJECT
from tests.e2e.conftest import Site, installed

BROKER = {"BROKER_URL": "redis://127.0.0.1:1/0"}
COMPUTE = """
import sys
import django; django.setup()
from planner.jobs import execute
from planner.celery import app
from simulations.pipeline.spark.executors import InlineExecutor
app.conf["CELERY_BROKER_URL"] = "memory://"
for line in sys.stdin:
    execute.run_compute(run_id=line.strip(), worker="test", executor_of=lambda run: InlineExecutor())
    print(line, end="", flush=True)
"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The installation with nothing but its web server; runs stay queued until ``computed`` computes them."""
    with installed(tmp_path_factory.mktemp("alone"), BROKER) as made:
        yield made


@pytest.fixture(scope="session")
def computer(site: Site) -> "Iterator[subprocess.Popen[str]]":
    """A process of its own that computes the runs whose ids it reads: to load all that takes ten seconds."""
    variables = {**os.environ, **BROKER, "STATE_DIR": str(site.folder), "PUBLIC_URL": site.address}
    variables["DJANGO_SETTINGS_MODULE"] = "planner.settings.django"
    command, pipe = [sys.executable, "-c", COMPUTE], subprocess.PIPE
    with subprocess.Popen(command, env=variables, cwd=PROJECT, stdin=pipe, stdout=pipe, text=True) as process:
        yield process


@pytest.fixture
def computed(computer: "subprocess.Popen[str]") -> Callable[[str], None]:
    """Compute a run or a search by its id."""

    def compute(run: str) -> None:
        assert computer.stdin is not None
        assert computer.stdout is not None
        computer.stdin.write(f"{run}\n")
        computer.stdin.flush()
        assert computer.stdout.readline() == f"{run}\n", "it ended: see its error above"

    return compute
