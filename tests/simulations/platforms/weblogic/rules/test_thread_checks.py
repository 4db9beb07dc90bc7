"""Concurrency, threads and work managers."""

from typing import Any

import pytest

from simulations.platforms.weblogic import WEBLOGIC
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import bean, managers, parallel, poisson, scenario_body, verdict


@pytest.mark.parametrize("values", [{"fair_share": 90}, {"min_threads": 20}, {"response_time_goal": 2.0}])
def test_shares_goals_and_min_constraints_keep_16(values: dict[str, Any]) -> None:
    """Fact list, example 19."""
    spec = bean(server=managers(**values), work_manager="work")
    assert parallel(spec)[1] == 16
    findings = {item.rule: item.status for item in WEBLOGIC.derive(spec.system).findings}
    assert findings["weblogic.fair-share-keeps-16"] == "violated"


def test_a_transactional_compatibility_topic_has_one_instance() -> None:
    """Fact list, example 22."""
    spec = bean("topic", max_beans_in_free_pool=100)
    assert parallel(spec)[1] == 1
    findings = {item.rule: item.status for item in WEBLOGIC.derive(spec.system).findings}
    assert findings["weblogic.compatibility-topic"] == "ignored"


def test_the_cure_of_a_shared_constraint_leaves_one_that_nobody_shares() -> None:
    counts = {"shared": 5, "alone": 3}
    server = {
        "constraints": [{"name": name, "kind": "max_threads", "count": count} for name, count in counts.items()],
        "work_managers": [
            {"name": "a", "max_threads": "shared"},
            {"name": "b", "max_threads": "alone"},
            {"name": "c", "max_threads": "shared"},
            {"name": "d"},
        ],
    }
    _, cure = verdict("weblogic", "shared-constraint", {"server": server})
    limits = {item["name"]: item.get("max_threads") for item in cure["server.work_managers"]}
    assert limits == {"a": 5, "b": "alone", "c": 5, "d": None}


