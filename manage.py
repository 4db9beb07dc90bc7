#!/usr/bin/env python
"""Django's command line for Sluice: `python manage.py help` lists the commands."""

import gc
import os
import select
import sys
import traceback

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from planner.management.exits import EXIT_DEFECT, EXIT_INVALID, EXIT_STOPPED, EXIT_UNREAD


def main() -> None:
    """Run the command; a bad setting ends in one sentence per variable and code 2, a defect in a trace and code 70.

    Ctrl-C and a reader that went away, as ``head`` does, are nobody's defect: they end without a trace.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.settings.django")
    gc.set_threshold(50_000, 20, 20)  # to load the code leaves no garbage, and looking for it takes a tenth of the time
    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped.\n")
        sys.stderr.flush()
        os._exit(EXIT_STOPPED)  # without waiting for replications that threads still compute
    except ImproperlyConfigured as problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(EXIT_INVALID)
    except Exception as problem:
        if isinstance(problem, BrokenPipeError) and _is_unread():
            sys.exit(EXIT_UNREAD)
        traceback.print_exc()
        sys.exit(EXIT_DEFECT)


def _is_unread() -> bool:
    """Whether nobody reads the standard output any more; what is left of it then goes nowhere."""
    output = sys.stdout.fileno()
    ends = select.poll()
    ends.register(output, 0)
    if not any(event & select.POLLERR for _, event in ends.poll(0)):
        return False
    os.dup2(os.open(os.devnull, os.O_WRONLY), output)
    return True


if __name__ == "__main__":
    main()
