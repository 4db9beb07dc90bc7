"""Formula answers of WebSphere."""

import pytest

from simulations.platforms.websphere import WEBSPHERE
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import formula_value, port, scenario_body


@pytest.mark.parametrize(("sessions", "talks", "links"), [(9, 10, 1), (10, 11, 2), (25, 26, 3), (50, 51, 6)])
def test_conversations_and_connections_in_asf_mode(sessions: int, talks: int, links: int) -> None:
    """Fact list, example 16."""
    derivation = WEBSPHERE.derive(port(maximum_sessions=sessions).system)
    assert formula_value(derivation, "conversations") == talks
    assert formula_value(derivation, "connections") == links
    assert formula_value(derivation, "threads_held") == 0


def test_sessions_beyond_the_listener_pool_have_no_thread() -> None:
    """Fact list, example 17."""
    body = scenario_body("websphere", server={"listener_pool_maximum": 15})
    first = body["queues"][0]
    body["queues"] = [
        {**first, "name": f"q{index}", "settings": {"maximum_sessions": sessions}}
        for index, sessions in enumerate((5, 5, 10))
    ]
    derivation = WEBSPHERE.derive(parse(body).system)
    assert formula_value(derivation, "sessions_total") == 20
    assert formula_value(derivation, "pool_shortage") == 5
    finding = next(item for item in derivation.findings if item.rule == "websphere.pool-covers-sessions")
    assert finding.fix == {"servers.payments.settings.listener_pool_maximum": 20}


def test_recovery_gives_the_outage_that_a_port_survives() -> None:
    assert formula_value(WEBSPHERE.derive(port().system), "recovery_time") == 300
