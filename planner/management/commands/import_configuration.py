"""`manage.py import_configuration FILE…`: a vendor's files become a scenario file, with an account of every element."""

from pathlib import Path
from typing import Any

import yaml
from django.core.management.base import CommandParser

from planner.configuration.importing import ScenarioReading, account_counts, configuration_read
from planner.management.command_line import FileCommand, told
from planner.management.configuration_files import add_target, read_files


class Command(FileCommand):
    help = (
        "Read configuration files of one platform, print what became of each element, and write the scenario they "
        "describe. Exit codes: 0 done, 2 a file cannot be read."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "files", type=Path, nargs="+", metavar="FILE", help="files, archives or folders of one platform"
        )
        parser.add_argument("--platform", default="", help="the platform; without it the files say it themselves")
        add_target(parser)
        parser.add_argument("--name", default="", help="name of the scenario")
        parser.add_argument("--output", type=Path, metavar="FILE", help="where the scenario is written")
        parser.add_argument("--json", action="store_true", help="print account and scenario as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        files = read_files(options["files"], options["platform"], options["target"])
        reading = configuration_read(files, platform=options["platform"], name=options["name"])
        body = reading.spec.body()
        if options["output"]:
            notes = (f"# {line.path}: {line.message}\n" for line in reading.account if "placeholder" in line.message)
            options["output"].write_text("".join(notes) + yaml.safe_dump(body, sort_keys=False, allow_unicode=True))
        self.stdout.write(told(options, {"scenario": body, "account": reading.body}, _text(reading)))


def _text(reading: ScenarioReading) -> str:
    """One line per element, those first that somebody has to look at, and how many there are of each kind."""
    counts = account_counts(reading.body)
    lines = [
        f"{line['status']:<13} {line['file'] and '{file}:{line} '.format_map(line)}{line['path']}: {line['message']}"
        for status in counts
        for line in reading.body
        if line["status"] == status
    ]
    return "\n".join([*lines, "", ", ".join(f"{count} {status}" for status, count in counts.items())])
