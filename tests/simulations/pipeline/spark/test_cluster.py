"""A standalone cluster: what its processes share, their commands, and whether a worker has registered."""

import json
import stat
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from simulations.pipeline.spark.cluster import (
    ClusterPlan,
    has_worker,
    master_command,
    worker_command,
    write_properties,
)
from simulations.pipeline.spark.server import EXECUTOR_MEMORY_MB, free_port, spark_environment


def plan(folder: Path, host: str = "127.0.0.1", pages_port: int = 0) -> ClusterPlan:
    return ClusterPlan(host, 7077, folder / "cluster", secret="hidden", pages_port=pages_port)


def test_only_this_user_reads_the_secret_and_no_command_shows_it(tmp_path: Path) -> None:
    made = plan(tmp_path)
    write_properties(made)
    assert "spark.authenticate.secret hidden\n" in made.properties.read_text()
    assert stat.S_IMODE(made.properties.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.folder.stat().st_mode) == 0o700
    for command in (master_command(made), worker_command(made, host="127.0.0.1", cores=2)):
        assert "hidden" not in " ".join(command)
        assert command[command.index("--properties-file") + 1] == str(made.properties)


def test_a_worker_offers_memory_for_an_executor_on_each_core(tmp_path: Path) -> None:
    command = worker_command(plan(tmp_path), host="node", cores=3, port=9000)
    options = dict(zip(command[2:-1:2], command[3:-1:2], strict=True))
    assert (options["--host"], options["--port"], options["--cores"]) == ("node", "9000", "3")
    assert options["--memory"] == f"{3 * EXECUTOR_MEMORY_MB}m"
    assert command[-1] == "spark://127.0.0.1:7077"


@pytest.mark.parametrize(("host", "local"), [("127.0.0.1", "127.0.0.1"), ("spark.example.org", None)])
def test_on_the_loopback_interface_pages_stay_there(tmp_path: Path, host: str, local: str | None) -> None:
    environment = spark_environment(plan(tmp_path, host).host, {"PATH": "/usr/bin", "SPARK_MASTER": "other"})
    assert environment.get("SPARK_LOCAL_IP") == local
    assert "SPARK_MASTER" not in environment


def test_a_worker_counts_when_the_master_calls_it_alive(tmp_path: Path) -> None:
    workers = [{"port": 9000, "state": "ALIVE"}, {"port": 9001, "state": "DEAD"}]

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"workers": workers}).encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Pages) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        made = plan(tmp_path, pages_port=server.server_port)
        assert [has_worker(made, port) for port in (9000, 9001, 9002)] == [True, False, False]
        server.shutdown()
    assert has_worker(plan(tmp_path, pages_port=free_port()), 9000)  # a worker is not ended because its master is away
