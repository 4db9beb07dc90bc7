"""A Spark standalone cluster: one master, workers that offer cores, and the secret that keeps others out.

Executors run this project's code from the same path as the worker process that starts them: the same machine, or the
same container image. Nothing is shipped to them, so the compiled kernel is read from the disk.
"""

import json
import os
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from simulations.pipeline.spark.server import EXECUTOR_MEMORY_MB, SPARK_HOME

DEPLOY = "org.apache.spark.deploy"
LAUNCHER = str(SPARK_HOME / "bin" / "spark-class")


@dataclass(frozen=True)
class ClusterPlan:
    """Where a cluster's master listens and what its processes share."""

    host: str
    """Name or address under which all processes of the cluster reach the master."""
    port: int
    folder: Path
    """Private folder of this process: its properties with the secret, and the workers' scratch files."""
    secret: str
    """Who does not know it can neither submit work nor offer cores."""
    pages_port: int = 0
    """TCP port of the master's pages, which also say which workers have registered; 0 takes any."""

    @property
    def master(self) -> str:
        """The address for workers and for the Connect server."""
        return f"spark://{self.host}:{self.port}"

    @property
    def properties(self) -> Path:
        """The file with what all processes of the cluster must agree on."""
        return self.folder / "cluster.conf"


def write_properties(plan: ClusterPlan) -> None:
    """Write the shared properties, readable by this user alone: a command line would show the secret to everybody."""
    plan.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    properties = {
        "spark.authenticate": "true",
        "spark.authenticate.secret": plan.secret,
        "spark.master.rest.enabled": "false",
        "spark.ui.killEnabled": "false",
        "spark.worker.cleanup.enabled": "true",
        # A master that starts again would otherwise end all executors, and the Connect server wait for others forever.
        "spark.deploy.recoveryMode": "FILESYSTEM",
        "spark.deploy.recoveryDirectory": str(plan.folder / "recovery"),
        "spark.deploy.recoveryTimeout": "15s",
        # The Connect server is one application that lives for months: it may lose any number of executors.
        "spark.deploy.maxExecutorRetries": "-1",
    }
    with os.fdopen(os.open(plan.properties, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.writelines(f"{name} {value}\n" for name, value in properties.items())


def master_command(plan: ClusterPlan) -> list[str]:
    """The command line of the master; run it with `spark_environment(plan.host)`."""
    place = ["--host", plan.host, "--port", str(plan.port), "--webui-port", str(plan.pages_port)]
    return [LAUNCHER, f"{DEPLOY}.master.Master", *place, "--properties-file", str(plan.properties)]


def worker_command(plan: ClusterPlan, *, host: str, cores: int, port: int = 0) -> list[str]:
    """The command line of a worker that others reach as `host`; run it with `spark_environment(plan.host)`."""
    place = ["--host", host, "--port", str(port), "--webui-port", "0", "--work-dir", str(plan.folder / "work")]
    # Memory that a worker offers only limits how many executors it accepts: one for each core is the most there can be.
    offer = ["--cores", str(cores), "--memory", f"{cores * EXECUTOR_MEMORY_MB}m"]
    files = ["--properties-file", str(plan.properties), plan.master]
    return [LAUNCHER, f"{DEPLOY}.worker.Worker", *place, *offer, *files]


def has_worker(plan: ClusterPlan, port: int) -> bool:
    """Whether the worker on this port has registered with the master and is alive, as far as the master can tell."""
    unknown = suppress(OSError, HTTPException, ValueError)
    with unknown, closing(HTTPConnection(plan.host, plan.pages_port, timeout=2)) as pages:
        pages.request("GET", "/json/")
        workers = json.load(pages.getresponse())["workers"]
        return any(worker["port"] == port and worker["state"] == "ALIVE" for worker in workers)
    return True
