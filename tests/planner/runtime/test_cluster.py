"""What `make cluster` starts in place of SQLite and the embedded Spark; tests/faults runs it."""

from pathlib import Path
from typing import Any

import yaml

from planner.runtime.cluster import plan_cluster
from planner.runtime.services import plan_installation, stages
from planner.settings.environment import BASE_DIR, Environment
from simulations.pipeline.spark.server import free_port


def environment(state: Path, **given: Any) -> Environment:
    return Environment.model_validate({"state_dir": state, "spark_cores": 5, **given})


def test_it_has_the_processes_of_the_compose_file(tmp_path: Path) -> None:
    cluster = plan_cluster(environment(tmp_path))
    addresses = {name.lower(): value for name, value in cluster.addresses.items()}
    plan = plan_installation(environment(tmp_path, **addresses), port=free_port())
    names = [service.name for stage in (*cluster.stages(), *stages(plan)) for service in stage]
    assert sorted(names) == [
        "broker",
        "postgres",
        "spark-connect",
        "spark-master",
        "spark-worker-1",
        "spark-worker-2",
        "web",
        "worker",
    ]
    file = yaml.safe_load((BASE_DIR / "docker" / "compose.yaml").read_text())
    composed = {name.replace("redis", "broker") for name in file["services"]} - {"install", "backup", "spark-pod"}
    assert {name.removesuffix("-1").removesuffix("-2") for name in names} == composed


def test_the_workers_share_the_cores(tmp_path: Path) -> None:
    cluster = plan_cluster(environment(tmp_path))
    assert cluster.addresses["SPARK_CORES"] == "4"
    commands = [service.command for stage in cluster.stages() for service in stage if "worker" in service.name]
    assert [command[list(command).index("--cores") + 1] for command in commands] == ["2", "2"]


def test_what_the_environment_names_is_used_and_not_started(tmp_path: Path) -> None:
    given = {"database_url": "postgresql://db.example.org/sluice", "spark_remote": "sc://spark.example.org:15002"}
    cluster = plan_cluster(environment(tmp_path, **given))
    assert cluster.addresses == {}
    assert list(cluster.stages()) == [[], [], [], []]


def test_no_command_line_shows_a_secret(tmp_path: Path) -> None:
    chosen = environment(tmp_path)
    cluster = plan_cluster(chosen)
    secrets = (chosen.secret("spark_token"), (tmp_path / "database_password").read_text())
    for stage in cluster.stages():
        for service in stage:
            assert not any(secret in part for secret in secrets for part in service.command)
