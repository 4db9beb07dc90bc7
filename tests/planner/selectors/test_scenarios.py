"""Which scenarios are listed, and what differs between versions."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from planner import selectors, services
from planner.errors import NotFound
from planner.models import Scenario
from simulations.scenario.spec import parse


def test_only_what_differs_is_told(owner: User, scenario: Scenario) -> None:
    body = {**scenario.version.spec, "name": "Second", "sweep": []}
    first = scenario.version
    second = services.scenario_replace(scenario=scenario, author=owner, spec=parse(body)).version
    different = {item.path: (item.before, item.after) for item in selectors.versions_diff(before=first, after=second)}
    assert different["name"] == ("Surge backlog", "Second")
    assert {path.split(".")[0] for path in different} == {"name", "sweep"}
    assert selectors.versions_diff(before=second, after=second) == ()


def test_a_version_is_the_one_of_its_number_or_the_present_one(owner: User, scenario: Scenario) -> None:
    first = scenario.version
    changed = services.scenario_replace(scenario=scenario, author=owner, spec=parse({**first.spec, "name": "Second"}))
    assert selectors.version_get(scenario=changed, number=None).number == 2
    assert selectors.version_get(scenario=changed, number=1) == first
    with pytest.raises(NotFound, match="version '3'"):
        selectors.version_get(scenario=changed, number=3)


WITHIN: list[dict[str, Any]] = [
    {},
    {"archived": None},
    {"platform": "websphere-zos"},
    {"search": "BACKLOG"},
    {"tag": "größe"},
    {"verdict": ""},
    {"shipped": False},
]
BEYOND: list[dict[str, Any]] = [
    {"archived": True},
    {"platform": "openmq"},
    {"search": "backlogs"},
    {"tag": "größ"},
    {"verdict": "met"},
    {"shipped": True},
    {"awaiting": True},
]


@pytest.mark.parametrize(
    ("narrowed", "count"), [*((item, 1) for item in WITHIN), *((item, 0) for item in BEYOND)], ids=str
)
def test_a_list_is_narrowed(owner: User, scenario: Scenario, narrowed: dict[str, Any], count: int) -> None:
    services.scenario_tag(scenario=scenario, actor=owner, tags=["größe"])
    assert selectors.scenarios_list(user=owner, **narrowed).count() == count


def test_scenarios_of_one_group_follow_each_other(owner: User, body: dict[str, Any]) -> None:
    for name, tags in (("a", ["x"]), ("b", ["y"]), ("c", ["x"])):
        services.scenario_store(owner=owner, spec=parse({**body, "name": name}), tags=tags)
    grouped = selectors.scenarios_grouped(selectors.scenarios_list(user=owner), "tags")
    assert [scenario.name for scenario in grouped] == ["c", "a", "b"]


def test_a_baseline_of_its_own_comes_before_those_of_name_and_tags(owner: User, body: dict[str, Any]) -> None:
    mine = services.scenario_store(owner=owner, spec=parse({**body, "name": "Mine"}), tags=["shop"])
    other = services.scenario_store(owner=owner, spec=parse({**body, "name": "Other"}), tags=["shop"])
    assert selectors.baseline_of(user=owner, scenario=mine) is None
    shared = services.baseline_pin(owner=owner, version=other.version, application="shop")
    assert selectors.baseline_of(user=owner, scenario=mine) == shared
    own = services.baseline_pin(owner=owner, version=mine.version)
    assert selectors.baseline_of(user=owner, scenario=mine) == own
    pinned = selectors.pinned_versions(user=owner, version_ids=[mine.version.pk, "ver_other"])
    assert pinned == {mine.version.pk}


def test_views_are_their_owners_and_deleted_ones_are_not_listed(owner: User, stranger: User) -> None:
    view = services.view_create(owner=owner, name="Mine", query="platform=openmq")
    assert list(selectors.views_list(user=owner)) == [view]
    services.row_archive(row=view)
    assert not selectors.views_list(user=owner).exists()
    assert selectors.view_get(user=owner, view_id=view.pk) == view
    with pytest.raises(NotFound):
        selectors.view_get(user=stranger, view_id=view.pk)
