"""Where a sweep moves the queue of a chain: from a bean's destination to one that the bean sends on to."""

from collections.abc import Sequence
from itertools import product

from simulations.analysis.estimates.quantities import estimate_quantity, estimate_text
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment import changes_nothing
from simulations.experiment.words import settings_text
from simulations.platforms.shared.claims import LARGE
from simulations.scenario.spec import ScenarioSpec

_UNKNOWN = Estimate(float("nan"), float("nan"), float("nan"), "s")


def moved_text(spec: ScenarioSpec, summaries: Sequence[PointSummary]) -> str:
    """Return which point moves most waiting from a queue to one that it sends to, as a sentence; empty for none.

    Points are compared with the scenario's own settings, or with the first where those were not simulated. Latencies
    whose intervals overlap are equal, and what is a tenth of the gain or less has not moved.
    """
    present = [item for item in summaries if changes_nothing(spec.body(), item.overrides)]
    base = [*present, *summaries][0]
    then = "now" if present else f"with {settings_text(spec, base.overrides)}:"
    moves = [(0.0, "")]
    for there, pair in product(summaries, ((queue.name, row.name) for queue in spec.queues for row in queue.sends)):
        own = (item.queues.get(name, {}) for name in pair for item in (base, there))
        first, less, second, more = (metrics.get("latency.mean", _UNKNOWN) for metrics in own)
        lost = more.value - second.value
        if less.high < first.low and second.high < more.low and lost > LARGE * (first.value - less.value):
            before, after = (estimate_quantity(item)._replace(half="") for item in (first, second))
            spent = f"{estimate_text(less)} at {pair[0]} ({then} {before}) and {estimate_text(more)} at {pair[1]}"
            text = f"moves the queue from {pair[0]} to {pair[1]}: a message spends {spent} ({then} {after})"
            moves.append((lost, f"{settings_text(spec, there.overrides)} {text}, on average."))
    return max(moves)[1]
