"""The manifests for Kubernetes. No cluster is here: the tests hold them against the schemas, the code and compose."""

import re
from collections.abc import Iterator
from typing import Any

import kubernetes_validate
import pytest
import yaml

from planner.settings.environment import BASE_DIR, Environment
from tests.docker.test_compose import UVICORNS

VERSIONS = ("1.29", "1.37")
"""The oldest that has what the manifests use, and the newest that the package knows."""
CLAIMS = {"state": "ReadWriteMany", "store": "ReadWriteMany", "backups": "ReadWriteOnce"}

Manifest = dict[str, Any]


def _compose() -> Manifest:
    return dict(yaml.safe_load((BASE_DIR / "docker" / "compose.yaml").read_text()))


MANIFESTS: list[Manifest] = list(yaml.safe_load_all((BASE_DIR / "docker" / "kubernetes.yaml").read_text()))
NAMES = [f"{manifest['kind']}/{manifest['metadata']['name']}" for manifest in MANIFESTS]


def pod_of(manifest: Manifest) -> Manifest | None:
    """The pod's template, or None for what starts nothing."""
    spec = manifest.get("spec", {})
    spec = spec.get("jobTemplate", {}).get("spec", spec)
    template: Manifest | None = spec.get("template")
    return template


PODS = {name: pod for name, manifest in zip(NAMES, MANIFESTS, strict=True) if (pod := pod_of(manifest))}


def _containers() -> Iterator[tuple[str, Manifest]]:
    for name, pod in PODS.items():
        for container in pod["spec"].get("initContainers", []) + pod["spec"]["containers"]:
            yield f"{name}/{container['name']}", container


CONTAINERS = list(_containers())


@pytest.mark.parametrize("manifest", MANIFESTS, ids=NAMES)
@pytest.mark.parametrize("version", VERSIONS)
def test_each_manifest_is_what_the_published_schema_allows(manifest: Manifest, version: str) -> None:
    kubernetes_validate.validate(manifest, version, strict=True)


def test_a_misspelled_part_is_not_what_the_schema_allows() -> None:
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**MANIFESTS[-1], "specs": {}}, VERSIONS[-1], strict=True)


def test_all_lies_in_one_namespace() -> None:
    inside = {manifest["metadata"].get("namespace") for manifest in MANIFESTS if manifest["kind"] != "Namespace"}
    assert inside == {"sluice"}


def test_the_commands_are_those_of_the_entrypoint_and_every_process_has_a_pod() -> None:
    known = set(re.findall(r"^ +([a-z-]+)\)", (BASE_DIR / "docker" / "entrypoint").read_text(), re.MULTILINE))
    started = {container["args"][0] for _, container in CONTAINERS if container["image"] == "sluice"}
    assert known - started == {"spark-pod", "spark-worker"}, "a pod needs no holder of its network"
    assert started - known == {"cp", "sh", "python"}
    worker = next(container for name, container in CONTAINERS if name.endswith("/spark-worker"))
    assert worker["args"][2:4] == ["simulations.pipeline.spark.serve", "worker"]


def test_the_images_of_others_are_those_of_the_compose_file() -> None:
    theirs = {container["image"] for _, container in CONTAINERS} - {"sluice"}
    assert theirs == {_compose()["services"][name]["image"] for name in ("redis", "postgres")}


def test_the_settings_exist_and_say_what_compose_says() -> None:
    settings: Manifest = next(manifest for manifest in MANIFESTS if manifest["kind"] == "ConfigMap")["data"]
    assert set(settings) <= {name.upper() for name in Environment.model_fields} | UVICORNS
    theirs = _compose()["x-environment"]
    same = ("DATABASE_URL", "BROKER_URL", "SPARK_REMOTE", "STORE_URL")
    assert {name: settings[name] for name in same} == {name: theirs[name] for name in same}


def test_the_cores_are_those_of_the_spark_workers() -> None:
    settings: Manifest = next(manifest for manifest in MANIFESTS if manifest["kind"] == "ConfigMap")["data"]
    workers = MANIFESTS[NAMES.index("Deployment/spark-worker")]["spec"]
    arguments = workers["template"]["spec"]["containers"][0]["args"]
    assert int(settings["SPARK_CORES"]) == workers["replicas"] * int(arguments[arguments.index("--cores") + 1])


