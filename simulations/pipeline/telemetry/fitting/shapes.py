"""What samples cannot tell and is assumed, or chosen with a scenario: the shape of service times, and threads."""

from dataclasses import dataclass

from simulations.analysis.theory.laws import law_cv2, law_mean
from simulations.pipeline.telemetry.fitting.families import Fit
from simulations.platforms.shared.laws import law_of
from simulations.scenario.spec import ScenarioSpec

EXPONENTIAL = Fit("exponential", {"kind": "exponential", "mean": 1.0}, 1.0, 1.0)


@dataclass(frozen=True)
class Choice:
    """What is taken of the ``scenario`` whose settings are kept; ``threads``: of all instances, None where unknown.

    ``shape``: times as they are assumed, ``words`` for them in a sentence.
    """

    shape: Fit = EXPONENTIAL
    words: str = "exponential ones"
    threads: int | None = None
    scenario: str = ""


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
        law, body = law_of(queue.service), queue.service.model_dump(mode="json", exclude_none=True)
        shape = Fit(queue.service.kind, body, law_mean(law), law_cv2(law) ** 0.5)
        found[queue.name] = Choice(shape, words, threads, base.name)
    return found
