"""Calibrations of one person."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from planner import selectors
from planner.errors import NotFound
from planner.models import Calibration, Scenario


def test_calibrations_are_their_owners(owner: User, stranger: User) -> None:
    made = Calibration.objects.create(owner=owner, name="Orders", location="log.csv")
    assert list(selectors.calibrations_list(user=owner)) == [made]
    assert selectors.calibration_get(user=owner, calibration_id=made.pk) == made
    assert not selectors.calibrations_list(user=stranger).exists()
    with pytest.raises(NotFound, match="calibration"):
        selectors.calibration_get(user=stranger, calibration_id=made.pk)


def test_a_list_reads_no_results_and_one_query(owner: User, scenario: Scenario) -> None:
    for base in (scenario.version, None):
        Calibration.objects.create(owner=owner, name="Orders", location="log.csv", base=base, result={"large": 1})
    with CaptureQueriesContext(connection) as queries:
        found = [row.base.scenario.pk if row.base else None for row in selectors.calibrations_list(user=owner)]
    assert found == [None, scenario.pk]
    (query,) = queries.captured_queries
    assert '"planner_calibration"."result"' not in query["sql"]
