"""The scenario: one value, one format; every mistake is named at once."""

from typing import Any

import pytest

from simulations.problems import InvalidInput
from simulations.scenario import parse
from tests.scenarios import listener_port
from tests.simulations.platforms.samples import scenario_body

ZOS = "websphere-zos"


def problems(body: object) -> dict[str, str]:
    with pytest.raises(InvalidInput) as error:
        parse(body)
    return {item.pointer: item.message for item in error.value.problems}


def test_a_body_comes_back_the_same() -> None:
    spec = parse(
        scenario_body(ZOS, queue={"maximum_sessions": 36}) | {"sweep": [{"path": "x", "from": 1, "to": 2, "steps": 2}]}
    )
    assert parse(spec.body()) == spec
    assert spec.body()["sweep"][0]["from"] == 1


def test_all_mistakes_are_named_at_once() -> None:
    body = scenario_body(ZOS, queue={"maximum_session": 36, "low_equals_high": "perhaps"})
    body["servers"][0]["cpus"] = 0
    body["runs"] = {}
    found = problems(body)
    assert set(found) == {
        "/runs", "/servers/0/cpus", "/queues/0/settings/maximum_session", "/queues/0/settings/low_equals_high",
    }  # fmt: skip
    assert "maximum_sessions" in found["/queues/0/settings/maximum_session"]
    assert "run" in found["/runs"]


@pytest.mark.parametrize("body", [[], "text", None, 3])
def test_a_body_that_is_no_mapping_is_refused(body: object) -> None:
    assert set(problems(body)) == {""}


def test_an_unknown_platform_is_refused() -> None:
    assert "weblogic" in problems({"platform": "weblogik"})["/platform"]


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
    assert "used twice" in problems(body)["/queues/1/name"]


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
