"""Waiting for other processes, on a machine that may be busy."""

import time
from collections.abc import Callable

import pytest


def wait_until(
    condition: Callable[[], object],
    what: str,
    *,
    seconds: float = 60.0,
    meanwhile: Callable[[], None] = lambda: time.sleep(0.05),
) -> None:
    """Wait until the condition holds, calling `meanwhile` between looks; fail saying what did not come true."""
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            pytest.fail(f"not within {seconds:.0f} s: {what}")
        meanwhile()