WORK = {"work_manager": "work"}
HTTP = [{"name": "http", "arrivals": poisson(5.0), "service": {"kind": "exponential", "mean": 0.1}}]
SHARED_CAPACITY = {
    "constraints": [{"name": "cap", "kind": "capacity", "count": 176}],
    "work_managers": [{"name": "a", "capacity": "cap"}, {"name": "b", "capacity": "cap"}],
}
CASES: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("stable", {"arrivals": poisson(79.0)}, "ok", {}),
    (
        "stable",
        {"arrivals": poisson(81.0)},
        "violated",
        {
            "server.work_managers": [{"name": "orders-work", "fair_share": 50, "max_threads": 17}],
            "queue.work_manager": "orders-work",
        },
    ),
    ("stable", {"arrivals": poisson(2001.0)}, "violated", {"instances": 26}),
    ("limit-of-16", {"queue": {"max_beans_in_free_pool": 16}}, "ok", {}),
    (
        "limit-of-16",
        {"queue": {"max_beans_in_free_pool": 17}},
        "violated",
        {
            "server.work_managers": [{"name": "orders-work", "fair_share": 50, "max_threads": 17}],
            "queue.work_manager": "orders-work",
        },
    ),
    ("limit-of-16", {"server": {"thread_pool_maximum": 16}}, "ok", {}),
    (
        "fair-share-keeps-16",
        {"server": managers(min_threads=2), "queue": WORK},
        "violated",
        {"server.work_managers": [{"name": "work", "min_threads": 2, "max_threads": 32}]},
    ),
    ("fair-share-keeps-16", {"server": managers(min_threads=2, max_threads=20), "queue": WORK}, "", {}),
    (
        "beans-cover-constraint",
        {"server": managers(max_threads=30), "queue": {**WORK, "max_beans_in_free_pool": 30}},
        "ok",
        {},
    ),
    (
        "beans-cover-constraint",
        {"server": managers(max_threads=31), "queue": {**WORK, "max_beans_in_free_pool": 30}},
        "violated",
        {"queue.max_beans_in_free_pool": 31},
    ),
    ("work-manager-declared", {"queue": WORK}, "violated", {"queue.work_manager": "default"}),
    ("work-manager-declared", {"server": managers(), "queue": WORK}, "", {}),
    (
        "background-manager-declared",
        {"background": [{**HTTP[0], "settings": WORK}]},
        "violated",
        {"background.http.settings.work_manager": "default"},
    ),
    ("background-manager-declared", {"server": managers(), "background": [{**HTTP[0], "settings": WORK}]}, "ok", {}),
    ("background-manager-declared", {"queue": WORK}, "", {}),
    ("reserved-threads-fit", {"server": managers(min_threads=400)}, "ok", {}),
    ("reserved-threads-fit", {"server": managers(min_threads=401)}, "violated", {"server.thread_pool_maximum": 401}),
    ("capacity-covers-threads", {"server": managers(capacity=176), "queue": WORK}, "ok", {}),
    (
        "capacity-covers-threads",
        {"server": managers(capacity=175), "queue": WORK},
        "violated",
        {"server.work_managers": [{"name": "work", "capacity": 176}]},
    ),
    ("capacity-covers-threads", {"server": managers(capacity=32), "queue": {**WORK, "messages_maximum": 1}}, "ok", {}),
    (
        "capacity-covers-threads",
        {"server": managers(capacity=80), "queue": {**WORK, "max_messages_in_transaction": 5}},
        "ok",
        {},
    ),
    ("capacity-covers-threads", {"server": SHARED_CAPACITY, "queue": {"work_manager": "a"}}, "ok", {}),
    (
        "capacity-covers-threads",
        {
            "server": SHARED_CAPACITY,
            "queue": {"work_manager": "a"},
            "background": [{**HTTP[0], "settings": {"work_manager": "b"}}],
        },
        "",
        {},
    ),
    ("reserve-for-steady-work", {"server": managers(min_threads=5), "queue": WORK, "background": HTTP}, "ok", {}),
    (
        "reserve-for-steady-work",
        {"server": managers(min_threads=4), "queue": WORK, "background": HTTP},
        "violated",
        {"server.work_managers": [{"name": "work", "min_threads": 5}]},
    ),
    (
        "reserve-for-steady-work",
        {
            "server": managers(min_threads=8),
            "queue": WORK,
            "background": HTTP,
            "service": {"kind": "exponential", "mean": 0.4},
        },
        "violated",
        {"server.work_managers": [{"name": "work", "min_threads": 9}]},
    ),
    (
        "share-for-bursts",
        {
            "server": managers(min_threads=4),
            "queue": WORK,
            "background": HTTP,
            "arrivals": {"kind": "surge", "count": 5, "at": 0.0},
        },
        "violated",
        {"server.work_managers": [{"name": "work"}]},
    ),
    ("share-for-bursts", {"background": HTTP, "arrivals": {"kind": "surge", "count": 5, "at": 0.0}}, "ok", {}),
    (
        "pool-size-ignored",
        {"server": {"default_thread_pool_size": 16}},
        "ignored",
        {"server.default_thread_pool_size": 15},
    ),
    (
        "pool-size-ignored",
        {"server": {"self_tuning": False, "thread_pool_maximum": 50}},
        "ignored",
        {"server.thread_pool_maximum": 400},
    ),
    ("pool-size-ignored", {"server": {"thread_pool_minimum": 5}}, "ignored", {"server.thread_pool_minimum": 1}),
    ("downstream-covers-threads", {"queue": {"downstream": {"name": "db", "limit": 16}}}, "ok", {}),
    (
        "downstream-covers-threads",
        {"queue": {"downstream": {"name": "db", "limit": 15}}},
        "violated",
        {
            "server.work_managers": [{"name": "orders-work", "fair_share": 50, "max_threads": 15}],
            "queue.work_manager": "orders-work",
        },
    ),
    (
        "downstream-covers-threads",
        {"queue": {"downstream": {"name": "db", "limit": 15}, "execute_queue_size": 20}},
        "violated",
        {"queue.max_beans_in_free_pool": 15},
    ),
]


@pytest.mark.parametrize(
    ("limit", "work", "statuses"),
    [
        (20, {}, ["ok", "ok"]),
        (19, {}, ["violated", "violated"]),
        (19, {"server": managers(max_threads=10), "queue": {"work_manager": "work"}}, []),
    ],
)
def test_queues_that_use_one_resource_share_it(limit: int, work: dict[str, Any], statuses: list[str]) -> None:
    """Without a cure: half of it for each may be too little for one of them. What shares threads is not judged."""
    settings = {"max_beans_in_free_pool": 10, "downstream": {"name": "db", "limit": limit}, **work.get("queue", {})}
    body = scenario_body("weblogic", server=work.get("server", {}), queue=settings)
    body["queues"].append({**body["queues"][0], "name": "others"})
    findings = WEBLOGIC.derive(parse(body).system).findings
    about = [item for item in findings if item.rule == "weblogic.downstream-covers-threads"]
    assert [item.status for item in about] == statuses
    assert not any(item.fix for item in about)


@pytest.mark.parametrize(("rule", "changes", "status", "fix"), CASES)
def test_verdicts_and_cures_beside_each_limit(
    rule: str, changes: dict[str, Any], status: str, fix: dict[str, Any]
) -> None:
    assert verdict("weblogic", rule, changes) == (status, fix)
