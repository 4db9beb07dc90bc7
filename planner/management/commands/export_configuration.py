"""`manage.py export_configuration FILE --format …`: a scenario's settings as the vendor's own configuration."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from planner.configuration.exporting import configuration_written, scripts_of
from planner.configuration.importing import configuration_read
from planner.management.command_line import ScenarioCommand, read_scenario
from planner.management.configuration_files import add_target, read_files
from simulations.platforms.shared.family import Script


class Command(ScenarioCommand):
    """Prints the script, or with --undo the part that takes it back."""

    help = (
        "Write the settings that differ between what is installed (--since) and a scenario, in a vendor's format. "
        "Exit codes: 0 done, also where nothing differs; 2 invalid input."
    )
    formats = simulates = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        installed = parser.add_mutually_exclusive_group()
        installed.add_argument(
            "--since",
            type=Path,
            nargs="+",
            metavar="FILE",
            help="what is installed: a scenario file or the vendor's files; without it FILE before --set",
        )
        installed.add_argument(
            "--new", action="store_true", help="nothing is installed yet: the vendor's defaults hold"
        )
        add_target(parser)
        parser.add_argument("--format", required=True, help="wlst, wsadmin, imqcmd …; xml patches the files of --since")
        parser.add_argument("--undo", action="store_true", help="print the part that takes the settings back")
        parser.add_argument("--folder", type=Path, help="write both parts of every script there instead of printing")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = read_scenario(options["file"], options["overrides"])
        files = read_files(options["since"], wanted.platform, options["target"]) if options["since"] else {}
        installed = None if options["new"] else read_scenario(options["file"], [])
        if files:
            installed = configuration_read(files, platform=wanted.platform).spec
        written = configuration_written(
            installed=installed, wanted=wanted, scenario_hash=wanted.content_hash(), originals=files
        )
        scripts = scripts_of(written, options["format"])
        if not scripts:
            sys.stderr.write("No difference: the installed settings are the wanted ones; there is nothing to write.\n")
        for script in scripts:
            if options["folder"]:
                applied, undo = _store(options["folder"], script)
                self.stdout.write(f"{applied} is written; {undo} takes it back")
            else:
                self.stdout.write(script.undo if options["undo"] else script.apply)
            for path in script.left_out:
                reason = script.reasons.get(path)
                omission = f"not in {script.filename}: {reason}" if reason else f"not in the format {script.format}"
                sys.stderr.write(f"{path}: {omission}\n")


def _store(folder: Path, script: Script) -> tuple[Path, Path]:
    applied = folder / script.filename
    undo = applied.with_name(f"undo-{applied.name}")
    applied.parent.mkdir(parents=True, exist_ok=True)
    applied.write_bytes(script.apply.encode(script.encoding))
    undo.write_bytes(script.undo.encode(script.encoding))
    return applied, undo
