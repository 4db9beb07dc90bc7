"""What runs on one machine: broker, Spark, worker and web; and the addresses by which they find each other."""

import os
import shutil
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from planner.runtime.broker import answers, broker_command, broker_url, find_server
from planner.runtime.folders import socket_folder
from planner.runtime.problems import StartProblem
from planner.runtime.processes import Service
from planner.settings.environment import Environment
from simulations.pipeline.spark.java import find_java
from simulations.pipeline.spark.server import ServerPlan, free_port, is_listening, server_command, server_environment

PYTHON = sys.executable
WORKER_STOPS = ((signal.SIGTERM, 10.0), (signal.SIGQUIT, 5.0))
"""First the worker may finish its runs; then it gives them back to the broker."""


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
    def variables(self) -> dict[str, str]:
        """The environment of our processes."""
        return {**os.environ, **self.addresses, "STATE_DIR": str(self.environment.state_dir)}


def plan_installation(environment: Environment, *, port: int) -> Installation:
    """Choose sockets and ports. Raises StartProblem when the port of the pages is taken."""
    _refuse_taken(port)
    sockets = socket_folder(environment.state_dir)
    token = environment.secret("spark_token")
    spark = ServerPlan(port=free_port(), token=token, folder=sockets / "spark", cores=environment.spark_cores)
    return Installation(environment, port, sockets, spark)


def stages(plan: Installation) -> Sequence[Sequence[Service]]:
    """The services in the order of their start: what others keep their data in, Spark, and our own processes.

    Raises JavaMissing, and StartProblem when no Redis server starts.
    """
    broker = [] if plan.environment.broker_url else [_broker(plan)]
    spark = [] if plan.environment.spark_remote else [_spark(plan)]
    return [broker, spark, [_worker(plan), _web(plan)]]


def _refuse_taken(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError as error:
            raise StartProblem(
                f"Port {port} cannot be used ({error.strerror}): free it, or choose another with `make up PORT=8001`."
            ) from error


def _broker(plan: Installation) -> Service:
    return broker_service(plan.sockets / "broker.sock", plan.environment.state_dir / "broker")


def broker_service(socket_path: Path, folder: Path) -> Service:
    """A broker on that socket as a service, with its log of tasks below `folder`. Raises StartProblem."""
    server = find_server()
    # Another server than last time may not read its predecessor's log.
    own = folder / server.name
    own.mkdir(mode=0o700, parents=True, exist_ok=True)
    command = broker_command(server, socket_path=socket_path, folder=own)
    return Service("broker", command, dict(os.environ), partial(answers, socket_path))


def _spark(plan: Installation) -> Service:
    return spark_service("spark", plan.spark)


def spark_service(name: str, spark: ServerPlan) -> Service:
    """A Spark Connect server as a service. Raises JavaMissing when there is no Java for it."""
    ready, prepare = partial(is_listening, spark.port), partial(_empty, spark.folder)
    return Service(name, server_command(spark), server_environment(spark), ready, prepare=prepare)


def _worker(plan: Installation) -> Service:
    ready = plan.environment.state_dir / "run" / "worker.ready"
    options = ["--pool", "prefork", "--loglevel", plan.environment.log_level, "--without-gossip", "--without-mingle"]
    return Service(
        "worker",
        [PYTHON, "-m", "celery", "-A", "planner", "worker", *options],
        {**plan.variables, "WORKER_READY_FILE": str(ready)},
        ready.exists,
        prepare=partial(ready.unlink, missing_ok=True),
        stops=WORKER_STOPS,
    )


def _web(plan: Installation) -> Service:
    options = ["--host", "127.0.0.1", "--port", str(plan.port), "--no-access-log", "--timeout-graceful-shutdown", "5"]
    command = [PYTHON, "-m", "uvicorn", "planner.web.asgi:application", *options]
    return Service("web", command, plan.variables, partial(is_listening, plan.port))


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
