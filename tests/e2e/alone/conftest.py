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
import django; django.setup()
from planner.jobs import execute
from planner.celery import app
from simulations.pipeline.spark.executors import InlineExecutor
app.conf["CELERY_BROKER_URL"] = "memory://"
execute.run_compute(run_id="{run}", worker="test", executor_of=lambda run: InlineExecutor())
"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The installation with nothing but its web server; runs stay queued until ``computed`` computes them."""
    with installed(tmp_path_factory.mktemp("alone"), BROKER) as made:
        yield made


@pytest.fixture
def computed(site: Site) -> Callable[[str], None]:
    """Compute a run or a search by its id, in a process of its own."""
    variables = {**os.environ, **BROKER, "STATE_DIR": str(site.folder), "PUBLIC_URL": site.address}

    def compute(run: str) -> None:
        variables["DJANGO_SETTINGS_MODULE"] = "planner.settings.django"
        subprocess.run([sys.executable, "-c", COMPUTE.format(run=run)], env=variables, cwd=PROJECT, check=True)

    return compute
