"""Ids that say what they name and tell nothing else, for example ``run_7q2m4k9t3w8x5c6v``."""

import secrets
from functools import partial

from django.db import models

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Digits and letters that are hard to confuse: 32 of them, 5 bits each."""
RANDOM_LENGTH = 16
"""80 random bits: ids cannot be guessed or counted."""
ID_LENGTH = 24
"""Column width of an id: prefix, underscore and random part."""


def public_id(prefix: str) -> str:
    """Return a new id ``prefix_…``."""
    return f"{prefix}_{''.join(secrets.choice(ALPHABET) for _ in range(RANDOM_LENGTH))}"


def id_field(prefix: str) -> "models.CharField[str, str]":
    """Return the primary key of a model whose ids begin with ``prefix``."""
    return models.CharField(primary_key=True, max_length=ID_LENGTH, default=partial(public_id, prefix), editable=False)
