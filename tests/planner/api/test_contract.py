"""The API keeps what its OpenAPI document says: Schemathesis draws requests to every operation, right ones and wrong.

A few, the same each time. At length: ``CONTRACT_EXAMPLES=300 pytest tests/planner/api/test_contract.py``, which draws
new ones at each run; ``CONTRACT_ONLY=part-of-an-address`` asks some operations alone.
"""

import os
from collections.abc import Callable
from typing import Any

import hypothesis
import pytest
from django.core.wsgi import get_wsgi_application
from django.db import transaction
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as drawn
from rest_framework.test import APIClient

from planner.api.auth import ApiThrottle
from planner.api.openapi import METHODS, openapi_document

schemathesis = pytest.importorskip("schemathesis")
configured = pytest.importorskip("schemathesis.config").SchemathesisConfig.from_dict
failures = pytest.importorskip("schemathesis.core.failures")

EXAMPLES = int(os.environ.get("CONTRACT_EXAMPLES", "0"))
"""Of each operation; 0 draws the same few each time."""
ONLY = os.environ.get("CONTRACT_ONLY", "")
FEW = 4
CHECKS = {
    # A body may have the right form and name what is not there, or be about what has changed since.
    "positive_data_acceptance": {"expected-statuses": ["2xx", 304, 401, 403, 404, 409, 412, 413, 422, 429, 503]},
    "not_a_server_error": {"expected-statuses": ["2xx", "3xx", "4xx", 503]},
}
"""503: no broker runs beside the tests."""
STREAM = "/api/v1/runs/{run_id}/events"
"""It answers as long as its run goes on."""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_every_operation_answers_as_described(
    client: APIClient, things: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ApiThrottle, "most", 10**9)
    config = configured({"checks": CHECKS})
    described = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application(), config=config)
    secret = client._credentials["HTTP_AUTHORIZATION"]  # type: ignore[attr-defined]
    headers = {"Authorization": secret, "Accept-Encoding": "identity"}
    findings = []
    for path, item in openapi_document()["paths"].items():
        for method in sorted(item.keys() & set(METHODS)) if path != STREAM and ONLY in path else ():
            try:
                requests(described[path][method.upper()], things, headers)()
            except (failures.Failure, failures.FailureGroup) as failure:
                findings.append(f"{method.upper()} {path}: {failure}")
    assert not findings, "\n\n".join(findings)


def requests(operation: Any, things: dict[str, str], headers: dict[str, str]) -> Callable[[], None]:
    """What asks one operation with drawn requests, three of four about things that there are."""

    @hypothesis.settings(
        max_examples=EXAMPLES or FEW,
        derandomize=not EXAMPLES,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(drawn.data())
    def asked(data: Any) -> None:
        mode = data.draw(drawn.sampled_from(list(schemathesis.GenerationMode)))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        if data.draw(drawn.integers(0, 3)):
            case.path_parameters = {name: things.get(name, value) for name, value in case.path_parameters.items()}
        with transaction.atomic():
            case.call_and_validate(headers=headers)
            transaction.set_rollback(True)

    return asked
