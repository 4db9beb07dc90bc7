"""`python -m tests.synthetic`: a message log, or metric samples, of a system whose truth is known."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from simulations.pipeline.telemetry.reading.layouts import COMMON, IMQCMD, MESSAGES
from tests.synthetic.documents import PROMETHEUS, SPANS, answer_of, line_of, spans_of
from tests.synthetic.messages import FORMATS, LOG, Truth, log_of, write_log
from tests.synthetic.samples import FLAVORS, samples_of, write_table

DOCUMENTS = (SPANS, PROMETHEUS)
"""Kinds that are JSON documents."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a log, and the truth that a calibration should find in a file next to it; say where they are."""
    parser = argparse.ArgumentParser(prog="python -m tests.synthetic", description=main.__doc__)
    parser.add_argument("--messages", type=int, default=100_000, help="messages of the system (100000)")
    parser.add_argument("--rate", type=float, default=40.0, help="mean arrivals per second (40)")
    parser.add_argument("--service", choices=("exponential", "lognormal", "gamma"), default="lognormal")
    parser.add_argument("--mean", type=float, default=0.2, help="mean seconds of one delivery (0.2)")
    parser.add_argument("--cv", type=float, default=0.8, help="coefficient of variation of that time (0.8)")
    parser.add_argument("--instances", type=int, default=1, help="server instances (1)")
    parser.add_argument("--threads", type=int, default=10, help="messages an instance processes at a time (10)")
    parser.add_argument("--swing", type=float, default=0.0, help="relative swing of the rate over a period (0)")
    parser.add_argument("--period", type=float, default=86_400.0, help="seconds of that period (86400)")
    parser.add_argument("--failure", type=float, default=0.0, help="share of deliveries that are rolled back (0)")
    parser.add_argument("--queue", default="orders", help="name of the queue (orders)")
    parser.add_argument("--seed", type=int, default=1, help="equal seeds write equal logs (1)")
    parser.add_argument("--kind", choices=(MESSAGES.key, *FLAVORS, *DOCUMENTS), default=MESSAGES.key, help="(messages)")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two samples (10)")
    parser.add_argument("--format", choices=(*FORMATS, "txt", "json"), default="parquet", help="(parquet)")
    parser.add_argument("--folder", type=Path, default=Path(), help="where to write (here)")
    options = vars(parser.parse_args(arguments))
    truth = Truth(**{name: options[name] for name in Truth.__dataclass_fields__})
    wrong = _wrong(truth, options)
    if wrong:
        parser.error("; ".join(wrong))
    folder = options["folder"]
    folder.mkdir(parents=True, exist_ok=True)
    kind = "" if options["kind"] == MESSAGES.key else f"-{options['kind']}"
    log = folder / f"{truth.queue}{kind}-{truth.messages}-{truth.seed}.{options['format']}"
    hidden = log.with_name(f"{log.stem}.truth.json")
    rows = _written(truth, log, options)
    hidden.write_text(json.dumps({**asdict(truth), "utilisation": truth.utilisation}, indent=2) + "\n")
    what = "messages" if options["kind"] in (MESSAGES.key, SPANS) else "samples"
    sys.stdout.write(f"{rows:,} {what}: {log}, their truth: {hidden}\n")


def _written(truth: Truth, path: Path, options: dict[str, Any]) -> int:
    if options["kind"] == MESSAGES.key:
        return write_log(log_of(truth), LOG, path)
    if options["kind"] == SPANS:
        path.write_text("".join(map(line_of, spans_of(log_of(truth)))), encoding="utf-8")
        return truth.messages
    flavor = COMMON.key if options["kind"] == PROMETHEUS else options["kind"]
    samples = samples_of(truth, log_of(truth), options["every"], flavor)
    if options["kind"] == PROMETHEUS:
        path.write_text(line_of(answer_of(samples)), encoding="utf-8")
        return int(samples.num_rows)
    if options["format"] != "txt":
        return write_log(samples.to_batches(), samples.schema, path)
    with path.open("w", encoding="utf-8") as file:
        write_table(samples, file)
    return int(samples.num_rows)


def _wrong(truth: Truth, options: dict[str, Any]) -> list[str]:
    positive = {name: getattr(truth, name) for name in ("messages", "rate", "mean", "cv", "instances", "threads")}
    wrong = [f"--{name} must be above 0" for name, value in positive.items() if not value > 0]
    shares = {name: getattr(truth, name) for name in ("swing", "failure")}
    wrong += [f"--{name} must be 0 or more and below 1" for name, value in shares.items() if not 0 <= value < 1]
    wrong += ["--every must be above 0"] if not options["every"] > 0 else []
    wrong += (
        ["--format txt is for --kind imqcmd"] if options["format"] == "txt" and options["kind"] != IMQCMD.key else []
    )
    if (options["format"] == "json") != (options["kind"] in DOCUMENTS):
        wrong.append(f"--format json is for --kind {' and '.join(DOCUMENTS)}, and theirs")
    if not truth.queue.replace("-", "").replace("_", "").isalnum():
        wrong.append("--queue must be letters, digits, hyphens and underscores")
    return wrong


if __name__ == "__main__":
    main()
