"""The settings of a Spark Connect server by where its executors run."""

from pathlib import Path

import pytest

from simulations.pipeline.spark.server import ServerPlan, free_port, is_listening, server_command, server_environment

FOLDER = Path("/somewhere/private")


def command(**given: object) -> list[str]:
    plan = ServerPlan(port=15002, token="hush", folder=FOLDER, **given)  # type: ignore[arg-type]
    return server_command(plan)


def setting(command: list[str], name: str) -> str | None:
    return next((part.partition("=")[2] for part in command if part.startswith(f"{name}=")), None)


@pytest.mark.parametrize("given", [{}, {"master": "spark://127.0.0.1:7077"}])
def test_on_one_machine_nothing_listens_to_the_network(given: dict[str, object]) -> None:
    assert setting(command(**given), "spark.driver.bindAddress") == "127.0.0.1"
    plan = ServerPlan(port=15002, token="hush", folder=FOLDER, **given)  # type: ignore[arg-type]
    assert server_environment(plan, {})["SPARK_LOCAL_IP"] == "127.0.0.1"


def test_executors_elsewhere_reach_the_driver_and_clients_do_not() -> None:
    there = command(master="spark://spark-master:7077", driver_host="spark-connect")
    assert setting(there, "spark.driver.bindAddress") == "0.0.0.0"  # noqa: S104
    assert setting(there, "spark.driver.host") == "spark-connect"
    assert setting(there, "spark.connect.grpc.binding.address") == "127.0.0.1"


@pytest.mark.parametrize("master", ["k8s://https://kubernetes.default.svc", "yarn"])
def test_executors_that_others_start_need_no_folder_of_ours(master: str) -> None:
    there = command(master=master, driver_host="spark-connect")
    assert setting(there, "spark.python.unix.domain.socket.dir") is None
    assert there[there.index("--master") + 1] == master
    assert setting(command(), "spark.python.unix.domain.socket.dir") == str(FOLDER)


def test_the_token_is_in_the_environment_and_not_on_the_command_line() -> None:
    assert not any("hush" in part for part in command())
    plan = ServerPlan(port=15002, token="hush", folder=FOLDER)
    assert server_environment(plan, {})["SPARK_CONNECT_AUTHENTICATE_TOKEN"] == "hush"


def test_a_lost_worker_costs_a_task_an_attempt_and_not_the_job() -> None:
    local = command(cores=3)
    assert local[local.index("--master") + 1] == "local[3,4]"


def test_a_free_port_is_none_that_outgoing_connections_take() -> None:
    ports = {free_port() for _ in range(20)}
    assert max(ports) < 32768
    assert not any(map(is_listening, ports))
