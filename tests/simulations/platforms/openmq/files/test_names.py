"""The variables of Open MQ's scripts: one for each object, empty where nobody knows its name."""

from simulations.platforms.openmq.files.names import Names
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body


def test_objects_of_one_name_have_one_variable_and_unknown_ones_their_own() -> None:
    body = scenario_body("openmq")
    factory = {"parts": [{"role": "factory", "name": "jms/F"}]}
    identities: tuple[dict[str, object] | None, ...] = (
        {"name": "PAY'S", **factory},
        {"kind": "topic", **factory},
        {"parts": []},
        None,
    )
    queues = [{**body["queues"][0], "name": f"q{number}", "identity": item} for number, item in enumerate(identities)]
    queues[1]["kind"] = "topic"
    system = parse({**body, "queues": queues}).system
    names = Names(system)
    assert [names.pool(queue) for queue in system.queues] == ["POOL", "POOL", "POOL2", "POOL3"]
    assert names.values["POOL"] == "jms/F"
    assert [names.destination(queue) for queue in system.queues] == [
        "'q:PAY'\"'\"'S'",
        '"t:$DESTINATION1"',
        '"q:$DESTINATION2"',
        "q:q3",
    ]
    assert names.config(system.servers[0]) == '"configs.config.$(dotted "$CONFIG")"'
    assert names.values["CONFIG"] == ""
