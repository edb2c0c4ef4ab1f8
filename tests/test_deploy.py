"""The container files: read as far as that goes without a container engine."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from prometheus_client import REGISTRY

from server.cli.main import COMMANDS
from server.runtime import metrics
from server.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
SETTINGS = {f"HANPAN_{field.name.upper()}" for field in msgspec.structs.fields(Settings)}


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text())


def test_the_compose_file_names_settings_volumes_and_files_that_are_there() -> None:
    compose = read("docker-compose.yml")
    services = compose["services"]
    assert {"app1", "app2", "proxy", "redis", "postgres", "prometheus", "grafana"} == set(services)
    for name, service in services.items():
        assert set(service.get("depends_on", ())) <= set(services)
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            known = (ROOT / source).exists() if source[0] == "." else source in compose["volumes"]
            assert known, f"{name}: {volume}"
    for name in ("app1", "app2"):
        assert set(services[name]["environment"]) <= SETTINGS
    assert services["prometheus"]["profiles"] == services["grafana"]["profiles"] == ["watch"]


def test_redis_is_started_with_what_the_journal_asks_for() -> None:
    command = read("docker-compose.yml")["services"]["redis"]["command"]
    for setting in ("appendonly yes", "appendfsync always", "maxmemory-policy noeviction"):
        assert f"--{setting}" in command


def test_the_image_runs_the_console_script_without_root() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    words = [line.split() for line in lines if line]
    assert ["USER", "hanpan"] in words
    assert lines.index("USER hanpan") < lines.index('ENTRYPOINT ["hanpan"]')
    (command,) = [json.loads(line.removeprefix("CMD ")) for line in lines if line.startswith("CMD")]
    assert command[0] in COMMANDS
    (given,) = [line for line in lines if line.startswith("ENV")]
    assert set(re.findall(r"HANPAN_\w+", given)) <= SETTINGS


@pytest.mark.parametrize("path", sorted(DEPLOY.rglob("*.yml")), ids=lambda path: path.name)
def test_provisioned_files_are_yaml(path: Path) -> None:
    assert isinstance(yaml.safe_load(path.read_text()), dict)


def test_the_dashboard_shows_metrics_that_there_are() -> None:
    assert metrics  # imported, its metrics are in the registry
    known = {family.name for family in REGISTRY.collect()}
    dashboard = json.loads((DEPLOY / "grafana/dashboards/hanpan.json").read_text())
    expressions = [t["expr"] for panel in dashboard["panels"] for t in panel["targets"]]
    shown = {name for text in expressions for name in re.findall(r"hanpan_\w+", text)}
    assert shown
    for name in shown:
        assert re.sub(r"_(total|bucket)$", "", name) in known, name
