"""Pages for people: the status of the service, and the full report of a check run. Refusals are one line of text."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template
from werkzeug.exceptions import HTTPException, NotFound

from bot import __version__
from bot.queue import Queue
from bot.settings import Pages, Settings
from bot.store import Store
from bot.web.reports import newest
from bot.workers import alive

NO_REPORT = "This service shows no report here: pages are off, or there is none. The check run has the summary."
"""The same for whatever is asked, so that nobody learns which repositories and commits there are."""

NO_SETUP = "This version has no setup page: register the App by hand, with the permissions and events of app.yml."
NOTHING = "There is nothing at this address. Webhooks go to POST /api/github/webhooks; GET / is the status page."


def blueprint(settings: Settings, store: Store, queue: Queue) -> Blueprint:
    """The routes. A repository's pages are shown to everybody (PAGES=open) or to nobody."""
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def status() -> str:
        return render_template("status.html", version=__version__, workers=alive(store), jobs=queue.counts())

    @pages.get("/checks/<owner>/<name>/<head_sha>")
    def report(owner: str, name: str, head_sha: str) -> str:
        if settings.pages is not Pages.OPEN:
            abort(404, NO_REPORT)
        found = newest(store, f"{owner}/{name}", head_sha)
        if found is None:
            abort(404, NO_REPORT)
        about = {"repository": f"{owner}/{name}", "head_sha": head_sha}
        if found.report is None:
            return render_template("outcome.html", outcome=found, **about)
        return render_template("report.html", report=found.report, **about)

    @pages.get("/setup")
    def setup() -> str:
        abort(404, NO_SETUP)

    @pages.app_errorhandler(HTTPException)
    def refused(error: HTTPException) -> Response:
        unmatched = error.code == NotFound.code and error.description == NotFound.description
        text = f"{error.code} {error.name}. {NOTHING if unmatched else error.description}\n"
        headers = {name: value for name, value in error.get_headers() if name != "Content-Type"}
        return Response(text, error.code, headers, content_type="text/plain; charset=utf-8")

    return pages
