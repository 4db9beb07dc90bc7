"""The session on a real Spark Connect server."""

import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pytest
from pyspark.sql.connect.client.core import DefaultChannelBuilder

from simulations.pipeline.spark.executors import Cancelled, SparkExecutor
from simulations.pipeline.spark.server import (
    ServerPlan,
    answers,
    free_port,
    server_command,
    server_environment,
)
from simulations.pipeline.spark.session import (
    SparkInterrupted,
    SparkLink,
    SparkUnavailable,
    _address,
    interrupt_session,
)
from tests.simulations.pipeline.spark.test_executors import long_items
from tests.waiting import wait_until

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def same(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


def slow(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        time.sleep(60)
        yield batch


def rows(link: SparkLink, tag: str = "rows") -> int:
    with link.operation(tag) as session:
        return int(session.range(40, numPartitions=4).mapInArrow(same, "id long").toArrow().num_rows)


@pytest.mark.parametrize("end", ["", "/", "/;", "/;use_ssl=true", "/;use_ssl=true;"])
def test_an_address_keeps_its_own_parameters_beside_ours(end: str) -> None:
    read = DefaultChannelBuilder(_address(f"sc://spark.example.org:443{end}", token="secret", session_id=None))
    assert (read.host, read.get("token")) == ("spark.example.org", "secret")
    assert ("use_ssl" in end) == (read.getDefault("use_ssl", "") == "true")


@pytest.mark.parametrize("where", ["same process", "another process's address"])
def test_an_interrupt_ends_the_operation_and_keeps_the_session(
    spark_server: ServerPlan, spark_link: SparkLink, where: str
) -> None:
    session_id = spark_link.session_id
    interrupted: list[str] = []

    def interrupt() -> None:
        def ask() -> bool:
            if where == "same process":
                interrupted.extend(spark_link.interrupt("long"))
            else:
                interrupted.extend(interrupt_session(spark_server.remote, spark_server.token, session_id, "long"))
            return bool(interrupted)

        wait_until(ask, "there is an operation to interrupt")

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(SparkInterrupted), spark_link.operation("long") as session:
        session.range(2, numPartitions=2).mapInArrow(slow, "id long").toArrow()
    thread.join()
    assert len(interrupted) == 1
    assert rows(spark_link) == 40
    assert spark_link.session_id == session_id


def test_an_interrupt_of_another_tag_changes_nothing(spark_link: SparkLink) -> None:
    assert spark_link.interrupt("nobody has this tag") == []


def test_a_wrong_token_is_refused_by_name(spark_server: ServerPlan) -> None:
    with pytest.raises(SparkUnavailable, match="SPARK_TOKEN"), SparkLink(spark_server.remote, "wrong") as link:
        link.session  # noqa: B018 - the first look makes the session


def test_no_server_is_said_long_before_spark_would_give_up() -> None:
    began = time.monotonic()
    with pytest.raises(SparkUnavailable), SparkLink(f"sc://localhost:{free_port()}", "any") as link:
        link.session  # noqa: B018 - the first look makes the session
    assert time.monotonic() - began < 120, "Spark's own policy takes ten minutes"


def test_a_closed_link_opens_again(spark_server: ServerPlan) -> None:
    with SparkLink(spark_server.remote, spark_server.token) as link:
        first = link.session_id
        link.close()
        assert link.session_id != first


class Victim:
    """A server that tests end, or stop: each takes the one that still runs and starts another where none does."""

    def __init__(self, folder: Path) -> None:
        self.plan = ServerPlan(port=free_port(), token="of this test", folder=folder)
        self._server: subprocess.Popen[bytes] | None = None

    def running(self) -> "subprocess.Popen[bytes]":
        """The server, once it answers."""
        if self._server is None or self._server.poll() is not None:
            quiet = subprocess.DEVNULL
            environment = server_environment(self.plan)
            self._server = subprocess.Popen(server_command(self.plan), env=environment, stdout=quiet, stderr=quiet)
        wait_until(lambda: answers(self.plan.remote), "the server answers")
        return self._server

    def kill(self) -> None:
        """End the server, if there is one, so that it cannot tidy up."""
        if self._server is not None:
            self._server.kill()
            self._server.wait()


@pytest.fixture(scope="module")
def victim() -> Iterator[Victim]:
    with TemporaryDirectory(prefix="sluice-", ignore_cleanup_errors=True) as name:
        made = Victim(Path(name))
        yield made
        made.kill()


@pytest.fixture
def doomed(victim: Victim) -> Iterator[SparkLink]:
    """A session on the victim, which runs."""
    victim.running()
    with SparkLink(victim.plan.remote, victim.plan.token) as link:
        yield link


@pytest.mark.faults
def test_a_server_that_hangs_delays_no_cancel(victim: Victim, doomed: SparkLink) -> None:
    hung, stop = doomed.session_id, threading.Event()
    rows = SparkExecutor(doomed, tag="hung").run(long_items(), should_stop=stop.is_set)
    next(rows)
    server = victim.running()
    server.send_signal(signal.SIGSTOP)
    stop.set()
    with pytest.raises(Cancelled):
        list(rows)
    with pytest.raises(SparkUnavailable, match="does not answer"):
        _ = doomed.session_id
    server.send_signal(signal.SIGCONT)
    wait_until(lambda: answers(victim.plan.remote), "it goes on")
    assert doomed.session_id != hung, "a new session"
    with suppress(SparkUnavailable):  # its cancel may have arrived by now, late
        interrupt_session(victim.plan.remote, victim.plan.token, hung, "hung")


@pytest.mark.faults
@pytest.mark.nightly
def test_a_killed_server_is_an_error_and_its_successor_gets_a_new_session(victim: Victim, doomed: SparkLink) -> None:
    assert rows(doomed) == 40
    timer = threading.Timer(2.0, victim.kill)
    timer.start()
    with pytest.raises(SparkUnavailable), doomed.operation("lost") as session:
        session.range(2, numPartitions=2).mapInArrow(slow, "id long").toArrow()
    timer.join()
    victim.running()
    assert rows(doomed) == 40
    victim.kill()
    victim.running()
    assert rows(doomed) == 40, "a server that was away while nobody computed goes unnoticed"


@pytest.mark.faults
@pytest.mark.nightly
def test_a_server_that_is_told_to_end_is_lost_like_one_that_is_killed(victim: Victim, doomed: SparkLink) -> None:
    rows = SparkExecutor(doomed, tag="ended").run(long_items(), should_stop=lambda: False)
    next(rows)
    server = victim.running()
    server.terminate()
    with pytest.raises(SparkUnavailable):
        list(rows)
    server.wait()


@pytest.mark.spark
def test_the_drivers_own_port_refuses_who_does_not_know_its_secret(spark_link: SparkLink) -> None:
    port, body = int(str(spark_link.session.conf.get("spark.driver.port"))), b"hello"
    message = struct.pack(">bqi", 3, 7, len(body)) + body  # a request of Spark's own protocol, number 7
    with socket.create_connection(("127.0.0.1", port), timeout=10) as stranger:
        stranger.sendall(struct.pack(">q", 8 + len(message)) + message)
        assert b"Expected SaslMessage" in stranger.recv(4096)
