"""The cluster of docker/compose.yaml on one machine: PostgreSQL, a Spark master, two workers, a Connect server.

It differs from the embedded installation by the addresses that it puts into the environment, and by nothing else.
"""

import os
import shutil
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from planner.runtime.database import DatabasePlan, accepts, database_command, plan_database, prepare_database, stand_in
from planner.runtime.processes import Service, socket_folder
from planner.runtime.services import spark_service
from planner.settings.environment import Environment, kept_secret
from simulations.pipeline.spark.cluster import ClusterPlan, has_worker, master_command, worker_command, write_properties
from simulations.pipeline.spark.server import LOOPBACK, ServerPlan, free_port, is_listening, spark_environment

WORKERS = 2
DATABASE_STOPS = ((signal.SIGINT, 15.0), (signal.SIGQUIT, 5.0))
"""PostgreSQL's fast and immediate end; SIGTERM would wait for every client."""


@dataclass(frozen=True)
class SparkPlan:
    """Master, workers and Connect server of one cluster."""

    cluster: ClusterPlan
    connect: ServerPlan
    worker_ports: tuple[int, ...]
    cores_each: int


@dataclass(frozen=True)
class Cluster:
    """What `make cluster` starts in addition to broker, Celery worker and web; empty in the embedded installation."""

    database: DatabasePlan | None = None
    spark: SparkPlan | None = None

    @property
    def addresses(self) -> Mapping[str, str]:
        """The variables that lead everything else to these services."""
        found = {"DATABASE_URL": self.database.url} if self.database else {}
        if self.spark:
            found |= {"SPARK_REMOTE": self.spark.connect.remote, "SPARK_CORES": str(self.spark.connect.cores)}
        return found

    @property
    def parts(self) -> Mapping[str, str]:
        """What is started, for the person at the keyboard."""
        parts = {}
        if self.database:
            parts["database"] = f"PostgreSQL {self.database.folder.name} ({self.database.programs})"
        if self.spark:
            workers = f"{len(self.spark.worker_ports)} workers with {self.spark.cores_each} core(s) each"
            parts["Spark"] = f"cluster {self.spark.cluster.master}, {workers}"
        return parts

    def stages(self) -> Sequence[Sequence[Service]]:
        """The services in the stages of `services.stages`. Raises JavaMissing."""
        database = [database_service(self.database)] if self.database else []
        if self.spark is None:
            return [database, [], [], []]
        workers = [_worker(self.spark, number) for number in range(len(self.spark.worker_ports))]
        connect = spark_service("spark-connect", self.spark.connect)
        return [database, [_master(self.spark)], [*workers, connect], []]


def plan_cluster(environment: Environment) -> Cluster:
    """Choose programs and ports for what the environment does not name. Raises StartProblem without PostgreSQL."""
    database = None
    if not environment.database_url:
        state = environment.state_dir
        database = plan_database(state, port=free_port(), password=kept_secret(state / "database_password"))
    return Cluster(database, None if environment.spark_remote else _plan_spark(environment))


def _plan_spark(environment: Environment) -> SparkPlan:
    folder = socket_folder(environment.state_dir)
    token = environment.secret("spark_token")
    shutil.rmtree(folder / "cluster", ignore_errors=True)  # what the master of an earlier start remembers
    cluster = ClusterPlan(LOOPBACK, free_port(), folder / "cluster", secret=token, pages_port=free_port())
    each = max(1, environment.spark_cores // WORKERS)
    connect = ServerPlan(
        port=free_port(),
        token=token,
        folder=folder / "spark",
        cores=each * WORKERS,
        master=cluster.master,
        properties=cluster.properties,
    )
    return SparkPlan(cluster, connect, tuple(free_port() for _ in range(WORKERS)), each)


def database_service(plan: DatabasePlan) -> Service:
    """A PostgreSQL server as a service."""
    return Service(
        "postgres",
        database_command(plan),
        dict(os.environ),
        ready=partial(accepts, plan.url),
        prepare=partial(prepare_database, plan),
        stops=DATABASE_STOPS,
        user=stand_in(),
    )


def _master(plan: SparkPlan) -> Service:
    cluster = plan.cluster
    return Service(
        "spark-master",
        master_command(cluster),
        spark_environment(cluster.host),
        ready=partial(is_listening, cluster.port),
        prepare=partial(write_properties, cluster),
    )


def _worker(plan: SparkPlan, number: int) -> Service:
    port = plan.worker_ports[number]
    variables = spark_environment(plan.cluster.host)
    command = worker_command(plan.cluster, host=LOOPBACK, cores=plan.cores_each, port=port)
    return Service(f"spark-worker-{number + 1}", command, variables, partial(has_worker, plan.cluster, port))
