"""A scenario ready to run out of a fit: a plain one whose threads are those that were seen, or yours with its work."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from simulations.declarations.texts import as_name
from simulations.pipeline.telemetry.fitting.fit import QueueFit
from simulations.pipeline.telemetry.fitting.sample_fit import SampledFit
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.scenario.spec import FORMAT_VERSION, ScenarioSpec, parse

PLAIN = "websphere"
"""Platform of a plain scenario: listener ports in ASF mode are queues before a number of threads and nothing else."""
PATIENT = 1e9
"""Seconds: a log says nothing about transaction timeouts, so there are none."""
MESSAGES = 200_000

Work = QueueFit | SampledFit
"""What a log says of a queue, from messages or from samples."""


def scenario_of(fits: Sequence[Work], *, name: str, base: ScenarioSpec | None = None) -> ScenarioSpec:
    """Return the scenario with the fitted arrivals, service times and failures.

    Without ``base`` every queue has a server of its own with the threads that were seen. With ``base`` its settings
    stay and only the work of its queues is replaced. Raises TelemetryRefused when the log lacks a queue of ``base``.
    """
    queues = {as_name(fit.name): fit for fit in fits}
    if len(queues) < len(fits):
        raise TelemetryRefused("two queues have the same name but for characters that a scenario cannot hold")
    horizon = _horizon(fits)
    if base is None:
        return parse(_plain(queues, name, horizon))
    missing = [queue.name for queue in base.queues if queue.name not in queues]
    if missing:
        raise TelemetryRefused(f"the log has no queue {missing[0]!r}; it has {', '.join(queues)}")
    body = base.body()
    for queue in body["queues"]:
        queue.update(_work(queues[queue["name"]]))
        queue["settings"] = {**queue["settings"], "failure_rate": _rate(queues[queue["name"]])}
    return parse({**body, "name": name, "run": {**body["run"], "horizon": horizon}, "sweep": []})


def with_arrivals(
    spec: ScenarioSpec, arrivals: Mapping[str, Mapping[str, Any]], horizon: Mapping[str, Any]
) -> ScenarioSpec:
    """Return the scenario with other arrivals by queue and another horizon."""
    body = spec.body()
    for queue in body["queues"]:
        queue["arrivals"] = arrivals[queue["name"]]
    return parse({**body, "run": {**body["run"], "horizon": horizon}})


def _plain(fits: Mapping[str, Work], name: str, horizon: Mapping[str, Any]) -> dict[str, Any]:
    servers, queues = [], []
    for queue, fit in fits.items():
        size, failures = len(fit.instances), _rate(fit)
        threads = math.ceil(fit.concurrency.threads / size)  # the log shows those of all instances together
        pool = {"listener_pool_maximum": threads, "total_transaction_timeout": PATIENT}
        servers.append({"name": queue, "instances": size, "settings": pool})
        limit = max(fit.most_deliveries, 2)
        again = {"maximum_retries": limit, "backout_threshold": limit} if failures else {}
        settings = {"maximum_sessions": threads, "failure_rate": failures, **again}
        queues.append({"name": queue, "server": queue, **_work(fit), "settings": settings})
    head = {"sluice": FORMAT_VERSION, "name": name, "platform": PLAIN}
    return {**head, "servers": servers, "queues": queues, "run": {"horizon": horizon}}


def _work(fit: Work) -> dict[str, Any]:
    return {"arrivals": fit.arrivals.body, "service": fit.service.body}


def _rate(fit: Work) -> float:
    return min(1.0, float(f"{fit.failure_rate.value:.6g}"))


def _horizon(fits: Sequence[Work]) -> dict[str, Any]:
    profiles = [fit.arrivals.body["points"][-1][0] for fit in fits if fit.arrivals.body["kind"] == "profile"]
    return {"time": max(profiles)} if profiles else {"messages": MESSAGES}
