"""A person gets the presets once."""

from pathlib import Path

from tests.planner.management.commands.conftest import call


def test_presets_are_loaded_once(state: Path) -> None:
    assert call(state, "migrate", "-v0").returncode == 0
    refused = call(state, "load_presets")
    assert refused.returncode != 0
    assert "there is no administrator" in refused.stderr
    password = {"DJANGO_SUPERUSER_PASSWORD": "a long password 3"}
    created = call(state, "createsuperuser", "--noinput", "--username=root", "--email=root@example.org", **password)
    assert created.returncode == 0, created.stderr
    first, second = call(state, "load_presets"), call(state, "load_presets", "root")
    assert "preset surge-backlog: Surge backlog" in first.stdout
    assert second.stdout == "0 presets are new for root\n"
