"""What migrations do with rows that are there already."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def before_sizes() -> Iterator[MigrationExecutor]:
    """The database as it was when the size of a message was a number."""
    MigrationExecutor(connection).migrate([("planner", "0007_sealed_reports")])
    yield MigrationExecutor(connection)
    last = MigrationExecutor(connection)
    last.migrate(last.loader.graph.leaf_nodes())


def test_sizes_stay_the_numbers_they_were(before_sizes: MigrationExecutor) -> None:
    old = before_sizes.loader.project_state([("planner", "0007_sealed_reports")]).apps
    owner = old.get_model("auth", "User").objects.create(username="kim")
    server = old.get_model("planner", "Server").objects.create(owner=owner, name="s", platform="openmq")
    queues = old.get_model("planner", "Queue").objects
    for name, size in (("a", 2500.0), ("b", 0.0)):
        queues.create(owner=owner, server=server, name=name, message_size=size, arrivals={}, service={})
    state = MigrationExecutor(connection).migrate([("planner", "0008_sizes_of_messages")])
    kept = state.apps.get_model("planner", "Queue").objects.order_by("name").values_list("message_size", flat=True)
    assert list(kept) == [2500.0, 0.0]
