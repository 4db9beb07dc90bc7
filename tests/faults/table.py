"""`python -m tests.faults.table FILE`: writes what a campaign found into docs/operations.md."""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from textwrap import wrap
from typing import Any

from benchmarks.validation.report import section, with_section
from planner.settings.environment import BASE_DIR
from tests.faults.traffic import NOTHING

PAGE = BASE_DIR / "docs" / "operations.md"
TITLE = "Faults that were tried"
ALL = "all"
BACK_WITHIN, STUCK_AFTER = 30.0, 60.0
COLUMNS = (
    *("fault", "times", f"up again within {BACK_WITHIN:.0f} s", "seconds until then: median, most"),
    *("runs checked", "failed, tried again", "wrong", "lost", "doubled", f"not over {STUCK_AFTER:.0f} s later"),
    *("answers", "503", "other 5xx", "orphans"),
)
APART = {
    "up": ("", "`make up`"),
    "cluster": (": the cluster", "`make cluster`"),
    "apart": (
        ": lost network",
        "`make up`, with database, broker and Spark of its own behind sockets that lose the network for 1 to 20 s",
    ),
}
"""Installation -> the end of its section's title, and what it is."""
MEANING = """
What `python -m tests.faults.campaign` disturbs is {what}; it has two web processes and computes two runs; a
third one is started when the fault comes, at a random moment. A signal goes to one process of the part; a
supervisor that ended is started again at once. Time counts from the fault to the moment when all parts run and
answer; where a fault is taken back (a process goes on, a disk has room again), from then. *Wrong*: the hash of the
numbers is not that of the undisturbed run. *Lost*, *doubled*: replications, points or runs. A run that failed said
why, and was tried again.
"""
WIDTH = 150
Row = dict[str, Any]


def main(words: Sequence[str] | None = None) -> None:
    """Write the section."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.table", description=__doc__)
    parser.add_argument("file", type=Path, help="what `python -m tests.faults.campaign` wrote")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page that gets the table")
    asked = parser.parse_args(words)
    results = json.loads(asked.file.read_text(encoding="utf-8"))
    fresh = lines(results["faults"], results.get("notes", ()))
    text = with_section(asked.page.read_text(encoding="utf-8"), fresh[0].removeprefix("## "), fresh)
    asked.page.write_text(text, encoding="utf-8")


def lines(faults: Sequence[Row], notes: Sequence[str] = ()) -> list[str]:
    """Return the section: what was done, and a row for each kind of fault; ``notes``: what there is to say besides."""
    return section(TITLE + APART[faults[0]["installation"]][0], _about(faults, notes), COLUMNS, _rows(faults))


def _about(faults: Sequence[Row], notes: Sequence[str]) -> list[str]:
    loads = [fault["load"] for fault in faults]
    unanswered = sum(fault["answers"].get(NOTHING, 0) for fault in faults)
    text = (
        f"Written by `python -m tests.faults.table` from {len(faults)} random faults, one after the other.",
        MEANING.strip().format(what=APART[faults[0]["installation"]][1]),
        f"{unanswered:,} requests met a closed port or a process that stood still, and got no answer.",
        f"The machine's load average before them was {min(loads):.0f} to {max(loads):.0f}",
        f"(median {median(loads):.1f}).",
        *notes,
    )
    return wrap(" ".join(text), WIDTH, break_on_hyphens=False)


def _rows(faults: Sequence[Row]) -> Iterator[list[str]]:
    names = sorted({fault["kind"] for fault in faults})
    for name in names:
        yield _row(name, [fault for fault in faults if fault["kind"] == name])
    yield _row(ALL, faults)


def _row(name: str, faults: Sequence[Row]) -> list[str]:
    runs = [run for fault in faults for run in fault["runs"]]
    seconds = [fault["ready"] for fault in faults if fault["ready"] is not None]
    answers = _added(fault["answers"] for fault in faults)
    defects = sum(count for status, count in answers.items() if status.startswith("5") and status != "503")
    numbers = (
        len(runs),
        sum(bool(run["error"]) for run in runs),
        sum(not run["same"] for run in runs if run["status"] == "succeeded"),
        sum(is_lost(run) for run in runs),
        sum(run["missing"] < 0 for run in runs) + sum(fault["runs_doubled"] for fault in faults),
        sum(run["seconds"] > STUCK_AFTER for run in runs),
        sum(answers.values()) - answers[NOTHING],
        answers["503"],
        defects,
        sum(len(fault["orphans"]) for fault in faults),
    )
    back = sum(value <= BACK_WITHIN for value in seconds)
    spread = f"{median(seconds):.1f}, {max(seconds):.1f}" if seconds else "never"
    return [name, str(len(faults)), str(back), spread, *(f"{number:,}" for number in numbers)]


def is_lost(run: Row) -> bool:
    """Whether the run did not succeed in the end, or lacks a point or a replication."""
    return bool(run["status"] != "succeeded" or run["missing"] > 0 or run["points"] != 2)


def _added(counts: Iterable[dict[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return total


if __name__ == "__main__":
    main()
