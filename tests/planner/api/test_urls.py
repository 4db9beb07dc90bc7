"""Addresses of the API: plural collections, endings that name a form, and both spellings of the same answer."""

import pytest
from django.urls import resolve, reverse


@pytest.mark.parametrize(
    ("name", "arguments", "address"),
    [
        ("runs", (), "runs"),
        ("run", ("run_1",), "runs/run_1"),
        ("run-cancel", ("run_1",), "runs/run_1/cancel"),
        ("results-csv", ("run_1",), "runs/run_1/results.csv"),
        ("results-json", ("run_1",), "runs/run_1/results.json"),
        ("results-table", ("run_1", "values"), "runs/run_1/tables/values.parquet"),
        ("report-pdf", ("rep_1",), "reports/rep_1.pdf"),
        ("report-json", ("rep_1",), "reports/rep_1.json"),
        ("scenario-version", ("scn_1", 7), "scenarios/scn_1/versions/7"),
        ("service-token", ("svc_1", "tok_1"), "service-accounts/svc_1/tokens/tok_1"),
        ("health-ready", (), "health/ready"),
    ],
)
def test_addresses_have_names(name: str, arguments: tuple[object, ...], address: str) -> None:
    assert reverse(f"api:{name}", args=arguments) == f"/api/v1/{address}"
    assert resolve(f"/api/v1/{address}").view_name == f"api:{name}"


@pytest.mark.parametrize("address", ["scenarios/scn_1/versions/seven", "runs/", "nothing", "reports/rep_1.exe/x"])
def test_what_is_no_address_is_answered_as_unknown(address: str) -> None:
    assert resolve(f"/api/v1/{address}").view_name == "api:unknown"
