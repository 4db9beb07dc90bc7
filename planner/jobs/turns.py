"""Whose turn it is: which waiting run a free worker takes, and when the turn of another one comes.

The broker's message only says that something waits. People take turns, so that nobody's two hundred runs make the
others wait; of one person's runs the one comes first that has waited longest for its size, so that small ones pass
large ones, and large ones still have their turn.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import OuterRef, Q
from django.utils import timezone

from planner.answers.values import Out
from planner.jobs.leases import STOPPING, WORKED_ON
from planner.models import ACTIVE, Run, RunStatus

SMALLEST_SECONDS = 1.0
"""Runs that take less count as equally small."""
HOLDER = ("owner__username", "version__scenario__team__name")


class Share(Out):
    """What a person or a team has under way, and the most that they may have at the same time."""

    kind: str
    """``person`` or ``team``."""
    name: str
    runs: int
    """Runs and experiments that wait, compute or are paused."""
    most_runs: int
    cpu_s: float
    """Longest estimated computing time of them all, in seconds of one core."""
    most_cpu_s: float


class Place(Out):
    """Where a queued run stands in the line of all people's runs."""

    ahead: int
    """Runs that come before it."""
    starts_in_s: float
    """Seconds until its turn, estimated from the work before it."""
    shares: list[Share]
    """Of who started it, and of its scenario's team."""


Holder = tuple[str, str | None]
"""Who started a run, and the name of the team that its scenario belongs to."""


def shares(*holders: Holder) -> dict[Holder, list[Share]]:
    """Return what these people and teams have under way, in one query."""
    people, teams = ({holder[place] for holder in holders} for place in (0, 1))
    theirs = Q(owner__username__in=people) | Q(version__scenario__team__name__in=teams - {None})
    work: dict[tuple[str, str | None], list[float]] = defaultdict(list)
    rows = Run.objects.filter(theirs, status__in=ACTIVE).order_by()
    for person, team, cpu_s in rows.values_list(*HOLDER, "plan__work__cpu_s"):
        work["person", person].append(cpu_s or 0.0)
        work["team", team].append(cpu_s or 0.0)
    limits = settings.ENVIRONMENT
    return {
        holder: [
            Share(
                kind=kind,
                name=name,
                runs=len(work[kind, name]),
                most_runs=getattr(limits, f"max_{kind}_runs"),
                cpu_s=sum(work[kind, name]),
                most_cpu_s=getattr(limits, f"max_{kind}_cpu_seconds"),
            )
            for kind, name in zip(("person", "team"), holder, strict=True)
            if name
        ]
        for holder in holders
    }


def runs_in_turn(key: str) -> Iterator[str]:
    """Yield the ids of what a worker may take now, first what ``key`` left on Spark, ``key`` itself at last."""
    if Run.objects.filter(pk=key, status__in=STOPPING).exists():
        yield key
    yield from (row["pk"] for row in _line(_waiting(), _working()))
    yield key


def places(runs: Iterable[Run]) -> dict[str, Place]:
    """Return the places of those of the runs that wait, by id; without a query where none does."""
    if all(run.status != RunStatus.QUEUED for run in runs):
        return {}
    working = _working()
    free = [_seconds_left(row) for row in working]
    slots = max(settings.ENVIRONMENT.worker_concurrency, len(free))
    free += [0.0] * (slots - len(free))
    heapq.heapify(free)
    found = {}
    waiting = _waiting()
    asked = {run.pk for run in runs}
    under_way = shares(*{(row[HOLDER[0]], row[HOLDER[1]]) for row in waiting if row["pk"] in asked})
    for ahead, row in enumerate(_line(waiting, working)):
        theirs = under_way.get((row[HOLDER[0]], row[HOLDER[1]]), [])
        found[row["pk"]] = Place(ahead=ahead, starts_in_s=round(free[0], 1), shares=theirs)
        heapq.heapreplace(free, free[0] + slots * _seconds(row))
    return found


def _waiting() -> list[Any]:
    rows = Run.objects.filter(status=RunStatus.QUEUED).order_by("created_at", "pk")
    return list(rows.values("pk", "owner_id", "plan", "created_at", *HOLDER))


def _working() -> list[Any]:
    return list(Run.objects.filter(status__in=WORKED_ON).values("owner_id", "plan", "progress", "started_at"))


def _line(waiting: Sequence[dict[str, Any]], working: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The waiting runs in the order of their turns, as if none of those that work ended meanwhile."""
    now = timezone.now()
    busy = Counter(row["owner_id"] for row in working)
    lines: dict[int, list[dict[str, Any]]] = {}
    for row in sorted(waiting, key=lambda row: _response(row, now)):
        lines.setdefault(row["owner_id"], []).append(row)
    served = _last_served(lines)
    while lines:
        owner = min(lines, key=lambda owner: (busy[owner], served.get(owner, 0.0), -_response(lines[owner][-1], now)))
        busy[owner] += 1
        served[owner] = now.timestamp()
        yield lines[owner].pop()
        if not lines[owner]:
            del lines[owner]


def _last_served(owners: Collection[int]) -> dict[int, float]:
    """When each person's last run began, as far as they had any."""
    begun = Run.objects.filter(owner=OuterRef("pk"), started_at__isnull=False).order_by("-started_at")
    people = User.objects.filter(pk__in=owners).annotate(last=begun.values("started_at")[:1])
    return {pk: last.timestamp() for pk, last in people.values_list("pk", "last") if last}


def _response(row: dict[str, Any], now: datetime) -> float:
    """How long the run has waited for its size: (waiting + computing) / computing."""
    waited: float = (now - row["created_at"]).total_seconds()
    return 1.0 + waited / max(_seconds(row), SMALLEST_SECONDS)


def _seconds(row: dict[str, Any]) -> float:
    """Seconds that all cores together compute its first round: the least that it takes."""
    return float(row["plan"].get("work", {}).get("first_cpu_s", 0.0)) / settings.ENVIRONMENT.spark_cores


def _seconds_left(row: dict[str, Any]) -> float:
    left = row["progress"].get("eta_s")
    return float(_seconds(row) if left is None else left)
