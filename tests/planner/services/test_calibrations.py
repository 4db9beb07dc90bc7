"""Drafts of calibrations: what is kept of an upload, and what is refused before anything is stored."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import override_settings

from planner import selectors, services
from planner.errors import Conflict, NotFound
from planner.jobs.calibrate import calibration_folder
from planner.models import Calibration, Scenario
from planner.settings.environment import Environment
from simulations.declarations.problems import InvalidInput


@pytest.fixture(autouse=True)
def _small_uploads(settings: Any, tmp_path: Any) -> Any:
    values = {**settings.ENVIRONMENT.model_dump(), "max_upload_bytes": 10**6, "state_dir": tmp_path}
    with override_settings(ENVIRONMENT=Environment.model_validate(values)):
        yield


def test_an_upload_is_kept_until_it_is_discarded(owner: User) -> None:
    draft = services.calibration_draft(owner=owner, location="log.csv", content=[b"a,b\n", b"1,2\n"])
    folder = calibration_folder(calibration=draft)
    assert [file.read_bytes() for file in folder.iterdir()] == [b"a,b\n1,2\n"]
    assert (draft.name, draft.uploaded) == ("Calibrated from log", True)
    assert not Calibration.objects.exists()
    services.calibration_discard(draft=draft)
    assert not folder.exists()


def test_a_stored_calibration_keeps_its_upload(owner: User) -> None:
    draft = services.calibration_draft(owner=owner, location="log.csv", content=[b"a\n"])
    services.calibration_store(draft=draft)
    services.calibration_discard(draft=draft)
    assert calibration_folder(calibration=draft).exists()
    assert selectors.calibration_get(user=owner, calibration_id=draft.pk) == draft
    assert list(selectors.calibrations_list(user=owner)) == [draft]


def test_calibrations_are_their_owners(owner: User, stranger: User) -> None:
    draft = services.calibration_draft(owner=owner, location="log.csv", content=[b"a\n"])
    services.calibration_store(draft=draft)
    assert not selectors.calibrations_list(user=stranger).exists()
    with pytest.raises(NotFound):
        selectors.calibration_get(user=stranger, calibration_id=draft.pk)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"location": "log.csv", "content": [b"x" * 600_000] * 2}, "more than 1,000,000 bytes"),
        ({"location": "log.exe", "content": [b"x"]}, "."),
        ({"location": "log.csv", "content": [b"x"], "name": "two\nlines"}, "."),
    ],
    ids=["too large", "unknown format", "name"],
)
def test_what_is_refused_leaves_nothing(owner: User, given: dict[str, Any], message: str, tmp_path: Any) -> None:
    with pytest.raises(InvalidInput, match=message):
        services.calibration_draft(owner=owner, **given)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and "cal_" in str(path)]


def test_a_scenario_is_made_once_and_only_of_a_result(owner: User, scenario: Scenario) -> None:
    draft = services.calibration_draft(owner=owner, location="log.csv", content=[b"a\n"])
    made = services.calibration_store(draft=draft)
    with pytest.raises(Conflict, match="no result yet"):
        services.calibration_scenario(calibration=made, actor=owner)
    result = {"scenario": scenario.version.spec, "assumed": ["One server."]}
    Calibration.objects.update(result=result, validated=False)
    first = services.calibration_scenario(calibration=made, actor=owner)
    assert (first.tags, first.version.note) == (
        ["calibrated"],
        "calibrated from log.csv, not validated; assumed: One server.",
    )
    assert services.calibration_scenario(calibration=made, actor=owner) == first
