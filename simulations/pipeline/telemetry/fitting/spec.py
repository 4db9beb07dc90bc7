"""A scenario ready to run out of a fit: a plain one whose threads are those that were seen, or yours with its work."""

import math
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from simulations.declarations.texts import as_name, path_of
from simulations.experiment.points import ARRIVALS, value_at
from simulations.experiment.sensitivities import known_inputs
from simulations.pipeline.telemetry.fitting.fit import QueueFit
from simulations.pipeline.telemetry.fitting.sample_fit import SampledFit
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.scenario.spec import FORMAT_VERSION, ScenarioSpec, parse, revised

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
    stay and only the work of its queues is replaced, and the limits behind their threads that the log shows. Raises
    TelemetryRefused when the log lacks a queue of ``base``.
    """
    queues = {as_name(fit.name): fit for fit in fits}
    if len(queues) < len(fits):
        raise TelemetryRefused("two queues have the same name but for characters that a scenario cannot hold")
    profiles = [fit.arrivals.body["points"][-1][0] for fit in fits if fit.arrivals.body["kind"] == "profile"]
    horizon = {"time": max(profiles)} if profiles else {"messages": MESSAGES}
    if base is None:
        return parse(_plain(queues, name, horizon))
    missing = [queue.name for queue in base.queues if queue.name not in queues]
    if missing:
        raise TelemetryRefused(f"the log has no queue {missing[0]!r}; it has {', '.join(queues)}")
    body = base.body()
    servers = {server["name"]: server for server in body["servers"]}
    for queue in body["queues"]:
        fit, server = queues[queue["name"]], servers[queue["server"]]
        cpus, downstream = _behind(fit, server["instances"])
        server |= cpus
        queue.update(_work(fit))
        queue["settings"] = {**queue["settings"], "failure_rate": _rate(fit), **downstream}
    return parse({**body, "name": name, "run": {**body["run"], "horizon": horizon}, "sweep": []})


def measured_ranges(result: Mapping[str, Any], spec: ScenarioSpec) -> Iterator[tuple[str, float, float]]:
    """Yield the inputs of a scenario that a calibration measured, with the ends of their 95 % intervals.

    ``result``: a ``Calibrated`` as plain data. Arrivals are a factor on all of them, of the queue known least. An input
    that has been changed since is left out.
    """
    found: dict[str, Any] = {}
    for queue in result["queues"]:
        place, arrivals = ("queues", as_name(queue["name"])), queue["arrivals"]
        doubt = {end: arrivals[end] / arrivals["rate"] for end in ("low", "high")}
        found[ARRIVALS] = max(found.get(ARRIVALS, doubt), doubt, key=itemgetter("high"))
        found[path_of(*place, "service", "mean")] = queue["service_mean"]
        found[path_of(*place, "settings", "failure_rate")] = queue["failure_rate"]
    for path in known_inputs(spec):
        ends = found.get(path, {"low": None})
        if ends["low"] is not None and ends["low"] < value_at(spec, path) < ends["high"]:
            yield path, ends["low"], ends["high"]


def replaying(spec: ScenarioSpec, arrivals: Mapping[str, Mapping[str, Any]]) -> ScenarioSpec:
    """Return the scenario with other arrivals by queue, until all of them have left."""
    changes = [(("queues", index, "arrivals"), arrivals[queue.name]) for index, queue in enumerate(spec.queues)]
    return revised(spec, [(("run", "horizon"), {"until": "drained"}), *changes])


def _plain(fits: Mapping[str, Work], name: str, horizon: Mapping[str, Any]) -> dict[str, Any]:
    servers, queues = [], []
    for queue, fit in fits.items():
        size, failures = len(fit.instances), _rate(fit)
        threads = math.ceil(fit.concurrency.threads / size)  # the log shows those of all instances together
        pool = dict.fromkeys(("listener_pool_minimum", "listener_pool_maximum"), threads)
        patience = dict.fromkeys(("total_transaction_timeout", "maximum_transaction_timeout"), PATIENT)
        cpus, downstream = _behind(fit, size)
        servers.append({"name": queue, "instances": size, "settings": {**pool, **patience}, **cpus})
        limit = max(fit.most_deliveries, 2)
        again = {"maximum_retries": limit, "backout_threshold": limit} if failures else {}
        settings = {"maximum_sessions": threads, "failure_rate": failures, **again, **downstream}
        queues.append({"name": queue, "server": queue, **_work(fit), "settings": settings})
    head = {"sluice": FORMAT_VERSION, "name": name, "platform": PLAIN}
    return {**head, "servers": servers, "queues": queues, "run": {"horizon": horizon}}


def _work(fit: Work) -> dict[str, Any]:
    return {"arrivals": fit.arrivals.body, "service": fit.service.body}


def _behind(fit: Work, instances: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the limit behind the threads sets of the server, and of the queue; the log shows that of all instances."""
    if fit.limit is None:
        return {}, {}
    number = math.ceil(fit.limit.number / instances)
    if fit.limit.cpus:
        return {"cpus": number}, {}
    return {}, {"downstream": {"name": "behind-threads", "limit": number, "share": fit.limit.share}}


def _rate(fit: Work) -> float:
    return min(1.0, float(f"{fit.failure_rate.value:.6g}"))
