"""The watchdog alone: a pipe that closes, and process groups that end, gently where they can."""

import signal
import subprocess
import sys

from planner.runtime import watchdog
from tests.waiting import PATIENCE

OBEDIENT = "import time; print('ready', flush=True); time.sleep(600)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {OBEDIENT}"


def started(program: str) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", program], start_new_session=True, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_when_the_pipe_closes_all_groups_on_the_list_end_and_no_others() -> None:
    with started(OBEDIENT) as kept, started(OBEDIENT) as listed:
        dog = subprocess.Popen([sys.executable, watchdog.__file__], stdin=subprocess.PIPE, text=True)
        dog.communicate(f"+{kept.pid}\n+{listed.pid}\n-{kept.pid}\n", timeout=PATIENCE)
        assert listed.wait(PATIENCE) == -signal.SIGTERM
        assert kept.poll() is None
        kept.kill()


def test_a_group_that_does_not_listen_is_killed() -> None:
    with started(STUBBORN) as process:
        dog = subprocess.Popen([sys.executable, watchdog.__file__], stdin=subprocess.PIPE, text=True)
        dog.communicate(f"+{process.pid}\n", timeout=PATIENCE)
        assert process.wait(PATIENCE) == -signal.SIGKILL


def test_a_group_that_is_gone_is_no_problem() -> None:
    with started(OBEDIENT) as process:
        process.kill()
    watchdog.end({process.pid})
