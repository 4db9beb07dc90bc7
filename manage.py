#!/usr/bin/env python
"""Django's command line for Sluice: `python manage.py help` lists the commands."""

import os
import sys
import traceback

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from planner.exits import EXIT_DEFECT, EXIT_INVALID


def main() -> None:
    """Run the command; a bad setting ends in one sentence per variable and code 2, a defect in a trace and code 70."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(EXIT_INVALID)
    except Exception:
        traceback.print_exc()
        sys.exit(EXIT_DEFECT)


if __name__ == "__main__":
    main()
