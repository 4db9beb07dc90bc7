"""The consumer flow rule without a scenario: pool, limits and threshold in; parallelism and the limit to set out."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from simulations.declarations.parameters import Model
from simulations.declarations.problems import validated
from simulations.platforms.openmq import formulas
from simulations.platforms.openmq.parameters import InstanceSettings, MdbSettings, Unlimited
from simulations.platforms.openmq.rules import RULES
from simulations.platforms.shared.queues import Percent, sample_system
from simulations.platforms.shared.rules import judge_rules

WINDOW = ("limit-covers-pool", "threshold-covers-pool", "connection-covers-pool", "lower-limit-counts", "prefetch-off")
WINDOW_RULES = tuple(rule for rule in RULES if rule.id.endswith(WINDOW))


class FlowQuestion(Model):
    """The short question, in the names of the settings."""

    platform: str
    max_pool_size: Annotated[int, Field(ge=1, le=100_000)] = 32
    consumer_flow_limit: Unlimited = 1000
    destination_consumer_flow_limit: Unlimited = 1000
    consumer_flow_threshold: Percent = 50.0
    prefetch: bool = True
    connection_flow_limit: Annotated[int, Field(ge=1)] | None = None


def quick(question: Mapping[str, Any]) -> Mapping[str, Any]:
    """Answer a consumer flow question; raises InvalidInput that names every wrong value."""
    asked = validated(FlowQuestion, question)
    settings = InstanceSettings(
        max_pool_size=asked.max_pool_size,
        thread_pool_maximum=max(200, asked.max_pool_size),
        connection_flow_limit_enabled=asked.connection_flow_limit is not None,
        connection_flow_limit=asked.connection_flow_limit or 1000,
    )
    mdb = MdbSettings(**asked.model_dump(include=set(MdbSettings.model_fields)))
    system = sample_system("openmq", settings, mdb)
    server, queue = system.servers[0], system.queues[0]
    mean = formulas.mean_concurrency(server, queue)
    return {
        "effective_limit": formulas.effective_limit(server, queue),
        "top_up_threshold": formulas.threshold_of(server, queue),
        "max_concurrency": formulas.max_concurrency(server, queue),
        "mean_concurrency_saturated": round(mean, 2),
        "mean_share": mean / asked.max_pool_size,
        "min_limit_for_full_pool": formulas.limit_for_full_pool(asked.max_pool_size, asked.consumer_flow_threshold),
        "rules": list(judge_rules(WINDOW_RULES, system)),
    }
