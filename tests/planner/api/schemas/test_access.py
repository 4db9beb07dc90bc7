"""When a token ends, in one calendar."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from planner.api.schemas.access import TokenIn


def test_times_of_all_zones_are_kept_in_utc() -> None:
    body = TokenIn.model_validate({"name": "ci", "scopes": ["read"], "expires_at": "2030-01-01T01:30:00+02:00"})
    assert body.expires_at == datetime(2029, 12, 31, 23, 30, tzinfo=UTC)
    assert body.expires_at is not None
    assert body.expires_at.tzinfo is UTC


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_that_utc_cannot_say_is_refused(moment: str) -> None:
    with pytest.raises(ValidationError, match="outside the years 1 to 9999"):
        TokenIn.model_validate({"name": "ci", "scopes": ["read"], "expires_at": moment})
