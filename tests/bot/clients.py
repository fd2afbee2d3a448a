"""The bot's own clients, pointed at the stand-in."""

from pathlib import Path

from bot import settings
from bot.github import GitHub as Client
from bot.github import Installation
from bot.settings import Settings
from tests.github import GitHub, Repository


def settings_for(github: GitHub, folder: Path) -> Settings:
    """Settings of a bot that lives in ``folder`` and knows no other server than the stand-in."""
    environment = {
        "APP_ID": str(github.app.id),
        "PRIVATE_KEY": github.private_key,
        "WEBHOOK_SECRET": "secret",
        "GITHUB_API_URL": github.api_url,
        "GITHUB_SERVER_URL": github.url,
        "DATA_DIR": str(folder),
    }
    return settings.load(environment, None)


def installation_of(client: Client, github: GitHub, repository: Repository) -> Installation:
    """The installation under which the App reaches ``repository``."""
    found = github.state.installation_of(repository, github.app)
    assert found is not None
    return client.installation(found.id)
