"""A scenario is expanded within the limit of the installation."""

from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from planner.jobs.plans import ROW_BYTES, plan_points, plan_work
from simulations.declarations.problems import InvalidInput
from simulations.scenario.spec import ScenarioSpec, parse


def test_the_points_of_a_sweep_are_planned_up_to_the_limit(body: dict[str, Any]) -> None:
    spec = parse(body)
    assert [point.index for point in plan_points(spec).points] == [0, 1]
    small = settings.ENVIRONMENT.model_copy(update={"max_sweep_points": 1})
    with override_settings(ENVIRONMENT=small), pytest.raises(InvalidInput, match="2 points"):
        plan_points(spec)


PLACE = ("run", "replications", "max")


def of_size(body: dict[str, Any], *, most: int, messages: int) -> ScenarioSpec:
    body["run"] |= {"replications": {"min": 2, "max": most}, "horizon": {"messages": messages}}
    return parse({**body, "sweep": []})


def test_work_is_estimated_before_it_begins(body: dict[str, Any]) -> None:
    work = plan_work([of_size(body, most=10, messages=1_000_000)], points=3, place=PLACE)
    assert work["messages"] == 3 * 10 * 1_000_000
    assert work["cpu_s"] == pytest.approx(5 * work["first_cpu_s"])
    assert work["cpu_s"] == pytest.approx(3.63), "0.12 s of a million messages, and 1 ms around them, thirty times"
    assert work["memory_bytes"] == 30 * ROW_BYTES


def test_the_work_of_simulated_time_follows_from_the_arrivals(body: dict[str, Any]) -> None:
    body["run"]["horizon"] = {"time": 1000.0}
    body["queues"][0]["arrivals"] = {"kind": "poisson", "rate": 50.0}
    spec = of_size({**body, "run": body["run"]}, most=10, messages=1000).model_copy()
    timed = parse({**spec.body(), "run": {**spec.body()["run"], "horizon": {"time": 1000.0}}})
    assert plan_work([timed], points=1, place=PLACE)["messages"] == pytest.approx(10 * 50_000)


def test_a_limit_of_time_limits_the_work(body: dict[str, Any]) -> None:
    body["run"]["max_time"] = 10.0
    work = plan_work([of_size(body, most=10_000, messages=1_000_000)], points=1, place=PLACE)
    assert work["cpu_s"] == 10.0 * settings.ENVIRONMENT.spark_cores


def test_too_much_work_is_refused_with_what_would_fit(body: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as refused:
        plan_work([of_size(body, most=10_000, messages=10**9)], points=10_000, place=PLACE)
    cpu, memory = refused.value.problems
    assert (cpu.pointer, cpu.code, cpu.value) == ("/run/replications/max", "too_much_work", "10000")
    assert "10,000 points × 10,000 replications × 1,000,000,000 messages" in cpu.message
    assert "250,000 are allowed (MAX_RUN_CPU_SECONDS); use fewer points or a shorter horizon" in cpu.message
    assert "8,000 are allowed (MAX_RUN_MEMORY_MB); allow at most 16 replications of each point" in memory.message
    assert plan_work([of_size(body, most=16, messages=10_000_000)], points=10_000, place=PLACE)
