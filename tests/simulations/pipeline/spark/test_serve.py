"""Spark's processes as a container starts them: master and workers find each other, and strangers stay outside."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from simulations.pipeline.spark.server import PROJECT, free_port, is_listening
from tests.waiting import wait_until

TOKEN = "the secret of this cluster"


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory(prefix="sluice-serve-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@contextmanager
def served(folder: Path, name: str, *arguments: object, token: str = TOKEN) -> Iterator[Path]:
    """One of Spark's processes; its log."""
    log = folder / f"{name}.log"
    command = [sys.executable, "-m", "simulations.pipeline.spark.serve", *map(str, arguments)]
    options = ["--host", "127.0.0.1", "--folder", str(folder / name)]
    environment = {**os.environ, "SPARK_TOKEN": token}
    with log.open("wb") as output:
        process = subprocess.Popen([*command, *options], cwd=PROJECT, env=environment, stdout=output, stderr=output)
    try:
        yield log
    finally:
        process.kill()
        process.wait()


@pytest.mark.spark
@pytest.mark.slow
def test_a_worker_joins_with_the_secret_only(folder: Path) -> None:
    port = free_port()
    with served(folder, "master", "master", "--port", port) as master:
        wait_until(lambda: is_listening(port), "the master listens")
        cores = ("worker", "--master", f"spark://127.0.0.1:{port}", "--cores", 1)
        with (
            served(folder, "stranger", *cores, token="another secret") as stranger,
            served(folder, "own", *cores) as own,
        ):
            wait_until(lambda: "Successfully registered" in own.read_text(), "the worker has joined")
            wait_until(lambda: "Failed to connect to master" in stranger.read_text(), "the stranger failed")
            assert "Successfully registered" not in stranger.read_text()
        assert len(re.findall("Registering worker", master.read_text())) == 1
        secrets = [path for path in folder.rglob("cluster.conf") if path.stat().st_mode & 0o077]
        assert secrets == []


def test_without_the_secret_nothing_starts(folder: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_TOKEN"}
    command = [sys.executable, "-m", "simulations.pipeline.spark.serve", "master", "--folder", str(folder)]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("SPARK_TOKEN: ")
