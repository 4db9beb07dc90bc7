"""People at live panels, each moving a slider every second: how long until the newest answer, and does memory grow.

Run it with `python -m benchmarks.panels [--people 30] [--minutes 1] [--every 1.0] [--processes 2]`. It starts the whole
product in a new folder, as `make up` does. A person asks as the page does: a glance at each change, one at a time, so
that of the changes that come meanwhile only the newest is asked for, and the formulas beside it where the last glance
took more than 150 ms and they did not; the whole answer after a rest of 250 ms, or of twice the time that the glance
took, up to 1 s, given up at the next change. The time is that from a change to its glance, for the changes that were
asked for. Memory is that of the web processes, after the first fifth of the time and at its end. The program ends with
1 where the 95th percentile is above the bar and nothing else keeps the machine busy: the load before it began is
printed, and must be below 1. The messages over time are not drawn in a glance: at 1440 x 900 they lie below the slider.
"""

import argparse
import asyncio
import logging
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil
from dotenv import dotenv_values

from planner.settings.environment import services_file
from simulations.pipeline.spark.server import free_port
from tests.services import launched, wait_until_served

BAR = 1.0
"""Seconds to the newest answer (95th percentile)."""
SLOW, REST, LONGEST_REST = 0.15, 0.25, 1.0
"""Seconds, as in workbench.js: a glance that makes the page ask the formulas too, and how long a value stays before the
page asks for the whole answer."""
PRESET = "surge-backlog"
FIELD = "queues.0.settings.maximum_sessions"
BACKEND = "django.contrib.auth.backends.ModelBackend"
CSRF = "c" * 32


@dataclass
class Seen:
    """What all people saw together; seconds."""

    glances: list[float] = field(default_factory=list)
    wholes: list[float] = field(default_factory=list)
    changes: int = 0
    given_up: int = 0
    refused: dict[int, int] = field(default_factory=dict)


@contextmanager
def stack(folder: Path, processes: int) -> Iterator[tuple[str, psutil.Process]]:
    """Run the product; yield its address and its supervisor."""
    port, output = free_port(), folder / "said.txt"
    process, watchdog = launched("up", port, output=output, STATE_DIR=str(folder), WEB_PROCESSES=str(processes))
    try:
        wait_until_served(process, output)
        yield f"http://localhost:{port}", psutil.Process(process.pid)
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)
        process.wait(60)
        watchdog.close()


