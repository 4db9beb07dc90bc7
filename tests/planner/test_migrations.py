"""What migrations do with rows that are there already."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

pytestmark = pytest.mark.django_db(transaction=True)


def step_by_step() -> MigrationExecutor:
    """Migrations as an installation has taken them that is older than their squashed form."""
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    return executor


def named(ending: str) -> tuple[str, str]:
    """The planner's migration with this name, whatever its number."""
    known = step_by_step().loader.disk_migrations
    return next(key for key in known if key[0] == "planner" and key[1].endswith(ending))


@pytest.fixture
def before_sizes() -> Iterator[tuple[str, str]]:
    """The database as it was when the size of a message was a number, and the migration it has come to."""
    executor = step_by_step()
    (before,) = executor.loader.disk_migrations[named("sizes_of_messages")].dependencies
    executor.migrate([before])
    yield before
    last = step_by_step()
    last.migrate(last.loader.graph.leaf_nodes())


def test_sizes_stay_the_numbers_they_were(before_sizes: tuple[str, str]) -> None:
    old = step_by_step().loader.project_state([before_sizes]).apps
    owner = old.get_model("auth", "User").objects.create(username="kim")
    server = old.get_model("planner", "Server").objects.create(owner=owner, name="s", platform="openmq")
    queues = old.get_model("planner", "Queue").objects
    for name, size in (("a", 2500.0), ("b", 0.0)):
        queues.create(owner=owner, server=server, name=name, message_size=size, arrivals={}, service={})
    state = step_by_step().migrate([named("sizes_of_messages")])
    kept = state.apps.get_model("planner", "Queue").objects.order_by("name").values_list("message_size", flat=True)
    assert list(kept) == [2500.0, 0.0]


def test_loads_that_imports_assumed_are_marked() -> None:
    executor = step_by_step()
    (before,) = executor.loader.disk_migrations[named("loads_that_imports_assumed")].dependencies
    executor.migrate([before])
    old = step_by_step().loader.project_state([before]).apps
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
    last = step_by_step()
    state = last.migrate(last.loader.graph.leaf_nodes())
    kept = state.apps.get_model("planner", "Queue").objects.values_list("name", "identity")
    assert dict(kept) == {
        "named": {"name": "q", "arrivals_assumed": True, "service_assumed": True},
        "own": None,
        "entered": {"name": "p", "service_assumed": True},
    }
    (version,) = state.apps.get_model("planner", "ScenarioVersion").objects.all()
    assert version.spec["queues"][0]["identity"] == {"arrivals_assumed": True}


def test_the_squashed_migration_leads_where_its_steps_led() -> None:
    steps, squashed = step_by_step().loader, MigrationLoader(connection)
    (last,) = (key for key in squashed.graph.leaf_nodes() if key[0] == "planner")
    replaced = squashed.disk_migrations[last].replaces
    assert {key for key in squashed.disk_migrations if key[0] == "planner"} == {last, *replaced}
    long, short = steps.project_state(list(replaced)), squashed.project_state([last])
    assert MigrationAutodetector(long, short).changes(squashed.graph) == {}
    assert MigrationAutodetector(short, long).changes(squashed.graph) == {}
