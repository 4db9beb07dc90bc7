"""Expanding a scenario into the points that are computed, and the work they are, within the installation's limits."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings

from planner.answers.values import Out
from simulations.declarations.problems import InvalidInput, Location, Problem, problem
from simulations.experiment import Expansion, expansion
from simulations.pipeline.work import expected_events, expected_seconds
from simulations.scenario.axes import size_problems
from simulations.scenario.spec import ScenarioSpec

ROW_BYTES = 50_000
"""Memory of one replication of one queue, as measured: 32,000 of a short one to 50,000 of a long one."""
SAMPLES = 16
"""Points from which the messages of all are estimated."""


class Work(Out):
    """What a run takes at most, estimated before it begins."""

    messages: float
    cpu_s: float
    """Seconds of one core."""
    first_cpu_s: float
    """The same of the first round, which always ends."""
    memory_bytes: float
    """In the worker; on the disk the replications take less."""


def plan_points(spec: ScenarioSpec) -> Expansion:
    """Return the scenario's points; raises InvalidInput when there are too many, or none that can be simulated. Counts
    before it expands: a plan of 10^12 points costs nothing."""
    too_large = size_problems(spec.sweep, most=settings.ENVIRONMENT.max_sweep_points)
    if too_large:
        raise InvalidInput(too_large)
    return expansion(spec)


def plan_work(specs: Sequence[ScenarioSpec], *, points: int, place: Location) -> dict[str, Any]:
    """Return the Work of ``points`` points like ``specs``, as plain data; raises InvalidInput above a limit. ``place``:
    where the body says how many replications are made."""
    sample = specs[:: max(1, len(specs) // SAMPLES)]
    # No network is made where the horizon counts the messages.
    each = [float(spec.run.horizon.messages or expected_events(spec.network()) / 2) for spec in sample]
    messages = sum(each) / len(each)
    run, seconds = specs[0].run, expected_seconds(2 * messages)
    first = points * run.replications.min * seconds
    most = points * run.replications.max * seconds
    if run.max_time is not None:
        most = max(first, min(most, run.max_time * settings.ENVIRONMENT.spark_cores))
    replications = points * run.replications.max
    memory = ROW_BYTES * len(specs[0].queues) * float(replications)
    work = Work(messages=messages * replications, cpu_s=most, first_cpu_s=first, memory_bytes=memory)
    wrong = [*_excess(work, points, specs[0], place)]
    if wrong:
        raise InvalidInput(wrong)
    return work.model_dump()


def most_replications(spec: ScenarioSpec, *, points: int) -> int:
    """Return how many replications of each point the memory allows."""
    return int(settings.ENVIRONMENT.max_run_memory_mb * 1e6 / (ROW_BYTES * len(spec.queues) * points))


def _excess(work: Work, points: int, spec: ScenarioSpec, place: Location) -> Sequence[Problem]:
    limits = settings.ENVIRONMENT
    asked = (
        ("CPU seconds", work.cpu_s, limits.max_run_cpu_seconds, "MAX_RUN_CPU_SECONDS"),
        ("MB of memory", work.memory_bytes / 1e6, limits.max_run_memory_mb, "MAX_RUN_MEMORY_MB"),
    )
    most = spec.run.replications.max
    size = f"{points:,} points × {most:,} replications × {work.messages / (points * most):,.0f} messages"
    return [
        problem(
            place,
            f"{size} may take {needed:,.0f} {unit}, at most {limit:,} are allowed ({variable}); "
            + _remedy(int(most * limit / needed)),
            code="too_much_work",
            value=most,
        )
        for unit, needed, limit, variable in asked
        if needed > limit
    ]


def _remedy(fitting: int) -> str:
    if fitting < 2:
        return "use fewer points or a shorter horizon"
    return f"allow at most {fitting:,} replications of each point, or use fewer points or a shorter horizon"
