"""What was counted of a queue by windows of time, and sums of it by blocks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.replications.measures import Floats
from simulations.pipeline.telemetry.fitting.fit import Value, estimates
from simulations.pipeline.telemetry.fitting.intervals import Instance
from simulations.pipeline.telemetry.fitting.questions import BLOCKS, Span

WATCHED = 0.99
"""Share of a window that must have been watched for it to count."""


@dataclass(frozen=True)
class Watched:
    """What was counted of a queue: its instances, and by window of ``width`` seconds the columns of ``intervals``."""

    name: str
    instances: tuple[Instance, ...]
    columns: Mapping[str, Floats]
    width: float

    @property
    def covered(self) -> NDArray[np.bool_]:
        """The windows that were watched."""
        return self.columns["covered"] >= WATCHED * self.width

    @property
    def tells_threads(self) -> bool:
        """Whether the samples show how many messages are processed at a time."""
        return all(instance.threads or instance.busy for instance in self.instances)

    @property
    def gauges(self) -> dict[str, Floats]:
        """Integrals of present, waiting and busy, one out of the others where the samples lack it."""
        busy, waiting, present = (self.columns[name] for name in ("busy", "waiting", "present"))
        held = np.where(np.isfinite(busy), busy, self.columns["pending"])
        present = np.where(np.isfinite(present), present, waiting + held)
        waiting = np.where(np.isfinite(waiting), waiting, np.maximum(present - busy, 0))
        return {"present": present, "waiting": waiting, "busy": busy}


def ratio(
    watched: Watched, span: Span, column: Floats, per: str, unit: str, chosen: slice = slice(None)
) -> Value | None:
    """Column over another with its interval over the blocks; None where the samples lack one of them."""
    sums = blocks(watched, span, [watched.columns[per], column])[:, chosen]
    if sums[0].sum() == 0:
        return None
    found = estimates(sums, lambda total: np.array([total[1] / max(total[0], 1e-12)]), (unit,))
    return found[0] if found else None


def blocks(watched: Watched, span: Span, columns: Sequence[Floats]) -> Floats:
    """Sums by block [columns, BLOCKS] over the windows in which all of the columns are known."""
    known = np.isfinite(np.array(columns)).all(axis=0) & (watched.columns["covered"] > 0)
    middle = (np.flatnonzero(known) + 0.5) * watched.width
    block = np.minimum(middle / span.block, BLOCKS - 1).astype(np.int64)
    return np.array([np.bincount(block, weights=column[known], minlength=BLOCKS) for column in columns])
