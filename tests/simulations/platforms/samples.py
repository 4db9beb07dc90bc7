"""Scenario bodies for tests: one per family and mode, and a different but allowed value of any setting."""

import copy
from typing import Any

from simulations.analysis.estimates.summary import Derivation, PointSummary
from simulations.declarations.parameters import Declaration
from simulations.platforms.weblogic.formulas import concurrency
from simulations.scenario.spec import ScenarioSpec, parse

SERVICE = {"kind": "exponential", "mean": 0.2}

BASES: dict[str, list[dict[str, Any]]] = {
    "websphere-zos": [
        {},
        {"server": {"min_servants": 1, "max_servants": 4, "workload_profile": "CUSTOM"}},
        {
            "server": {"min_servants": 3, "max_servants": 3},
            "queue": {"maximum_sessions": 36, "backout_threshold": 3, "maximum_retries": 9},
        },
        {"queue": {"durable_subscription": False}, "kind": "topic"},
        {"server": {"max_servants": 3}, "queue": {"endpoint": "activation_spec"}},
        {"queue": {"endpoint": "activation_spec", "in_flight_constant": 5, "stop_if_delivery_fails": False}},
        {
            "server": {
                "workload_profile": "LONGWAIT",
                "dispatch_timeout_action": "restart_servant",
                "zos_recovery": True,
                "mdb_request_timeout": 1.0,
                "multiple_instances": False,
            },
        },
    ],
    "websphere": [
        {},
        {"queue": {"mode": "non_asf", "receive_timeout": 100.0, "maximum_sessions": 10}},
        {
            "queue": {
                "mode": "non_asf",
                "receive_timeout": 100.0,
                "unsuitable_messages": 2.0,
                "selection_time": 0.01,
            }
        },
        {"queue": {"backout_threshold": 3, "maximum_retries": 9}},
        {"queue": {"mode": "asf", "receive_timeout": 100.0, "maximum_sessions": 80}},
        {"queue": {"mode": "activation_spec", "maximum_server_sessions": 80}},
        {"queue": {"mode": "activation_spec", "provider": "default_messaging"}},
        {"queue": {"mode": "activation_spec", "provider": "default_messaging", "mdb_pool_maximum": 5}},
        {"queue": {"mode": "activation_spec", "failure_rate": 0.1, "stop_if_delivery_fails": False}},
    ],
    "openmq": [
        {},
        {"server": {"connection_flow_limit_enabled": True}, "queue": {"consumer_flow_limit": 16}},
        {"queue": {"failure_mode": "rollback", "max_num_msgs": 500, "limit_behavior": "FLOW_CONTROL"}},
        {"kind": "topic", "instances": 2},
        {"queue": {"destination_consumer_flow_limit": 100}},
        {"server": {"reconnect_enabled": True, "broker_max_count": 900}, "queue": {"max_bytes_per_msg": 500}},
        {"queue": {"max_active_consumers": 2}, "instances": 8},
    ],
    "weblogic": [
        {},
        {"server": {"self_tuning": False}},
        {"queue": {"use_81_style_polling": True, "max_messages_in_transaction": 5, "commit_time": 0.02}},
        {"queue": {"transactional": False}, "kind": "topic"},
        {"queue": {"transactional": False, "destination": "foreign"}, "kind": "topic"},
        {"kind": "topic"},
        {"instances": 2},
        {
            "queue": {
                "messages_threshold_high": 1000,
                "messages_threshold_low": 500,
                "bytes_threshold_high": 10**6,
                "bytes_threshold_low": 10**5,
                "messages_quota": 10**5,
                "one_way_send_mode": "enabled",
                "one_way_send_window": 10,
                "execute_queue_size": 40,
                "max_beans_in_free_pool": 30,
            }
        },
        {
            "server": {
                "constraints": [{"name": "both", "kind": "max_threads", "count": 5}],
                "work_managers": [
                    {"name": "first", "fair_share": 80, "max_threads": "both"},
                    {"name": "second", "response_time_goal": 2.0, "max_threads": "both", "min_threads": 2},
                ],
            },
            "queue": {"work_manager": "second", "redelivery_limit": 3, "error_destination": "errors"},
        },
    ],
}
"""Modes of each family; every sweepable setting must matter in at least one of them."""


