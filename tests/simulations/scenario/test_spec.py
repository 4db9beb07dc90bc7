"""The scenario: one value, one format; every mistake is named at once."""

from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.experiment import replication_key
from simulations.scenario.spec import parse
from tests.scenarios import listener_port
from tests.simulations.platforms.samples import scenario_body

ZOS = "websphere-zos"
SESSIONS = "queues.orders.settings.maximum_sessions"
MEAN = "queues.orders.service.mean"
SERVANTS = "servers.payments.settings.min_servants"
HTTP = {"name": "http", "arrivals": {"kind": "poisson", "rate": 5}, "service": {"kind": "constant", "mean": 0.01}}


def problems(body: object) -> dict[str, str]:
    with pytest.raises(InvalidInput) as error:
        parse(body)
    return {item.pointer: item.message for item in error.value.problems}


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


def test_names_are_unique() -> None:
    body = scenario_body(ZOS)
    body["queues"] *= 2
    body["servers"][0]["background"] = [HTTP, HTTP]
    found = problems(body)
    assert set(found) == {"/queues/1/name", "/servers/0/background/1/name"}
    assert all("used twice" in message for message in found.values())


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


def test_what_parts_are_to_each_other_is_judged_beside_single_fields() -> None:
    body = scenario_body(ZOS) | {
        "objectives": [{"metric": "latency.p59", "at_most": 1}],
        "sweep": [{"path": "queues.orders.nope", "values": [1]}, {"path": SESSIONS, "values": [18, 0]}],
        "run": {"horizon": {"until": "drained"}, "precision": {"metric": "latency.max"}},
    }
    body["queues"][0] = {**body["queues"][0], "server": "paymentz", "producers": 0}
    assert set(problems(body)) == {
        "/queues/0/producers",
        "/queues/0/server",
        "/queues/0/arrivals",
        "/objectives/0/metric",
        "/run/precision/metric",
        "/sweep/0/path",
        "/sweep/1/values/1",
    }


def test_an_unknown_key_is_named_as_the_file_spells_keys() -> None:
    found = problems(scenario_body(ZOS) | {"sweep": [{"path": SESSIONS, "form": 1, "to": 2, "steps": 2}]})
    assert "did you mean 'from'?" in found["/sweep/0/form"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"path": MEAN, "values": ["1ms", "200ms"]}, {"path": MEAN, "values": [0.001, "0.2"]}),
        (
            {"path": MEAN, "from": "1ms", "to": "10ms", "steps": 4},
            {"path": MEAN, "from": 0.001, "to": 0.01, "steps": 4},
        ),
        ({"path": SESSIONS, "values": ["18", 36.0]}, {"path": SESSIONS, "values": [18, 36]}),
        ({"path": SERVANTS, "values": ["5"]}, {"path": SERVANTS, "values": [5]}),
    ],
)
def test_two_spellings_of_a_sweep_are_one_scenario(one: dict[str, Any], other: dict[str, Any]) -> None:
    first, second = parse(scenario_body(ZOS) | {"sweep": [one]}), parse(scenario_body(ZOS) | {"sweep": [other]})
    assert first.body() == second.body()
    assert first.content_hash() == second.content_hash()
    assert parse(first.body()) == first


@pytest.mark.parametrize(
    ("axis", "pointer", "message"),
    [
        ({"path": "queues.ordrs.producers", "values": [1]}, "path", "did you mean 'orders'?"),
        ({"path": "nope.deeper", "values": [1]}, "path", "no key 'nope'"),
        ({"path": "queues.orders.producers.deeper", "values": [1]}, "path", "nothing lies below"),
        ({"path": "queues.orders.service.meen", "values": [1]}, "path", "did you mean 'mean'?"),
        ({"path": "run.horizon.tine", "values": [1]}, "path", "did you mean 'time'?"),
        ({"path": "sweep", "values": [1]}, "path", "unknown"),
        ({"path": SESSIONS, "from": 0.5, "to": 3, "steps": 2}, "from", "valid integer"),
        ({"path": MEAN, "from": "1/s", "to": "3s", "steps": 2}, "from", "is not understood"),
        ({"path": "queues.orders.service.cpu", "from": "0%", "to": 1, "steps": 2, "scale": "log"}, "from", "above 0"),
        ({"path": "servers.payments.settings.workload_profile", "values": ["IO"]}, "values/0", "IOBOUND"),
        ({"path": "queues.orders.server", "from": "a", "to": "b", "steps": 2}, "from", "give values"),
    ],
)
def test_an_axis_that_no_point_could_have_is_refused(axis: dict[str, Any], pointer: str, message: str) -> None:
    found = problems(scenario_body(ZOS) | {"sweep": [axis]})
    assert set(found) == {f"/sweep/0/{pointer}"}
    assert message in found[f"/sweep/0/{pointer}"]


@pytest.mark.parametrize("metric", ["threads.idle_blocked", "cpu.utilisation"])
def test_no_queue_is_judged_by_what_only_threads_have(metric: str) -> None:
    objective = {"metric": metric, "queue": "orders", "at_most": 1}
    assert "leave queue out" in problems(scenario_body(ZOS) | {"objectives": [objective]})["/objectives/0/metric"]
    parse(scenario_body(ZOS) | {"objectives": [{"metric": metric, "at_most": 1}]})


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


@pytest.mark.parametrize(
    ("metric", "text", "value"),
    [
        ("latency.p95", "800ms", 0.8),
        ("throughput", "80/s", 80.0),
        ("cpu.utilisation", "70%", 0.7),
        ("backlog.mean", "50", 50.0),
    ],
)
def test_a_bound_is_read_in_the_unit_of_its_metric(metric: str, text: str, value: float) -> None:
    spec = parse(listener_port("Bounds", objectives=[{"metric": metric, "at_most": text}]))
    assert spec.objectives[0].at_most == pytest.approx(value)


@pytest.mark.parametrize(("metric", "text"), [("latency.p95", "70%"), ("backlog.mean", "5s"), ("throughput", "80ms")])
def test_a_bound_in_another_unit_is_refused(metric: str, text: str) -> None:
    with pytest.raises(InvalidInput, match=r"objectives.0.at_least: .* is not understood"):
        parse(listener_port("Bounds", objectives=[{"metric": metric, "at_least": text}]))


def test_a_limit_of_time_is_another_plan_of_the_same_replications() -> None:
    body = listener_port("Limited")
    plain, limited = parse(body), parse({**body, "run": {"max_time": "2min"}})
    assert "max_time" not in plain.body()["run"]
    assert limited.body()["run"]["max_time"] == 120
    assert parse(limited.body()) == limited
    assert plain.content_hash() != limited.content_hash()
    assert replication_key(plain) == replication_key(limited)
