"""What commands share that read files: arguments, reading, one clear message for all that is wrong, simulating."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any, NoReturn, cast

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from planner.answers.claims import load_claims
from planner.jobs.spark_session import close_link, spark_link
from planner.management.exits import EXIT_DEFECT, EXIT_INVALID, EXIT_UNAVAILABLE
from simulations.analysis.estimates.summary import PointSummary
from simulations.declarations.problems import InvalidInput, Problem
from simulations.declarations.texts import path_and_value, path_of
from simulations.experiment import Point, with_overrides
from simulations.experiment.questions import Question
from simulations.pipeline.experiments import run_question
from simulations.pipeline.rounds import Round, run_rounds
from simulations.pipeline.spark.executors import Cancelled, Executor, InlineExecutor, SparkExecutor
from simulations.pipeline.spark.session import SPARK_ERRORS, SparkUnavailable
from simulations.pipeline.work import PointFailed
from simulations.scenario.file import arrivals_in, read_scenario_file, read_yaml
from simulations.scenario.spec import ScenarioSpec, parse


class FileCommand(BaseCommand):
    """Reads files and needs no database; what is wrong with them ends the command with ``exit_invalid``."""

    requires_system_checks = ()
    exit_invalid = EXIT_INVALID

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; print every problem of its input with its field on stderr."""
        try:
            return super().execute(*args, **options)
        except InvalidInput as error:
            count = len(error.problems)
            lines = [f"{item.path or 'scenario'}: {item.message}" for item in error.problems]
            sys.stderr.write("\n".join([f"The input has {count} problem{'s' if count > 1 else ''}:", *lines]) + "\n")
            sys.exit(self.exit_invalid)


class ScenarioCommand(FileCommand):
    """Reads a scenario; ``formats``: whether it prints JSON, too; ``simulates``: whether Spark can compute for it."""

    formats = simulates = True

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare FILE, --set, --json, --spark and --inline."""
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        parser.add_argument(
            "file", type=input_file, metavar="FILE", help="scenario as YAML or JSON; - reads standard input"
        )
        if self.formats:
            parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
        if self.simulates:
            where = parser.add_mutually_exclusive_group()
            where.add_argument("--spark", action="store_true", help="compute on the Spark server of SPARK_REMOTE")
            where.add_argument("--inline", action="store_true", help="compute in this process, as without --spark")
        change = "change a value, for example queues.orders.settings.maximum_sessions=50; may be repeated"
        add_repeatable(parser, "--set", "PATH=VALUE", change, dest="overrides")


def told(options: Mapping[str, Any], body: Mapping[str, Any], text: str, *specs: ScenarioSpec) -> str:
    """Return what the command prints: the answer as JSON where ``--json`` asks for it, else as text. Either says which
    loads of ``specs`` are placeholders."""
    notes = [claim.sentence for spec in specs for claim in load_claims(spec)]
    if options["json"]:
        return json.dumps({**body, "notes": notes} if notes else body, indent=2)
    return "\n".join([text, *notes])


def add_repeatable(parser: CommandParser, name: str, metavar: str, meaning: str, **more: Any) -> None:
    """Add an option whose values are a list."""
    parser.add_argument(name, action="append", default=[], metavar=metavar, help=meaning, **more)


def read_scenario(file: Path, overrides: list[str], logs: Sequence[str] = ()) -> ScenarioSpec:
    """Return the scenario in the file with the --set values, and with each log (QUEUE=LOG) as its queue's arrivals.
    Raises InvalidInput with everything that is wrong."""
    reads = [*(partial(override, text) for text in overrides), *(partial(_log, text) for text in logs)]
    (spec, *changes), problems = _tried(lambda: parse(read_scenario_file(file)), *reads)
    known = dict(change for change in changes if change is not None)
    if spec is not None and known:
        (spec,), more = _tried(partial(with_overrides, spec, known))
        problems += more
    if problems:
        raise InvalidInput(problems)
    return cast("ScenarioSpec", spec)


def _log(text: str) -> tuple[str, Any]:
    queue, _, name = text.partition("=")
    try:
        log = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"the log {name!r} cannot be read as text; give --arrivals QUEUE=FILE"
        raise InvalidInput([Problem("", f"--arrivals {text}", "unreadable", message)]) from error
    return path_of("queues", queue, "arrivals"), arrivals_in(log, name)


def together(*reads: Callable[[], Any]) -> list[Any]:
    """Return what each of ``reads`` returns; raises InvalidInput with the problems of all of them."""
    results, problems = _tried(*reads)
    if problems:
        raise InvalidInput(problems)
    return results


def _tried(*reads: Callable[[], Any]) -> tuple[list[Any], list[Problem]]:
    """What each of ``reads`` returns, None where it has problems, and the problems of all."""
    results: list[Any] = []
    problems: list[Problem] = []
    for read in reads:
        try:
            results.append(read())
        except InvalidInput as error:
            results.append(None)
            problems += error.problems
    return results, problems


def input_file(text: str) -> Path:
    """Return the file that an argument names; ``-`` is standard input."""
    return Path("/dev/stdin") if text == "-" else Path(text)


def override(text: str, option: str = "--set") -> tuple[str, Any]:
    """Return path and value of ``PATH=VALUE``; raises InvalidInput that names the option."""
    path, value = path_and_value(text)
    if not path:
        message = f"{text!r} is not understood; write PATH=VALUE, for example run.seed=7"
        raise InvalidInput([Problem("", option, "not_an_override", message)])
    return path.strip(), read_yaml(value, name=f"{option} {path}")


def simulated(spec: ScenarioSpec, points: Sequence[Point], *, spark: bool = False) -> list[PointSummary]:
    """Return the answers of ``points``, showing progress on a terminal; ends as ``answered`` does."""
    with _executing(spark=spark) as executor:
        return _collected(run_rounds(points, spec.run, executor, should_stop=lambda: False))


def answered(question: Question, spec: ScenarioSpec, *, spark: bool = False) -> list[PointSummary]:
    """Return the answers of the points that a complete question asks for, showing progress on a terminal. Ends the
    process with code 3 when Spark is requested but unavailable or its job stopped; defects raise CommandError."""
    with _executing(spark=spark) as executor:
        return _collected(run_question(question, spec, executor, should_stop=lambda: False))


@contextmanager
def _executing(*, spark: bool) -> Iterator[Executor]:
    try:
        with ExitStack() as after:
            after.callback(close_link)
            tag, cores = f"simulate-{token_hex(4)}", settings.ENVIRONMENT.spark_cores
            yield SparkExecutor(spark_link(), tag, slots=cores) if spark else InlineExecutor(os.cpu_count() or 1)
    except SparkUnavailable as error:
        _unavailable(f"Spark is not available: {error}")
    except Cancelled:
        _unavailable("Spark was told to stop computing this")
    except SPARK_ERRORS as error:
        _unavailable(f"Spark does not answer as it should: {error}")
    except PointFailed as error:
        raise CommandError(str(error), returncode=EXIT_DEFECT) from error


def _unavailable(message: str) -> NoReturn:
    sys.stderr.write(f"{message}\n")
    sys.exit(EXIT_UNAVAILABLE)


def _collected(rounds: Iterable[Round]) -> list[PointSummary]:
    answers: dict[int, PointSummary] = {}
    for step in rounds:
        answers.update({summary.index: summary for summary in step.summaries})
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{step.progress.fraction:4.0%}, {len(answers)} points\r")
    return [answers[index] for index in sorted(answers)]
