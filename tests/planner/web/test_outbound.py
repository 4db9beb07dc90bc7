"""Requests leave for public machines only, and only as far as the time and the size allow."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from planner.web.outbound import Policy, Refused, Unreachable, checked_addresses, checked_url, post

HERE = Policy(loopback=True)


@contextmanager
def served(handle: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[tuple[str, list[str]]]:
    """Serve on this machine; yield the address and the paths that were asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.path)
            handle(self)

        def log_message(self, *about: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def answering(status: int, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def handle(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        request.end_headers()

    return handle


def resolving(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Let every name have these addresses: this machine may have no name service."""

    def found(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", found)


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/x",
        "ftp://hooks.example.org/",
        "hooks.example.org",
        "https://",
        "https:///x",
        "https://user:secret@hooks.example.org/",
        "https://hooks.example.org:0/",
        "https://hooks.example.org:99999/",
        "https://hooks.example.org/a b",
        "https://hooks.example.org/\r\nHost: x",
        "https://höoks.example.org/",
        "file:///etc",
    ],
)
def test_a_text_that_is_no_public_https_address_is_refused(url: str) -> None:
    with pytest.raises(Refused):
        checked_url(url, Policy())


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",  # noqa: S104
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::",
        "2001:db8::1",
    ],
)
def test_addresses_that_are_not_public_are_refused(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    resolving(monkeypatch, address)
    with pytest.raises(Refused, match="WEBHOOK_NETWORKS"):
        checked_addresses(checked_url("https://hooks.example.org/", Policy()), Policy())


def test_one_address_that_is_not_public_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = checked_url("https://hooks.example.org/", Policy())
    resolving(monkeypatch, "93.184.215.14", "2606:2800:21f::1")
    assert checked_addresses(parts, Policy()) == ["93.184.215.14", "2606:2800:21f::1"]
    resolving(monkeypatch, "93.184.215.14", "10.0.0.1")
    with pytest.raises(Refused):
        checked_addresses(parts, Policy())


def test_a_network_is_allowed_for_https_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    inside = Policy(networks=("10.1.0.0/16",), loopback=True)
    resolving(monkeypatch, "10.1.2.3")
    assert checked_addresses(checked_url("https://hooks.internal/", inside), inside) == ["10.1.2.3"]
    with pytest.raises(Refused, match="plain http"):
        checked_addresses(checked_url("http://hooks.internal/", inside), inside)
    resolving(monkeypatch, "10.2.0.1")
    with pytest.raises(Refused, match="no public address"):
        checked_addresses(checked_url("https://hooks.internal/", inside), inside)


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is asked for again would have another address by then."""
    with served(answering(204)) as (here, asked):
        port = here.rpartition(":")[2]
        answers = iter(["127.0.0.1", "10.0.0.1", "10.0.0.1"])

        def changing(host: str, port: int, *about: Any, **more: Any) -> list[Any]:
            chosen = next(answers) if host == "hooks.example.org" else host
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (chosen, port))]

        monkeypatch.setattr(socket, "getaddrinfo", changing)
        assert post(f"http://hooks.example.org:{port}/in?x=1", b"{}", {}, HERE) == 204
    assert asked == ["/in?x=1"]
    assert next(answers) == "10.0.0.1", "the name was asked for once"


def test_this_machine_is_called_only_where_that_is_allowed() -> None:
    with served(answering(200)) as (here, asked):
        assert post(here, b"{}", {}, HERE) == 200
        with pytest.raises(Refused):
            post(here, b"{}", {}, Policy())
    assert asked == ["/"]


def test_redirects_are_not_followed() -> None:
    with served(answering(302, Location="/inside")) as (here, asked):
        assert post(f"{here}/hook", b"{}", {}, HERE) == 302
    assert asked == ["/hook"]


@pytest.mark.parametrize("part", [b"X-Wait: more\r\n", b"\r\nx"])
def test_an_answer_that_drips_is_given_up(part: bytes) -> None:
    def drip(request: BaseHTTPRequestHandler) -> None:
        """Go on until nobody listens any more."""
        request.wfile.write(b"HTTP/1.1 200 OK\r\n")
        with suppress(OSError):
            while True:
                request.wfile.write(part)
                request.wfile.flush()
                time.sleep(0.1)

    with served(drip) as (here, _), pytest.raises(Unreachable, match=r"within 0\.5 s"):
        post(here, b"{}", {}, HERE, seconds=0.5)


def test_a_large_answer_is_not_read() -> None:
    def flood(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        with pytest.raises(OSError, match=r"."):
            for _ in range(200):
                request.wfile.write(b"x" * 1_000_000)

    with served(flood) as (here, _):
        assert post(here, b"{}", {}, HERE) == 200


def test_nobody_there_is_said() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(Unreachable, match="ConnectionRefusedError"):
        post(f"http://127.0.0.1:{port}/", b"{}", {}, HERE)


def test_a_server_without_a_proof_of_its_name_gets_nothing() -> None:
    with served(answering(200)) as (here, asked), pytest.raises(Unreachable):
        post(here.replace("http://", "https://"), b"{}", {}, Policy(networks=("127.0.0.0/8",)))
    assert asked == []
