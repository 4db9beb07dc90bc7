"""Flow control: the rates of a limited producer, and the settings that would be nonsense."""

from typing import Any

import pytest

from tests.simulations.platforms.samples import bean, managers, parallel


@pytest.mark.parametrize(("beans", "most"), [(1000, 16), (8, 8), (100, 16)])
def test_without_a_max_constraint_at_most_16_run(beans: int, most: int) -> None:
    """Fact list, example 18."""
    assert parallel(bean(max_beans_in_free_pool=beans)) == (0, most)


@pytest.mark.parametrize(
    ("values", "beans", "expected"),
    [
        ({"max_threads": 50}, 1000, (0, 50)),
        ({"max_threads": 50}, 30, (0, 30)),
        ({"min_threads": 10, "max_threads": 50}, 1000, (10, 50)),
    ],
)
def test_a_max_constraint_lifts_the_limit(values: dict[str, Any], beans: int, expected: tuple[int, int]) -> None:
    """Fact list, example 20."""
    assert parallel(bean(server=managers(**values), work_manager="work", max_beans_in_free_pool=beans)) == expected


@pytest.mark.parametrize(
    ("server", "settings", "most"),
    [
        ({}, {"execute_queue_size": 40}, 40),
        ({"self_tuning": False, "default_thread_pool_size": 15}, {}, 8),
        ({"self_tuning": False, "default_thread_pool_size": 31}, {}, 16),
    ],
)
def test_execute_queues_and_the_pool_of_release_8(server: dict[str, Any], settings: dict[str, Any], most: int) -> None:
    """Fact list, example 21: integer division."""
    assert parallel(bean(server=server, **settings))[1] == most
