"""Sizing without a scenario: CPUs, servants and profile in; threads, sessions and thresholds out."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from simulations.declarations.parameters import Model
from simulations.declarations.problems import validated
from simulations.declarations.system import Server
from simulations.platforms.shared.queues import AtLeastOne, AtLeastZero, sample_system
from simulations.platforms.shared.rules import judge_rules
from simulations.platforms.websphere_zos import formulas
from simulations.platforms.websphere_zos.parameters import SPEC_ONLY, Factor, ListenerPort, Profile, ServerSettings
from simulations.platforms.websphere_zos.rules import servant_checks as of_specs
from simulations.platforms.websphere_zos.rules import throttle_checks as of_ports

SIZING_RULES = (of_ports.low_covers_threads, of_ports.twice_the_threads, of_ports.sessions_above_threads)
SPEC_RULES = (of_specs.takes_messages, of_specs.limit_covers_threads, of_specs.limit_bounds_queue)


class Sizing(Model):
    """The short question: give either the ready backlog or Maximum sessions; without both the baseline is answered. Of
    an activation specification: Maximum server sessions, without which those for the baseline are answered."""

    platform: str
    cpus: Annotated[int, Field(ge=1, le=1024)]
    servants_max: Annotated[int, Field(ge=1, le=1000)] = 1
    profile: Profile = "IOBOUND"
    custom_threads: Annotated[int, Field(ge=1, le=100)] = 1
    thread_rule: Literal["capped", "plain"] = "capped"
    backlog: Annotated[int, Field(ge=0, le=10**8)] | None = None
    max_sessions: AtLeastOne | None = None
    low_equals_high: bool = False
    endpoint: Literal["listener_port", "activation_spec"] = "listener_port"
    max_server_sessions: AtLeastOne | None = None
    in_flight_scale_factor: Factor = 1.0
    in_flight_constant: AtLeastZero = 0

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
    settings = ServerSettings(
        max_servants=asked.servants_max,
        workload_profile=asked.profile,
        custom_threads=asked.custom_threads,
        thread_rule=asked.thread_rule,
    )
    each = formulas.threads_per_servant(settings, asked.cpus)
    threads = asked.servants_max * each
    answer = {"threads_per_servant": each, "worker_threads": threads}
    if asked.endpoint == "activation_spec":
        return {**answer, "baseline_in_flight": 2 * threads, **_of_spec(asked, settings, threads)}
    return {**answer, "baseline_sessions": 2 * threads, **_of_port(asked, settings, threads)}


def _of_port(asked: Sizing, settings: ServerSettings, threads: int) -> Mapping[str, Any]:
    """The low threshold of a listener port, and the backlog that its sessions leave ready."""
    sessions = asked.max_sessions or formulas.sessions_for(threads, asked.backlog or 0)
    port = ListenerPort(maximum_sessions=sessions, low_equals_high=asked.low_equals_high)
    system = sample_system("websphere-zos", settings, port, cpus=asked.cpus)
    return {
        "max_sessions": sessions,
        "low_threshold": formulas.low_threshold(port),
        "backlog": formulas.ready_backlog(sessions, threads),
        "rules": list(judge_rules(SIZING_RULES, system)),
    }


def _of_spec(asked: Sizing, settings: ServerSettings, threads: int) -> Mapping[str, Any]:
    """The in-flight limit of an activation specification, and the sessions for twice the worker threads."""
    fields, server = asked.model_dump(include={"endpoint", *SPEC_ONLY}), Server(name="server", settings=settings)
    advised = formulas.sessions_reaching(server, ListenerPort(**fields), 2 * threads)
    spec = ListenerPort(**fields, maximum_server_sessions=asked.max_server_sessions or max(1, advised))
    system = sample_system("websphere-zos", settings, spec, cpus=asked.cpus)
    return {
        "max_server_sessions": spec.maximum_server_sessions,
        "recommended_server_sessions": advised,
        "in_flight_limit": formulas.in_flight_limit(asked.servants_max, spec),
        "rules": list(judge_rules(SPEC_RULES, system)),
    }
