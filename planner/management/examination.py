"""What `manage.py doctor` looks at: one function for each part, which returns what it found or raises ``Trouble``."""

import os
import re
import shutil
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from importlib.metadata import PackageNotFoundError, version
from time import time

from django.conf import settings
from django.core.checks import WARNING, run_checks
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from planner.celery import app
from planner.jobs.metrics import OK, broker_state, database_state, spark_state
from planner.models import Run
from planner.runtime.processes import BYTES_NEEDED, StartProblem
from planner.runtime.services import find_server
from planner.settings.environment import BASE_DIR, services_file
from simulations.pipeline.spark.java import JavaMissing, find_java
from simulations.pipeline.spark.warm import variants_missing

CLOCKS_AGREE = timedelta(seconds=60)
PINNED = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)
STARTS = "starts with `make up`"


class Trouble(Exception):
    """What is wrong with a part, and the remedy."""

    def __init__(self, detail: str, remedy: str) -> None:
        super().__init__(detail)
        self.remedy = remedy


@dataclass(frozen=True)
class Finding:
    """How one part is. ``remedy`` is empty where it is well."""

    part: str
    ok: bool
    detail: str
    remedy: str = ""


def findings() -> Iterator[Finding]:
    """Examine every part; one that cannot be examined is a finding, too."""
    for part, examine in PARTS.items():
        try:
            yield Finding(part, ok=True, detail=examine())
        except Trouble as trouble:
            yield Finding(part, ok=False, detail=str(trouble), remedy=trouble.remedy)
        except DatabaseError as error:
            yield Finding(part, ok=False, detail=str(error), remedy="stop Sluice; manage.py restore FILE")
        except (OSError, StartProblem, JavaMissing) as error:
            yield Finding(part, ok=False, detail=str(error).strip(), remedy="docs/operations.md, When a part is down")


def packages() -> str:
    """The packages that are installed are the pinned ones."""
    pinned = dict(PINNED.findall((BASE_DIR / "requirements.txt").read_text()))
    there = {name: _installed(name) for name in pinned}
    wrong = [f"{name} {there[name]}, not {pin}" for name, pin in pinned.items() if there[name] != pin]
    if wrong:
        raise Trouble(", ".join(wrong), "make setup")
    return f"{len(pinned)} packages as pinned"


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def engine() -> str:
    """The engine is compiled."""
    missing = variants_missing()
    if missing:
        raise Trouble(f"{missing} of its variants are not compiled", "manage.py install")
    return "compiled"


def state_folder() -> str:
    """The state folder is private and can be written."""
    folder = settings.ENVIRONMENT.state_dir
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Trouble(f"{folder} cannot be written", "set STATE_DIR to a folder of your own, then manage.py install")
    if folder.stat().st_mode & 0o066:
        raise Trouble(f"others can read {folder}, which holds keys", f"chmod 700 {folder}")
    return str(folder)


def disk() -> str:
    """The disks of state and results have room."""
    folders = [path for path in (settings.ENVIRONMENT.state_dir, settings.ENVIRONMENT.store) if path.exists()]
    free = {path: shutil.disk_usage(path).free for path in folders}
    for path, size in free.items():
        if size < BYTES_NEEDED:
            raise Trouble(f"{size / 1e6:.0f} MB are free in {path}", "manage.py retain --apply, or a larger disk")
    return f"{min(free.values(), default=0) / 1e9:.1f} GB free"


def database() -> str:
    """The database answers, is whole and has the schema of this version."""
    if connection.vendor != "sqlite":
        _answers(database_state(), "start it, or correct DATABASE_URL")
    else:
        with connection.cursor() as cursor:
            (answer,) = cursor.execute("PRAGMA quick_check(1)").fetchone()
        if answer != "ok":
            file = connection.settings_dict["NAME"]
            raise Trouble(f"{file} is damaged: {answer}", "stop Sluice, then manage.py restore FILE")
    executor = MigrationExecutor(connection)
    due = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if due:
        raise Trouble(f"{len(due)} migrations are not applied", "manage.py migrate")
    return f"{connection.display_name}, schema up to date"


def broker() -> str:
    """The broker answers; where Sluice starts its own, its program is there."""
    if not settings.ENVIRONMENT.broker_url:
        return f"{find_server()} {STARTS}"
    return _answers(broker_state(), "start it, or correct BROKER_URL")


def workers() -> str:
    """A worker answers where there is a broker."""
    if not settings.ENVIRONMENT.broker_url or broker_state() != OK:
        return f"{STARTS}, after the broker"
    names = [name for answer in app.control.ping(timeout=2) or () for name in answer]
    if not names:
        raise Trouble("none answers within 2 s", "see log/worker.log; start one: celery -A planner worker")
    return f"{len(names)}: {', '.join(sorted(names))}"


def spark() -> str:
    """The Spark server answers; where Sluice starts its own, there is a Java for it."""
    if not settings.ENVIRONMENT.spark_remote:
        java = find_java()
        return f"Java {java.major} ({java.executable}) {STARTS}"
    return _answers(spark_state(), "see log/spark.log, or correct SPARK_REMOTE")


def _answers(state: str, remedy: str) -> str:
    if state != OK:
        raise Trouble(f"no answer ({state})", remedy)
    return "answers"


def ports() -> str:
    """The port of the pages is served, or free to be."""
    address = settings.ENVIRONMENT.public_address
    port = address.port or {"https": 443, "http": 80}[address.scheme]
    serves = services_file(settings.ENVIRONMENT.state_dir).exists()
    with socket.socket() as probe:
        probe.settimeout(2)
        taken = probe.connect_ex((address.hostname, port)) == 0
    if taken != serves and not settings.ENVIRONMENT.encrypted:
        where = f"port {port} of {address.hostname}"
        if taken:
            raise Trouble(f"another program uses {where}", "end it, or choose another: make up PORT=8001")
        raise Trouble(f"nothing listens on {where}", "see log/web.log")
    return f"{port} {'is served' if taken else 'is free'}"


def clock() -> str:
    """Nothing stored and no file is newer than now."""
    newest = None
    with suppress(DatabaseError):  # what is wrong with it, its own line says
        newest = Run.objects.order_by("-created_at").values_list("created_at", flat=True).first()
    ahead = (newest - timezone.now()) if newest else timedelta()
    ahead = max(ahead, timedelta(seconds=settings.ENVIRONMENT.state_dir.stat().st_mtime - time()))
    if ahead > CLOCKS_AGREE:
        raise Trouble(f"it is {ahead} behind what is stored", "set the machine's clock; use NTP")
    return f"{timezone.now():%Y-%m-%d %H:%M:%S} UTC"


def checks() -> str:
    """Django's own checks; where others reach Sluice, those of `check --deploy`, too."""
    encrypted = settings.ENVIRONMENT.encrypted
    messages = [item for item in run_checks(include_deployment_checks=encrypted) if item.level >= WARNING]
    if messages:
        raise Trouble("; ".join(f"{item.id} {item.msg}" for item in messages), "manage.py check --deploy explains each")
    return "check --deploy reports nothing" if encrypted else "check reports nothing; only this machine reaches Sluice"


PARTS: Mapping[str, Callable[[], str]] = {
    "settings": checks,
    "packages": packages,
    "engine": engine,
    "state folder": state_folder,
    "disk": disk,
    "database": database,
    "broker": broker,
    "workers": workers,
    "Spark": spark,
    "ports": ports,
    "clock": clock,
}
"""What is examined, in this order."""
