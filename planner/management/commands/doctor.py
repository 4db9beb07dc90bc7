"""`manage.py doctor`: is every part of this installation well, and what to do where one is not?"""

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from planner.management.examination import findings


class Command(BaseCommand):
    """Changes nothing; may be called at any time."""

    help = "Examine every part and print the remedy where one is not well. Exit codes: 0 all are well, 1 one is not."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON instead of lines")

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(findings())
        well = all(item.ok for item in found)
        if options["json"]:
            self.stdout.write(json.dumps({"ok": well, "parts": [asdict(item) for item in found]}, indent=2))
        else:
            for item in found:
                self.stdout.write(f"{'ok' if item.ok else 'PROBLEM':<8}{item.part:<13}{item.detail}")
                if item.remedy:
                    self.stdout.write(f"{'':<21}remedy: {item.remedy}")
        sys.exit(not well)
