"""Waiting for other processes, on a machine that may be busy."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


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


def awaited(coroutine: Coroutine[Any, Any, T], *, seconds: float = 30.0) -> T:
    """Return what the coroutine returns, from a new thread: Playwright keeps a loop running in the tests' own.

    Raises TimeoutError after ``seconds``.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(coroutine, seconds)).result()
