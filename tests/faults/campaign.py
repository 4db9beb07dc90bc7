"""`python -m tests.faults.campaign FILE`: disturbs a real installation at random, and adds what came of it to the file.

`python -m tests.faults.table FILE` puts it into docs/operations.md. Started by `unshare --mount`, as root, the
installation has a small disk of its own, which is filled among other things. A campaign that was ended goes on with the
fault at which it stopped.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from simulations.pipeline.spark.server import free_port
from tests.faults.apart import services_apart
from tests.faults.drawing import PROFILES, Fault, draw, kinds
from tests.faults.inflicting import inflict, small_disk
from tests.faults.observed import replications_stored
from tests.faults.stack import LOOK, Stack
from tests.faults.traffic import API, Client
from tests.scenarios import SESSIONS, listener_port

RATES, POINTS, REPLICATIONS = ("50/s", "60/s", "70/s"), 2, 40
UNDER_WAY = 2
STANDS, STUCK, GIVEN_UP = 300.0, 60.0, 240.0
"""Seconds until a stack counts as down for good, a run that has not ended as stuck, and as lost."""
VANISH = 15.0
LOOKS = 3
"""In a row that must find the stack standing."""
TOKEN = """
import django
django.setup()
from django.contrib.auth.models import User
from planner.services import token_create
owner = User.objects.get(is_superuser=True)
print(token_create(owner=owner, name="campaign", scopes=["read", "write", "run"]).secret)
"""


@dataclass
class Scenario:
    """What runs compute, and the hash of its numbers when nothing happens."""

    id: str
    result_hash: str = ""


def main() -> None:
    """Start an installation, disturb it, and write what came of it after each fault."""
    asked = _parser().parse_args()
    with TemporaryDirectory(prefix="sluice-campaign-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o711)
        place = folder / "disk"
        place.mkdir(mode=0o711)
        disk = small_disk(place)
        stack = Stack(place / "state", folder / "output", free_port(), PROFILES[asked.installation])
        if asked.clock:
            stack.variables |= _own_clock(stack)
        with ExitStack() as parts:
            if stack.profile.lines:
                variables, stack.lines = parts.enter_context(services_apart())
                stack.variables |= variables
            try:
                _disturb(stack, asked, disk=disk)
            finally:
                left = _end(stack)
                if asked.logs:
                    shutil.copytree(stack.folder / "log", asked.logs, dirs_exist_ok=True)
        if disk:
            subprocess.run(["umount", "--lazy", str(place)], check=False)
        say(f"left at the end: {left or 'nothing'}")


def _own_clock(stack: Stack) -> dict[str, str]:
    """The variables that give an installation a clock of its own; time that only counts on is the machine's."""
    library = stack.clock.with_suffix(".so")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, Path(__file__).with_name("clock.c")], check=True)
    stack.clock.write_bytes(bytes(8))
    return {"LD_PRELOAD": str(library), "CLOCK_FILE": str(stack.clock)}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.campaign", description=__doc__)
    parser.add_argument("file", type=Path, help="where the results are added to")
    parser.add_argument("--installation", choices=PROFILES, default="up", help="apart: with services behind sockets")
    parser.add_argument("--only", default="", help="kinds of faults whose name contains this")
    parser.add_argument("--clock", action="store_true", help="set its clock ahead and back, too; needs a C compiler")
    parser.add_argument("--logs", type=Path, help="where its logs are copied to at the end")
    parser.add_argument("--faults", type=int, default=40, help="how many, with those that the file has")
    parser.add_argument("--minutes", type=float, default=600.0, help="after which no further one begins")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    return parser


def _disturb(stack: Stack, asked: argparse.Namespace, *, disk: bool) -> None:
    began, results = time.monotonic(), _read(asked.file)
    stack.start()
    client = _client(stack)
    scenarios = [_scenario(client, rate) for rate in RATES]
    undisturbed = {rate: scenario.result_hash for rate, scenario in zip(RATES, scenarios, strict=True)}
    if results.setdefault("undisturbed", undisturbed) != undisturbed:
        raise SystemExit(f"other numbers than in {asked.file} before anything was disturbed")
    known = _known(client)
    among = [kind for kind in kinds(stack.profile, disk=disk, clock=asked.clock) if asked.only in str(kind)]
    with client.visits():
        while len(results["faults"]) < asked.faults and time.monotonic() - began < 60 * asked.minutes:
            fault = draw(len(results["faults"]), seed=asked.seed, among=among)
            results["faults"].append(_trial(stack, client, scenarios, fault, known))
            asked.file.write_text(json.dumps(results, indent=1), encoding="utf-8")
            say(json.dumps(results["faults"][-1]))


