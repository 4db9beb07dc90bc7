"""What broken rules cost."""

from typing import Annotated, Any

from pydantic import Field

from planner.answers.quick import MOST_EVENTS
from planner.api.schemas.common import FindingOut, In, Out


class RuleCostsIn(In):
    """Which rules of a stored scenario to cost; empty: all that are broken."""

    version: Annotated[int, Field(ge=1)] | None = None
    """Number of the scenario's version; null: the present one."""
    rules: Annotated[tuple[str, ...], Field(max_length=100)] = ()
    """Ids of rules."""
    cure: Annotated[dict[str, Any], Field(default_factory=dict, max_length=100)]
    """Scenario path -> value, to compare with where a rule has no cure of its own."""
    events: Annotated[int, Field(ge=20_000, le=MOST_EVENTS)] = MOST_EVENTS
    """Budget of simulated events, for the scenario and all cures together."""


class RuleCostOut(Out):
    """A broken rule, or a setting that does nothing, with its measured cost."""

    finding: FindingOut
    """``fix`` is the cure that was compared with; ``cost`` is more of each metric than with it, paired by message."""
    cured: str | None
    """Status of the scenario with the cure; null where there is none to compare with."""


class RuleCostsOut(Out):
    """What the broken rules of one version cost."""

    scenario: str
    version: int
    elapsed_s: float
    shortened: bool
    """The budget made the simulated course shorter than the scenario asks."""
    items: list[RuleCostOut]
