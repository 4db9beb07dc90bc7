"""Settings of a server on z/OS that do not fit together."""

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body


def test_fewer_servants_at_most_than_at_least_are_refused() -> None:
    body = scenario_body("websphere-zos", server={"min_servants": 3, "max_servants": 2})
    with pytest.raises(InvalidInput, match="below min_servants"):
        parse(body)
