"""Settings: safe by default."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from planner.management.exits import EXIT_INVALID
from planner.settings.environment import BASE_DIR


def manage(*arguments: str, state: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    # The browser tests of this process set it for their own server.
    inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_ALLOW_ASYNC_UNSAFE"}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=BASE_DIR,
        env={**inherited, "STATE_DIR": str(state), **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.nightly
def test_the_deployment_check_is_silent_behind_https(tmp_path: Path) -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING", state=tmp_path, PUBLIC_URL="https://s.example.org")
    assert (done.returncode, done.stdout) == (0, "System check identified no issues (0 silenced).\n"), done.stderr


def test_a_bad_variable_ends_a_command_with_a_sentence_instead_of_a_trace(tmp_path: Path) -> None:
    done = manage("check", state=tmp_path, DATABASE_URL="mysql://somewhere/db")
    assert done.returncode == EXIT_INVALID
    assert done.stderr == "DATABASE_URL: must be sqlite:///file or postgresql://user:password@host:port/name\n"


@pytest.mark.django_db
def test_pages_ask_for_a_log_in_and_allow_nothing_inline(client: Client) -> None:
    answer = client.get("/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/login/?next=/")
    policy = client.get("/login/").headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert {"default-src 'none'", "script-src 'self'", "style-src 'self'"} <= set(policy.split("; "))


@pytest.mark.django_db
def test_an_unknown_host_is_refused(client: Client) -> None:
    assert client.get("/login/", headers={"host": "evil.example.org"}).status_code == 400
