"""Settings from the environment: defaults, and one line per fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from bot.settings import Pages, SettingsError, load


def pem(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey) -> str:
    plain = serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain).decode()


KEY = pem(rsa.generate_private_key(public_exponent=65537, key_size=2048))
LEAST = {"APP_ID": "4711", "PRIVATE_KEY": KEY, "WEBHOOK_SECRET": "one"}


def faults(**more: str) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as raised:
        load({**LEAST, **more}, dotenv=None)
    return raised.value.faults


def test_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load(LEAST, dotenv=None)
    assert settings.github_api_url == "https://api.github.com"
    assert settings.github_server_url == "https://github.com"
    assert settings.data_dir == tmp_path / "data"
    assert settings.database_url == f"sqlite:///{tmp_path}/data/submission-bot.sqlite3"
    assert (settings.host, settings.port, settings.base_url) == ("127.0.0.1", 3000, "http://127.0.0.1:3000")
    assert (settings.check_name, settings.reconcile_seconds) == ("Submission checks", 300)
    assert settings.pages is Pages.OFF


def test_everything_missing_is_told_at_once() -> None:
    with pytest.raises(SettingsError) as raised:
        load({}, dotenv=None)
    key = "PRIVATE_KEY is not set, and PRIVATE_KEY_PATH neither"
    assert raised.value.faults == ("APP_ID is not set", key, "WEBHOOK_SECRET is not set")


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("APP_ID", "my-app", "the App's number"),
        ("APP_ID", "²", "the App's number"),
        ("APP_ID", "٣", "the App's number"),
        ("APP_ID", "04711", "the App's number"),
        ("APP_ID", "9" * 5000, "the App's number"),
        ("HOST", "a" * 300, "host name"),
        ("HOST", "\udce9x", "host name"),
        ("CHECK_NAME", "two\nlines", "one line"),
        ("CHECK_NAME", "\udce9", "UTF-8"),
        ("CHECK_NAME", "ü" * 128, "at most 255 bytes"),
        ("WEBHOOK_SECRET", "\udce9", "UTF-8"),
        ("DATA_DIR", __file__, "a folder"),
        ("PORT", "70000", "from 0 to 65535"),
        ("PORT", "٣", "from 0 to 65535"),
        ("WORKERS", "0", "from 1 to 64"),
        ("RECONCILE_SECONDS", "-1", "from 1"),
        ("GITHUB_API_URL", "api.github.com", "https://"),
        ("GITHUB_API_URL", "https://api.github.com:port", "port"),
        ("GITHUB_API_URL", "https://api.github.com:0", "port"),
        ("GITHUB_API_URL", "https://api github.com", "https://"),
        ("DATABASE_URL", "sqlite://", "name a file"),
        ("DATABASE_URL", "sqlite:///", "name a file"),
        ("DATABASE_URL", "sqlite:///:memory:", "name a file"),
        ("DATABASE_URL", "postgresql://user:geheim@host:port/name", "the form postgresql://USER"),
        ("GITHUB_SERVER_URL", "https://user:secret@github.com", "no user"),
        ("DATABASE_URL", "mysql://localhost/x", "sqlite:/// or postgresql://"),
        ("LOG_LEVEL", "LOUD", "one of DEBUG"),
        ("LOG_FORMAT", "xml", "xml"),
        ("PAGES", "login", "needs GITHUB_CLIENT_ID"),
        ("WEBHOOK_SECRET", " , ", "no secret"),
        ("WORKER_NAME", "../x", "letters"),
        ("PRIVATE_KEY", "not a key", "PEM"),
        ("PRIVATE_KEY", pem(ec.generate_private_key(ec.SECP256R1())), "RSA"),
    ],
)
def test_a_wrong_setting_is_one_line_that_names_it(name: str, text: str, part: str) -> None:
    (fault,) = faults(**{name: text})
    assert fault.startswith(f"{name}: ")
    assert part in fault
    assert "\n" not in fault
    assert "geheim" not in fault


def test_secrets_are_split_and_never_shown() -> None:
    settings = load({**LEAST, "WEBHOOK_SECRET": "new, old", "DATABASE_URL": "postgres://u:geheim@h/d"}, dotenv=None)
    assert settings.webhook_secrets == ("new", "old")
    assert settings.database_url == "postgresql+psycopg://u:geheim@h/d"
    assert not {"new", "geheim", "PRIVATE KEY"} & set(repr(settings).split("'"))
    assert "geheim" not in repr(settings)
    assert "PRIVATE KEY" not in repr(settings)


def test_the_key_may_have_its_line_ends_written_out() -> None:
    assert load({**LEAST, "PRIVATE_KEY": KEY.replace("\n", "\\n")}, dotenv=None).private_key == KEY


def test_the_key_may_lie_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    file.write_text(KEY)
    environment = {"APP_ID": "1", "WEBHOOK_SECRET": "s", "PRIVATE_KEY_PATH": str(file)}
    assert load(environment, dotenv=None).private_key == KEY
    with pytest.raises(SettingsError, match="PRIVATE_KEY_PATH: cannot be read"):
        load({**environment, "PRIVATE_KEY_PATH": str(tmp_path / "none")}, dotenv=None)


def test_the_login_needs_both_halves() -> None:
    assert faults(GITHUB_CLIENT_ID="Iv1.x") == ("GITHUB_CLIENT_SECRET is not set",)
    settings = load({**LEAST, "GITHUB_CLIENT_ID": "Iv1.x", "GITHUB_CLIENT_SECRET": "s"}, dotenv=None)
    assert settings.pages is Pages.LOGIN


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("PORT=4000\nCHECK_NAME=From the file\n")
    settings = load({**LEAST, "PORT": "5000"}, dotenv=file)
    assert (settings.port, settings.check_name) == (5000, "From the file")


def test_a_file_that_is_no_text_is_one_fault(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"PORT=\xff\n")
    with pytest.raises(SettingsError, match=r"\.env can't be read as UTF-8 text"):
        load(LEAST, dotenv=file)
