"""The socket between two parts passes on, keeps back, and cuts."""

import socket
import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest

from tests.faults.network import Proxy, to_port
from tests.waiting import PATIENCE


class Echo(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        for line in self.rfile:
            self.wfile.write(line)


@contextmanager
def echoed() -> Iterator[Proxy]:
    """A proxy of a server that says again what it is told."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Echo) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        with to_port(server.server_address[1]).running() as proxy:
            yield proxy
        server.shutdown()


def link(proxy: Proxy) -> socket.socket:
    return socket.create_connection(("127.0.0.1", proxy.port), PATIENCE)


def has_ended(client: socket.socket) -> bool:
    try:
        return client.recv(9) == b""
    except ConnectionResetError:
        return True


def test_it_passes_on() -> None:
    with echoed() as proxy, link(proxy) as client:
        client.sendall(b"a\n")
        assert client.recv(9) == b"a\n"


def test_what_was_kept_back_arrives_when_it_is_mended() -> None:
    with echoed() as proxy, link(proxy) as client:
        client.sendall(b"a\n")
        assert client.recv(9) == b"a\n"
        proxy.silence()
        client.sendall(b"b\n")
        client.settimeout(0.3)
        with pytest.raises(TimeoutError):
            client.recv(9)
        client.settimeout(PATIENCE)
        proxy.mend()
        assert client.recv(9) == b"b\n"


def test_cut_connections_end_and_new_ones_too_until_it_is_mended() -> None:
    with echoed() as proxy, link(proxy) as client:
        client.sendall(b"a\n")
        assert client.recv(9) == b"a\n"
        proxy.cut()
        assert has_ended(client)
        with link(proxy) as other:
            assert has_ended(other)
        proxy.mend()
        with link(proxy) as third:
            third.sendall(b"c\n")
            assert third.recv(9) == b"c\n"
