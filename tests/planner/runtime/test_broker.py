"""The broker: a real server, private, whose queue survives its death."""

import signal
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from redis import Redis

from planner.runtime.broker import answers, broker_command, find_server
from tests.waiting import wait_until

pytestmark = pytest.mark.redis


def start(folder: Path) -> "subprocess.Popen[bytes]":
    command = broker_command(find_server(), socket_path=folder / "s", folder=folder)
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    wait_until(lambda: answers(folder / "s"), "the server answers")
    return server


@pytest.mark.faults
def test_a_killed_broker_keeps_its_queue() -> None:
    with TemporaryDirectory(prefix="sluice-") as name:
        folder = Path(name)
        with start(folder) as server, Redis(unix_socket_path=str(folder / "s")) as client:
            client.rpush("celery", "first", "second")
            client.execute_command("WAITAOF", 1, 0, 5_000)
            server.send_signal(signal.SIGKILL)
        with start(folder) as server, Redis(unix_socket_path=str(folder / "s")) as client:
            assert client.lrange("celery", 0, -1) == [b"first", b"second"]
            server.terminate()


def test_the_socket_is_private_and_there_is_no_network_port() -> None:
    with TemporaryDirectory(prefix="sluice-") as name:
        folder = Path(name)
        with start(folder) as server, Redis(unix_socket_path=str(folder / "s")) as client:
            assert (folder / "s").stat().st_mode & 0o077 == 0
            assert client.config_get("port") == {"port": "0"}
            server.terminate()


def test_nobody_answers_on_a_socket_that_is_not_there(tmp_path: Path) -> None:
    assert not answers(tmp_path / "s")
