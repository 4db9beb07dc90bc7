"""Services for tests: started like those of an installation, and ended even when the tests themselves are killed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from planner.environment import BASE_DIR
from planner.runtime.processes import Child, Service
from planner.runtime.supervisor import Watchdog
from tests.waiting import wait_until


@contextmanager
def running(service: Service, folder: Path) -> Iterator[None]:
    """Run the service, with its log in `folder`, from when it is ready until the block ends.

    A watchdog ends it when this process cannot: a test that times out ends the whole process at once.
    """
    watchdog = Watchdog()
    try:
        child = Child(service, folder / f"{service.name}.log", folder=BASE_DIR)
        watchdog.add(child.group)
        wait_until(
            lambda: service.ready() or child.exit_code() is not None,
            f"{service.name} is ready",
            seconds=service.start_limit,
        )
        assert child.exit_code() is None, (folder / f"{service.name}.log").read_text()
        yield
        child.stop(hurried=lambda: False)
        watchdog.remove(child.group)
    finally:
        watchdog.close()
