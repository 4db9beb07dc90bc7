"""What migrations do with rows that are there already."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

pytestmark = pytest.mark.django_db(transaction=True)


def named(ending: str) -> tuple[str, str]:
    """The planner's migration with this name, whatever its number."""
    known = MigrationExecutor(connection).loader.disk_migrations
    return next(key for key in known if key[0] == "planner" and key[1].endswith(ending))


@pytest.fixture
def before_sizes() -> Iterator[tuple[str, str]]:
    """The database as it was when the size of a message was a number, and the migration it has come to."""
    executor = MigrationExecutor(connection)
    (before,) = executor.loader.disk_migrations[named("sizes_of_messages")].dependencies
    executor.migrate([before])
    yield before
    last = MigrationExecutor(connection)
    last.migrate(last.loader.graph.leaf_nodes())


def test_sizes_stay_the_numbers_they_were(before_sizes: tuple[str, str]) -> None:
    old = MigrationExecutor(connection).loader.project_state([before_sizes]).apps
    owner = old.get_model("auth", "User").objects.create(username="kim")
    server = old.get_model("planner", "Server").objects.create(owner=owner, name="s", platform="openmq")
    queues = old.get_model("planner", "Queue").objects
    for name, size in (("a", 2500.0), ("b", 0.0)):
        queues.create(owner=owner, server=server, name=name, message_size=size, arrivals={}, service={})
    state = MigrationExecutor(connection).migrate([named("sizes_of_messages")])
    kept = state.apps.get_model("planner", "Queue").objects.order_by("name").values_list("message_size", flat=True)
    assert list(kept) == [2500.0, 0.0]
