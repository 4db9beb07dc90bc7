"""What the scenario commands share: their arguments, reading the file, and one clear message for all that is wrong."""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, cast

from django.core.management.base import CommandParser

from planner.management.exits import EXIT_INVALID
from simulations.declarations.path_text import path_and_value
from simulations.declarations.problems import InvalidInput, Problem
from simulations.experiment import with_overrides
from simulations.scenario.file import read_scenario_file, read_yaml
from simulations.scenario.spec import ScenarioSpec, parse


def add_scenario_arguments(parser: CommandParser, *, formats: bool = True) -> None:
    """Add FILE and --set, and --json unless the command has no such ``formats``."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("file", type=_file, metavar="FILE", help="scenario as YAML or JSON; - reads standard input")
    if formats:
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="overrides",
        metavar="PATH=VALUE",
        help="change a value, for example queues.orders.settings.maximum_sessions=50; may be repeated",
    )


def read_scenario(file: Path, overrides: list[str]) -> ScenarioSpec:
    """Return the scenario in the file with the --set values; raises InvalidInput with everything that is wrong."""
    (spec, *changes), problems = _tried(
        lambda: parse(read_scenario_file(file)), *(partial(override, text) for text in overrides)
    )
    known = dict(change for change in changes if change is not None)
    if spec is not None and known:
        (spec,), more = _tried(partial(with_overrides, spec, known))
        problems += more
    if problems:
        raise InvalidInput(problems)
    return cast("ScenarioSpec", spec)


def together(*reads: Callable[[], Any]) -> list[Any]:
    """Return what each of ``reads`` returns; raises InvalidInput with the problems of all of them."""
    found, problems = _tried(*reads)
    if problems:
        raise InvalidInput(problems)
    return found


def _tried(*reads: Callable[[], Any]) -> tuple[list[Any], list[Problem]]:
    """What each of ``reads`` returns, None where it has problems, and the problems of all."""
    found: list[Any] = []
    problems: list[Problem] = []
    for read in reads:
        try:
            found.append(read())
        except InvalidInput as error:
            found.append(None)
            problems += error.problems
    return found, problems


def _file(text: str) -> Path:
    return Path("/dev/stdin") if text == "-" else Path(text)


def exit_invalid(error: InvalidInput) -> NoReturn:
    """Print every problem with its field on stderr and end with code 2."""
    count = len(error.problems)
    lines = [f"{item.path or 'scenario'}: {item.message}" for item in error.problems]
    sys.stderr.write("\n".join([f"The input has {count} problem{'s' if count > 1 else ''}:", *lines]) + "\n")
    sys.exit(EXIT_INVALID)


def override(text: str, option: str = "--set") -> tuple[str, Any]:
    """Return path and value of ``PATH=VALUE``; raises InvalidInput that names the option."""
    path, value = path_and_value(text)
    if not path:
        message = f"{text!r} is not understood; write PATH=VALUE, for example run.seed=7"
        raise InvalidInput([Problem("", option, "not_an_override", message)])
    return path.strip(), read_yaml(value, name=f"{option} {path}")
