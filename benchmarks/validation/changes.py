"""How surely a change of a system is found between two logs of an hour, and how often one is claimed that is none.

Run it with `python -m benchmarks.validation.changes [--systems 100]`. Of each system whose truth is hidden there is a
log of before, one of the same system with other chances, one with 15 % more service time, and one with a limit changed
by 15 % or by one where that is less. All are read and fitted on Spark as an installation does it; nothing is predicted.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from pydantic_core import to_json

from benchmarks.validation.__main__ import REPORT
from benchmarks.validation.report import CHANGES, section, with_section
from simulations import ENGINE_VERSION
from simulations.pipeline.spark.session import SparkLink
from simulations.pipeline.telemetry.calibrate import Calibration
from simulations.pipeline.telemetry.changes import NUMBERS, Change, changes_of
from simulations.pipeline.telemetry.logs import MessageLog
from simulations.pipeline.telemetry.reading.raw import allowed_source, read_raw
from tests.services import local_server
from tests.synthetic.systems import KINDS, NEVER, System, hidden_system, logged

MORE = 1.15
RATE, MESSAGES = 10.0, 36_000
TIMES = ("mean time of one delivery", "coefficient of variation of that time")
LIMITS = ("threads", NUMBERS["limit"], *TIMES)
"""Where a limit shows: threads are counted, cores and connections allow more and make deliveries shorter."""
COLUMNS = ("system", "of", "15 % more service time found", "changed limit found", "claimed without a change")


@dataclass(frozen=True)
class Found:
    """What is said of the pairs of a system."""

    title: str
    slower: bool
    limit: bool
    claimed: tuple[str, ...]


def main() -> None:
    """Compare the logs and write the section of the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.validation.changes", description=__doc__)
    parser.add_argument("--systems", type=int, default=100)
    parser.add_argument("--only", type=int, nargs="*", help="numbers of the systems, instead")
    parser.add_argument("--output", type=Path, default=REPORT, help="file to write; - writes none")
    options = parser.parse_args()
    skewed = next(place for place, title in enumerate(KINDS) if title.startswith("clocks"))
    numbers = [number for number in range(2 * options.systems) if number % len(KINDS) != skewed][: options.systems]
    found = []
    with (
        tempfile.TemporaryDirectory(prefix="sluice-changes-") as name,
        local_server(cores=2) as plan,
        SparkLink(plan.remote, plan.token) as link,
    ):
        for number in options.only or numbers:
            found.append(compared(link, Path(name), of_an_hour(hidden_system(number, MESSAGES))))
            print(number, found[-1], flush=True)
    print(summary(found))
    if str(options.output) != "-":
        before = options.output.read_text(encoding="utf-8") if options.output.exists() else ""
        options.output.write_text(with_section(before, CHANGES, table(found)), encoding="utf-8")


def of_an_hour(system: System) -> System:
    """Return the system with ``RATE`` messages per second and as much to do; bursts and clocks stay as they are."""
    slower = system.rate / RATE
    return replace(system, rate=RATE, mean=system.mean * slower, period=system.period * slower)


def limited(system: System) -> System:
    """Return the system with one of its limits raised."""
    name = next((name for name in ("connections", "cores") if getattr(system, name) != NEVER), "threads")
    limit = getattr(system, name)
    return replace(system, **{name: max(limit + 1, round(MORE * limit))})


def compared(link: SparkLink, folder: Path, system: System) -> Found:
    """Return what is found between the system's first log and the others."""
    seed = 4 * system.seed + 500_000
    slower = replace(system, mean=MORE * system.mean, seed=seed + 2)
    first, same, later, changed = (
        fitted(link, folder, item)
        for item in (
            replace(system, seed=seed),
            replace(system, seed=seed + 1),
            slower,
            replace(limited(system), seed=seed + 3),
        )
    )
    return Found(
        system.title,
        slower=_says(changes_of(first, later), TIMES[:1]),
        limit=_says(changes_of(first, changed), LIMITS),
        claimed=tuple(change.sentence for change in changes_of(first, same)),
    )


def fitted(link: SparkLink, folder: Path, system: System) -> dict[str, Any]:
    """Return of a log of the system what a calibration keeps of its queues."""
    path = folder / f"log-{system.seed}.parquet"
    pq.write_table(logged(system), path)
    asked = Calibration(link, allowed_source(str(path), [folder]), f"file://{folder}/scratch", path.stem, path.stem)
    with link.operation(asked.tag) as session:
        session.conf.set("spark.sql.session.timeZone", "UTC")
        _, good = asked._rows(session, read_raw(session, asked.source))
        fits, _ = MessageLog.counted(good).fits(None)
    path.unlink()
    plain: dict[str, Any] = json.loads(to_json({"queues": [asdict(fit) for fit in fits]}, inf_nan_mode="null"))
    return plain


def summary(found: Sequence[Found]) -> str:
    """Return the counts in a sentence."""
    slower, limit = sum(item.slower for item in found), sum(item.limit for item in found)
    wrong = sum(bool(item.claimed) for item in found)
    return (
        f"Of {len(found)} systems 15 % more service time is found in {slower}, a changed limit in {limit}; where "
        f"nothing changed, {wrong} claim a change."
    )


def table(found: Sequence[Found]) -> list[str]:
    """Return the lines of the section."""
    about = [
        f"Logs of {MESSAGES:,} messages, {RATE:g} a second, written by `python -m benchmarks.validation.changes`,",
        f"engine {ENGINE_VERSION}. The limit is that of connections, cores or threads, 15 % or one more.",
        "Changed threads are found by their number, connections and cores by what they allow, or by the time of a",
        "delivery.",
        summary(found),
    ]
    return section(CHANGES, about, COLUMNS, [_cells(title, found) for title in KINDS if _of(title, found)])


def _cells(title: str, found: Sequence[Found]) -> list[str]:
    items = _of(title, found)
    claims = Counter(claim.split(":")[0] for item in items for claim in item.claimed)
    told = ", ".join(f"{name} {count}" for name, count in claims.items()) or "0"
    return [title, str(len(items)), str(sum(i.slower for i in items)), str(sum(i.limit for i in items)), told]


def _of(title: str, found: Sequence[Found]) -> list[Found]:
    return [item for item in found if item.title == title]


def _says(changes: Sequence[Change], what: Sequence[str]) -> bool:
    return any(change.what in what for change in changes)


if __name__ == "__main__":
    main()
