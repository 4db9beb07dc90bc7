"""What the tiny family says about a result."""

from simulations.analysis.estimates.summary import PointSummary
from simulations.declarations.system import System
from simulations.platforms.shared.family import Claim


def explain(system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """One sentence per server."""
    return tuple(
        Claim(f"{server.name}.threads", f"{server.name} has {server.settings.model_dump()['threads']} threads.", {})
        for server in system.servers
    )
