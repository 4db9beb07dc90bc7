"""The environment: typed, and every mistake named."""

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from planner.settings.environment import Environment, load


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STATE_DIR", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("DEBUG", "perhaps", "must be true or false"),
        ("BROKER_URL", "amqp://localhost", "must start with redis://"),
        ("SPARK_REMOTE", "spark://localhost:7077", "must start with sc://"),
        ("STORE_URL", "s3://bucket", "must be a folder"),
        ("WORKER_CONCURRENCY", "0", "must be at least 1"),
        ("MAX_BODY_BYTES", "many", "must be a whole number"),
        ("PUBLIC_URL", "http://sluice.example.org", "https://"),
        ("PUBLIC_URL", "sluice", "must look like"),
        ("SECRET_KEY", "short", "50"),
        ("OIDC_ISSUER", "https://id.example.org", "OIDC_CLIENT_ID"),
        ("OIDC_CLIENT_SECRET_FILE", "/no/such/file", "file"),
        ("LOG_LEVEL", "LOUD", "'DEBUG'"),
    ],
)
def test_a_bad_value_is_refused_by_name(
    state: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, remedy: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured) as problem:
        load()
    assert name in str(problem.value)
    assert remedy in str(problem.value)


def test_a_provider_is_asked_over_https_unless_it_is_this_machine(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("x")
    named: dict[str, Any] = {"oidc_client_id": "sluice", "oidc_client_secret_file": secret}
    with pytest.raises(ValueError, match="OIDC_ISSUER: must start with https://"):
        Environment(oidc_issuer="http://id.example.org", **named)
    assert Environment(oidc_issuer="http://localhost:9400", **named).oidc_name == "your company account"


def test_all_bad_values_are_named_at_once_and_secrets_are_not_repeated(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEBUG", "perhaps")
    monkeypatch.setenv("SECRET_KEY", "hunter2")
    with pytest.raises(ImproperlyConfigured) as problem:
        load()
    assert "DEBUG" in str(problem.value)
    assert "SECRET_KEY" in str(problem.value)
    assert "hunter2" not in str(problem.value)


def test_an_empty_value_means_unset(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROKER_URL", "")
    assert load().broker_url is None


def test_the_supervisors_addresses_are_read_and_the_real_environment_wins(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state / "run").mkdir()
    (state / "run" / "services.env").write_text(
        "BROKER_URL='redis+socket:///a?virtual_host=0'\nSPARK_REMOTE='sc://a:1'\n"
    )
    monkeypatch.setenv("SPARK_REMOTE", "sc://b:2")
    environment = load()
    assert environment.broker_url == "redis+socket:///a?virtual_host=0"
    assert environment.spark_remote == "sc://b:2"


def test_a_secret_is_made_once_and_only_its_owner_reads_it(state: Path) -> None:
    key = load().secret("secret_key")
    assert len(key) >= 50
    assert load().secret("secret_key") == key
    assert (state / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [file.name for file in state.iterdir()] == ["secret_key"]


def test_a_given_secret_is_used(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "k" * 50)
    assert load().secret("secret_key") == "k" * 50


@pytest.mark.parametrize(
    ("url", "encrypted"),
    [("http://localhost:8000", False), ("http://127.0.0.1", False), ("https://s.example.org", True)],
)
def test_encryption_follows_the_public_address(url: str, encrypted: bool) -> None:  # noqa: FBT001
    environment = Environment(public_url=url, allowed_hosts=("other.example.org",))
    assert environment.encrypted is encrypted
    assert {"localhost", "other.example.org"} <= set(environment.hosts)


def test_a_store_url_is_a_path_either_way() -> None:
    assert Environment(store_url="file:///data/store").store == Environment(store_url="/data/store").store
