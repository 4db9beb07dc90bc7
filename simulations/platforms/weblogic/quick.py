"""Short questions without a scenario: how many instances run and how long a burst takes; the flow control table."""

import math
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from simulations.declarations.parameters import Model
from simulations.declarations.problems import InvalidInput, validated
from simulations.declarations.system import System
from simulations.declarations.units import Duration, PositiveDuration
from simulations.declarations.workload import Constant
from simulations.platforms.shared.queues import MAX_INT, AtLeastOne, sample_system
from simulations.platforms.shared.rules import judge_rules
from simulations.platforms.weblogic.formulas import concurrency, flow_table
from simulations.platforms.weblogic.parameters import MdbSettings, ServerSettings, WorkManager
from simulations.platforms.weblogic.parameters.server import Count, PoolSize
from simulations.platforms.weblogic.rules.thread_checks import beans_cover_constraint, fair_share_alone, limit_of_16

FLOW_PLATFORM = "wls-flow"
MAX_LISTED_STEPS = 10_000
CONCURRENCY_RULES = (limit_of_16, fair_share_alone, beans_cover_constraint)


class FlowQuestion(Model):
    """Producer flow control; the vendor's defaults where nothing is given."""

    platform: str
    flow_maximum: AtLeastOne = 500
    flow_minimum: Annotated[float, Field(gt=0, le=MAX_INT)] = 50.0
    flow_interval: Duration = 60.0
    flow_steps: Annotated[int, Field(ge=1, le=MAX_LISTED_STEPS)] = 10
    producers: Annotated[int, Field(ge=1, le=100_000)] = 1


class BurstQuestion(Model):
    """Instances that run, and the time a burst takes with them."""

    platform: str
    max_beans_in_free_pool: AtLeastOne = 1000
    fair_share: Annotated[int, Field(ge=1, le=1000)] | None = None
    min_threads: Count | None = None
    max_threads: Count | None = None
    execute_queue_size: PoolSize | None = None
    self_tuning: bool = True
    default_thread_pool_size: PoolSize = 15
    burst: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    on_message: PositiveDuration | None = None
    target: PositiveDuration | None = None
    downstream_limit: Annotated[int, Field(ge=1, le=1_000_000)] | None = None


def quick(question: Mapping[str, Any]) -> Mapping[str, Any]:
    """Answer the flow control or the burst question; raises InvalidInput that names every wrong value."""
    flow = question.get("platform") == FLOW_PLATFORM or any(str(key).startswith("flow_") for key in question)
    return _flow(question) if flow else _burst(question)


def _flow(question: Mapping[str, Any]) -> Mapping[str, Any]:
    asked = validated(FlowQuestion, question)
    if asked.flow_minimum > asked.flow_maximum:
        message = f"flow_minimum {asked.flow_minimum:g} is above flow_maximum {asked.flow_maximum}; lower it"
        raise InvalidInput.at(("flow_minimum",), message, value=asked.flow_minimum)
    table = flow_table(asked.flow_maximum, asked.flow_minimum, asked.flow_interval, asked.flow_steps)
    at = [step * table.step_s for step in range(asked.flow_steps + 1)]
    return {
        "step_s": table.step_s,
        "ratio": table.ratio,
        "down": [{"at_s": time, "limit": limit} for time, limit in zip(at, table.down, strict=True)],
        "up": [{"at_s": time, "limit": limit} for time, limit in zip(at, table.up, strict=True)],
        "admitted_down": table.admitted_down * asked.producers,
        "admitted_up": table.admitted_up * asked.producers,
        "floor": asked.flow_minimum * asked.producers,
        "free_after_s": asked.flow_interval,
        "note": "Changed values reach new connections only; existing connections keep the old ones.",
    }


def _burst(question: Mapping[str, Any]) -> Mapping[str, Any]:
    asked = validated(BurstQuestion, question)
    system = _system(asked)
    instances = concurrency(system.servers[0], system.queues[0])
    answer = {
        "min_concurrency": instances.minimum,
        "max_concurrency": instances.maximum,
        "table_row": instances.row,
        "rules": list(judge_rules(CONCURRENCY_RULES, system)),
    }
    if asked.burst is None or asked.on_message is None:
        return answer
    return {**answer, **_drain(asked, asked.burst, asked.on_message, instances.maximum)}


def _drain(asked: BurstQuestion, burst: int, time: float, parallel: int) -> dict[str, Any]:
    """Drain times of a burst of equally long messages: whole rounds of parallel messages."""
    answer: dict[str, Any] = {"drain_time_s": math.ceil(burst / parallel) * time}
    if asked.target is None:
        return answer
    rounds = math.floor(asked.target / time + 1e-9)
    if rounds == 0:
        return {**answer, "threads_for_target": None}
    threads = math.ceil(burst / rounds)
    answer["threads_for_target"] = threads
    if asked.downstream_limit is not None:
        useful = min(threads, asked.downstream_limit)
        answer |= {"useful_maximum": useful, "useful_drain_time_s": math.ceil(burst / useful) * time}
    return answer


def _system(asked: BurstQuestion) -> System:
    kinds = (WorkManager, ServerSettings, MdbSettings)
    parts = {kind: asked.model_dump(include=set(kind.model_fields)) for kind in kinds}
    manager = WorkManager(name="work", **parts[WorkManager])
    settings = ServerSettings(work_managers=(manager,), **parts[ServerSettings])
    mdb = MdbSettings(work_manager="work", **parts[MdbSettings])
    return sample_system("weblogic", settings, mdb, Constant(mean=asked.on_message or 1.0))
