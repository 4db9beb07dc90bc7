"""What the embedded installation starts."""

import socket
from pathlib import Path
from typing import Any

import pytest

from planner.runtime.problems import StartProblem
from planner.runtime.services import describe_parts, plan_installation, stages
from planner.settings.environment import Environment
from simulations.pipeline.spark.server import free_port


def environment(state: Path, **given: Any) -> Environment:
    return Environment.model_validate({"state_dir": state, **given})


def test_a_port_that_is_taken_is_refused_with_a_way_out(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(StartProblem, match=f"Port {port} cannot be used.*make up PORT="):
            plan_installation(environment(tmp_path), port=port)


def test_it_starts_the_broker_first_then_spark_then_what_uses_both(tmp_path: Path) -> None:
    plan = plan_installation(environment(tmp_path), port=free_port())
    assert [[service.name for service in stage] for stage in stages(plan)] == [["broker"], ["spark"], ["worker", "web"]]
    assert set(describe_parts(plan)) == {"Java", "broker", "Spark"}


def test_services_that_the_environment_names_are_used_and_not_started(tmp_path: Path) -> None:
    given = {"broker_url": "redis://broker.example.org/0", "spark_remote": "sc://spark.example.org:15002"}
    plan = plan_installation(environment(tmp_path, **given), port=free_port())
    assert [[service.name for service in stage] for stage in stages(plan)] == [[], [], ["worker", "web"]]
    assert plan.variables["BROKER_URL"] == given["broker_url"]
    assert plan.variables["SPARK_REMOTE"] == given["spark_remote"]