def seated(folder: Path, people: int) -> list[tuple[str, str]]:
    """Make people with a scenario each; return the session and the address of each one's live panel."""
    os.environ |= {name: value or "" for name, value in dotenv_values(services_file(folder)).items()}
    os.environ |= {"STATE_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "planner.settings.django"}
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.test import Client

    from planner import services
    from planner.presets.files import presets
    from simulations.experiment import with_overrides

    spec = next(preset.spec for preset in presets() if preset.key == PRESET)
    found = []
    for number in range(people):
        user, client = User.objects.create_user(f"person-{number}"), Client()
        client.force_login(user, backend=BACKEND)
        # Slightly other arrivals for each: nobody gains by what was kept for another.
        mine = with_overrides(spec, {"arrivals": 1 + number / 1000})
        scenario = services.scenario_store(owner=user, spec=mine)
        found.append((client.cookies["sessionid"].value, f"/scenarios/{scenario.pk}/answer/"))
    return found


async def person(client: httpx.AsyncClient, session: str, address: str, every: float, until: float, seen: Seen) -> None:
    """Move the slider until the time is over."""
    headers = {"Accept": "application/json", "Cookie": f"sessionid={session}; csrftoken={CSRF}", "X-CSRFToken": CSRF}
    moved = time.perf_counter() + random.uniform(0, every)
    sequence, page = 0, str(random.randrange(1, 10**9))

    async def ask(part: str) -> None:
        sent = {"part": part, "sequence": str(sequence), "page": page, "version": "1", FIELD: str(36 + sequence % 100)}
        sent |= {"unseen": "throttle"} if part == "glance" else {}
        answer = await client.post(address, data=sent, headers=headers)
        if answer.status_code != 200:
            seen.refused[answer.status_code] = seen.refused.get(answer.status_code, 0) + 1

    took, quicker = SLOW, True

    async def formulas() -> bool:
        began = time.perf_counter()
        await ask("formula")
        return time.perf_counter() - began <= SLOW

    while moved < until:
        await asyncio.sleep(moved - time.perf_counter())
        sequence += 1
        sent = time.perf_counter()
        beside = asyncio.create_task(formulas()) if took > SLOW and quicker else None
        await ask("glance")
        took = time.perf_counter() - sent
        quicker |= took <= SLOW
        seen.glances.append(time.perf_counter() - moved)
        late = max(0, int((time.perf_counter() - moved) / every))  # changes that the answer was awaited over
        moved += every * max(1, late)
        seen.changes += max(1, late)
        rest = min(max(REST, 2 * took), LONGEST_REST)
        began = time.perf_counter() + rest
        try:
            async with asyncio.timeout(max(0.0, moved - time.perf_counter())):
                await asyncio.sleep(rest)
                await ask("simulated")
                seen.wholes.append(time.perf_counter() - began)
        except TimeoutError:
            seen.given_up += 1
        if beside:
            quicker = await beside


def web_bytes(supervisor: psutil.Process) -> int:
    """Return the memory of the web processes that nobody shares."""
    family = [item for item in supervisor.children(recursive=True) if item.status() != psutil.STATUS_ZOMBIE]
    web = [process for process in family if "planner.web.asgi:application" in process.cmdline()]
    return sum(child.memory_full_info().uss for one in web for child in {one, *one.children(recursive=True)})


async def session(address: str, seats: list[tuple[str, str]], every: float, minutes: float) -> Seen:
    """Let everybody work at once; return what they saw."""
    seen, until = Seen(), time.perf_counter() + 60 * minutes
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
        await asyncio.gather(*(person(client, *seat, every, until, seen) for seat in seats))
    return seen


def told(title: str, seconds: list[float]) -> float:
    """Print median and 95th percentile; return the latter."""
    high = statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 1 else float("nan")
    middle = statistics.median(seconds) if seconds else float("nan")
    print(f"{title:32} {len(seconds):6} answers, median {middle:6.2f} s, 95 % {high:6.2f} s", flush=True)
    return high


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--people", type=int, default=30)
    options.add_argument("--minutes", type=float, default=1.0)
    options.add_argument("--every", type=float, default=1.0)
    options.add_argument("--processes", type=int, default=2)
    asked = options.parse_args()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="sluice-panels-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with stack(folder, asked.processes) as (address, supervisor):
            seats = seated(folder, asked.people)
            asyncio.run(session(address, seats, asked.every, asked.minutes / 5))
            warm = web_bytes(supervisor)
            seen = asyncio.run(session(address, seats, asked.every, asked.minutes))
            grown = web_bytes(supervisor) - warm
            during = os.getloadavg()[0]
    print(f"{asked.people} people, {asked.processes} web processes, {os.cpu_count()} cores")
    print(f"load {before:.1f} before, {during:.1f} at the end")
    high = told("From a change to its glance", seen.glances)
    told("Whole answers after the rest", seen.wholes)
    print(f"{seen.changes} changes; {seen.given_up} whole answers given up for a newer one", f"refused: {seen.refused}")
    print(f"Memory of the web processes: {warm / 1e6:,.0f} MB, {grown / 1e6:+,.1f} MB in {asked.minutes:g} min")
    busy = before >= 1
    print("the machine was busy: no verdict" if busy else "within the bar" if high <= BAR else "ABOVE the bar")
    sys.exit(not busy and high > BAR)


if __name__ == "__main__":
    main()
