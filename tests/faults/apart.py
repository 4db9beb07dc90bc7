"""Broker, database and Spark beside the installation, each behind a socket that can lose the network."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory

from planner.runtime.cluster import database_service
from planner.runtime.database import plan_database
from planner.runtime.services import broker_service
from simulations.pipeline.spark.server import LOOPBACK, free_port
from tests.faults.network import Proxy, to_port, to_socket
from tests.services import local_server, running

Lines = Mapping[str, Proxy]
"""Part -> the socket before it."""


@contextmanager
def services_apart() -> Iterator[tuple[dict[str, str], Lines]]:
    """Run the three until the block ends; yield the variables that lead an installation to them, and the sockets."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="sluice-apart-", ignore_cleanup_errors=True)))
        folder.chmod(0o711)
        database = plan_database(folder, port=free_port(), password=token_urlsafe(16))
        stack.enter_context(running(database_service(database), folder))
        stack.enter_context(running(broker_service(folder / "s", folder / "broker"), folder))
        spark = stack.enter_context(local_server(cores=2))
        behind = {"broker": to_socket(folder / "s"), "database": to_port(database.port), "Spark": to_port(spark.port)}
        lines = {part: stack.enter_context(proxy.running()) for part, proxy in behind.items()}
        yield (
            {
                "BROKER_URL": f"redis://{LOOPBACK}:{lines['broker'].port}/0",
                "DATABASE_URL": replace(database, port=lines["database"].port).url,
                "SPARK_REMOTE": f"sc://localhost:{lines['Spark'].port}",
                "SPARK_TOKEN": spark.token,
            },
            lines,
        )
