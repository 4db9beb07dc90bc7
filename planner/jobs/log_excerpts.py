"""What the log says of an error, short and without secrets, for people who may read the audit record."""

import re
import traceback

from django.conf import settings
from pydantic import SecretStr

from planner.settings.environment import BASE_DIR

FRAMES = 12
LONGEST = 500
_PASSWORD = re.compile(r"://[^/\s:@]*:[^/\s@]+@")
HIDDEN = "•••"


def excerpt(error: BaseException) -> list[str]:
    """Return where the error came from, the last calls only, and what it says; no values but those in its text."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    calls = [f"{_shortened(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
    return [*calls, f"{type(error).__name__}: {without_secrets(str(error))[:LONGEST]}"]


def without_secrets(text: str) -> str:
    """Return the text with the installation's secrets and the passwords of addresses hidden."""
    given = settings.ENVIRONMENT.model_dump().values()
    secrets = [settings.SECRET_KEY, *(value.get_secret_value() for value in given if isinstance(value, SecretStr))]
    for secret in filter(None, secrets):
        text = text.replace(secret, HIDDEN)
    return _PASSWORD.sub(f"://{HIDDEN}@", text)


def _shortened(file: str) -> str:
    """The path below the project, or below the folder of packages: where those lie is nobody's business."""
    return file.removeprefix(f"{BASE_DIR}/").rpartition("site-packages/")[2]
