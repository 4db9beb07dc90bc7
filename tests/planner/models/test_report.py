"""The hashes that hold a report and its sign-off together."""

import hashlib
from datetime import UTC, datetime

import pytest

from planner.models import Report
from planner.models.report import file_digest, payload_digest, secret_digest, step_digest

AT = datetime(2026, 1, 2, tzinfo=UTC)
REPORT = Report(payload_hash="p")


def test_a_payload_is_hashed_by_what_it_says_and_not_by_the_order_of_its_keys() -> None:
    assert payload_digest({"a": 1, "b": [2]}) == payload_digest({"b": [2], "a": 1})
    assert payload_digest({"a": 1, "b": [2]}) != payload_digest({"a": 1, "b": [3]})


def test_files_and_secrets_are_hashed_as_they_are() -> None:
    assert file_digest(b"abc") == secret_digest("abc") == hashlib.sha256(b"abc").hexdigest()


@pytest.mark.parametrize(
    "other",
    [
        step_digest(Report(payload_hash="q"), "d", "signed", 1, "yes", AT),
        step_digest(REPORT, "e", "signed", 1, "yes", AT),
        step_digest(REPORT, "d", "reviewed", 1, "yes", AT),
        step_digest(REPORT, "d", "signed", 2, "yes", AT),
        step_digest(REPORT, "d", "signed", 1, "no", AT),
        step_digest(REPORT, "d", "signed", 1, "yes", AT.replace(day=3)),
    ],
    ids=["payload", "step before", "state", "actor", "comment", "time"],
)
def test_every_part_of_a_step_is_in_its_digest(other: str) -> None:
    assert step_digest(REPORT, "d", "signed", 1, "yes", AT) == step_digest(REPORT, "d", "signed", 1, "yes", AT) != other
