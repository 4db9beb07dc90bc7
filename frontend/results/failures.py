"""Why a run failed, in words: the cause, the input that failed, and for whom may read it an excerpt of the log."""

import re
from dataclasses import dataclass

from frontend.wording.setting_names import place_text
from planner import selectors
from planner.models import Run
from planner.selectors import Person

CAUSES = {
    "invalid_input": "The scenario's values can no longer be simulated:",
    "point_failed": "One point could not be simulated:",
    "spark_unavailable": "The cluster did not answer:",
    "workers_died": "It was given up:",
    "internal": "Something went wrong in Sluice, not in your scenario.",
}
_POINT = re.compile(r"point (\d{1,9}) \(")


@dataclass(frozen=True)
class Failure:
    """The cause and what was said of it; ``values`` of the point that failed, ``log`` for the staff.

    A failure of ours says nothing but the ``number`` to report.
    """

    cause: str
    messages: tuple[str, ...]
    values: str
    number: str
    log: tuple[str, ...]


def failure_of(*, run: Run, user: Person) -> Failure | None:
    """Return why the run failed as far as ``user`` may know; None of a run that has not failed."""
    if not run.error:
        return None
    message = str(run.error.get("message", ""))
    return Failure(
        cause=CAUSES.get(run.error.get("code", ""), "It could not be computed:"),
        messages=() if run.error.get("id") else tuple(message.splitlines()),
        values=_values(run, message),
        number=str(run.error.get("id", "")),
        log=selectors.job_log(user=user, key=run.pk),
    )


def _values(run: Run, message: str) -> str:
    """The swept values of the point that a message names; empty where it names none, or one without any."""
    found = _POINT.match(message)
    points = {point.index: point for point in run.expansion.points} if found else {}
    point = points.get(int(found[1])) if found else None
    return place_text(run.parsed, point.overrides) if point else ""
