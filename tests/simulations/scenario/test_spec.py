"""The scenario: one value, one format; every mistake is named at once."""

from typing import Any

import pytest

from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body
from tests.simulations.scenario.problems import problems

ZOS = "websphere-zos"
SESSIONS = "queues.orders.settings.maximum_sessions"
MEAN = "queues.orders.service.mean"
SERVANTS = "servers.payments.settings.min_servants"
HTTP = {"name": "http", "arrivals": {"kind": "poisson", "rate": 5}, "service": {"kind": "constant", "mean": 0.01}}


def test_a_body_comes_back_the_same() -> None:
    axis = {"path": "queues.orders.settings.maximum_sessions", "from": 1, "to": 2, "steps": 2}
    spec = parse(scenario_body(ZOS, queue={"maximum_sessions": 36}) | {"sweep": [axis]})
    assert parse(spec.body()) == spec
    assert spec.body()["sweep"][0]["from"] == 1


def test_all_mistakes_are_named_at_once() -> None:
    body = scenario_body(ZOS, queue={"maximum_session": 36, "low_equals_high": "perhaps"})
    body["servers"][0]["cpus"] = 0
    body["runs"] = {}
    found = problems(body)
    assert set(found) == {
        "/runs",
        "/servers/0/cpus",
        "/queues/0/settings/maximum_session",
        "/queues/0/settings/low_equals_high",
    }
    assert "maximum_sessions" in found["/queues/0/settings/maximum_session"]
    assert "run" in found["/runs"]


@pytest.mark.parametrize("body", [[], "text", None, 3])
def test_a_body_that_is_no_mapping_is_refused(body: object) -> None:
    assert set(problems(body)) == {""}


def test_an_unknown_platform_is_refused_beside_what_else_is_wrong() -> None:
    body = scenario_body(ZOS, server={"min_servants": 1}) | {"platform": "weblogik"}
    body["servers"][0]["cpus"] = 0
    found = problems(body)
    assert set(found) == {"/platform", "/servers/0/cpus"}
    assert "weblogic" in found["/platform"]
    axis = {"path": "servers.payments.settings.maybe.deep", "values": [1]}
    assert set(problems(body | {"sweep": [axis]})) == {"/platform", "/servers/0/cpus"}


@pytest.mark.parametrize("platform", [None, ["openmq"], {}])
def test_a_platform_that_is_no_name_is_one_problem(platform: object) -> None:
    assert set(problems(scenario_body(ZOS) | {"platform": platform})) == {"/platform"}


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"queues": [{"server": "paymentz"}]}, "/queues/0/server"),
        ({"objectives": [{"metric": "latency.p59", "at_most": 1}]}, "/objectives/0/metric"),
        ({"objectives": [{"metric": "latency.p95", "queue": "x", "at_most": 1}]}, "/objectives/0/queue"),
        ({"objectives": [{"metric": "latency.p95"}]}, "/objectives/0"),
        ({"run": {"precision": {"metric": "speed"}}}, "/run/precision/metric"),
        ({"run": {"replications": {"min": 5, "max": 4}}}, "/run/replications"),
        ({"sweep": [{"path": "x"}]}, "/sweep/0"),
        ({"run": {"precision": {"metric": "backlog.max"}}}, "/run/precision/metric"),
        ({"sweep": [{"path": "x", "from": 0, "to": 1, "steps": 3, "scale": "log"}]}, "/sweep/0"),
    ],
)
def test_names_and_bounds_must_fit(change: dict[str, Any], pointer: str) -> None:
    body = scenario_body(ZOS)
    queue = change.get("queues", [{}])[0]
    body = {**body, **{key: value for key, value in change.items() if key != "queues"}}
    body["queues"] = [{**body["queues"][0], **queue}]
    assert pointer in problems(body)


def test_other_work_may_have_the_same_name_on_two_servers() -> None:
    body = scenario_body(ZOS)
    servers = [{**body["servers"][0], "name": name, "background": [HTTP]} for name in ("payments", "reports")]
    queues = [*body["queues"], {**body["queues"][0], "name": "http"}]
    spec = parse({**body, "servers": servers, "queues": queues})
    names = [stream.name for stream in spec.network().streams]
    assert names == ["orders", "http", "payments.http", "reports.http"]
    assert parse(spec.body()) == spec


def test_other_work_keeps_a_name_that_is_its_own() -> None:
    body = scenario_body(ZOS)
    body["servers"][0]["background"] = [HTTP]
    assert [stream.name for stream in parse(body).network().streams] == ["orders", "http"]


def test_an_unknown_key_is_named_as_the_file_spells_keys() -> None:
    found = problems(scenario_body(ZOS) | {"sweep": [{"path": SESSIONS, "form": 1, "to": 2, "steps": 2}]})
    assert "did you mean 'from'?" in found["/sweep/0/form"]


def test_the_hash_covers_what_decides_the_numbers_and_not_the_name() -> None:
    body = scenario_body(ZOS)
    same, other = parse({**body, "name": "Another"}), parse(scenario_body(ZOS, queue={"maximum_sessions": 2}))
    assert parse(body).content_hash() == same.content_hash()
    assert parse(body).content_hash() != other.content_hash()


@pytest.mark.parametrize(
    ("arrivals", "horizon", "transient"),
    [
        ({"kind": "poisson", "rate": 1}, {"messages": 1000}, False),
        ({"kind": "surge", "count": 10}, {"time": "5s"}, True),
        ({"kind": "surge", "count": 10}, {"until": "drained"}, True),
    ],
)
def test_transient_runs_and_horizons(arrivals: dict[str, Any], horizon: dict[str, Any], transient: bool) -> None:  # noqa: FBT001
    spec = parse({**scenario_body(ZOS, arrivals=arrivals), "run": {"horizon": horizon}})
    assert spec.transient is transient
    found = spec.network().horizon
    assert (found.messages or found.time or found.drained) in (1000, 5.0, True)


def test_an_outage_is_no_steady_state() -> None:
    away = {"start": "30s", "duration": "1min"}
    for body in (scenario_body(ZOS, server={"outage": away}), scenario_body(ZOS, queue={"downstream_outage": away})):
        assert parse({**body, "run": {"horizon": {"messages": 1000}}}).transient
