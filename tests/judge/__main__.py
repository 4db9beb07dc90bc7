"""`python -m tests.judge`: tries what is said of many scenarios, and writes the counts for docs/validation.md.

`python -m benchmarks.validation --judged FILE` puts them there.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from tests.judge.judging import Case

KINDS = {
    "claim": "measured values",
    "formula": "formulas",
    "counterfactual": "changes by a cure",
    "cure": "cures that are offered",
    "budget": "causes that add up",
    "number": "numbers of the tables",
    "ceiling": "bounds of what is carried",
    "picture": "words of the pictures",
}
RULINGS = ("holds", "open", "contradicted")


def main() -> None:
    """Judge, print what does not hold, and write the counts."""
    parser = argparse.ArgumentParser(description="Try what is said of random scenarios.")
    parser.add_argument("file", type=Path, help="where the counts are added to")
    parser.add_argument("--scenarios", type=int, default=500, help="how many")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.settings.django")
    django.setup()
    before, counts = _read(asked.file)
    answered: set[int] = set()
    for case in _cases(range(asked.first, asked.first + asked.scenarios)):
        answered.add(case.scenario)
        counts[case.kind, case.platform, case.ruling] += 1
        if case.ruling != "holds":
            sys.stdout.write(f"{case}\n")
        body = {"scenarios": before + len(answered), "rows": list(_rows(counts))}
        asked.file.write_text(json.dumps(body, indent=1), encoding="utf-8")


def _read(file: Path) -> tuple[int, Counter[tuple[str, str, str]]]:
    """Return how many scenarios an earlier part of the work judged, and its counts."""
    counts: Counter[tuple[str, str, str]] = Counter()
    if not file.exists():
        return 0, counts
    body = json.loads(file.read_text(encoding="utf-8"))
    kinds = {title: kind for kind, title in KINDS.items()}
    for title, platform, _, *numbers in body["rows"]:
        counts.update({(kinds[title], platform, ruling): int(n) for ruling, n in zip(RULINGS, numbers, strict=True)})
    return body["scenarios"], counts


def _cases(numbers: Iterable[int]) -> Iterator["Case"]:
    from simulations.declarations.problems import InvalidInput
    from tests.judge.drawing import scenario
    from tests.judge.judging import judge

    for number in numbers:
        try:
            yield from judge(number, scenario(number))
        except InvalidInput as error:
            sys.stdout.write(f"{number}: no quick answer, {error.problems[0].message}\n")


def _rows(counts: Counter[tuple[str, str, str]]) -> Iterator[list[str]]:
    for kind, title in KINDS.items():
        for platform in sorted({platform for said, platform, _ in counts if said == kind}):
            numbers = [counts[kind, platform, ruling] for ruling in RULINGS]
            yield [title, platform, *map(str, [sum(numbers), *numbers])]


if __name__ == "__main__":
    main()