def _trial(stack: Stack, client: Client, scenarios: list[Scenario], fault: Fault, known: set[str]) -> dict[str, Any]:
    """Start runs, disturb them, and say when the stack stood again and what became of the runs."""
    load, starts, family = os.getloadavg()[0], stack.starts, stack.family()
    client.taken_counts()
    chosen = [scenarios[(fault.number + turn) % len(scenarios)] for turn in range(UNDER_WAY + 1)]
    keys = [f"{fault.number}-{turn}-{time.time()}" for turn in range(UNDER_WAY + 1)]
    runs = [client.submit(*pair) for pair in zip([item.id for item in chosen], keys[:UNDER_WAY], strict=False)]
    time.sleep(fault.wait)
    with ThreadPoolExecutor(1) as thread:
        last = thread.submit(lambda: client.submit(chosen[-1].id, keys[-1]))
        happened, problem = inflict(stack, fault)
        family |= stack.family()
        ready = _standing(stack, client, since=happened)
        runs.append(last.result())
    stood = time.monotonic()
    ends = [_end_of(stack, client, run, scenario, stood) for run, scenario in zip(runs, chosen, strict=True)]
    known.update(runs)
    strange = _known(client) - known
    known.update(strange)
    strays = _strays(stack, family)
    return {
        "number": fault.number,
        "installation": next(name for name, profile in PROFILES.items() if profile == stack.profile),
        "kind": str(fault.kind),
        "problem": problem,
        "ready": ready,
        "runs": ends,
        "runs_doubled": len(strange),
        "orphans": strays,
        "answers": client.taken_counts(),
        "starts": stack.starts - starts,
        "load": load,
    }


def _standing(stack: Stack, client: Client, *, since: float) -> float | None:
    """Wait until the stack stands, some looks long; return the seconds since then, None where it stays down."""
    looks: list[float] = []
    while time.monotonic() - since < STANDS:
        stack.revive()
        now = time.monotonic()
        looks = [*looks, now] if stack.is_whole(client.parts_ok) else []
        if len(looks) == LOOKS:
            return round(looks[0] - since, 1)
        time.sleep(LOOK)
    return None


def _end_of(stack: Stack, client: Client, run_id: str, scenario: Scenario, stood: float) -> dict[str, Any]:
    """How a run ended: with the numbers of the undisturbed one, and each replication once; or in which other way."""
    run = client.ended(run_id, until=stood + GIVEN_UP)
    error = (run.get("error") or {}).get("code", "") if run["status"] == "failed" else ""
    if error:
        client.insist("POST", f"{API}/runs/{run_id}/retry", seconds=60)
        run = client.ended(run_id, until=time.monotonic() + GIVEN_UP)
    seconds = round(time.monotonic() - stood, 1)
    stored = replications_stored(stack.folder, run_id)
    return {
        "id": run_id,
        "status": run["status"],
        "error": error,
        "seconds": seconds,
        "attempts": run.get("attempt"),
        "same": run.get("result_hash") == scenario.result_hash,
        "missing": POINTS * REPLICATIONS - stored,
        "points": run.get("points_answered"),
    }


def _strays(stack: Stack, family: set[psutil.Process]) -> list[str]:
    """Name what is left of earlier processes once it had time to end."""
    limit = time.monotonic() + VANISH
    while (strays := stack.strays(family)) and time.monotonic() < limit:
        time.sleep(LOOK)
    return [f"{process.pid} {process.name()}" for process in strays]


def _client(stack: Stack) -> Client:
    waiting = Client(stack.address)
    began = time.monotonic()
    while not stack.is_whole(waiting.parts_ok):
        if stack.process.poll() is not None or time.monotonic() - began > 2 * STANDS:
            raise SystemExit("the installation did not start:\n" + stack.said())
        time.sleep(1)
    return Client(stack.address, stack.python(TOKEN).strip().splitlines()[-1])


def _scenario(client: Client, rate: str) -> Scenario:
    """Store a scenario and run it while nothing happens."""
    settings = {
        "horizon": {"messages": 120_000},
        "replications": {"min": REPLICATIONS // 2, "max": REPLICATIONS},
        "precision": {"relative": 1e-6},
    }
    body = listener_port(f"Disturbed {rate}", rate=rate, run=settings, sweep=[{"path": SESSIONS, "values": [36, 50]}])
    stored = client.insist("POST", f"{API}/scenarios", seconds=60, json=body)
    assert stored is not None, "no scenario could be stored"
    run_id = client.submit(str(stored["id"]), f"undisturbed {rate}")
    run = client.ended(run_id, until=time.monotonic() + GIVEN_UP)
    assert run["status"] == "succeeded", run
    return Scenario(str(stored["id"]), run["result_hash"])


def _known(client: Client) -> set[str]:
    """The newest hundred runs."""
    page = client.insist("GET", f"{API}/runs?limit=100", seconds=60)
    assert page is not None, "the runs cannot be listed"
    return {run["id"] for run in page["items"]}


def _read(file: Path) -> dict[str, Any]:
    if not file.exists():
        return {"faults": []}
    results: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return results


def _end(stack: Stack) -> list[str]:
    family = stack.family()
    stack.stop()
    return _strays(stack, family)


def say(line: str) -> None:
    """One line for the person who watches."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
