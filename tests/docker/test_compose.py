"""The container files. No container runs here: the tests read what the files say and hold it against the code."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from compose_spec import PyCompose

from planner.settings.environment import BASE_DIR, Environment

OURS = {"install", "web", "worker", "backup", "spark-pod", "spark-connect", "spark-master", "spark-worker"}
THEIRS = {"redis", "postgres"}


@pytest.fixture(scope="module")
def file() -> dict[str, Any]:
    """The file with the defaults of its variables."""
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", (BASE_DIR / "docker" / "compose.yaml").read_text())
    return dict(yaml.safe_load(text))


@pytest.fixture(scope="module")
def services(file: dict[str, Any]) -> dict[str, Any]:
    return dict(file["services"])


def test_the_file_is_what_the_published_schema_allows(file: dict[str, Any]) -> None:
    PyCompose.from_json(json.dumps(file))
    wrong = {**file, "services": {**file["services"], "web": {**file["services"]["web"], "mem_limits": "1g"}}}
    with pytest.raises(ValueError, match="mem_limits"):
        PyCompose.from_json(json.dumps(wrong))


def test_hadolint_has_nothing_against_the_dockerfile() -> None:
    ignored = [
        part for rule in ("DL3008", "SC2016") for part in ("--ignore", rule)
    ]  # of apt's versions old ones vanish
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([hadolint, *ignored, BASE_DIR / "docker" / "Dockerfile"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_every_process_has_a_service(services: dict[str, Any]) -> None:
    assert set(services) == OURS | THEIRS


def test_the_entrypoint_knows_every_command(services: dict[str, Any]) -> None:
    entrypoint = (BASE_DIR / "docker" / "entrypoint").read_text()
    known = set(re.findall(r"^ +([a-z-]+)\)", entrypoint, re.MULTILINE))
    assert {services[name]["command"] for name in OURS} == known


UVICORNS = {"FORWARDED_ALLOW_IPS"}
INSIDE = {"STATE_DIR", "DEBUG", "CHROMIUM_PATH"}
"""Variables that are the image's business."""
SECRETS = {"secret_key", "spark_token", "database_password", "broker_password"}


@pytest.mark.parametrize("name", ["install", "web", "worker", "backup"])
def test_what_people_may_set_reaches_the_processes_and_secrets_come_as_files(
    services: dict[str, Any], name: str
) -> None:
    settable = {name.upper() for name in Environment.model_fields} - INSIDE | UVICORNS
    assert set(services[name]["environment"]) == settable - {secret.upper() for secret in SECRETS}
    assert set(services[name]["secrets"]) == SECRETS


@pytest.mark.parametrize("word", ["PASSWORD", "TOKEN", "SECRET"])
def test_no_secret_is_in_an_environment_or_on_a_command_line(services: dict[str, Any], word: str) -> None:
    for name, service in services.items():
        given = [key for key in service.get("environment", {}) if word in key and not key.endswith("_FILE")]
        assert given == [], name
        assert f"${{{word}" not in str(service.get("command")), name


def test_no_secret_and_no_cache_enters_the_image() -> None:
    ignored = (BASE_DIR / ".dockerignore").read_text().splitlines()
    assert {"**/.env", "**/.env.*", "var", ".venv"} <= set(ignored)
    unversioned = {line.strip("/") for line in (BASE_DIR / ".gitignore").read_text().splitlines()}
    assert {line for line in unversioned if line.startswith(".") and "*" not in line} <= {*ignored, ".env"}


def test_every_process_of_spark_knows_the_secret_that_keeps_strangers_out(services: dict[str, Any]) -> None:
    for name in ("spark-connect", "spark-master", "spark-worker"):
        assert services[name]["secrets"] == ["spark_token"], name


def test_what_the_master_writes_down_outlives_its_container(services: dict[str, Any]) -> None:
    master, dockerfile = services["spark-master"], (BASE_DIR / "docker" / "Dockerfile").read_text()
    assert (master["environment"], master["volumes"]) == ({"SPARK_FOLDER": "/master"}, ["master:/master"])
    assert 'serve master --folder "${SPARK_FOLDER:-/tmp/spark}"' in (BASE_DIR / "docker" / "entrypoint").read_text()
    assert re.search(r"--owner sluice --mode 700 .* /master$", dockerfile, re.MULTILINE)


