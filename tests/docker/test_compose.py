"""The container files. No container runs here: the tests read what the files say and hold it against the code."""

import re
import subprocess
from typing import Any

import pytest
import yaml

from planner.settings.environment import BASE_DIR, Environment

OURS = {"install", "web", "worker", "spark-connect", "spark-master", "spark-worker"}
THEIRS = {"redis", "postgres"}


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    file: dict[str, Any] = yaml.safe_load((BASE_DIR / "docker" / "compose.yaml").read_text())
    return dict(file["services"])


def test_every_process_has_a_service(services: dict[str, Any]) -> None:
    assert set(services) == OURS | THEIRS


def test_the_entrypoint_knows_every_command(services: dict[str, Any]) -> None:
    entrypoint = (BASE_DIR / "docker" / "entrypoint").read_text()
    known = set(re.findall(r"^ +([a-z-]+)\)", entrypoint, re.MULTILINE))
    assert {services[name]["command"] for name in OURS} == known


UVICORNS = {"FORWARDED_ALLOW_IPS"}
INSIDE = {"STATE_DIR", "DEBUG", "CHROMIUM_PATH"}
"""Variables that are the image's business."""


def test_every_variable_is_one_that_sluice_reads(services: dict[str, Any]) -> None:
    known = {name.upper() for name in Environment.model_fields} | UVICORNS
    given = {name for service in OURS for name in services[service].get("environment", {})}
    assert given <= known
    assert {"SECRET_KEY", "DATABASE_URL", "BROKER_URL", "SPARK_REMOTE", "SPARK_TOKEN"} <= given


@pytest.mark.parametrize("name", ["install", "web", "worker"])
def test_what_people_may_set_reaches_the_processes(services: dict[str, Any], name: str) -> None:
    settable = {name.upper() for name in Environment.model_fields} - INSIDE | UVICORNS
    assert set(services[name]["environment"]) == settable


def test_no_secret_and_no_cache_enters_the_image() -> None:
    ignored = (BASE_DIR / ".dockerignore").read_text().splitlines()
    assert {"**/.env", "**/.env.*", "var", ".venv"} <= set(ignored)
    unversioned = {line.strip("/") for line in (BASE_DIR / ".gitignore").read_text().splitlines()}
    assert {line for line in unversioned if line.startswith(".") and "*" not in line} <= {*ignored, ".env"}


def test_every_process_of_spark_knows_the_secret_that_keeps_strangers_out(services: dict[str, Any]) -> None:
    for name in ("spark-connect", "spark-master", "spark-worker"):
        assert set(services[name]["environment"]) == {"SPARK_TOKEN"}, name


def test_executors_share_the_store_and_not_the_keys(services: dict[str, Any]) -> None:
    def with_folder(folder: str) -> set[str]:
        return {name for name in OURS for mount in services[name].get("volumes", []) if mount.endswith(f":{folder}")}

    assert with_folder("/state") == {"install", "web", "worker"}
    assert with_folder("/store") == {"web", "worker", "spark-connect", "spark-worker"}
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
    assert last_user == "USER sluice"
    assert any("--compile-bytecode" in line and "requirements.txt" in line for line in lines)
    assert any(line.startswith("RUN python -m compileall") for line in lines[: lines.index(last_user)])
    assert not any("PYTHONDONTWRITEBYTECODE" in line for line in lines)
    assert {path for line in lines if line.startswith("COPY . ") for path in [line.split()[-1]]} == {"/app"}
