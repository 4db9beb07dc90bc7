"""Formula answers of WebSphere for z/OS."""

from simulations.platforms.websphere_zos import WEBSPHERE_ZOS
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import formula_value, scenario_body


def test_hung_threads_and_the_time_without_a_servant() -> None:
    server = {"stalled_thread_threshold": 25.0, "timeout_delay": 15.0, "service_classes": 2, "max_servants": 3}
    derivation = WEBSPHERE_ZOS.derive(parse(scenario_body("websphere-zos", server=server)).system)
    assert formula_value(derivation, "stalled_threads") == 7, "a quarter of 30, rounded down"
    assert formula_value(derivation, "servant_outage") == 75
    assert formula_value(derivation, "servants_per_class") == 1.5
