"""The service with rules of the test's own, which do as they are told."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from bot.settings import DATABASE_FILE
from tests.bot.service import Service, until
from tests.github import GitHub
from tests.github.state import CheckRun, Repository

NEW_SYSTEM: dict[str, bytes | None] = {"closed/Acme/systems/B.yaml": b"name: B\n"}


class Told(Service):
    """The bot with the rules of the test added to the real ones, which do as they are told."""

    @property
    def orders(self) -> Path:
        return self.data / "rules.json"

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | {"TEST_RULES": str(self.orders)}

    def tell(self, **orders: object) -> None:
        """What the rules do from now on."""
        aside = self.orders.with_suffix(".new")
        aside.write_text(json.dumps(orders))
        aside.rename(self.orders)

    def outlast(self, minutes: int) -> None:
        """As if so much time had passed since anything happened; only while the service does not run."""
        past = f"-{minutes} minutes"
        with sqlite3.connect(self.data / DATABASE_FILE) as database:
            for table, column in (("runs", "updated_at"), ("deliveries", "tried_at")):
                moved = f"strftime('%Y-%m-%d %H:%M:%f', {column}, ?)"
                database.execute(f"UPDATE {table} SET {column} = {moved}", (past,))
        database.close()

    def forget_jobs(self, minutes: int = 0) -> None:
        """As if every job had been lost, so many minutes ago; only while the service does not run."""
        with sqlite3.connect(self.data / DATABASE_FILE) as database:
            database.execute("UPDATE workflow_status SET status = 'CANCELLED'")
        database.close()
        self.outlast(minutes)


def completed(github: GitHub, repository: Repository, sha: str) -> CheckRun:
    """The one run on a commit, once it is completed."""
    until(lambda: any(run.status == "completed" for run in github.check_runs(repository, sha)), f"a run on {sha}")
    (run,) = github.check_runs(repository, sha)
    return run


def settled(service: Service) -> None:
    """Waits until no job is left."""
    until(lambda: service.jobs() == 0, "all jobs have ended")
