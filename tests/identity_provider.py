"""A provider of OpenID Connect for tests: `oidc-provider-mock`, built on Authlib, a process of its own."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from planner.runtime.processes import Service
from simulations.pipeline.spark.server import free_port, is_listening
from tests.services import running


@contextmanager
def provider(folder: Path) -> Iterator[str]:
    """Run it with its log in ``folder``, and give its issuer."""
    port = free_port()
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    with running(Service("provider", command, dict(os.environ), lambda: is_listening(port)), folder):
        yield f"http://localhost:{port}"


def known(issuer: str, sub: str, **claims: object) -> None:
    """Make the provider know somebody."""
    httpx.put(f"{issuer}/users/{sub}", json=claims).raise_for_status()
