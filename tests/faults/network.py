"""A socket between two parts, to lose the network between them."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

from simulations.pipeline.spark.server import LOOPBACK, free_port

PIECE = 65_536
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Proxy:
    """Passes on what comes to ``port``, unless it is ``silent`` (nothing arrives, connections stay) or ``cut``."""

    def __init__(self, connect: Callable[[], Coroutine[Any, Any, Streams]]) -> None:
        self.port = free_port()
        self._connect = connect
        self._loop = asyncio.new_event_loop()
        self._open: set[asyncio.StreamWriter] = set()
        self._passes = asyncio.Event()
        self._passes.set()
        self._cut = False

    def silence(self) -> None:
        """Let nothing through; who sends or waits is not told."""
        self._loop.call_soon_threadsafe(self._passes.clear)

    def cut(self) -> None:
        """End all connections, and each new one."""
        self._loop.call_soon_threadsafe(self._reset)

    def mend(self) -> None:
        """Pass everything on again, what had to wait first."""
        self._cut = False
        self._loop.call_soon_threadsafe(self._passes.set)

    @contextmanager
    def running(self) -> Iterator["Proxy"]:
        """Serve in a thread until the block ends, with its loop there: the one of Playwright may run in this thread."""
        thread = Thread(target=self._loop.run_forever, daemon=True)
        thread.start()
        serving = asyncio.start_server(self._accept, LOOPBACK, self.port)
        server = asyncio.run_coroutine_threadsafe(serving, self._loop).result()
        try:
            yield self
        finally:
            asyncio.run_coroutine_threadsafe(self._ended(server), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join()
            self._loop.close()

    async def _ended(self, server: asyncio.Server) -> None:
        server.close()
        self._reset()
        passing = asyncio.all_tasks(self._loop) - {asyncio.current_task(self._loop)}
        for task in passing:
            task.cancel()
        await asyncio.gather(*passing, return_exceptions=True)

    def _reset(self) -> None:
        self._cut = True
        for writer in self._open:
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._cut:
            writer.transport.abort()
            return
        try:
            there, back = await self._connect()
        except OSError:
            writer.transport.abort()
            return
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        with suppress(OSError):
            while piece := await reader.read(PIECE):
                await self._passes.wait()
                writer.write(piece)
                await writer.drain()
        writer.close()
        self._open.discard(writer)


def to_port(port: int) -> Proxy:
    """Return a proxy of a server on this machine."""
    return Proxy(lambda: asyncio.open_connection(LOOPBACK, port))


def to_socket(path: Path) -> Proxy:
    """Return a proxy of a server behind a unix socket."""
    return Proxy(lambda: asyncio.open_unix_connection(path))
