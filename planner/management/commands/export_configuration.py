"""`manage.py export_configuration FILE --format …`: a scenario's settings as the vendor's own configuration."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from planner.configuration.exporting import configuration_written, scripts_of
from planner.configuration.importing import configuration_read
from planner.management.command_line import add_scenario_arguments, exit_invalid, read_scenario
from planner.management.configuration_files import add_target, read_files
from simulations.declarations.problems import InvalidInput
from simulations.platforms.shared.family import Script
from simulations.scenario.spec import ScenarioSpec


class Command(BaseCommand):
    """Prints the script, or with --undo the part that takes it back."""

    help = (
        "Write the settings that differ between what is installed (--since) and a scenario, in a vendor's format. "
        "Exit codes: 0 done, also where nothing differs; 2 invalid input."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare FILE, --set, --since, --target, --format, --undo and --folder."""
        add_scenario_arguments(parser, formats=False)
        parser.add_argument(
            "--since",
            type=Path,
            nargs="+",
            metavar="FILE",
            help="what is installed: a scenario file or the vendor's files; without it FILE before --set",
        )
        add_target(parser)
        parser.add_argument("--format", required=True, help="wlst, wsadmin, imqcmd …; xml patches the files of --since")
        parser.add_argument("--undo", action="store_true", help="print the part that takes the settings back")
        parser.add_argument("--folder", type=Path, help="write both parts of every script there instead of printing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read both states, write what leads from one to the other."""
        try:
            wanted = read_scenario(options["file"], options["overrides"])
            files = read_files(options["since"], wanted.platform, options["target"]) if options["since"] else {}
            installed = configuration_read(files, platform=wanted.platform).spec if files else None
            scripts = _written(installed or read_scenario(options["file"], []), wanted, files, options["format"])
        except InvalidInput as error:
            exit_invalid(error)
        if not scripts:
            sys.stderr.write("No difference: the installed settings are the wanted ones; there is nothing to write.\n")
        for script in scripts:
            if options["folder"]:
                kept, undo = _store(options["folder"], script)
                self.stdout.write(f"{kept} is written; {undo} takes it back")
            else:
                self.stdout.write(script.undo if options["undo"] else script.apply)
            for path in script.left_out:
                reason = script.reasons.get(path)
                said = f"not in {script.filename}: {reason}" if reason else f"not in the format {script.format}"
                sys.stderr.write(f"{path}: {said}\n")


def _written(
    installed: ScenarioSpec, wanted: ScenarioSpec, files: dict[str, bytes], wanted_format: str
) -> tuple[Script, ...]:
    written = configuration_written(
        installed=installed, wanted=wanted, scenario_hash=wanted.content_hash(), originals=files
    )
    return scripts_of(written, wanted_format)


def _store(folder: Path, script: Script) -> tuple[Path, Path]:
    kept = folder / script.filename
    undo = kept.with_name(f"undo-{kept.name}")
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(script.apply.encode(script.encoding))
    undo.write_bytes(script.undo.encode(script.encoding))
    return kept, undo
