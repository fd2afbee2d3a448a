"""The files that operators start from agree with each other."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from bot.settings import load as load_settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
EXAMPLE = DEPLOY / "example.env"
SETTING = re.compile(r"^#?(?P<name>[A-Z_]+)=(?P<value>.*)$")

# Set for the interpreter, the shell or another service, and so no settings of the bot.
FOREIGN = {"PATH", "PYTHONUNBUFFERED", "PIP_DISABLE_PIP_VERSION_CHECK", "PIP_NO_CACHE_DIR"}


def load_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def example() -> list[tuple[str, str]]:
    """Settings of example.env in its order, set or offered, with their values."""
    text = EXAMPLE.read_text(encoding="utf-8")
    return [(match["name"], match["value"]) for line in text.splitlines() if (match := SETTING.match(line))]


def settings() -> set[str]:
    return {name for name, _ in example()}


@pytest.fixture
def private_key_file(tmp_path: Path) -> Path:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    path = tmp_path / "key.pem"
    path.write_bytes(pem)
    return path


def container(manifest: str) -> dict[str, Any]:
    [only] = load_yaml(KUBERNETES / manifest)["spec"]["template"]["spec"]["containers"]
    return dict(only)


def test_the_example_names_exactly_the_settings_that_the_bot_reads() -> None:
    sources = [(ROOT / "bot" / module).read_text(encoding="utf-8") for module in ("settings.py", "setting_values.py")]
    read = {name for source in sources for name in re.findall(r'reader\.\w+\("([A-Z_]+)"', source)}
    assert settings() == read


def test_the_defaults_of_the_example_are_the_defaults_of_the_bot(private_key_file: Path) -> None:
    required = {"APP_ID": "1", "WEBHOOK_SECRET": "secret", "PRIVATE_KEY_PATH": str(private_key_file)}
    offered = {name: value for name, value in example() if value}
    assert load_settings(offered | required, dotenv=None) == load_settings(required, dotenv=None)


def test_each_setting_of_the_example_has_its_comment_above_it() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    numbers = [number for number, line in enumerate(lines) if SETTING.match(line)]
    assert [lines[number] for number in numbers if not lines[number - 1].startswith("# ")] == []


@pytest.mark.parametrize("manifest", ["deployment.yaml", "workers.yaml"])
def test_kubernetes_sets_only_settings_that_exist(manifest: str) -> None:
    names = {variable["name"] for variable in container(manifest)["env"]}
    assert names | load_yaml(KUBERNETES / "configmap.yaml")["data"].keys() <= settings()


@pytest.mark.parametrize("service", ["bot", "worker"])
def test_compose_sets_only_settings_that_exist(service: str) -> None:
    assert load_yaml(DEPLOY / "compose.yml")["services"][service]["environment"].keys() <= settings()


@pytest.mark.parametrize("unit", ["submission-bot.service", "submission-bot-worker.service"])
def test_units_set_only_settings_that_exist(unit: str) -> None:
    text = (DEPLOY / "systemd" / unit).read_text(encoding="utf-8")
    assert {"DATA_DIR", "PRIVATE_KEY_PATH"} == set(
        re.findall(r"^Environment=([A-Z_]+)=", text, re.MULTILINE)
    ) & settings()


def test_the_image_sets_only_settings_that_exist() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert set(re.findall(r"^(?:ENV)?[ ]+(?:ENV )?([A-Z_]+)=", text, re.MULTILINE)) <= settings() | FOREIGN


def test_probes_ask_the_routes_that_need_no_login() -> None:
    service = container("deployment.yaml")
    paths = {probe: service[probe]["httpGet"]["path"] for probe in service if probe.endswith("Probe")}
    assert paths == {"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz"}


def test_kustomization_lists_files_that_exist() -> None:
    missing = [
        name for name in load_yaml(KUBERNETES / "kustomization.yaml")["resources"] if not (KUBERNETES / name).is_file()
    ]
    assert missing == []


def test_the_two_units_are_hardened_alike() -> None:
    def hardening(unit: str) -> list[str]:
        text = (DEPLOY / "systemd" / unit).read_text(encoding="utf-8")
        service = text.partition("[Service]")[2].partition("[Install]")[0]
        return [line for line in service.splitlines() if not line.startswith(("ExecStart=", "#"))]

    assert hardening("submission-bot.service") == hardening("submission-bot-worker.service")
