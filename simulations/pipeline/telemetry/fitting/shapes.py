"""What samples cannot tell and is assumed, or chosen with a scenario: the shape of service times, and threads."""

from dataclasses import dataclass
from typing import Any

from simulations.analysis.theory.laws import law_cv2, law_mean
from simulations.declarations.workload import Distribution, Exponential
from simulations.pipeline.telemetry.fitting.bursts import short
from simulations.platforms.shared.laws import law_of
from simulations.scenario.spec import ScenarioSpec

TIMES = ("mean", "p50", "p95", "p99")


@dataclass(frozen=True)
class Assumed:
    """Service times as scenarios write them: mean (s), coefficient of variation, and ``words`` for a sentence."""

    kind: str
    body: dict[str, Any]
    mean: float
    cv: float
    words: str

    def scaled(self, mean: float) -> "Assumed":
        """Return the same shape with another mean."""
        factor = mean / self.mean
        body: dict[str, Any] = {
            name: short(value * factor) if name in TIMES and value is not None else value
            for name, value in self.body.items()
        }
        if "source" in body:
            body["source"] = [short(value * factor) for value in body["source"]]
        return Assumed(self.kind, body, mean, self.cv, self.words)


@dataclass(frozen=True)
class Choice:
    """What is taken of the ``scenario`` whose settings are kept; ``threads``: of all instances, None where unknown."""

    shape: Assumed
    threads: int | None = None
    scenario: str = ""


def exponential() -> Choice:
    """Return exponential times of mean 1 s, and nothing else."""
    return Choice(_assumed(Exponential(mean=1.0), "exponential ones"))


def choices_of(base: ScenarioSpec) -> dict[str, Choice]:
    """Return by queue what a scenario says."""
    network = base.network()
    words = f"those of {base.name}, but for their mean,"
    found = {}
    for queue in base.queues:
        stream = next(stream for stream in network.streams if stream.name == queue.name)
        pool = network.pools[stream.pool]
        most = [pool.threads, stream.concurrency, stream.gate.high if stream.gate else 0]
        threads = pool.instances * min(limit for limit in most if limit)
        found[queue.name] = Choice(_assumed(queue.service, words), threads, base.name)
    return found


def _assumed(service: Distribution, words: str) -> Assumed:
    law = law_of(service)
    body = service.model_dump(mode="json", exclude_none=True)
    return Assumed(service.kind, body, law_mean(law), law_cv2(law) ** 0.5, words)
