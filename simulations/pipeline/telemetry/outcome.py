"""What a calibration brings: the same shape for a log of messages and for samples."""

from dataclasses import dataclass

from simulations.pipeline.telemetry.fitting.fit import QueueFit
from simulations.pipeline.telemetry.fitting.holdout import Check
from simulations.pipeline.telemetry.fitting.questions import Span
from simulations.pipeline.telemetry.fitting.sample_fit import SampledFit
from simulations.pipeline.telemetry.reading.report import Quarantine
from simulations.scenario.spec import ScenarioSpec


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
