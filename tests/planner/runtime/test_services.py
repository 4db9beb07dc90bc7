"""What the embedded installation starts; its broker is a real server, private, whose queue survives its death."""

import os
import signal
import socket
import subprocess
from contextlib import closing, suppress
from http.client import HTTPConnection, RemoteDisconnected
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
import pytest
from redis import Redis

from planner.runtime.processes import StartProblem
from planner.runtime.services import (
    broker_answers,
    broker_command,
    describe_parts,
    find_server,
    pages_answer,
    plan_installation,
    stages,
    worker_answers,
)
from planner.settings.environment import Environment
from simulations.pipeline.spark.server import free_port, is_listening
from tests.waiting import LONG, PATIENCE, wait_until


def environment(state: Path, **given: Any) -> Environment:
    return Environment.model_validate({"state_dir": state, **given})


def test_a_port_that_is_taken_is_refused_with_a_way_out(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(
            StartProblem, match=rf"Port {port} cannot be used.* by process {os.getpid()} .*`kill {os.getpid()}`.*PORT="
        ):
            plan_installation(environment(tmp_path), port=port)


def test_it_starts_the_broker_first_then_the_pages_then_what_computes(tmp_path: Path) -> None:
    plan = plan_installation(environment(tmp_path), port=free_port())
    names = [[service.name for service in stage] for stage in stages(plan)]
    assert names == [["broker"], ["web"], ["spark"], ["worker"]]
    assert set(describe_parts(plan)) == {"Java", "broker", "Spark"}


def test_services_that_the_environment_names_are_used_and_not_started(tmp_path: Path) -> None:
    given = {"broker_url": "redis://broker.example.org/0", "spark_remote": "sc://spark.example.org:15002"}
    plan = plan_installation(environment(tmp_path, **given), port=free_port())
    assert [[service.name for service in stage] for stage in stages(plan)] == [[], ["web"], [], ["worker"]]
    assert plan.variables["BROKER_URL"] == given["broker_url"]
    assert plan.variables["SPARK_REMOTE"] == given["spark_remote"]


@pytest.mark.nightly
def test_web_processes_take_turns_and_nobody_is_refused(tmp_path: Path) -> None:
    plan = plan_installation(environment(tmp_path, web_processes=2), port=free_port())
    (web,) = stages(plan)[1]
    assert not web.ready()
    plan.installed.parent.mkdir()
    plan.installed.touch()
    with (tmp_path / "web.log").open("wb") as log:
        server = subprocess.Popen(web.command, env=web.environment, stdout=log, stderr=log, start_new_session=True)
    try:
        wait_until(web.ready, "the pages answer", seconds=LONG)
        parent = psutil.Process(server.pid)
        wait_until(lambda: len(_answering(parent)) == 2, "both processes are there", seconds=LONG)
        before = _answering(parent)
        answers: list[int] = []
        asked = 0

        def ask() -> None:
            """Ask for successors, again where a new process did not start in time beside the machine's other work."""
            nonlocal asked
            if (tmp_path / "web.log").read_text().count("aborting the restart") == asked:
                server.send_signal(signal.SIGHUP)
                asked += 1
            answers.append(_status(plan.port))

        wait_until(
            lambda: len(_answering(parent) - before) == 2 and not _answering(parent) & before,
            "both have a successor",
            seconds=LONG,
            meanwhile=ask,
        )
        os.kill(min(_answering(parent)), signal.SIGKILL)
        answers.append(_status(plan.port))
        assert set(answers) == {200}
        assert "uvicorn.access" not in (tmp_path / "web.log").read_text()
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def _status(port: int) -> int:
    """A whole request, made again as browsers and proxies do when the connection ends without an answer; 0: twice so.

    A connection that a process accepts in the moment of its end is closed; one that is refused is an error here.
    """
    for _ in range(2):
        link = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        with closing(link), suppress(RemoteDisconnected, ConnectionResetError):
            link.request("GET", "/api/v1/health/live")
            return link.getresponse().status
    return 0


def _answering(parent: psutil.Process) -> set[int]:
    """The processes below it that are no helpers of multiprocessing; one that has just ended is none of them."""
    found = set()
    for child in parent.children():
        with suppress(psutil.NoSuchProcess):
            found |= {child.pid for part in child.cmdline() if "spawn_main" in part}
    return found


def started(folder: Path) -> "subprocess.Popen[bytes]":
    command = broker_command(find_server(), socket_path=folder / "s", folder=folder)
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    wait_until(lambda: broker_answers(folder / "s"), "the server answers")
    return server


@pytest.mark.faults
@pytest.mark.redis
def test_a_killed_broker_keeps_its_queue() -> None:
    with TemporaryDirectory(prefix="sluice-") as name:
        folder = Path(name)
        with started(folder) as server, Redis(unix_socket_path=str(folder / "s")) as client:
            client.rpush("celery", "first", "second")
            client.execute_command("WAITAOF", 1, 0, 5_000)
            server.send_signal(signal.SIGKILL)
        with started(folder) as server, Redis(unix_socket_path=str(folder / "s")) as client:
            assert client.lrange("celery", 0, -1) == [b"first", b"second"]
            server.terminate()


@pytest.mark.redis
def test_the_socket_is_private_and_there_is_no_network_port() -> None:
    with TemporaryDirectory(prefix="sluice-") as name:
        folder = Path(name)
        with started(folder) as server, Redis(unix_socket_path=str(folder / "s")) as client:
            assert (folder / "s").stat().st_mode & 0o077 == 0
            assert client.config_get("port") == {"port": "0"}
            server.terminate()


@pytest.mark.redis
def test_nobody_answers_on_a_socket_that_is_not_there(tmp_path: Path) -> None:
    assert not broker_answers(tmp_path / "s")


def test_a_worker_answers_as_long_as_it_shows_that_it_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sign, broker = tmp_path / "worker.ready", tmp_path / "broker.sock"
    assert not worker_answers(sign, broker)
    sign.touch()
    assert worker_answers(sign, broker)
    os.utime(sign, (0, 0))
    assert worker_answers(sign, broker), "without a broker it can show nothing"
    monkeypatch.setattr("planner.runtime.services.broker_answers", lambda path: path == broker)
    assert not worker_answers(sign, broker)


def test_a_web_server_that_takes_connections_only_does_not_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as hung:
        assert is_listening(hung.getsockname()[1])
        assert not pages_answer(hung.getsockname()[1])
    assert not pages_answer(free_port())
