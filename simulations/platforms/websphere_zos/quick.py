"""Sizing without a scenario: CPUs, servants and profile in; threads, sessions and thresholds out."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from simulations.declarations.parameters import Model
from simulations.declarations.problems import validated
from simulations.declarations.system import Queue, Server, System
from simulations.declarations.workload import Exponential, Saturated
from simulations.platforms.shared.queues import MAX_INT
from simulations.platforms.shared.rules import judge_rules
from simulations.platforms.websphere_zos import formulas
from simulations.platforms.websphere_zos.parameters.activation import SPEC_ONLY
from simulations.platforms.websphere_zos.parameters.server import ListenerPort, Profile, ServerSettings
from simulations.platforms.websphere_zos.rules import activation_checks as of_specs
from simulations.platforms.websphere_zos.rules import throttle_checks as of_ports

SIZING_RULES = (of_ports.low_covers_threads, of_ports.twice_the_threads, of_ports.sessions_above_threads)
SPEC_RULES = (of_specs.takes_messages, of_specs.limit_covers_threads, of_specs.limit_bounds_queue)


class Sizing(Model):
    """The short question: give either the ready backlog or Maximum sessions; without both the baseline is answered.

    Of an activation specification: Maximum server sessions, without which those for the baseline are answered.
    """

    platform: str
    cpus: Annotated[int, Field(ge=1, le=1024)]
    servants_max: Annotated[int, Field(ge=1, le=1000)] = 1
    profile: Profile = "IOBOUND"
    custom_threads: Annotated[int, Field(ge=1, le=100)] = 1
    thread_rule: Literal["capped", "plain"] = "capped"
    backlog: Annotated[int, Field(ge=0, le=10**8)] | None = None
    max_sessions: Annotated[int, Field(ge=1, le=MAX_INT)] | None = None
    low_equals_high: bool = False
    endpoint: Literal["listener_port", "activation_spec"] = "listener_port"
    max_server_sessions: Annotated[int, Field(ge=1, le=MAX_INT)] | None = None
    in_flight_scale_factor: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] = 1.0
    in_flight_constant: Annotated[int, Field(ge=0, le=MAX_INT)] = 0

    @model_validator(mode="after")
    def _of_one_endpoint(self) -> Self:
        """What the other endpoint would read was meant for it."""
        of_ports, of_specs = {"backlog", "max_sessions", "low_equals_high"}, {"max_server_sessions", *SPEC_ONLY}
        wrong = sorted(self.model_fields_set & (of_ports if self.endpoint == "activation_spec" else of_specs))
        if wrong:
            msg = f"{', '.join(wrong)} do not belong to a {self.endpoint}; leave them out or choose the other endpoint"
            raise ValueError(msg)
        return self


def quick(question: Mapping[str, Any]) -> Mapping[str, Any]:
    """Answer a sizing question; raises InvalidInput that names every wrong value."""
    asked = validated(Sizing, question)
    server = _server(asked)
    threads = formulas.worker_threads(server)
    if asked.endpoint == "activation_spec":
        return _of_spec(asked, server)
    sessions = asked.max_sessions or formulas.sessions_for(threads, asked.backlog or 0)
    port = ListenerPort(maximum_sessions=sessions, low_equals_high=asked.low_equals_high)
    system = _system(server, port)
    return {
        "threads_per_servant": formulas.threads_per_servant(_settings(asked), asked.cpus),
        "worker_threads": threads,
        "baseline_sessions": 2 * threads,
        "max_sessions": sessions,
        "low_threshold": formulas.low_threshold(port),
        "backlog": formulas.ready_backlog(sessions, threads),
        "rules": list(judge_rules(SIZING_RULES, system)),
    }


def _of_spec(asked: Sizing, server: Server) -> Mapping[str, Any]:
    """The in-flight limit of an activation specification, and the sessions for twice the worker threads."""
    threads = formulas.worker_threads(server)
    advised = formulas.sessions_reaching(server, _spec(asked, 1), 2 * threads)
    sessions = asked.max_server_sessions or max(1, advised)
    spec = _spec(asked, sessions)
    return {
        "threads_per_servant": formulas.threads_per_servant(_settings(asked), asked.cpus),
        "worker_threads": threads,
        "baseline_in_flight": 2 * threads,
        "max_server_sessions": sessions,
        "recommended_server_sessions": advised,
        "in_flight_limit": formulas.in_flight_limit(asked.servants_max, spec),
        "rules": list(judge_rules(SPEC_RULES, _system(server, spec))),
    }


def _spec(asked: Sizing, sessions: int) -> ListenerPort:
    return ListenerPort(
        endpoint="activation_spec",
        maximum_server_sessions=sessions,
        in_flight_scale_factor=asked.in_flight_scale_factor,
        in_flight_constant=asked.in_flight_constant,
    )


def _system(server: Server, port: ListenerPort) -> System:
    queue = Queue(name="queue", server="server", arrivals=Saturated(), service=Exponential(mean=1.0), settings=port)
    return System(platform="websphere-zos", servers=(server,), queues=(queue,))


def _settings(asked: Sizing) -> ServerSettings:
    return ServerSettings(
        max_servants=asked.servants_max,
        workload_profile=asked.profile,
        custom_threads=asked.custom_threads,
        thread_rule=asked.thread_rule,
    )


def _server(asked: Sizing) -> Server:
    return Server(name="server", cpus=asked.cpus, settings=_settings(asked))
