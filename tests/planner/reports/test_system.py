"""The system of a report: servers, and every setting and load with who gave it last."""

import copy
from typing import Any

from django.contrib.auth.models import User

from planner import services
from planner.models import Scenario
from planner.reports.system import changes_of, servers_table, settings_table, workload_table
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body

SESSIONS = "queues.orders.settings.maximum_sessions"


def test_a_server_has_its_queues_and_the_most_threads_of_each_instance(body: dict[str, Any]) -> None:
    spare = {**copy.deepcopy(body["servers"][0]), "name": "spare"}
    payments, idle = servers_table(parse({**body, "servers": [*body["servers"], spare]}))
    assert (payments["name"], payments["threads"], payments["queues"]) == ("payments", 18, ["orders"])
    assert (idle["name"], idle["threads"], idle["queues"]) == ("spare", None, [])


def test_threads_beside_the_pool_are_none_of_the_servers() -> None:
    body = scenario_body("weblogic", queue={"destination": "foreign"}, kind="topic")
    (server,) = servers_table(parse(body))
    assert server["threads"] == parse(body).network().pools[0].threads > 1


def test_every_changed_setting_says_who_gave_it_last(scenario: Scenario, owner: User, body: dict[str, Any]) -> None:
    changed = copy.deepcopy(body)
    changed["queues"][0]["settings"]["maximum_sessions"] = 41
    version = services.scenario_replace(scenario=scenario, author=owner, spec=parse(changed)).version
    given = changes_of(version)
    spec = parse(version.spec)
    rows = {row["path"]: row for row in settings_table(spec, given)}
    assert rows[SESSIONS]["changed_by"]["version"] == 2
    assert rows[SESSIONS]["changed_by"]["author"] == owner.get_username()
    assert rows["queues.orders.settings.queue_agent_time"]["changed_by"]["version"] == 1
    assert all(row["changed_by"] is None for row in rows.values() if not row["changed"])
    (work,) = workload_table(spec, given)
    assert work["given_by"]["version"] == 1
    assert work["service_percentiles"]["p50"] < work["service_percentiles"]["p95"] < work["service_percentiles"]["p99"]


def test_a_list_of_work_managers_says_who_gave_or_removed_one_last(owner: User) -> None:
    managers = [{"name": "http", "fair_share": 80}, {"name": "mdb", "fair_share": 20}]
    body = scenario_body("weblogic", server={"work_managers": managers})
    scenario = services.scenario_store(owner=owner, spec=parse(body))
    path = f"servers.{body['servers'][0]['name']}.settings.work_managers"
    asked = ([{**managers[0], "fair_share": 90}, managers[1]], [managers[1]])
    for number, now in enumerate(asked, start=2):
        body["servers"][0]["settings"]["work_managers"] = now
        version = services.scenario_replace(scenario=scenario, author=owner, spec=parse(body)).version
        rows = {row["path"]: row for row in settings_table(parse(version.spec), changes_of(version))}
        assert rows[path]["changed_by"]["version"] == version.number == number
        assert not rows[path.replace("work_managers", "constraints")]["changed"]


def test_a_load_that_an_import_made_up_is_marked(body: dict[str, Any]) -> None:
    loads = {"arrivals": {"kind": "poisson", "rate": 10}, "service": {"kind": "exponential", "mean": "100 ms"}}
    for identity in (None, {"name": "jms/orders"}, {"name": "jms/orders", "service_assumed": True}):
        body["queues"][0].update(loads, identity=identity)
        (work,) = workload_table(parse(body), {})
        assert (work["placeholder"], work["given_by"]) == ("service_assumed" in (identity or {}), None)
