"""Start a Spark Connect server: the one way in which Sluice reaches Spark."""

import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import randbelow
from urllib.parse import urlsplit

import pyspark

from simulations.pipeline.spark.java import find_java

PROJECT = Path(__file__).resolve().parents[3]
SPARK_HOME = Path(pyspark.__file__).parent
CONNECT_PORT = 15_002
LOOPBACK = "127.0.0.1"
FIRST_PORT, PORTS = 10_000, 20_000
"""Where ``free_port`` looks: below the ports that systems take for connections to others (Linux: from 32768 on)."""
TASK_ATTEMPTS = 4
SETTINGS_FRAME = 4
"""Type of the frame with which both sides of HTTP/2 begin."""
# Spark writes one long method for each step of a query, which Java would interpret forever.
JAVA_OPTIONS = (
    "-XX:+UseSerialGC -XX:-DontCompileHugeMethods -XX:Tier4InvocationThreshold=50000 "
    "-XX:Tier4MinInvocationThreshold=6000 -XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000"
)
"""Thresholds are ten times Java's defaults: the start, which runs everything a few times, costs a quarter less."""
EXECUTOR_MEMORY_MB = 768
"""Java memory of a cluster's executor, or of a server that computes itself; Python takes 200 MB a core besides."""


@dataclass(frozen=True)
class ServerPlan:
    """What a Spark Connect server needs to know. It listens on this machine only, whatever its master."""

    port: int
    token: str
    folder: Path
    """Private folder for Spark's scratch files and sockets; its path must stay below 60 characters."""
    cores: int = 2
    master: str | None = None
    """`spark://host:port` of a standalone cluster of ours, `k8s://…` or `yarn`; None computes in the server itself."""
    driver_host: str = LOOPBACK
    """Address at which a cluster's executors reach the server; clients always come from this machine."""
    properties: Path | None = None
    """File with what all processes of the cluster agree on (cluster.py); the cluster's secret is in it."""

    @property
    def foreign(self) -> bool:
        """Whether a cluster manager that is not ours starts the executors."""
        return self.master is not None and not self.master.startswith("spark://")

    @property
    def remote(self) -> str:
        """The address for clients. Without encryption the token is only sent to the host spelled `localhost`."""
        return f"sc://localhost:{self.port}"


def server_command(plan: ServerPlan) -> list[str]:
    """The command line of the server; run it with `server_environment(plan)`."""
    settings = [part for name, value in _settings(plan).items() for part in ("--conf", f"{name}={value}")]
    return [
        str(SPARK_HOME / "bin" / "spark-submit"),
        *("--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "--name", "sluice"),
        # A worker that is killed costs its task an attempt; one attempt alone would fail the job.
        *("--master", plan.master or f"local[{plan.cores},{TASK_ATTEMPTS}]"),
        *(["--properties-file", str(plan.properties)] if plan.properties else []),
        *settings,
        "spark-internal",
    ]


def _settings(plan: ServerPlan) -> dict[str, str]:
    return {
        "spark.connect.grpc.binding.address": LOOPBACK,
        "spark.connect.grpc.binding.port": str(plan.port),
        "spark.driver.host": plan.driver_host,
        "spark.driver.bindAddress": LOOPBACK if plan.driver_host == LOOPBACK else "0.0.0.0",  # noqa: S104
        "spark.driver.extraJavaOptions": f"{JAVA_OPTIONS} -Djava.io.tmpdir={plan.folder}",
        "spark.executor.extraJavaOptions": JAVA_OPTIONS,
        "spark.executor.memory": f"{EXECUTOR_MEMORY_MB}m",
        "spark.connect.progress.reportInterval": "500ms",
        "spark.local.dir": str(plan.folder),
        "spark.sql.warehouse.dir": str(plan.folder / "warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.shuffle.partitions": str(2 * plan.cores),
        "spark.python.daemon.module": "simulations.pipeline.spark.daemon",
        "spark.python.unix.domain.socket.enabled": "true",
        # Where others start the executors (Kubernetes, YARN), they need not have our folder.
        # The driver's port is open to everybody on this machine. Its secret is made at the start and known to it alone;
        # clusters have one of their own (cluster.py), or their manager's.
        **({} if plan.master else {"spark.authenticate": "true", "spark.driver.memory": f"{EXECUTOR_MEMORY_MB}m"}),
        **({} if plan.foreign else {"spark.python.unix.domain.socket.dir": str(plan.folder)}),
        # The rows of a task, about two megabytes, reach the server directly, not through its block store.
        "spark.task.maxDirectResultSize": "8m",
        "spark.ui.enabled": "false",
        "spark.log.level": "WARN",
    }


def server_environment(plan: ServerPlan, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the server's environment: Java, this Python for its workers, the token. Raises JavaMissing."""
    return {**spark_environment(plan.driver_host, base), "SPARK_CONNECT_AUTHENTICATE_TOKEN": plan.token}


def spark_environment(host: str, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What every process of Spark's needs: a Java that fits, and this Python with this project for its workers.
    ``host``: where others reach the process; on the loopback interface its pages stay there, too."""
    kept = {name: value for name, value in base.items() if name not in ("SPARK_REMOTE", "SPARK_MASTER", "MASTER")}
    return {
        # With a heap for each thread the C library would keep what is free in all of them.
        "MALLOC_ARENA_MAX": "2",
        # Masters and workers compute nothing: to optimize what they run would double the processor time of their start.
        "SPARK_DAEMON_JAVA_OPTS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
        **kept,
        **find_java(base).variables,
        **({"SPARK_LOCAL_IP": LOOPBACK} if host == LOOPBACK else {}),
        "SPARK_HOME": str(SPARK_HOME),
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(PROJECT), base.get("PYTHONPATH")))),
    }


def free_port() -> int:
    """A TCP port of this machine that nothing listens on.

    It is none of those that a system takes by itself for connections to others: such a one may be gone a moment later,
    and Spark then listens on the next without a word. Raises RuntimeError where a hundred ports are taken.
    """
    for _ in range(100):
        port = FIRST_PORT + randbelow(PORTS)
        with suppress(OSError), socket.create_server((LOOPBACK, port)):
            return port
    raise RuntimeError(f"no port between {FIRST_PORT} and {FIRST_PORT + PORTS - 1} is free")


def is_listening(port: int) -> bool:
    """Whether something on this machine accepts connections on that TCP port."""
    with suppress(OSError), socket.create_connection((LOOPBACK, port), timeout=1):
        return True
    return False


def answers(remote: str) -> bool:
    """Whether the server at ``sc://host:port`` answers within a second; one that hangs still takes connections. Of one
    behind TLS only that it takes connections can be told."""
    address = urlsplit(remote)
    settings = bytes(3) + bytes([SETTINGS_FRAME]) + bytes(5)
    server = (address.hostname, address.port or CONNECT_PORT)
    with suppress(OSError), socket.create_connection(server, timeout=1) as link:
        if "use_ssl=true" in address.path:
            return True
        link.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings)
        return link.recv(len(settings))[3:4] == bytes([SETTINGS_FRAME])
    return False