def test_executors_share_the_store_and_not_the_keys(services: dict[str, Any]) -> None:
    def with_folder(folder: str) -> set[str]:
        return {name for name in OURS for mount in services[name].get("volumes", []) if mount.endswith(f":{folder}")}

    ours = {"install", "web", "worker", "backup"}
    assert with_folder("/state") == ours
    assert with_folder("/store") == {*ours, "spark-connect", "spark-worker"}
    assert services["worker"]["environment"]["STORE_URL"] == "/store"
    dockerfile = (BASE_DIR / "docker" / "Dockerfile").read_text()
    assert "--owner sluice --mode 700 /state /store" in dockerfile


def test_the_entrypoint_is_a_shell_script_without_mistakes() -> None:
    done = subprocess.run(["sh", "-n", BASE_DIR / "docker" / "entrypoint"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_services_wait_only_for_services_that_report_their_state(services: dict[str, Any]) -> None:
    for service in services.values():
        for other, about in service.get("depends_on", {}).items():
            if about["condition"] == "service_healthy":
                assert "healthcheck" in services[other], other


def test_only_the_pages_are_published_and_only_on_this_machine(services: dict[str, Any]) -> None:
    assert {name: service["ports"] for name, service in services.items() if "ports" in service} == {
        "web": ["127.0.0.1:8000:8000"]
    }


def test_the_image_runs_as_an_ordinary_user_with_the_pinned_packages() -> None:
    lines = (BASE_DIR / "docker" / "Dockerfile").read_text().splitlines()
    last_user = [line for line in lines if line.startswith("USER")][-1]
    assert last_user == "USER 10001"
    assert any("--compile-bytecode" in line and "requirements.txt" in line for line in lines)
    assert any(line.startswith("RUN python -m compileall") for line in lines[: lines.index(last_user)])
    assert not any("PYTHONDONTWRITEBYTECODE" in line for line in lines)
    assert {path for line in lines if line.startswith("COPY . ") for path in [line.split()[-1]]} == {"/app"}


def test_every_container_is_read_only_bounded_and_its_log_too(services: dict[str, Any]) -> None:
    for name, service in services.items():
        assert service["read_only"], name
        assert service["mem_limit"], name
        assert service["pids_limit"], name
        assert set(service["logging"]["options"]) == {"max-size", "max-file"}, name
        assert "no-new-privileges:true" in service["security_opt"], name


def test_what_runs_for_long_reports_its_health(services: dict[str, Any]) -> None:
    quiet = {"install", "backup", "spark-pod", "spark-worker"}
    assert {name for name, service in services.items() if "healthcheck" not in service} == quiet


def test_only_what_needs_them_is_in_a_network(services: dict[str, Any]) -> None:
    def members(network: str) -> set[str]:
        return {name for name, service in services.items() if network in service.get("networks", ())}

    assert members("data") == {"install", "web", "backup", "redis", "postgres", "spark-pod"}
    assert members("spark") == {"spark-pod", "spark-master", "spark-worker"}
    assert members("outside") == {"web", "spark-pod"}
    shared = {name for name, service in services.items() if service.get("network_mode") == "service:spark-pod"}
    assert shared == {"worker", "spark-connect"}, "either may restart without the other"


@pytest.mark.parametrize("password", ["simple", "a/b#c%d:e@f?g", 'spaces and "quotes"'])
def test_the_entrypoint_brings_any_password_into_the_brokers_address(tmp_path: Path, password: str) -> None:
    for name in SECRETS:
        (tmp_path / name).write_text(password)
    script = (BASE_DIR / "docker" / "entrypoint").read_text().replace("/run/secrets", str(tmp_path))
    (tmp_path / "entrypoint").write_text(script)
    shown = "import os; print(os.environ['BROKER_URL'], os.environ['PGPASSWORD'], os.environ['SPARK_TOKEN'], sep='\\n')"
    done = subprocess.run(
        ["sh", tmp_path / "entrypoint", sys.executable, "-c", shown],
        env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "BROKER_URL": "redis://redis:6379/0"},
        capture_output=True,
        text=True,
        check=True,
    )
    address, *others = done.stdout.splitlines()
    assert unquote(urlsplit(address).password or "") == password
    assert urlsplit(address).hostname == "redis"
    assert others == [password, password]
