"""The tiny family's one formula and one rule."""

from collections.abc import Iterator

from simulations.analysis.estimates.summary import Derived, Source
from simulations.declarations.system import Server, System
from simulations.platforms.shared.queues import settings_of
from simulations.platforms.shared.rules import Verdict, per_server
from tests.simulations.platforms.tiny.parameters import ServerSettings

MANUAL = Source("Tiny manual", "threads")


def answers(system: System) -> Iterator[Derived]:
    """Threads of each server."""
    for server in system.servers:
        count = settings_of(server, ServerSettings).threads
        yield Derived(
            "worker_threads", "Worker threads", float(count), "threads", f"{count} as set", MANUAL, server.name
        )


@per_server("tiny.two-threads", "warning", "Tiny manual", "threads")
def _enough(_: System, server: Server) -> Verdict:
    """At least two threads."""
    if settings_of(server, ServerSettings).threads >= 2:
        return Verdict("ok", "Two threads or more.")
    return Verdict("violated", "One thread is too few.", {"settings.threads": 2})


RULES = (_enough,)
