"""Reports as PDF, printed by the real Chromium."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from django.conf import settings
from django.test import override_settings

from planner.errors import Unavailable
from planner.reports.paper import chromium_path, pdf_of
from tests.machine import ADVICE, find_chromium

pytestmark = [pytest.mark.browser]
PAGE = """<!doctype html><html lang="en"><head><title>Two pages</title><style>@page { size: A4 }</style></head><body>
<h1>First</h1><p>text</p><h2 style="break-before: page">Second</h2>%s</body></html>"""


@pytest.fixture(scope="module")
def browser_path() -> Path:
    """The machine's Chromium."""
    found = find_chromium()
    if found is None:
        pytest.fail(f"There is no Chromium. {ADVICE}")
    return found


def with_path(value: str) -> override_settings:
    """The installation as if CHROMIUM_PATH had this value."""
    return override_settings(ENVIRONMENT=settings.ENVIRONMENT.model_copy(update={"chromium_path": value}))


@contextmanager
def listening() -> Iterator[tuple[int, list[str]]]:
    """A server of this machine, and the paths that it was asked for."""
    heard: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(self.path)
            self.send_response(204)
            self.end_headers()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port, heard
    server.shutdown()
    server.server_close()


def test_a_page_becomes_a_tagged_pdf_with_an_outline(browser_path: Path) -> None:
    pdf = pdf_of((PAGE % "").encode(), browser_path)
    assert pdf.startswith(b"%PDF-1.")
    assert len(re.findall(rb"/Type /Page\b", pdf)) == 2
    for wanted in (b"/Type /Outlines", b"/StructTreeRoot", b"/MarkInfo", b"/Lang (en)", b"Two pages"):
        assert wanted in pdf, wanted
    assert b"/MediaBox [0 0 594.95" in pdf or b"/MediaBox [0 0 595" in pdf


def test_the_file_reaches_no_network(browser_path: Path) -> None:
    """A script asks a server of this machine and the name of another; neither hears of it."""
    with listening() as (port, heard):
        script = (
            f"<script>for (const host of ['127.0.0.1', 'localhost', 'example.org'])"
            f"fetch(`http://${{host}}:{port}/`, {{mode: 'no-cors'}}).catch(() => 0)</script>"
            f"<img src='http://127.0.0.1:{port}/x.png'>"
        )
        pdf_of((PAGE % script).encode(), browser_path)
        assert heard == []


def test_an_endless_page_is_given_up(browser_path: Path) -> None:
    with pytest.raises(Unavailable, match="within 5 s"):
        pdf_of((PAGE % "<script>for (;;) {}</script>").encode(), browser_path, seconds=5)


def test_a_browser_that_fails_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "browser"
    broken.write_text("#!/bin/sh\necho no display; exit 3\n")
    broken.chmod(0o755)
    with pytest.raises(Unavailable, match="no display"):
        pdf_of(b"", broken)


def test_without_a_browser_there_is_a_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with with_path(""), pytest.raises(Unavailable, match="Install Chromium"):
        chromium_path()
    with with_path("/no/such/program"), pytest.raises(Unavailable, match="/no/such/program"):
        chromium_path()
