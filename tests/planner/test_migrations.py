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


def test_loads_that_imports_assumed_are_marked() -> None:
    executor = MigrationExecutor(connection)
    (before,) = executor.loader.disk_migrations[named("loads_that_imports_assumed")].dependencies
    executor.migrate([before])
    old = MigrationExecutor(connection).loader.project_state([before]).apps
    owner = old.get_model("auth", "User").objects.create(username="kim")
    server = old.get_model("planner", "Server").objects.create(owner=owner, name="s", platform="openmq")
    rate, mean = {"kind": "poisson", "rate": 10.0}, {"cpu": 0.0, "kind": "exponential", "mean": 0.1}
    queues = old.get_model("planner", "Queue").objects
    loads = {"named": {"name": "q"}, "own": None, "entered": {"name": "p"}}
    for name, identity in loads.items():
        arrivals = {**rate, "rate": 81.0} if name == "entered" else rate
        queues.create(owner=owner, server=server, name=name, arrivals=arrivals, service=mean, identity=identity)
    spec = {"queues": [{"arrivals": rate, "service": {**mean, "mean": 0.2}, "identity": {}}]}
    scenario = old.get_model("planner", "Scenario").objects.create(owner=owner, name="s", platform="openmq")
    versions = old.get_model("planner", "ScenarioVersion").objects
    versions.create(scenario=scenario, number=1, spec=spec, content_hash="", author=owner)
    last = MigrationExecutor(connection)
    state = last.migrate(last.loader.graph.leaf_nodes())
    kept = state.apps.get_model("planner", "Queue").objects.values_list("name", "identity")
    assert dict(kept) == {
        "named": {"name": "q", "arrivals_assumed": True, "service_assumed": True},
        "own": None,
        "entered": {"name": "p", "service_assumed": True},
    }
    (version,) = state.apps.get_model("planner", "ScenarioVersion").objects.all()
    assert version.spec["queues"][0]["identity"] == {"arrivals_assumed": True}
