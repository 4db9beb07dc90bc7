"""`manage.py close_account NAME --to OTHER`: hand over what is somebody's alone and end their account."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from planner import services
from planner.errors import Conflict, Forbidden


class Command(BaseCommand):
    """What they signed, ran and wrote keeps their name; their tokens and memberships end."""

    help = "Hand over what is somebody's alone to somebody else and end the account."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the two names."""
        parser.add_argument("name", help="whose account ends")
        parser.add_argument("--to", required=True, metavar="NAME", help="who gets what was theirs alone")

    def handle(self, *args: Any, **options: Any) -> None:
        """Close it; raises CommandError with the reason where that cannot be."""
        names = (options["name"], options["to"])
        people = User.objects.in_bulk(names, field_name="username")
        for name in names:
            if name not in people:
                raise CommandError(f"there is nobody called {name!r}")
        try:
            services.person_close(person=people[options["name"]], successor=people[options["to"]], actor=None)
        except (Conflict, Forbidden) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{options['name']} can no longer sign in; {options['to']} has what was theirs alone.")
