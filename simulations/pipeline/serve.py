"""`python -m simulations.pipeline.serve connect|master|worker`: one of Spark's processes in place of this one.

For containers and clusters; on one machine the supervisor starts the server. The token of `connect` is SPARK_TOKEN.
"""

import argparse
import os
import socket
from pathlib import Path

from simulations.pipeline.server import SPARK_HOME, ServerPlan, server_command, server_environment, spark_environment

CONNECT_PORT = 15002
MASTER_PORT = 7077


def main() -> None:
    """Replace this process by the one that the arguments ask for."""
    parser = argparse.ArgumentParser(prog="python -m simulations.pipeline.serve")
    parser.add_argument("role", choices=["connect", "master", "worker"])
    parser.add_argument("--master", help="spark://host:port of the cluster; without it `connect` computes itself")
    parser.add_argument("--host", default=socket.gethostname(), help="name under which the others reach this process")
    parser.add_argument("--port", type=int, help=f"port of connect ({CONNECT_PORT}) or master ({MASTER_PORT})")
    parser.add_argument("--folder", type=Path, default=Path("/tmp/spark"), help="private scratch folder")  # noqa: S108
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="cores to compute on")
    options = parser.parse_args()
    options.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    command, environment = _connect(options) if options.role == "connect" else _standalone(options)
    os.execve(command[0], command, environment)  # noqa: S606 - our own command line


def _connect(options: argparse.Namespace) -> tuple[list[str], dict[str, str]]:
    plan = ServerPlan(
        port=options.port or CONNECT_PORT,
        token=os.environ["SPARK_TOKEN"],
        folder=options.folder,
        cores=options.cores,
        master=options.master,
        driver_host=options.host if options.master else "127.0.0.1",
    )
    return server_command(plan), server_environment(plan)


def _standalone(options: argparse.Namespace) -> tuple[list[str], dict[str, str]]:
    launcher, package = str(SPARK_HOME / "bin" / "spark-class"), "org.apache.spark.deploy"
    place = ["--host", options.host]
    if options.role == "master":
        port = str(options.port or MASTER_PORT)
        return [launcher, f"{package}.master.Master", *place, "--port", port], spark_environment()
    work = ["--cores", str(options.cores), "--work-dir", str(options.folder), options.master]
    return [launcher, f"{package}.worker.Worker", *place, *work], spark_environment()


if __name__ == "__main__":
    main()
