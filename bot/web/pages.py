"""Pages for people: the status of the service, and the full report of a check run."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, abort, render_template
from sqlalchemy import select

from bot import __version__
from bot.queue import Queue
from bot.settings import Pages, Settings
from bot.store import Repository, Store, StoredReport
from bot.workers import alive


def blueprint(settings: Settings, store: Store, queue: Queue) -> Blueprint:
    """The routes. A repository's pages are shown to everybody (PAGES=open) or to nobody."""
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def status() -> str:
        return render_template("status.html", version=__version__, workers=alive(store), jobs=queue.counts())

    @pages.get("/checks/<owner>/<name>/<head_sha>")
    def report(owner: str, name: str, head_sha: str) -> str:
        if settings.pages is not Pages.OPEN:
            abort(404)
        found = stored_report(store, f"{owner}/{name}", head_sha)
        if found is None:
            abort(404)
        return render_template("report.html", repository=f"{owner}/{name}", head_sha=head_sha, report=found)

    return pages


def stored_report(store: Store, repository: str, head_sha: str) -> dict[str, Any] | None:
    """The newest report on a commit, in the shape of ``--format json``; None when there is none."""
    query = (
        select(StoredReport.json)
        .join(Repository, Repository.id == StoredReport.repository_id)
        .where(Repository.full_name == repository, StoredReport.head_sha == head_sha)
        .order_by(StoredReport.request_id.desc())
        .limit(1)
    )
    with store.session() as session:
        text = session.scalar(query)
    if text is None:
        return None
    document: dict[str, Any] = json.loads(text)
    return document
