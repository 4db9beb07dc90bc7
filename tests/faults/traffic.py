"""What a program asks of an installation that is being disturbed; every answer is counted."""

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Lock
from typing import Any

import httpx

API = "/api/v1"
READY = f"{API}/health/ready"
VISITED = ("/login/", f"{API}/runs?limit=5", f"{API}/scenarios", READY, f"{API}/health/live")
BETWEEN = 0.2
OVER = ("succeeded", "failed", "cancelled")
NOTHING = "none"
"""Counted where a connection was refused or cut, or no answer came in time."""


class Client:
    """Asks with a token. Nothing is taken for granted: any request may be refused, cut or answered late."""

    def __init__(self, address: str, token: str | None = None) -> None:
        self.counts: Counter[str] = Counter()
        self._lock = Lock()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        limits = httpx.Limits(max_keepalive_connections=0)
        self._http = httpx.Client(base_url=address, headers=headers, limits=limits, timeout=35.0, trust_env=False)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response | None:
        """Return the answer, None where there was none."""
        try:
            response = self._http.request(method, path, **more)
        except httpx.TransportError:
            self._count(NOTHING)
            return None
        self._count(str(response.status_code))
        return response

    def insist(self, method: str, path: str, *, seconds: float, **more: Any) -> dict[str, Any] | None:
        """Ask until the answer is no error of the moment; None where none came in time."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            response = self.ask(method, path, **more)
            if response is not None and response.status_code < 500 and response.status_code != 429:
                body: dict[str, Any] = response.raise_for_status().json()
                return body
            time.sleep(BETWEEN)
        return None

    def parts_ok(self) -> bool:
        """Whether the health page says that all parts answer."""
        response = self.ask("GET", READY, timeout=8.0)
        if response is None or response.status_code != 200:
            return False
        return all(state == "ok" for state in response.json()["parts"].values())

    def submit(self, scenario: str, key: str) -> str:
        """Start a run of a scenario, whatever ran before; return its id. The same key never starts two."""
        path, header = f"{API}/scenarios/{scenario}/runs", {"Idempotency-Key": key}
        run = self.insist("POST", path, seconds=300, json={"force": True}, headers=header)
        if run is None:
            raise TimeoutError("no run could be started within 300 s")
        return str(run["id"])

    def ended(self, run_id: str, *, until: float) -> dict[str, Any]:
        """Return the run once it is over, or as it is then; ``until``: of ``time.monotonic()``."""
        run = {"status": "unknown"}
        while run["status"] not in OVER and time.monotonic() < until:
            run = self.insist("GET", f"{API}/runs/{run_id}?wait=2s", seconds=60) or run
        return run

    @contextmanager
    def visits(self) -> Iterator[None]:
        """Ask for pages and lists all the time, until the block ends."""
        over = Event()
        with ThreadPoolExecutor(1) as thread:
            asking = thread.submit(self._visit_until, over)
            try:
                yield
            finally:
                over.set()
        asking.result()

    def taken_counts(self) -> dict[str, int]:
        """Return how often each status was answered since the last call."""
        with self._lock:
            taken, self.counts = dict(self.counts), Counter()
        return taken

    def _visit_until(self, over: Event) -> None:
        turn = 0
        while not over.wait(BETWEEN):
            self.ask("GET", VISITED[turn % len(VISITED)], timeout=10.0)
            turn += 1

    def _count(self, status: str) -> None:
        with self._lock:
            self.counts[status] += 1
