"""How often one caller may ask, counted once for all web processes."""

import time
from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from planner.web.counters import counted

WINDOW = 60
"""Seconds after which counting begins anew."""


class ApiThrottle(BaseThrottle):
    """Enough for a slider that asks twenty times a second, and an end to endless loops."""

    most = 3000
    """Requests of one caller in one window."""

    def __init__(self) -> None:
        self._asked = 0
        self._left = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request and say whether it is within the limit."""
        window, passed = divmod(time.time(), WINDOW)
        self._left = WINDOW - passed
        self._asked = counted(f"asked:{_caller(request)}:{window:.0f}", seconds=2 * WINDOW)
        return self._asked <= self.most

    def wait(self) -> float:
        """Return the seconds until the next window."""
        return self._left

    def headers(self) -> dict[str, str]:
        """Return the limit, what is left of it, and in how many seconds it is whole again."""
        return {
            "RateLimit-Limit": str(self.most),
            "RateLimit-Remaining": str(max(0, self.most - self._asked)),
            "RateLimit-Reset": str(max(1, round(self._left))),
        }


def _caller(request: Request) -> str:
    return f"user-{request.user.pk}" if request.user.is_authenticated else str(request.META.get("REMOTE_ADDR", ""))
