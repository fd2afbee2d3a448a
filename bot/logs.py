"""Logging: one line per event, text or JSON, with tokens and keys cut out before anything is written."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from typing import TextIO

from bot.settings import LogFormat, Settings

TOKEN = re.compile(
    r"gh[opsur]_[A-Za-z0-9._-]{10,}"  # GitHub's tokens; since 2026-04 installation tokens are ghs_ with dots
    r"|github_pat_[A-Za-z0-9_]{10,}"
    r"|(?<=basic )[A-Za-z0-9+/=]{16,}"  # git's Authorization header
    r"|(?<=[Bb]earer )[A-Za-z0-9._-]{16,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    re.DOTALL,
)
"""What must never reach a log: https://github.blog/changelog gives the shapes of tokens."""

QUIET = ("dbos", "waitress", "urllib3", "github", "git", "sqlalchemy", "werkzeug")
"""Libraries whose informative lines are of no use to an operator; heard at DEBUG and from WARNING on."""

STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def configure(settings: Settings, stream: TextIO | None = None) -> None:
    """Sends every log line of this process to ``stream`` (default: stderr) in the form of LOG_FORMAT."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if settings.log_format is LogFormat.JSON else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level)
    if settings.log_level != "DEBUG":
        for name in QUIET:
            logging.getLogger(name).setLevel(logging.WARNING)
    # DBOS writes to the console by itself unless its logger already has a handler.
    logging.getLogger("dbos").handlers[:] = [logging.NullHandler()]


def redacted(text: str) -> str:
    """``text`` without tokens and keys."""
    return TOKEN.sub("[redacted]", text)


class _Utc(logging.Formatter):
    @staticmethod
    def converter(seconds: float | None = None) -> time.struct_time:
        """Times of the log are UTC whatever the machine's zone."""
        return time.gmtime(seconds)


class TextLines(_Utc):
    """``2026-11-30T02:50:46Z INFO bot.queue text name=value`` (UTC)."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """The line without a traceback, its facts behind the text."""
        facts = "".join(f" {name}={value}" for name, value in _facts(record).items())
        return super().formatMessage(record) + facts

    def format(self, record: logging.LogRecord) -> str:
        """The whole text of one record."""
        return redacted(super().format(record))


class JsonLines(_Utc):
    """One JSON object per line: time (UTC, RFC 3339), level, logger, message, facts given as ``extra``, traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%SZ"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_facts(record),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return redacted(json.dumps(line, ensure_ascii=False, default=str))


def _facts(record: logging.LogRecord) -> dict[str, object]:
    """What was given as ``extra``, without what libraries mark as their own."""
    return {name: value for name, value in vars(record).items() if name not in STANDARD and not name.startswith("_")}
