"""The JSON of a report keeps to the schema that is published with it."""

import jsonschema
import pytest
from pydantic import ValidationError

from planner.models import Report
from planner.reports.capsule import report_json
from planner.reports.schema import ReportJson, report_schema


def test_a_report_keeps_to_the_schema(report: Report) -> None:
    body = report_json(report)
    jsonschema.validate(body, report_schema())
    assert ReportJson.model_validate(body).id == report.pk


def test_what_the_schema_does_not_know_is_refused(report: Report) -> None:
    body = report_json(report)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**body, "extra": 1}, report_schema())
    with pytest.raises(ValidationError, match="payload_hash"):
        ReportJson.model_validate({name: value for name, value in body.items() if name != "payload_hash"})
