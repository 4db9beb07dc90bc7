"""The web application for uvicorn."""

import asyncio
import gc
import os
import sys
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import django
from django.core.handlers.asgi import ASGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.settings.django")

# WhiteNoise hands over static files, which are small, as synchronous iterators; Django would say so for each of them.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

gc.disable()  # nothing of what is loaded is garbage
django.setup(set_prefix=False)

from planner.configuration.reading_apart import readers_start  # noqa: E402 - models exist after Django's start
from planner.web.body_limit import BodyLimit, Receive, Send, most_bytes  # noqa: E402

readers_start()
most_bytes("/")  # to look up an address loads every view, which the first request would wait for
# An answer is computed in slices of 50 ms, not of 5 ms beside others that all take longer then.
sys.setswitchinterval(0.05)
gc.freeze()  # what is loaded stays: looking through it for garbage would hold an answer up for 0.2 s
gc.enable()

_handler = cache(ASGIHandler)  # WhiteNoise looks once which static files there are: after the installation


async def _once_installed(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Serve one connection; the first ones wait while `up` still installs."""
    file = os.environ.get("INSTALLED_FILE")
    while file and not _handler.cache_info().currsize and not Path(file).exists():
        await asyncio.sleep(0.05)
    await _handler()(scope, receive, send)


application = BodyLimit(_once_installed)
