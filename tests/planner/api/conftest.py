"""Clients of the API: a token's owner, somebody logged in, a stranger, nobody."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from planner import services
from planner.jobs.execute import run_finish, run_points_save
from planner.models import Run
from tests.claims import taken
from tests.planner.conftest import summary_of

TokenClient = Callable[..., APIClient]


@pytest.fixture
def token_client() -> TokenClient:
    """Make a client with a token of the given scopes."""

    def made(user: User, *scopes: str) -> APIClient:
        issued = services.token_create(owner=user, name="test", scopes=scopes)
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {issued.secret}")
        return client

    return made


@pytest.fixture
def client(owner: User, token_client: TokenClient) -> APIClient:
    """The owner with every scope."""
    return token_client(owner, "read", "write", "run", "export", "admin")


@pytest.fixture
def other(stranger: User, token_client: TokenClient) -> APIClient:
    """Somebody else with every scope."""
    return token_client(stranger, "read", "write", "run", "export", "admin")


@pytest.fixture
def nobody() -> APIClient:
    """Without a token."""
    return APIClient()


@pytest.fixture
def finished(run: Run) -> Run:
    """A run that succeeded with two points."""
    claimed = taken(run)
    run_points_save(run=claimed, summaries=[summary_of(0), summary_of(1, 0.3)], partial=False)
    run_finish(run=claimed, timings={"total": 1.0})
    run.refresh_from_db()
    return run
