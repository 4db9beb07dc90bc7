#!/usr/bin/env python
"""Django's command line for Sluice: `python manage.py help` lists the commands."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    """Run the command; a bad setting ends in one sentence per variable instead of a trace."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as problem:
        sys.exit(f"{problem}")


if __name__ == "__main__":
    main()
