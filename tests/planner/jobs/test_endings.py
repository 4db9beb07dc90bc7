"""What the log says of an error, kept for the staff: short, and without secrets."""

from django.conf import settings

from planner.jobs.endings import FRAMES, excerpt, without_secrets


def deep(level: int) -> None:
    if level == 0:
        raise ValueError("cannot reach postgresql://sluice:very-hidden@db:5432/x")
    deep(level - 1)


def test_the_last_calls_are_named_and_passwords_are_hidden() -> None:
    try:
        deep(2 * FRAMES)
    except ValueError as error:
        lines = excerpt(error)
    assert len(lines) == FRAMES + 1
    assert lines[0].startswith("tests/planner/jobs/test_endings.py:")
    assert lines[0].endswith(" in deep")
    assert lines[-1] == "ValueError: cannot reach postgresql://•••@db:5432/x"


def test_the_installations_own_secret_is_hidden() -> None:
    assert without_secrets(f"key {settings.SECRET_KEY} refused") == "key ••• refused"
