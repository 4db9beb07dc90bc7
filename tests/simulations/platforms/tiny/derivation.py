"""The tiny family's one formula and one rule."""

from simulations.analysis.estimates.summary import Derivation, Derived, Source
from simulations.declarations.system import Server, System
from simulations.platforms.shared.queues import settings_of
from simulations.platforms.shared.rules import Verdict, judge_rules, per_server
from tests.simulations.platforms.tiny.parameters import ServerSettings

MANUAL = Source("Tiny manual", "threads")


def derive(system: System) -> Derivation:
    """Threads of each server, and the rule's verdicts."""
    threads = {server.name: settings_of(server, ServerSettings).threads for server in system.servers}
    values = tuple(
        Derived("worker_threads", "Worker threads", float(count), "threads", f"{count} as set", MANUAL, name)
        for name, count in threads.items()
    )
    return Derivation(values, judge_rules(RULES, system))


@per_server("tiny.two-threads", "warning", MANUAL)
def _enough(_: System, server: Server) -> Verdict:
    """At least two threads."""
    if settings_of(server, ServerSettings).threads >= 2:
        return Verdict("ok", "Two threads or more.")
    return Verdict("violated", "One thread is too few.", {"settings.threads": 2})


RULES = (_enough,)
