"""`python -m planner.runtime up|demo|cluster`: the whole of Sluice on this machine, under one supervisor."""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from planner.runtime.bootstrap import say
from planner.runtime.cluster import Cluster, plan_cluster
from planner.runtime.processes import StartProblem, end_leftovers, only_one, prepare_state
from planner.runtime.services import PYTHON, Installation, describe_parts, plan_installation, stages
from planner.runtime.supervisor import Supervisor
from planner.settings.environment import BASE_DIR, load, services_file, state_dir
from simulations.pipeline.spark.java import JavaMissing


def main() -> int:
    """Start everything, run the worked example, and serve until Ctrl-C (`up`, `cluster`) or end (`demo`). The exit code
    is that of the worked example; where it fails, the pages are served all the same."""
    parser = argparse.ArgumentParser(prog="python -m planner.runtime", description=main.__doc__)
    parser.add_argument("command", choices=["up", "demo", "cluster"])
    parser.add_argument("--port", type=int, default=8000, help="port of the pages on this machine (8000)")
    options = parser.parse_args()
    if options.command == "cluster":
        os.environ.setdefault("STATE_DIR", str(state_dir() / "cluster"))  # two databases must not share one store
    try:
        return run(options.command, port=options.port)
    except (StartProblem, JavaMissing, ImproperlyConfigured) as problem:
        say(str(problem))
        return 1


def run(command: str, *, port: int) -> int:
    """Run the installation of this environment; the exit code. Raises StartProblem when it cannot start."""
    os.umask(0o077)
    state = state_dir()
    prepare_state(state)
    with only_one(state):
        services_file(state).unlink(missing_ok=True)
        for left in end_leftovers(state / "log"):
            say(f"Ended what an earlier start left: {left}")
        cluster = plan_cluster(load()) if command == "cluster" else Cluster()
        # From here on a cluster differs from the embedded installation by the values of these variables only.
        os.environ.update(cluster.addresses)
        plan = plan_installation(load(), port=port)
        for part, which in {**describe_parts(plan), **cluster.parts}.items():
            say(f"{part}: {which}")
        services = [[*theirs, *ours] for theirs, ours in zip(cluster.stages(), stages(plan), strict=True)]
        with Supervisor(services, folder=BASE_DIR, logs=state / "log", say=say) as supervisor:
            return _run(supervisor, plan, serve=command != "demo")


def _run(supervisor: Supervisor, plan: Installation, *, serve: bool) -> int:
    plan.installed.unlink(missing_ok=True)
    supervisor.launch(0)
    supervisor.await_ready(0)
    supervisor.launch(1)  # web processes load their code while the database is brought up to date, then answer
    # The pages need no compiled engine: they say how far it is, and come before it.
    with supervisor.beside(["nice", "-n", "5", PYTHON, "-m", "simulations.pipeline.spark.warm"], plan.variables):
        if not (code := supervisor.run(_manage("install", "--pages"), plan.variables)):
            plan.installed.touch()
            code = _serve(supervisor, plan, serve=serve)
        return code


def _serve(supervisor: Supervisor, plan: Installation, *, serve: bool) -> int:
    supervisor.await_ready(1)
    with _known_addresses(services_file(plan.environment.state_dir), plan.addresses):
        say(f"The pages are at {plan.address}")
        # The worker needs no Spark to start: a run that comes first waits for it.
        supervisor.launch(2, 3)
        supervisor.await_ready(2, 3)
        code = supervisor.run(_manage("demo"), plan.variables)
        if serve and not supervisor.stopping:
            say(f"\nSluice serves {plan.address} until Ctrl-C; its logs are in {plan.environment.state_dir / 'log'}.")
            supervisor.serve()
    return code


def _manage(*command: str) -> list[str]:
    return [PYTHON, str(BASE_DIR / "manage.py"), *command]


@contextmanager
def _known_addresses(file: Path, addresses: Mapping[str, str]) -> Iterator[None]:
    """Let commands in other terminals find the services, as long as they run."""
    file.write_text("".join(f"{name}='{value}'\n" for name, value in addresses.items()))
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
