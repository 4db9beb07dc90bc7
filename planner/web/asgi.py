"""The web application for uvicorn."""

import gc
import os
import sys
import time
import warnings
from pathlib import Path

import django
from django.core.handlers.asgi import ASGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.settings.django")

# WhiteNoise hands over static files, which are small, as synchronous iterators; Django would say so for each of them.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

gc.disable()  # nothing of what is loaded is garbage
django.setup(set_prefix=False)

from planner.configuration.reading_apart import readers_start  # noqa: E402 - models exist after Django's start
from planner.web.body_limit import BodyLimit, most_bytes  # noqa: E402

readers_start()
most_bytes("/")  # to look up an address loads every view, which the first request would wait for
# An answer is computed in slices of 50 ms, not of 5 ms beside others that all take longer then.
sys.setswitchinterval(0.05)
gc.freeze()  # what is loaded stays: looking through it for garbage would hold an answer up for 0.2 s
gc.enable()

while (installed := os.environ.get("INSTALLED_FILE")) and not Path(installed).exists():  # `up` still installs
    time.sleep(0.05)
application = BodyLimit(ASGIHandler())  # WhiteNoise looks once which static files there are: after the installation
