"""The transaction-timeout rule without a scenario: receive timeout, transaction lifetime and onMessage in."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from simulations.declarations.parameters import Model
from simulations.declarations.problems import validated
from simulations.declarations.units import PositiveDuration, PositiveRate
from simulations.declarations.workload import Constant, Distribution, Poisson
from simulations.platforms.shared.queues import sample_system
from simulations.platforms.shared.rules import judge_rules
from simulations.platforms.websphere import formulas
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings
from simulations.platforms.websphere.rules import RULES


class TimeoutQuestion(Model):
    """The short question: give onMessage as a time or as a distribution, and the arrivals per session if known."""

    platform: str
    receive_timeout: PositiveDuration
    transaction_timeout: PositiveDuration = 120.0
    on_message: PositiveDuration | Distribution
    sessions: Annotated[int, Field(ge=1, le=100_000)] = 1
    rate_per_session: PositiveRate | None = None
    sharing_conversations: Annotated[int, Field(ge=1, le=999_999_999)] = 10


def quick(question: Mapping[str, Any]) -> Mapping[str, Any]:
    """Answer a transaction-timeout question; raises InvalidInput that names every wrong value."""
    asked = validated(TimeoutQuestion, question)
    service = Constant(mean=asked.on_message) if isinstance(asked.on_message, float) else asked.on_message
    rate = asked.rate_per_session
    port = ListenerPort(mode="non_asf", receive_timeout=asked.receive_timeout, maximum_sessions=asked.sessions)
    settings = ServerSettings(
        total_transaction_timeout=asked.transaction_timeout,
        sharing_conversations=asked.sharing_conversations,
        listener_pool_maximum=max(50, asked.sessions),
    )
    arrivals = Poisson(rate=rate * asked.sessions) if rate else None
    system = sample_system("websphere", settings, port, service, arrivals)
    server, queue = system.servers[0], system.queues[0]
    findings = judge_rules(RULES, system)
    violations = [
        {"rule": item.rule, "message": item.message, "severity": item.severity, "fix": item.fix, **item.details}
        for item in findings
        if item.status == "violated"
    ]
    return {
        "worst_case_s": formulas.worst_case(queue),
        "max_receive_timeout_s": formulas.receive_timeout_bound(server, queue),
        "slowest_on_message_s": formulas.slowest_service(queue),
        "rollback_probability": formulas.rollback_share(system, queue) if asked.rate_per_session else None,
        "threads_held": asked.sessions,
        "conversations": formulas.conversations(queue),
        "connections": formulas.connections(server, queue),
        "violations": violations,
        "rules": list(findings),
    }
