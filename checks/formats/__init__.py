"""Reports written down: one module per format, each with ``render(report) -> str``."""

from __future__ import annotations

from collections.abc import Callable

from checks.findings import Report
from checks.formats import github, json, junit, markdown, sarif, text

RENDERERS: dict[str, Callable[[Report], str]] = {
    "text": text.render,
    "json": json.render,
    "sarif": sarif.render,
    "junit": junit.render,
    "github": github.render,
    "markdown": markdown.render,
}
"""Every format of ``submission-bot check --format``, by name."""
