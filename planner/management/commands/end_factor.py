"""`manage.py end_factor NAME`: let somebody in without the second factor that they lost."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError, CommandParser

from planner import services


class Command(BaseCommand):
    """For the administrator who lost it and has no other to ask; the admin site does the same."""

    help = "End somebody's second factor and recovery codes."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the name."""
        parser.add_argument("name", help="who lost it")

    def handle(self, *args: Any, **options: Any) -> None:
        """End it; raises CommandError where there is none."""
        factors = Authenticator.objects.filter(user__username=options["name"])
        if not factors:
            raise CommandError(f"{options['name']!r} has no second factor")
        for factor in factors:
            services.factor_end(factor=factor, actor=None)
        self.stdout.write(f"{options['name']} signs in with the password, or the company account, alone.")
