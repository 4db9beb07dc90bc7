"""How numbers are written in sentences."""

import pytest

from simulations.declarations.system import Queue, System
from simulations.platforms.shared.queues import number, offered_rate
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (81.0, "81"),
        (0.2634, "0.2634"),
        (4.2, "4.2"),
        (1 / 3, "0.3333"),
        (99.996, "100"),
        (1000.4, "1000"),
        (9999.9, "10000"),
        (17_170.4, "17170"),
        (-1500.2, "-1500"),
        (1e9 + 0.5, "1000000000"),
        (1e-5, "0.00001"),
        (100.0, "100"),
        (2e14, "200000000000000"),
    ],
)
def test_numbers_keep_their_size(value: float, text: str) -> None:
    assert number(value) == text


def rate_behind(sends: float, most: float | None, arrivals: str = "none") -> float | None:
    """Return the rate of queue b, to which a sends ``sends`` messages for each of its 10/s; a carries ``most``."""
    body = scenario_body("websphere-zos") | {"run": {"horizon": {"messages": 1000}}}
    first = {**body["queues"][0], "name": "a", "arrivals": {"kind": "poisson", "rate": 10}}
    own = {"kind": arrivals} | ({} if arrivals == "none" else {"rate": 3})
    last = {**first, "name": "b", "arrivals": own}
    body["queues"] = [{**first, "sends": [{"name": "b", "messages": sends}]}, last]

    def carried(_: System, queue: Queue) -> float | None:
        return most if queue.name == "a" else None

    system = parse(body).system
    return offered_rate(system, system.queues[1], carried)


def test_the_rate_behind_a_chain_is_known_where_its_senders_carry_theirs() -> None:
    assert rate_behind(0.5, 11.0) == 5.0
    assert rate_behind(2.0, 11.0, "constant") == 23.0
    assert rate_behind(0.5, 10.0) is None
    assert rate_behind(0.5, None) is None
