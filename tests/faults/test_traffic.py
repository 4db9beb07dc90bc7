"""The client of a disturbed installation: it insists, and counts every answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from simulations.pipeline.spark.server import free_port
from tests.faults.traffic import NOTHING, Client
from tests.waiting import wait_until


@contextmanager
def served(*answers: tuple[int, str]) -> Iterator[Client]:
    """A client of a server that gives these answers in turn, and the last one for ever."""
    left = list(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = left.pop(0) if len(left) > 1 else left[0]
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield Client(f"http://127.0.0.1:{server.server_port}")
        finally:
            server.shutdown()


def test_it_asks_again_after_an_error_of_the_moment() -> None:
    with served((503, ""), (429, ""), (200, '{"id": "run"}')) as client:
        assert client.insist("GET", "/", seconds=60) == {"id": "run"}
        assert client.taken_counts() == {"503": 1, "429": 1, "200": 1}
        assert client.taken_counts() == {}


def test_a_server_that_is_away_is_counted_and_given_up() -> None:
    client = Client(f"http://127.0.0.1:{free_port()}")
    assert client.insist("GET", "/", seconds=0.5) is None
    assert set(client.taken_counts()) == {NOTHING}


def test_all_parts_must_be_well() -> None:
    with served((200, '{"parts": {"spark": "no answer for 3 s"}}'), (200, '{"parts": {"spark": "ok"}}')) as client:
        assert not client.parts_ok()
        assert client.parts_ok()


def test_visits_go_on_until_the_block_ends() -> None:
    with served((404, "")) as client:
        with client.visits():
            wait_until(lambda: client.counts["404"] >= 3, "three visits")
        seen = client.taken_counts()["404"]
        assert seen >= 3
        assert client.taken_counts() == {}
