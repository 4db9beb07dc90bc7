"""Settings of a listener port that do not fit together."""

from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import scenario_body


def port(*, kind: str = "queue", server: dict[str, Any] | None = None, **settings: Any) -> ScenarioSpec:
    return parse(scenario_body("websphere", server=server, queue=settings, kind=kind))


def test_non_asf_mode_needs_a_receive_timeout() -> None:
    with pytest.raises(InvalidInput, match="receive_timeout above 0"):
        port(mode="non_asf")
