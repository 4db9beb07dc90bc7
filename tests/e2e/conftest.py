"""A whole installation for the browser: web server, Celery worker, Redis and Spark, each a process of its own."""

import fcntl
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from planner.runtime.processes import Service
from simulations.pipeline.spark.server import PROJECT, ServerPlan, free_port, is_listening
from tests.e2e.watch import Watched
from tests.services import running
from tests.waiting import PATIENCE, wait_until

expect.set_options(timeout=1000 * PATIENCE)
WORKER = [sys.executable, "-m", "celery", "-A", "planner", "worker", "--without-gossip", "--without-mingle"]


@dataclass(frozen=True)
class Site:
    """Where the pages are, and who may open them."""

    address: str
    user: str
    password: str
    folder: Path


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, redis_url: str, spark_server: ServerPlan) -> Iterator[Site]:
    """The installation, started as `make up` starts it: migrated, static files collected, presets loaded."""
    folder = tmp_path_factory.mktemp("site")
    variables = {
        "TELEMETRY_ROOTS": str(folder / "incoming"),
        "BROKER_URL": redis_url,
        "SPARK_REMOTE": spark_server.remote,
        "SPARK_TOKEN": spark_server.token,
        "WORKER_CONCURRENCY": "1",
    }
    with installed(folder, variables, worker=WORKER) as made:
        yield made


@contextmanager
def installed(folder: Path, more: Mapping[str, str], **others: list[str]) -> Iterator[Site]:
    """Run the web server, and ``others`` by name, of an installation in ``folder``; ``more``: of its environment."""
    port = free_port()
    address = f"http://localhost:{port}"
    variables = {**os.environ, "STATE_DIR": str(folder), "PUBLIC_URL": address, "MALLOC_ARENA_MAX": "2", **more}
    first, password = _installed_once(folder.parent)
    shutil.copytree(first, folder, dirs_exist_ok=True)
    with serving(folder, port, variables, **others):
        wait_until(lambda: _answers(f"{address}/login/"), "the pages answer")
        yield Site(address, "admin", password, folder)


@contextmanager
def serving(folder: Path, port: int, variables: Mapping[str, str], **others: list[str]) -> Iterator[None]:
    """Run the web server, and ``others`` by name, with their logs in ``folder``."""
    web = [sys.executable, "-m", "uvicorn", "planner.web.asgi:application", "--port", str(port)]
    services = [Service("web", [*web, "--log-level", "warning"], variables, lambda: is_listening(port))]
    services += [Service(name, command, variables, lambda: True) for name, command in others.items()]
    with ExitStack() as started:
        for service in services:
            started.enter_context(running(service, folder))
        yield


@cache
def _installed_once(base: Path) -> tuple[Path, str]:
    """A fresh installation and its administrator's password: to make it takes half a minute, to copy it no time.

    All processes of xdist share one, beside their own folders for temporary files.
    """
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = shared / "installed", shared / "installed.done"
    with (shared / "installed.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            variables = {**os.environ, "STATE_DIR": str(folder)}
            subprocess.run([sys.executable, "manage.py", "install"], env=variables, cwd=PROJECT, check=True)
            done.touch()
    return folder, (folder / "first_password").read_text().strip()


@pytest.fixture
def context(browser: Browser, site: Site, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A browser profile that is signed in; `indirect` parameters are Playwright options, for example a phone.

    Tests without such options share one, whose pages are closed and which forgets all that it kept after each of them:
    a new one would load and compile Plotly anew, which is half of what it takes to open a workbench.
    """
    options = getattr(request, "param", {})
    profile = signed_in(browser, site, **options) if options else _usual_profile(browser, site)
    yield profile
    if options:
        profile.close()
        return
    for page in profile.pages:
        page.close()
    profile.set_offline(False)
    profile.clear_permissions()
    profile.set_storage_state(_signed_in_once(browser, site))


@cache
def _usual_profile(browser: Browser, site: Site) -> BrowserContext:
    """The profile that tests of a site share."""
    return signed_in(browser, site)


def signed_in(browser: Browser, site: Site, **options: Any) -> BrowserContext:
    """Open a browser profile of somebody who has signed in."""
    usual = {"base_url": site.address, "viewport": {"width": 1440, "height": 900}}
    fresh = browser.new_context(**{**usual, "storage_state": _signed_in_once(browser, site), **options})
    fresh.set_default_timeout(1000 * PATIENCE)
    return fresh


@cache
def _signed_in_once(browser: Browser, site: Site) -> Any:
    """The cookies of one signing in, which all profiles share: it takes a second, and there are fifty."""
    first = browser.new_context(base_url=site.address)
    first.set_default_timeout(1000 * PATIENCE)
    page = first.new_page()
    page.goto("/login/")
    page.get_by_label("Name").fill(site.user)
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(f"{site.address}/")
    cookies = first.storage_state()
    first.close()
    return cookies


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which nothing may go wrong unseen: console errors and blocked content fail the test."""
    opened = context.new_page()
    watched = Watched(opened)
    yield opened
    assert watched.complaints == []


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2) as answer:  # noqa: S310 - our own server
            return bool(answer.status == 200)
    except OSError:
        return False
