"""What a calibration brings: the same shape for a log of messages and for samples."""

from dataclasses import dataclass

from simulations.pipeline.telemetry.fit import QueueFit
from simulations.pipeline.telemetry.holdout import Check
from simulations.pipeline.telemetry.questions import Span
from simulations.pipeline.telemetry.report import Quarantine
from simulations.pipeline.telemetry.samplefit import SampledFit
from simulations.scenario import ScenarioSpec


@dataclass(frozen=True)
class Calibrated:
    """The outcome. ``layout``: key of the log's layout; ``skipped``: queues left out, and why.

    ``assumed``: what the scenario needs and the log does not say, a sentence each.
    """

    layout: str
    quarantine: Quarantine
    span: Span
    queues: tuple[QueueFit, ...] | tuple[SampledFit, ...]
    skipped: dict[str, str]
    assumed: tuple[str, ...]
    scenario: ScenarioSpec
    checks: tuple[Check, ...]
    validated: bool
