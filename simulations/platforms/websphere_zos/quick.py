"""Sizing without a scenario: CPUs, servants and profile in; threads, sessions and thresholds out."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from simulations.parameters import Model
from simulations.platforms.common import MAX_INT
from simulations.platforms.rules import judge_rules
from simulations.platforms.websphere_zos.formulas import (
    low_threshold,
    ready_backlog,
    sessions_for,
    threads_per_servant,
    worker_threads,
)
from simulations.platforms.websphere_zos.parameters import ListenerPort, Profile, ServerSettings
from simulations.platforms.websphere_zos.rules import RULES
from simulations.problems import InvalidInput, problems_of
from simulations.system import Queue, Server, System
from simulations.workload import Exponential, Saturated

SIZING_RULES = tuple(
    rule for rule in RULES if rule.id.endswith(("low-covers-threads", "2xwt", "sessions-above-threads"))
)


class Sizing(Model):
    """The short question: give either the ready backlog or Maximum sessions; without both the baseline is answered."""

    platform: str
    cpus: Annotated[int, Field(ge=1, le=1024)]
    servants_max: Annotated[int, Field(ge=1, le=1000)] = 1
    profile: Profile = "IOBOUND"
    custom_threads: Annotated[int, Field(ge=1, le=100)] = 1
    thread_rule: Literal["capped", "plain"] = "capped"
    backlog: Annotated[int, Field(ge=0, le=10**8)] | None = None
    max_sessions: Annotated[int, Field(ge=1, le=MAX_INT)] | None = None
    low_equals_high: bool = False


def quick(question: Mapping[str, Any]) -> Mapping[str, Any]:
    """Answer a sizing question; raises InvalidInput that names every wrong value."""
    try:
        asked = Sizing.model_validate(question)
    except ValidationError as error:
        raise InvalidInput(problems_of(error, Sizing, question)) from error
    server = _server(asked)
    threads = worker_threads(server)
    sessions = asked.max_sessions or sessions_for(threads, asked.backlog or 0)
    port = ListenerPort(maximum_sessions=sessions, low_equals_high=asked.low_equals_high)
    queue = Queue(name="queue", server="server", arrivals=Saturated(), service=Exponential(mean=1.0), settings=port)
    system = System(platform="websphere-zos", servers=(server,), queues=(queue,))
    return {
        "threads_per_servant": threads_per_servant(_settings(asked), asked.cpus),
        "worker_threads": threads,
        "baseline_sessions": 2 * threads,
        "max_sessions": sessions,
        "low_threshold": low_threshold(port),
        "backlog": ready_backlog(sessions, threads),
        "rules": list(judge_rules(SIZING_RULES, system)),
    }


def _settings(asked: Sizing) -> ServerSettings:
    return ServerSettings(
        max_servants=asked.servants_max,
        workload_profile=asked.profile,
        custom_threads=asked.custom_threads,
        thread_rule=asked.thread_rule,
    )


def _server(asked: Sizing) -> Server:
    return Server(name="server", cpus=asked.cpus, settings=_settings(asked))
