"""Fixtures for what the tests find around them: a PostgreSQL server and a browser, both provided by `make test`."""

import os
import shutil
from collections.abc import Iterator
from uuid import uuid4

import hypothesis
import psycopg
import pytest

# An example that is slow on a busy machine is no failure; what takes too long is measured in bench/.
hypothesis.settings.register_profile("submission-bot", deadline=None)
hypothesis.settings.load_profile("submission-bot")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by the fixtures that they ask for, so that `-m "not postgres"` needs no second declaration."""
    marks = {"postgres_url": pytest.mark.postgres, "chromium": pytest.mark.browser}
    for item in items:
        for fixture in marks.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(marks[fixture])


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """URL (postgresql+psycopg://) of an empty database of this test's own, dropped after it."""
    server = os.environ.get("TEST_DATABASE_URL")
    if not server:
        pytest.skip("TEST_DATABASE_URL is not set: no PostgreSQL server (make test starts one where it is installed)")
    name = f"test_{uuid4().hex}"
    with psycopg.connect(server.replace("+psycopg", "", 1), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield f"{server.rpartition('/')[0]}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium executable."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not path:
        pytest.skip("no Chromium: set CHROMIUM to its path (make test installs it where it may)")
    return path
