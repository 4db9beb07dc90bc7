"""`python -m simulations.pipeline.spark.serve connect|master|worker`: one of Spark's processes in place of this one.

For containers and clusters; on one machine the supervisor starts them (planner/runtime). All three need SPARK_TOKEN:
clients show it to the server, and the cluster's processes show it to each other.
"""

import argparse
import os
import socket
import sys
from dataclasses import replace
from pathlib import Path

from simulations.pipeline.spark import server
from simulations.pipeline.spark.cluster import ClusterPlan, master_command, worker_command, write_properties

MASTER_PORT = 7077
PAGES_PORT = 8080


def main() -> None:
    """Replace this process by the one that the arguments ask for."""
    parser = argparse.ArgumentParser(prog="python -m simulations.pipeline.spark.serve")
    parser.add_argument("role", choices=["connect", "master", "worker"])
    parser.add_argument("--master", help="spark://host:port, k8s://... or yarn; without it `connect` computes itself")
    parser.add_argument("--host", default=socket.gethostname(), help="name under which the others reach this process")
    parser.add_argument("--port", type=int, help=f"port of connect ({server.CONNECT_PORT}) or master ({MASTER_PORT})")
    parser.add_argument("--folder", type=Path, default=Path("/tmp/spark"), help="private scratch folder")  # noqa: S108
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="cores to compute on")
    options = parser.parse_args()
    token = os.environ.get("SPARK_TOKEN") or sys.exit("SPARK_TOKEN: must be the same for server, workers and clients")
    options.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if options.role == "connect":
        command, environment = _connect(options, token)
    else:
        cluster = _cluster(options, token)
        write_properties(cluster)
        worker = worker_command(cluster, host=options.host, cores=options.cores)
        command = master_command(cluster) if options.role == "master" else worker
        environment = server.spark_environment(cluster.host)
    os.execve(command[0], command, environment)  # noqa: S606 - our own command line


def _connect(options: argparse.Namespace, token: str) -> tuple[list[str], dict[str, str]]:
    plan = server.ServerPlan(
        port=options.port or server.CONNECT_PORT,
        token=token,
        folder=options.folder,
        cores=options.cores,
        master=options.master,
        driver_host=options.host if options.master else server.LOOPBACK,
    )
    if plan.master and not plan.foreign:
        cluster = _cluster(options, token)
        write_properties(cluster)
        plan = replace(plan, properties=cluster.properties)
    return server.server_command(plan), server.server_environment(plan)


def _cluster(options: argparse.Namespace, token: str) -> ClusterPlan:
    """The standalone cluster that `--master` names, or the one whose master this process becomes."""
    own = f"{options.host}:{options.port or MASTER_PORT}"
    host, _, port = (options.master or own).removeprefix("spark://").rpartition(":")
    return ClusterPlan(host=host, port=int(port), folder=options.folder, secret=token, pages_port=PAGES_PORT)


if __name__ == "__main__":
    main()
