"""What ships beside the wheel: image, compose and Kubernetes files are right and fit the code."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.configuration import places, read_settings
from service.settings import Settings
from tests import tree

pytestmark = pytest.mark.arch

BASE = tree.ROOT / "k8s" / "base"
PRODUCTION = tree.ROOT / "k8s" / "overlays" / "production"
TOOLS = Path(sys.executable).parent
OF_ITS_OWN = {"STRAD_KEYS_FILE", "STRAD_MODELS_FOLDER"}
"""Variables of compose itself, which name files of the host."""


def _documents(file: Path) -> list[dict[str, Any]]:
    return [found for found in yaml.safe_load_all(file.read_text()) if found]


def _base() -> Iterator[dict[str, Any]]:
    for file in sorted(BASE.glob("*.yaml")):
        if file.name != "kustomization.yaml":
            yield from _documents(file)


def _rendered(folder: Path) -> list[dict[str, Any]]:
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("no kubectl to render the overlay with (Debian: kubernetes-client)")
    done = subprocess.run(
        [kubectl, "kustomize", str(folder)], capture_output=True, text=True, check=True, timeout=60
    )
    return [found for found in yaml.safe_load_all(done.stdout) if found]


def _valid(documents: list[dict[str, Any]], folder: Path) -> None:
    file = folder / "all.yaml"
    file.write_text(yaml.safe_dump_all(documents))
    program = TOOLS / "kubernetes-validate"
    done = subprocess.run(
        [str(program), "--strict", "--quiet", str(file)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _container(name: str, documents: list[dict[str, Any]]) -> dict[str, Any]:
    (found,) = [
        each
        for each in documents
        if each["kind"] in ("Deployment", "StatefulSet") and each["metadata"]["name"] == name
    ]
    spec: dict[str, Any] = found["spec"]["template"]["spec"]
    return spec


def test_the_manifests_are_valid_to_the_letter(tmp_path: Path) -> None:
    documents = list(_base())
    assert {each["kind"] for each in documents} >= {
        "Deployment",
        "Service",
        "Ingress",
        "HorizontalPodAutoscaler",
        "PodDisruptionBudget",
        "NetworkPolicy",
        "StatefulSet",
    }
    _valid(documents, tmp_path)


def test_a_misspelt_field_is_no_valid_manifest(tmp_path: Path) -> None:
    documents = [each for each in _base() if each["kind"] == "PodDisruptionBudget"]
    documents[0]["spec"]["maxUnavailible"] = 1
    with pytest.raises(AssertionError):
        _valid(documents, tmp_path)


def test_the_overlay_renders_to_valid_manifests(tmp_path: Path) -> None:
    documents = _rendered(PRODUCTION)
    _valid(documents, tmp_path)
    (ingress,) = [each for each in documents if each["kind"] == "Ingress"]
    assert ingress["spec"]["tls"]
    assert _container("strad", documents)["containers"][0]["image"] == "strad:0.1.0"
    (config,) = [each for each in documents if each["kind"] == "ConfigMap"]
    assert read_settings(config["data"]).engine == "openai:http://vllm:8000/v1"


def test_all_is_listed_in_the_kustomization() -> None:
    (listed,) = _documents(BASE / "kustomization.yaml")
    files = {file.name for file in BASE.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(listed["resources"]) == files


def test_every_variable_is_a_setting() -> None:
    known = {place.variable for place in places()} | OF_ITS_OWN
    texts = [*BASE.glob("*.yaml"), *PRODUCTION.glob("*.yaml"), tree.ROOT / "compose.yaml"]
    texts.append(tree.ROOT / "Dockerfile")
    used = {name for file in texts for name in re.findall(r"\bSTRAD_[A-Z_]+", file.read_text())}
    assert used - known - {"STRAD_PORT"} == set()
    assert "STRAD_LOG" in used


def test_probes_ask_for_a_name_that_is_answered() -> None:
    (container,) = _container("strad", list(_base()))["containers"]
    probes = [container[name]["httpGet"] for name in container if name.endswith("Probe")]
    assert len(probes) == 3
    assert {probe["path"] for probe in probes} == {"/healthz", "/readyz?what=viewers"}
    for probe in probes:
        assert probe["httpHeaders"] == [{"name": "Host", "value": "localhost"}]


def test_the_pod_outlives_its_draining() -> None:
    spec = _container("strad", list(_base()))
    sleep = int(spec["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][1])
    farewell = 2 * 5.0
    assert spec["terminationGracePeriodSeconds"] > sleep + Settings().limits.drain + farewell


def test_no_container_runs_as_root_or_writes_where_it_need_not() -> None:
    documents = list(_base())
    for name in ("strad", "redis", "vllm"):
        spec = _container(name, documents)
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["automountServiceAccountToken"] is False
        (container,) = spec["containers"]
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["limits"]["memory"]
    assert re.search(r"^USER 10001", (tree.ROOT / "Dockerfile").read_text(), re.MULTILINE)


def test_the_image_holds_every_package_of_the_wheel() -> None:
    project = tomllib.loads((tree.ROOT / "pyproject.toml").read_text())
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    dockerfile = (tree.ROOT / "Dockerfile").read_text()
    allowed = (tree.ROOT / ".dockerignore").read_text().splitlines()
    for package in packages:
        assert f"COPY {package} ./{package}" in dockerfile
    let_in = tuple(line[1:] for line in allowed if line.startswith("!"))
    kept_out = [
        tree.name(path) for path in tree.shipped() if not tree.name(path).startswith(let_in)
    ]
    assert not kept_out, tree.listed(kept_out)


def test_the_image_is_linted() -> None:
    done = subprocess.run(
        [str(TOOLS / "hadolint"), str(tree.ROOT / "Dockerfile")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout


def test_compose_starts_what_the_service_needs() -> None:
    (compose,) = _documents(tree.ROOT / "compose.yaml")
    services = compose["services"]
    assert set(services) == {"strad", "redis", "vllm", "prometheus"}
    assert services["vllm"]["profiles"] == ["gpu"]
    assert "--appendonly" in services["redis"]["command"]
    variables = services["strad"]["environment"]
    settings = read_settings({k: v for k, v in variables.items() if "${" not in v})
    assert settings.log == "redis://redis:6379/0"
    (scraped,) = _documents(tree.ROOT / "ops" / "prometheus.yml")
    targets = [t for job in scraped["scrape_configs"] for t in job["static_configs"]]
    assert {name.split(":")[0] for each in targets for name in each["targets"]} <= set(services)
    assert "strad" in settings.names.split(",")
