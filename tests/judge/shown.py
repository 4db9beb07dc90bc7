"""What pages show beside the claims: the numbers of the tables, bounds of formulas, and the sentences of pictures.

All are tried on the answer of a run with other random numbers; nothing is simulated here.
"""

import re
from collections.abc import Iterator, Mapping

from frontend.answers.mechanism.picture import picture_of
from frontend.charts.budget import PARTS, has_budget
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate, PointSummary, estimate_text, quantity
from simulations.scenario.spec import ScenarioSpec
from tests.judge.ruling import Ruling, Said, ruled, seen_text

NONE_IDLES = 0.005
"""Below so many threads a picture says that none idles while messages are held back."""


def shown(spec: ScenarioSpec, first: PointSummary, again: PointSummary) -> Iterator[Said]:
    """Yield what becomes of all that is shown of the ``first`` answer beside its claims."""
    yield from _numbers(first, again)
    yield from _ceilings(spec, first, again)
    yield from _bottleneck(spec, first, again)
    for name, queue in first.queues.items():
        yield from _largest_part(name, queue, again)
    for name, server in first.servers.items():
        yield from _none_idles(name, server, again)


def _numbers(first: PointSummary, again: PointSummary) -> Iterator[Said]:
    """Every estimate of every place, without extremes: their range is that of so many replications."""
    others = {(queue, server): metrics for queue, server, metrics in again.places()}
    for queue, server, metrics in first.places():
        for name, said in metrics.items():
            seen = others.get((queue, server), {}).get(name)
            if not BY_NAME[name].is_extreme:
                # A value that one replication of forty has not is none of the other run's.
                ruling: Ruling = ruled(said, seen, name) if seen else "open"
                yield "number", f"{queue or server}.{name}", estimate_text(said), ruling, seen_text(seen)


def _ceilings(spec: ScenarioSpec, first: PointSummary, again: PointSummary) -> Iterator[Said]:
    """What the settings carry at most: no run may complete more."""
    for queue in spec.queues:
        most = first.derived.get(f"{queue.name}.carried_rate", first.derived.get("carried_rate"))
        done = again.queues.get(queue.name, {}).get("throughput")
        if most is not None and done is not None:
            ruling: Ruling = "holds" if done.low <= 1.005 * most else "contradicted"
            yield "ceiling", queue.name, f"carries at most {quantity(most, '/s')}", ruling, seen_text(done)


def _bottleneck(spec: ScenarioSpec, first: PointSummary, again: PointSummary) -> Iterator[Said]:
    """The station; the shares in its words are numbers of the tables."""
    said, seen = (picture_of(spec, summary).sentence for summary in (first, again))
    station, other = (re.sub(r"[\d.,]+( ± [\d.,]+)? %", "", text) for text in (said, seen))
    yield "picture", "bottleneck", said, "holds" if station == other else "open", seen


def _largest_part(name: str, queue: Mapping[str, Estimate], again: PointSummary) -> Iterator[Said]:
    other = again.queues.get(name, {})
    if not has_budget(queue) or not has_budget(other):
        return
    said, seen = (max(PARTS, key=lambda part: metrics[part].value) for metrics in (queue, other))
    ruling: Ruling = "holds" if said == seen else "open"
    if other[said].high < other[seen].low:
        ruling = "contradicted"
    yield "picture", f"{name}.largest_part", f"the largest part is {said}", ruling, seen


def _none_idles(name: str, server: Mapping[str, Estimate], again: PointSummary) -> Iterator[Said]:
    idle = server.get("threads.idle_blocked")
    seen = again.servers.get(name, {}).get("threads.idle_blocked")
    if idle is not None and seen is not None and idle.value < NONE_IDLES:
        ruling: Ruling = "holds" if seen.value < 2 * NONE_IDLES else "contradicted"
        yield "picture", f"{name}.none_idles", "none idles while messages are held back", ruling, seen_text(seen)
