"""`python -m planner.runtime up|demo`: the whole of Sluice on this machine, under one supervisor."""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from planner.environment import BASE_DIR, load, services_file, state_dir
from planner.runtime.folders import only_one, prepare_state
from planner.runtime.problems import StartProblem
from planner.runtime.services import PYTHON, Installation, describe_parts, plan_installation, stages
from planner.runtime.supervisor import Supervisor


def main() -> int:
    """Start everything, run the worked example, and serve until Ctrl-C (`up`) or end (`demo`)."""
    parser = argparse.ArgumentParser(prog="python -m planner.runtime", description=main.__doc__)
    parser.add_argument("command", choices=["up", "demo"])
    parser.add_argument("--port", type=int, default=8000, help="port of the pages on this machine (8000)")
    options = parser.parse_args()
    try:
        return run(serve=options.command == "up", port=options.port)
    except (StartProblem, ImproperlyConfigured) as problem:
        say(str(problem))
        return 1


def run(*, serve: bool, port: int) -> int:
    """Run the installation of this environment; the exit code. Raises StartProblem when it cannot start."""
    os.umask(0o077)
    state = state_dir()
    prepare_state(state)
    with only_one(state):
        services_file(state).unlink(missing_ok=True)
        plan = plan_installation(load(), port=port)
        for part, which in describe_parts(plan).items():
            say(f"{part}: {which}")
        with Supervisor(stages(plan), folder=BASE_DIR, logs=state / "log", say=say) as supervisor:
            return _run(supervisor, plan, serve=serve)


def _run(supervisor: Supervisor, plan: Installation, *, serve: bool) -> int:
    code = supervisor.run(_manage("install"), plan.variables)
    if code:
        return code
    supervisor.start()
    with _known_addresses(services_file(plan.environment.state_dir), plan.addresses):
        code = supervisor.run(_manage("demo"), plan.variables)
        if serve and code == 0:
            say(f"\nSluice serves {plan.address} until Ctrl-C; its logs are in {plan.environment.state_dir / 'log'}.")
            supervisor.serve()
    return code


def _manage(command: str) -> list[str]:
    return [PYTHON, str(BASE_DIR / "manage.py"), command]


@contextmanager
def _known_addresses(file: Path, addresses: Mapping[str, str]) -> Iterator[None]:
    """Let commands in other terminals find the services, as long as they run."""
    file.write_text("".join(f"{name}='{value}'\n" for name, value in addresses.items()))
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def say(line: str) -> None:
    """One line for the person at the keyboard."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
