"""`manage.py load_presets USER`: gives a person the preset scenarios."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from planner import services


class Command(BaseCommand):
    """Stores the presets that a person does not have yet; running it again changes nothing."""

    help = "Store the preset scenarios, servers and queues for a user. Without a name: for the first administrator."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the optional user name."""
        parser.add_argument("user", nargs="?", default="", help="user name of the owner")

    def handle(self, *args: Any, **options: Any) -> None:
        """Find the owner, load, say what is new."""
        name = options["user"]
        people = User.objects.filter(username=name) if name else User.objects.filter(is_superuser=True)
        owner = people.order_by("pk").first()
        if owner is None:
            raise CommandError(f"there is no user {name!r}" if name else "there is no administrator yet; name a user")
        created = services.presets_load(owner=owner)
        for scenario in created:
            self.stdout.write(f"preset {scenario.preset}: {scenario.name}")
        self.stdout.write(f"{len(created)} presets are new for {owner.get_username()}")