@pytest.mark.parametrize(("name", "pod"), PODS.items(), ids=PODS)
def test_pods_have_no_rights(name: str, pod: Manifest) -> None:
    spec = pod["spec"]
    assert spec["securityContext"]["runAsNonRoot"]
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert (spec["automountServiceAccountToken"], spec["enableServiceLinks"]) == (False, False)


@pytest.mark.parametrize(("name", "container"), CONTAINERS, ids=[name for name, _ in CONTAINERS])
def test_containers_are_read_only_and_bounded(name: str, container: Manifest) -> None:
    assert container["securityContext"] == {
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }
    assert set(container["resources"]["requests"]) == {"cpu", "memory"}
    assert "memory" in container["resources"]["limits"]


def test_what_runs_for_long_is_watched() -> None:
    lasting = {name for name in PODS if name.split("/")[0] not in ("Job", "CronJob")}
    watched = {name.rsplit("/", 1)[0] for name, container in CONTAINERS if "livenessProbe" in container}
    assert lasting - watched == {"Deployment/spark-worker"}, "its master misses it by itself"


def test_every_volume_is_mounted_and_every_mount_a_volume_and_every_claim_is_made() -> None:
    for name, pod in PODS.items():
        spec = pod["spec"]
        given = {volume["name"] for volume in spec.get("volumes", [])}
        manifest = MANIFESTS[NAMES.index(name)]["spec"]
        given |= {claim["metadata"]["name"] for claim in manifest.get("volumeClaimTemplates", [])}
        used = {
            mount["name"]
            for container in spec.get("initContainers", []) + spec["containers"]
            for mount in container.get("volumeMounts", [])
        }
        assert given == used, name
        claims = [volume["persistentVolumeClaim"] for volume in spec["volumes"] if "persistentVolumeClaim" in volume]
        claimed = {claim["claimName"] for claim in claims}
        assert claimed <= set(CLAIMS), name
    made = {m["metadata"]["name"]: m["spec"]["accessModes"] for m in MANIFESTS if m["kind"] == "PersistentVolumeClaim"}
    assert made == {name: [mode] for name, mode in CLAIMS.items()}


def test_secrets_are_files_and_each_pod_has_its_own_alone() -> None:
    def files(name: str) -> set[str]:
        return {
            item["key"]
            for volume in PODS[name]["spec"]["volumes"]
            if "secret" in volume
            for item in volume["secret"].get("items", [{"key": "all"}])
        }

    assert not any(manifest["kind"] == "Secret" for manifest in MANIFESTS)
    assert files("StatefulSet/postgres") == {"database_password"}
    assert files("StatefulSet/redis") == {"broker_password"}
    assert files("Deployment/spark-master") == files("Deployment/spark-worker") == {"spark_token"}
    assert files("Deployment/web") == {"all"}


def test_services_and_policies_choose_pods_that_exist() -> None:
    labels = [pod["metadata"]["labels"] for pod in PODS.values()]
    for name, manifest in zip(NAMES, MANIFESTS, strict=True):
        if manifest["kind"] == "Service":
            chosen = [found for found in labels if manifest["spec"]["selector"].items() <= found.items()]
            assert len(chosen) == 1, name
    assert {label["app"] for label in labels if label.get("data")} == {"install", "web", "worker", "backup"}
    assert {label["app"] for label in labels if label.get("spark")} == {"worker", "spark-master", "spark-worker"}


def test_by_default_nothing_is_let_in() -> None:
    policies = {name: manifest["spec"] for name, manifest in zip(NAMES, MANIFESTS, strict=True) if "Policy" in name}
    assert policies["NetworkPolicy/nobody"] == {"podSelector": {}, "policyTypes": ["Ingress"]}
    open_to_all = [name for name, spec in policies.items() for rule in spec.get("ingress", []) if "from" not in rule]
    assert open_to_all == ["NetworkPolicy/pages"]


@pytest.mark.parametrize("probe", ["livenessProbe", "readinessProbe"])
@pytest.mark.django_db
def test_probes_of_the_pages_have_answers_without_the_proxy(probe: str, settings: Any, client: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    web = next(container for name, container in CONTAINERS if name == "Deployment/web/web")
    asked = web[probe]["httpGet"]
    headers = {header["name"]: header["value"] for header in asked["httpHeaders"]}
    assert client.get("/api/v1/runs", headers=headers).status_code == 301
    assert client.get(asked["path"], headers=headers).status_code in (200, 503)
