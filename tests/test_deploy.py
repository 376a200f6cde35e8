"""The files of `deploy/`: versions are pinned, no container is root, and each says whether it is well."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # comes with mkdocs, without stubs

from birthmark.surfaces.cli.command_table import COMMANDS

DEPLOY = Path(__file__).parents[1] / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
MANIFESTS: list[Any] = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text("utf-8")))
PINNED = re.compile(r"[\w./-]+:\d+\.\d+(\.\d+)?(-\w+)*")


def test_the_container_file_pins_what_it_is_made_of_and_is_not_root() -> None:
    lines = (DEPLOY / "Containerfile").read_text("utf-8").splitlines()
    bases = [line.split()[1] for line in lines if line.startswith("FROM ")]
    assert bases
    assert all(PINNED.fullmatch(base) for base in bases)
    assert [line for line in lines if line.startswith("USER ")] == ["USER 10001:10001"]
    assert any(line.startswith("HEALTHCHECK ") for line in lines)
    installed = re.findall(r"pip install .*?(?= \\|$)", "\n".join(lines), re.M)
    assert all("==" in line for line in installed)


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_a_service_is_pinned_and_says_whether_it_is_well(name: str) -> None:
    service = COMPOSE["services"][name]
    assert PINNED.fullmatch(service["image"])
    assert "healthcheck" in service or service["entrypoint" if "entrypoint" in service else "command"][0] == "serve"
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))
    assert set(service.get("depends_on", {})) <= set(COMPOSE["services"])
    volumes = {volume.partition(":")[0] for volume in service.get("volumes", [])}
    assert volumes <= set(COMPOSE["volumes"])


def pods() -> list[Any]:
    found = []
    for manifest in MANIFESTS:
        spec = manifest["spec"]
        parts = [
            spec,
            spec.get("headGroupSpec"),
            *spec.get("workerGroupSpecs", ()),
            spec.get("jobTemplate", {}).get("spec"),
        ]
        found += [part["template"]["spec"] for part in parts if part and "template" in part]
    return found


def test_all_kinds_of_manifests_are_there() -> None:
    kinds = ["Deployment", "Service", "PersistentVolumeClaim", "RayCluster", "CronJob"]
    assert [manifest["kind"] for manifest in MANIFESTS] == kinds
    assert len(pods()) == 4


@pytest.mark.parametrize("number", range(4))
def test_a_pod_is_pinned_and_not_root(number: int) -> None:
    pod = pods()[number]
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["automountServiceAccountToken"] is False
    mounted = {mount["name"] for container in pod["containers"] for mount in container.get("volumeMounts", ())}
    assert mounted == {volume["name"] for volume in pod.get("volumes", ())}
    for container in pod["containers"]:
        assert PINNED.fullmatch(container["image"])
        if container["name"] == "serve":
            assert {container[probe]["httpGet"]["path"] for probe in ("livenessProbe", "readinessProbe")} == {
                "/healthz",
                "/readyz",
            }


def test_what_is_started_are_commands() -> None:
    named = {COMPOSE["services"]["serve"]["command"][0]}
    named |= {container["args"][0] for pod in pods() for container in pod["containers"] if "args" in container}
    assert named - {"fleet"} <= set(COMMANDS)
