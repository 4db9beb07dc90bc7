"""Calibration: how fast and in how much memory a long log becomes a scenario, and how often the verdict is right.

Run it with `python -m benchmarks.telemetry [--messages 10000000] [--systems 50]`; 0 leaves a part out.

Speed: one log in Parquet, from the file to the verdict, generating it not counted. Memory: the most that this process,
the Spark server and its Python workers hold at a time; a page that several share counts once (PSS).
Verdict: systems whose truth is drawn at random. Near: the p95 predicted for the held-out part is within 10 % of what
that part shows. Wrongly claimed: called validated although the scenario's p95 is more than 10 % off in a second log of
the same truth, which the calibration never saw.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import numpy as np
import psutil

from simulations.pipeline.spark.session import SparkLink
from simulations.pipeline.spark.warm import compile_kernels
from simulations.pipeline.telemetry.calibrate import Calibrated, Calibration
from simulations.pipeline.telemetry.reading.raw import allowed_source
from tests.services import local_server
from tests.synthetic.messages import LOG, Truth, log_of, write_log

SECONDS_BAR, MEMORY_BAR, MEMORY_ROWS = 60.0, 2e9, 10_000_000
NEAR, NEAR_BAR, CLAIMED_BAR = 0.10, 0.9, 0.02
SYSTEM_MESSAGES = 100_000


def main() -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.telemetry")
    parser.add_argument("--messages", type=int, default=MEMORY_ROWS, help="rows of the long log; 0: no long log")
    parser.add_argument("--systems", type=int, default=50, help="systems whose truth is hidden; 0: none")
    parser.add_argument("--first", type=int, default=0, help="number of the first system")
    parser.add_argument("--format", choices=("parquet", "csv", "jsonl"), default="parquet")
    options = parser.parse_args()
    compile_kernels()  # by processes of their own, as an installation does it: a compiler leaves its memory behind
    with tempfile.TemporaryDirectory(prefix="sluice-telemetry-") as name, local_server(cores=2) as plan:
        folder = Path(name)
        with SparkLink(plan.remote, plan.token) as link:
            if options.messages:
                measure_speed(link, folder, options.messages, options.format)
            if options.systems:
                measure_verdicts(link, folder, range(options.first, options.first + options.systems))


def measure_speed(link: SparkLink, folder: Path, messages: int, kind: str) -> None:
    """Print seconds by step and the largest memory for one log."""
    truth = Truth(messages=messages, rate=100, mean=0.2, cv=0.8, service="lognormal", threads=28, swing=0.2)
    path = folder / f"long.{kind}"
    write_log(log_of(truth), LOG, path)
    calibrate(link, folder, replace(truth, messages=20_000), "warm")
    started = time.perf_counter()
    steps: list[tuple[str, float]] = []

    def tell(step: str) -> None:
        steps.append((step, time.perf_counter() - started))

    with watched_memory() as largest:
        asked = Calibration(
            link, allowed_source(str(path), [folder]), f"file://{folder}/long", "Long", "long", tell=tell
        )
        outcome = asked.run()
        seconds = time.perf_counter() - started
    ends = [at for _, at in steps[1:]] + [seconds]
    parts = ", ".join(f"{name} {end - at:.1f} s" for (name, at), end in zip(steps, ends, strict=True))
    size = path.stat().st_size / 1e6
    held = ", ".join(f"{name} {most / 1e9:.2f}" for name, most in largest[0].most_common())
    print(f"{messages:,} rows of {kind}, {size:,.0f} MB: {seconds:.1f} s ({parts})")
    print(f"  at most {largest[0].total() / 1e9:.2f} GB ({held})")
    print(f"  bars for {MEMORY_ROWS:,} rows: {SECONDS_BAR:.0f} s, {MEMORY_BAR / 1e9:.0f} GB")
    for check in outcome.checks:
        print(f"  {check.kind}: {check.sentence}")


def measure_verdicts(link: SparkLink, folder: Path, numbers: range) -> None:
    """Print a line for each system and the two shares."""
    near, claimed, wrong = 0, 0, 0
    for number in numbers:
        truth = hidden_truth(number)
        outcome = calibrate(link, folder, truth, f"system-{number}")
        replayed, generated = outcome.checks
        is_near = replayed.deviation is not None and abs(replayed.deviation) <= NEAR
        off = abs((generated.predicted or np.inf) / second_log_p95(truth) - 1)
        near, claimed = near + is_near, claimed + outcome.validated
        wrong += outcome.validated and off > NEAR
        word = "validated" if outcome.validated else "not validated"
        shown = "-" if replayed.deviation is None else f"{replayed.deviation:+.1%}"
        print(
            f"{number:3} {truth.service:11} utilisation {truth.utilisation:.2f} swing {truth.swing:.2f} failures "
            f"{truth.failure:.2f}: held-out {shown}, second log off by {off:.1%}, {word}",
            flush=True,
        )
    print(
        f"near: {near} of {len(numbers)} (bar {NEAR_BAR:.0%}); validated {claimed}, wrongly {wrong} (bar "
        f"{CLAIMED_BAR:.0%})"
    )


def hidden_truth(number: int) -> Truth:
    """Return the system of that number."""
    random = np.random.default_rng(77_000 + number)
    threads, instances = int(random.integers(2, 25)), int(random.integers(1, 4))
    mean = float(10 ** random.uniform(-2, 0))
    swing = float(random.choice([0.0, 0.0, 0.15, 0.3]))
    failure = float(random.choice([0.0, 0.0, 0.01, 0.05]))
    plain = Truth(messages=SYSTEM_MESSAGES, rate=1.0, mean=mean, failure=failure)
    load = float(random.uniform(0.4, 0.9)) / (1 + swing)
    rate = load * threads * instances / (mean * plain.deliveries_mean)
    return replace(
        plain,
        rate=rate,
        cv=float(random.uniform(0.4, 1.5)),
        service=str(random.choice(["exponential", "lognormal", "gamma"])),  # type: ignore[arg-type]
        instances=instances,
        threads=threads,
        swing=swing,
        period=SYSTEM_MESSAGES / rate / float(random.integers(3, 9)),
        seed=number,
    )


def second_log_p95(truth: Truth) -> float:
    """Return the p95 of latency in a log of the same truth and other chances."""
    rows = [batch.to_pandas() for batch in log_of(replace(truth, seed=truth.seed + 1_000_000))]
    latencies = [(part.end - part.arrival)[part.outcome == "completed"] for part in rows]
    return float(np.quantile(np.concatenate(latencies), 0.95))


def calibrate(link: SparkLink, folder: Path, truth: Truth, name: str) -> Calibrated:
    """Write the log of a system, calibrate it, and delete it."""
    path = folder / f"{name}.parquet"
    write_log(log_of(truth), LOG, path)
    outcome = Calibration(link, allowed_source(str(path), [folder]), f"file://{folder}/{name}", name, name).run()
    path.unlink()
    return outcome


@contextmanager
def watched_memory() -> Iterator[list[Counter[str]]]:
    """Yield a list with one entry: what this process and all below it held at most so far (``held_memory``)."""
    largest, over = [held_memory()], Event()

    def watch() -> None:
        while not over.wait(0.2):
            largest[0] = max(largest[0], held_memory(), key=Counter.total)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield largest
    finally:
        over.set()
        watcher.join()


def held_memory() -> Counter[str]:
    """Return the bytes in memory of this process and its descendants, by kind; the server's workers are its children.

    A page that several of them share counts once: each has its part of it (PSS).
    """
    held, own = Counter[str](), psutil.Process()
    for process in (own, *own.children(recursive=True)):
        with suppress(psutil.Error):
            below = "Spark's server" if process.name() == "java" else "other Python"
            held["this process" if process == own else below] += process.memory_full_info().pss
    return held


if __name__ == "__main__":
    main()
