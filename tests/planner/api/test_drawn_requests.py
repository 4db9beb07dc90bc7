"""The API keeps what its OpenAPI document says: Schemathesis draws requests to every operation, right ones and wrong.

The same few each time, with NIGHTLY new ones; ``make fuzz`` asks a running installation.
"""

from collections.abc import Callable
from typing import Any

import hypothesis
import pytest
import schemathesis
from django.contrib.auth.models import User
from django.core.wsgi import get_wsgi_application
from django.db import connection, transaction
from hypothesis import strategies as drawn
from schemathesis import GenerationMode
from schemathesis.core.failures import Failure, FailureGroup

from planner import services
from planner.api.auth import ApiThrottle
from planner.api.openapi import METHODS, openapi_document
from planner.models import Scope
from tests.examples import examples

CHECKS = (
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_headers_conformance,
    schemathesis.checks.response_schema_conformance,
    schemathesis.checks.status_code_conformance,
)
"""Those of ``make fuzz`` but one: without a broker 503 is right."""
STREAM = "/api/v1/runs/{run_id}/events"
"""It answers as long as its run goes on."""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_every_operation_answers_as_described(
    owner: User, things: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ApiThrottle, "most", 10**9)
    # A server's request begins with a connection of its own; here all are asked within the test's transaction.
    monkeypatch.setattr(connection, "close", lambda: None)
    described = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())
    token = services.token_create(owner=owner, name="all scopes", scopes=Scope.values)
    headers = {"Authorization": f"Bearer {token.secret}", "Accept-Encoding": "identity"}
    findings: list[str] = []
    statuses: set[int] = set()
    for path, item in openapi_document()["paths"].items():
        for method in sorted(item.keys() & set(METHODS)) if path != STREAM else ():
            try:
                requests(described[path][method.upper()], things, headers, statuses)()
            except (Failure, FailureGroup) as failure:
                findings.append(f"{method.upper()} {path}: {failure}")
    assert not findings, "\n\n".join(findings)
    assert statuses >= {200, 201, 202, 204, 404, 422}


def requests(operation: Any, things: dict[str, str], headers: dict[str, str], statuses: set[int]) -> Callable[[], None]:
    """What asks one operation with drawn requests, three of four about things that there are."""

    @examples(4, nightly=300)
    @hypothesis.given(drawn.data())
    def asked(data: Any) -> None:
        mode = data.draw(drawn.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE]))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        if data.draw(drawn.integers(0, 3)):
            case.path_parameters = {name: things.get(name, value) for name, value in case.path_parameters.items()}
        with transaction.atomic():
            answer = case.call(headers=headers)
            transaction.set_rollback(True)
        statuses.add(answer.status_code)
        case.validate_response(answer, checks=CHECKS)

    return asked