def scenario_body(
    platform: str, *, server: dict[str, Any] | None = None, queue: dict[str, Any] | None = None, **changes: Any
) -> dict[str, Any]:
    """Return the smallest scenario of a platform with these settings; ``changes`` go into the queue itself."""
    queue_body = {
        "name": "orders",
        "server": "payments",
        "arrivals": {"kind": "poisson", "rate": 20.0},
        "service": dict(SERVICE),
        "settings": copy.deepcopy(queue or {}),
    }
    instances = changes.pop("instances", 1)
    return {
        "sluice": 1,
        "name": "Test",
        "platform": platform,
        "servers": [{"name": "payments", "cpus": 16, "instances": instances, "settings": copy.deepcopy(server or {})}],
        "queues": [{**queue_body, **copy.deepcopy(changes)}],
    }


def sweep_value(item: Declaration, before: Any) -> Any:
    """Return an allowed value that differs from ``before``."""
    if item.choices:
        return next(choice for choice in item.choices if choice != before)
    if item.kind == "boolean":
        return not before
    if item.kind == "text":
        return "other"
    low = item.minimum if item.minimum is not None else 0.0
    high = item.maximum if item.maximum is not None else 1e9
    start = 0.0 if before is None else float(before)
    candidates = [start + 3, start + 1, start * 2, start / 2, low, low + 1, (low + high) / 2]
    values = [value for value in candidates if low < value <= high and value != start]
    value = (values or [low])[0]
    return int(value) if item.kind == "integer" else value


def empty_summary(**changes: Any) -> PointSummary:
    """A summary without results, for claims that need none."""
    values: dict[str, Any] = {
        "index": 0,
        "overrides": {},
        "status": "ok",
        "replications": 10,
        "events": 1,
        "metrics": {},
        "queues": {},
        "derived": {},
        "findings": (),
        "checks": (),
        "warmup": {},
    }
    return PointSummary(**{**values, **changes})


def mdb(
    kind: str = "queue", *, server: dict[str, Any] | None = None, instances: int = 1, **settings: Any
) -> ScenarioSpec:
    return parse(scenario_body("openmq", server=server, queue=settings, kind=kind, instances=instances))


def bean(
    kind: str = "queue", *, server: dict[str, Any] | None = None, instances: int = 1, **settings: Any
) -> ScenarioSpec:
    return parse(scenario_body("weblogic", server=server, queue=settings, kind=kind, instances=instances))


def managers(**values: Any) -> dict[str, Any]:
    """Server settings with one work manager."""
    return {"work_managers": [{"name": "work", **values}]}


def status_of(found: ScenarioSpec, rule: str) -> str:
    """Return the verdict of the rule whose name ends so."""
    return next(item.status for item in found.family.derive(found.system).findings if item.rule.endswith(rule))


def poisson(rate: float) -> dict[str, Any]:
    """Arrivals of so many messages per second."""
    return {"kind": "poisson", "rate": rate}


def constant(mean: float) -> dict[str, Any]:
    """Every onMessage takes so many seconds."""
    return {"kind": "constant", "mean": mean}


def verdict(platform: str, rule: str, changes: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Status and cure of a rule for the smallest scenario with ``changes``; no status where it does not apply.

    The cure's paths are shortened: ``queue.x`` and ``server.x`` are settings.
    """
    body = scenario_body(platform, **{name: value for name, value in changes.items() if name != "background"})
    body["servers"][0]["background"] = changes.get("background", [])
    spec = parse(body)
    found = [item for item in spec.family.derive(spec.system).findings if item.rule == f"{platform}.{rule}"]
    if not found:
        return "", {}
    (finding,) = found
    words = {"queues.orders.settings.": "queue.", "servers.payments.settings.": "server.", "servers.payments.": ""}
    fix = dict(finding.fix)
    for long, short in words.items():
        fix = {path.replace(long, short): value for path, value in fix.items()}
    return finding.status, fix


def surge(**queue: Any) -> ScenarioSpec:
    """The worked example: 2 CPUs, 3 servants, IOBOUND."""
    settings = {"queue_agent_time": 0.0, **queue}
    body = scenario_body("websphere-zos", server={"min_servants": 3, "max_servants": 3}, queue=settings)
    body["servers"][0]["cpus"] = 2
    body["queues"][0]["arrivals"] = {"kind": "saturated"}
    return parse(body)


def parallel(spec: ScenarioSpec) -> tuple[int, int]:
    found = concurrency(spec.servers[0], spec.queues[0])
    return found.minimum, found.maximum


def port(*, kind: str = "queue", server: dict[str, Any] | None = None, **settings: Any) -> ScenarioSpec:
    return parse(scenario_body("websphere", server=server, queue=settings, kind=kind))


def formula_value(derivation: Derivation, name: str, entity: str = "") -> float:
    """Return the formula answer of that name (of server or queue ``entity``)."""
    return next(item.value for item in derivation.values if item.name == name and entity in ("", item.entity))
