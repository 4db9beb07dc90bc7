"""`manage.py generate_docs`: writes the generated pages, or with --check says which are out of date."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from planner.documentation import generated_pages
from planner.settings.environment import BASE_DIR


class Command(BaseCommand):
    """Keeps the generated pages of docs/ in step with the declarations."""

    help = "Write the platform and metric pages of docs/. With --check: write nothing, exit 1 when one is out of date."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare --check and --folder."""
        parser.add_argument("--check", action="store_true", help="only say what is out of date")
        parser.add_argument("--folder", type=Path, default=BASE_DIR / "docs", help="folder of the documentation")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare, and write what differs."""
        stale = [
            (path, content)
            for path, content in ((options["folder"] / name, text) for name, text in generated_pages().items())
            if not path.exists() or path.read_text(encoding="utf-8") != content
        ]
        for path, content in stale:
            if not options["check"]:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            self.stdout.write(f"{'out of date' if options['check'] else 'written'}: {path}")
        if stale and options["check"]:
            sys.exit(1)
