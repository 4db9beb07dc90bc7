"""`python -m benchmarks.validation`: measures the engine against exact answers and writes docs/validation.md.

Simulates every oracle and the coverage experiments; the full effort takes hours, a small one minutes.
"""

import argparse
import json
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from multiprocessing import get_context
from pathlib import Path

from benchmarks.validation.campaign import Effort, validate
from benchmarks.validation.report import document, parts_apart, with_judged
from simulations.engine.network.model import NetworkSpec
from simulations.engine.network.results import ReplicationResult
from simulations.engine.replicate import replicate

REPORT = Path(__file__).parents[2] / "docs" / "validation.md"


def main(words: list[str] | None = None) -> None:
    """Measure and write, or only write what the judge counted."""
    options = _parser().parse_args(words)
    before = options.output.read_text(encoding="utf-8") if options.output.exists() else ""
    if options.judged:
        text = with_judged(before, json.loads(options.judged.read_text(encoding="utf-8")))
    else:
        effort = Effort(**{field.name: getattr(options, field.name) for field in fields(Effort)})
        with ProcessPoolExecutor(options.processes, get_context("spawn")) as processes:
            text = document(validate(_simulate, effort, processes.map), effort) + parts_apart(before)
    options.output.write_text(text, encoding="utf-8")
    print(f"written: {options.output}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.validation", description=__doc__)
    for field in fields(Effort):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=int, default=field.default)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="processes that simulate")
    parser.add_argument("--output", type=Path, default=REPORT, help="file to write")
    parser.add_argument("--judged", type=Path, help="write only the section about this file of `tests.judge`")
    return parser


def _simulate(network: NetworkSpec, seed: int, replication: int) -> ReplicationResult:
    return replicate(network, seed=seed, replication=replication)


if __name__ == "__main__":
    main()
