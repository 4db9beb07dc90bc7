"""Work managers that do not fit together."""

from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from tests.simulations.platforms.samples import bean


@pytest.mark.parametrize(
    "server",
    [
        {"work_managers": [{"name": "a", "fair_share": 5, "response_time_goal": 1.0}]},
        {"work_managers": [{"name": "a", "max_threads": "nobody"}]},
        {"work_managers": [{"name": "a"}, {"name": "a"}]},
        {"thread_pool_minimum": 9, "thread_pool_maximum": 3},
    ],
)
def test_impossible_work_managers_are_refused(server: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        bean(server=server)
