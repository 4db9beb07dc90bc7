"""Servers and queues that people keep and reuse; scenarios are composed of copies of them."""

from django.conf import settings as django_settings
from django.db import models
from django.db.models import F, Q

from planner.models.bases import Archivable
from planner.models.identity import id_field
from planner.models.team import Held
from simulations.declarations.texts import LONGEST_NAME

IDENTITY = "What the vendor's configuration calls it, empty where that is not known."


def default_size() -> float:
    """Return the bytes of a message that nobody gave."""
    return 1000.0


class Stored(Archivable):
    """What servers and queues share."""

    name = models.CharField(max_length=LONGEST_NAME)
    identity = models.JSONField(null=True, blank=True, help_text=IDENTITY)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True
        ordering = ("name", "id")


class Server(Stored, Held):
    """A server as stored: what every platform shares in columns, the family's own settings in JSON.

    The columns are the one source of truth for ``servants_min``, ``servants_max`` and ``workload_profile``: the
    ``settings`` never hold them. ``services.inventory`` puts them into the family's settings when a scenario is
    composed, under the family's names, and takes them out on the way back. Platforms without servants have none.
    """

    id = id_field("srv")
    owner = models.ForeignKey(django_settings.AUTH_USER_MODEL, models.PROTECT, related_name="servers")
    platform = models.CharField(max_length=40, help_text="Registered name of the platform family.")
    cpus = models.PositiveSmallIntegerField(default=1, help_text="CPUs of one instance.")
    servants_min = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Servants started at once (z/OS); empty where a platform has none."
    )
    servants_max = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Most servants (z/OS); empty where a platform has none."
    )
    instances = models.PositiveSmallIntegerField(default=1, help_text="Members of the cluster.")
    workload_profile = models.CharField(
        max_length=20, blank=True, default="", help_text="Decides the threads of a servant (z/OS)."
    )
    settings = models.JSONField(default=dict, blank=True, help_text="The family's other settings.")
    background = models.JSONField(default=list, blank=True, help_text="Other work on the same threads.")

    class Meta(Stored.Meta):
        constraints = (
            models.UniqueConstraint(
                fields=("owner", "name"), condition=Q(archived_at=None, team=None), name="server_name_unique_per_owner"
            ),
            models.UniqueConstraint(
                fields=("team", "name"), condition=Q(archived_at=None), name="server_name_unique_per_team"
            ),
            models.CheckConstraint(condition=Q(cpus__gte=1), name="server_has_cpus"),
            models.CheckConstraint(condition=Q(instances__gte=1), name="server_has_instances"),
            models.CheckConstraint(
                condition=Q(servants_max__isnull=True)
                | Q(servants_min__isnull=True)
                | Q(servants_min__lte=F("servants_max")),
                name="server_servants_ordered",
            ),
        )


class Queue(Stored):
    """A destination and the message-driven bean that listens to it, as stored."""

    class Kind(models.TextChoices):
        """Queue: each message is processed once. Topic: each subscriber gets its copy."""

        QUEUE = "queue"
        TOPIC = "topic"

    held_by = "server"
    id = id_field("que")
    owner = models.ForeignKey(django_settings.AUTH_USER_MODEL, models.PROTECT, related_name="queues")
    server = models.ForeignKey(Server, models.CASCADE, related_name="queues")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.QUEUE)
    producers = models.PositiveIntegerField(default=1, help_text="Producers that share the arrivals equally.")
    message_size = models.JSONField(default=default_size, help_text="Bytes of one message, or their distribution.")
    arrivals = models.JSONField(help_text="How messages arrive.")
    service = models.JSONField(help_text="Distribution of the time inside onMessage.")
    sends = models.JSONField(default=list, blank=True, help_text="Queues that its bean sends on to, by name.")
    settings = models.JSONField(default=dict, blank=True, help_text="The family's settings of MDB and destination.")

    class Meta(Stored.Meta):
        constraints = (
            models.UniqueConstraint(
                fields=("server", "name"), condition=Q(archived_at=None), name="queue_name_unique_per_server"
            ),
            models.CheckConstraint(condition=Q(kind__in=("queue", "topic")), name="queue_kind_known"),
            models.CheckConstraint(condition=Q(producers__gte=1), name="queue_has_producers"),
        )
