"""What the database refuses of calibrations."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from planner.models import Calibration


@pytest.mark.parametrize(
    "change",
    [{"status": "lost"}, {"status": "succeeded"}, {"status": "running", "claim_token": ""}],
    ids=["unknown status", "no verdict", "no claim"],
)
def test_a_status_comes_with_what_it_says(owner: User, change: dict[str, Any]) -> None:
    made = Calibration.objects.create(owner=owner, name="Orders", location="log.csv")
    assert (made.pk[:4], str(made)) == ("cal_", "Orders (queued)")
    with pytest.raises(IntegrityError), transaction.atomic():
        Calibration.objects.update(**change)
    Calibration.objects.update(status="succeeded", validated=False)
    Calibration.objects.update(status="running", claim_token="c")
