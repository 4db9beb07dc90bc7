"""What rows of several tables share: their texts, when they were made, that they are archived, or written once."""

from typing import Any, ClassVar

from django.db import models


class Row(models.Model):
    """A row that ``says`` what it is called on screen and in messages: a format of the row itself."""

    says: ClassVar[str] = "{0.name}"

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.says.format(self)


class Dated(Row):
    """A row that says when it was made; lists begin with the newest."""

    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True
        ordering = ("-created_at", "-id")


class Archivable(Dated):
    """A row with a name that leaves the lists and is never deleted."""

    name: "models.CharField[str, str]"
    archived_at = models.DateTimeField(null=True, blank=True, help_text="Deleting is archiving.")

    class Meta:
        abstract = True

    @property
    def archived(self) -> bool:
        """Whether it has left the lists."""
        return self.archived_at is not None


class ImmutableError(RuntimeError):
    """Raised when code tries to change or delete a row that is written once; a defect of the program."""


class ImmutableModel(Row):
    """A row that can be inserted, never changed or deleted one by one."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; raises ImmutableError when it is stored already."""
        if not self._state.adding:
            raise ImmutableError(f"{self._meta.label} {self.pk} is written once")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Refuse."""
        raise ImmutableError(f"{self._meta.label} {self.pk} is kept")
