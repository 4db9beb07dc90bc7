"""What the tiny family says about a result."""

from simulations.analysis.estimates.summary import Finding, PointSummary
from simulations.platforms.shared.claims import judged
from simulations.platforms.shared.family import Claim
from simulations.system import System
from tests.simulations.platforms.tiny.derivation import RULES


def explain(system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """One sentence per server."""
    return tuple(
        Claim(f"{server.name}.threads", f"{server.name} has {server.settings.model_dump()['threads']} threads.", {})
        for server in system.servers
    )


def judge(system: System, summary: PointSummary) -> tuple[Finding, ...]:
    """The rule's verdicts, without costs."""
    return tuple(judged(RULES, {}, system, summary))
