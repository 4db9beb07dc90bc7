"""Destinations that are written as commands, and the output of a query, read back."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.platforms import PLATFORMS
from simulations.platforms.openmq.files.configuration import Names
from simulations.scenario.spec import parse
from tests.examples import examples
from tests.simulations.platforms.openmq.files.test_scripts import FILLED, machine
from tests.simulations.platforms.samples import scenario_body

MANY = examples(100, nightly=1_000)


@pytest.mark.slow
def test_generated_destinations_come_back_from_commands(tmp_path: Path) -> None:
    family = PLATFORMS["openmq"]

    @examples(10, nightly=1_000)
    @given(limit=st.integers(1, 10**6), messages=st.integers(1, 10**6), producers=st.integers(1, 10**4))
    def check(limit: int, messages: int, producers: int) -> None:
        chosen = {
            "queues.orders.settings.destination_consumer_flow_limit": limit,
            "queues.orders.settings.max_num_msgs": messages,
            "queues.orders.settings.max_num_producers": producers,
        }
        scripts = family.write(parse(scenario_body("openmq")).system, chosen, "cafe")
        text, host = next(item for item in scripts if item.format == "imqcmd").apply, machine(tmp_path)
        assert host.run(text, {**FILLED, "APPLY": "1"})[0] == 0
        found = parse(family.read({"f.sh": host.commands.encode()}).scenario).queues[0].settings.model_dump()
        assert [found[path.rsplit(".", 1)[1]] for path in chosen] == list(chosen.values())

    check()


@pytest.mark.slow
def test_generated_destinations_come_back_from_the_output_of_a_query() -> None:
    bounds = st.none() | st.integers(1, 10**6)

    @MANY
    @given(
        rows=st.lists(
            st.tuples(st.sampled_from(["Queue", "Topic"]), bounds, st.integers(1, 999)), min_size=1, max_size=4
        )
    )
    def check(rows: list[tuple[str, int | None, int]]) -> None:
        text = "".join(
            f"Destination Name          d{i}\nDestination Type          {kind}\n"
            f"Max Number of Messages    {'unlimited (-1)' if most is None else most}\n"
            f"Max Number of Producers   {producers}\n\n"
            for i, (kind, most, producers) in enumerate(rows)
        )
        spec = parse(PLATFORMS["openmq"].read({"query.txt": text.encode()}).scenario)
        found = [(queue.kind, queue.settings.model_dump()) for queue in spec.queues]
        assert [(kind, item["max_num_msgs"], item["max_num_producers"]) for kind, item in found] == [
            (kind.lower(), most or -1, producers) for kind, most, producers in rows
        ]

    check()


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
