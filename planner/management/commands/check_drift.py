"""`manage.py check_drift SCENARIO FILE…`: do the files of a system that is in use still say what the scenario says?"""

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from planner.answers.text_tables import text_table
from planner.configuration.drift import Drift, DriftLine, drift_of
from planner.management.command_line import FileCommand, read_scenario
from planner.management.configuration_files import add_target, read_files
from planner.management.exits import EXIT_DRIFT_UNKNOWN, EXIT_DRIFTED
from simulations.platforms.files.patching.shell import plain


class Command(FileCommand):
    help = (
        "Compare a scenario with the configuration that is in use, and print every setting that differs. "
        "Exit codes: 0 no difference, 2 differences, 1 the scenario or a file cannot be read."
    )
    exit_invalid = EXIT_DRIFT_UNKNOWN

    def run_from_argv(self, argv: list[str]) -> None:
        """End with 1 where the command line itself is wrong: 2 means differences."""
        self.drifted = False
        try:
            super().run_from_argv(argv)
        except SystemExit as end:
            if end.code and not self.drifted:
                sys.exit(EXIT_DRIFT_UNKNOWN)
            raise

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scenario", type=Path, metavar="SCENARIO", help="scenario as YAML or JSON")
        parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="files, archives or folders in use")
        add_target(parser)
        parser.add_argument("--json", action="store_true", help="print every comparison as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        spec = read_scenario(options["scenario"], [])
        files = read_files(options["files"], spec.platform, options["target"])
        drift = drift_of(spec, files)
        if options["json"]:
            body = {"scenario": spec.name, "files": list(files), **drift.body()}
            self.stdout.write(json.dumps(body, indent=2, ensure_ascii=False))
        else:
            self.stdout.write(_text(drift))
        if drift.differences:
            self.drifted = True
            sys.exit(EXIT_DRIFTED)


def _text(drift: Drift) -> str:
    """The differences as a table, what the files left open, and the answer in one sentence."""
    lines = []
    if drift.differences:
        header = ["of", "setting", "status", "scenario", "files", "unit"]
        lines += [text_table(header, map(_row, drift.differences)), ""]
    lines += [f"{item.status}: {item.file}:{item.line} {item.path}: {item.message}" for item in drift.unclear]
    return "\n".join([*lines, drift.sentence])


def _row(line: DriftLine) -> list[str]:
    whole = not line.setting
    held = "" if whole else "left out" if line.status == "missing" else plain(line.file)
    unit = "" if line.unit == "1" else line.unit
    return [f"{line.kind} {line.object}", line.setting, line.status, "" if whole else plain(line.scenario), held, unit]
