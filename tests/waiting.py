"""Waiting for other processes, on a machine that may be busy."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

PATIENCE = 120.0
"""Seconds until a test gives up waiting for what takes a moment: long enough for a machine that stalls."""
LONG = 4 * PATIENCE
"""Seconds for what takes a minute or two: a whole run, the start of an installation with its engine."""


def wait_until(
    condition: Callable[[], object],
    what: str,
    *,
    seconds: float = PATIENCE,
    meanwhile: Callable[[], None] = lambda: time.sleep(0.05),
) -> None:
    """Wait until the condition holds, calling `meanwhile` between looks; fail saying what did not come true."""
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            pytest.fail(f"not within {seconds:.0f} s: {what}")
        meanwhile()


def awaited(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return what the coroutine returns, from a new thread: Playwright keeps a loop running in the tests' own.

    Raises TimeoutError when it takes longer than PATIENCE.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(coroutine, PATIENCE)).result()
