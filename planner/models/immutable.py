"""Rows that are written once."""

from typing import Any

from django.db import models


class ImmutableError(RuntimeError):
    """Raised when code tries to change or delete a row that is written once; a defect of the program."""


class ImmutableModel(models.Model):
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
