"""`manage.py install`: bring database, static files, administrator, presets and compiled engine up to date."""

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import connection

from planner.services import presets_load
from planner.settings.environment import kept_secret
from simulations.pipeline.spark.warm import compile_kernels

ADMINISTRATOR = "admin"
UNUSED = "widgetbundle.js"
"""Plotly's code for notebooks, as large as the library itself: to compress it takes 40 seconds."""


class Command(BaseCommand):
    """Safe to run again: it adds what is missing and repeats nothing."""

    help = "Bring database, static files, administrator, presets and the compiled engine up to date."
    requires_system_checks = ()  # they would import every view first

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--pages", action="store_true", help="all but the engine, which is compiled elsewhere")

    def handle(self, *args: object, **options: object) -> None:
        """Run the steps in order; a failing step ends the command."""
        connection.settings_dict["OPTIONS"].pop("options", None)  # a migration may take long
        call_command("migrate", interactive=False, verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=[UNUSED])
        owner = User.objects.filter(is_superuser=True).order_by("pk").first() or self._administrator()
        for scenario in presets_load(owner=owner):
            self.stdout.write(f"Preset added: {scenario.name}")
        if not options["pages"]:
            self.stdout.write("Loading the engine; the first time it is compiled, which takes a minute or two")
            compile_kernels()

    def _administrator(self) -> User:
        file = settings.ENVIRONMENT.state_dir / "first_password"
        user = User.objects.create_superuser(ADMINISTRATOR, password=kept_secret(file))
        self.stdout.write(f"Administrator: {ADMINISTRATOR}   password: in {file}, which only you can read")
        self.stdout.write("Sign in, choose another one behind the avatar, and delete the file.")
        return user
