"""The public checker as a second judge, in a process and an environment of its own."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

PACKAGE = "endpoints-submission-cli"
INTERPRETERS = {"1.1.0.0": "ENDPOINTS_PEER_1_1", "1.5.3.0": "ENDPOINTS_PEER_1_5"}
"""Environment variables that name a Python interpreter which has that version of the package."""

_JUDGE = """
import json, pathlib, sys
from submission_checker.checker import SubmissionChecker
for line in sys.stdin:
    try:
        report = SubmissionChecker(pathlib.Path(line.rstrip("\\n"))).run()
        print(json.dumps([[error.rule, error.message] for error in report.errors]))
    except Exception:
        print("null")
"""
"""Reads folders of submissions, answers each with its errors, or null where the checker itself breaks down."""

Errors = list[tuple[str, str]]
"""Rule and message of each error; none is a pass."""


@dataclass(frozen=True)
class Peer:
    """One version of the public checker and the interpreter that has it."""

    version: str
    interpreter: str

    @classmethod
    def found(cls, version: str) -> Self | None:
        """The peer by its environment variable, or in this interpreter; None where it is not installed."""
        if named := os.environ.get(INTERPRETERS[version]):
            return cls(version, named)
        try:
            return cls(version, sys.executable) if importlib.metadata.version(PACKAGE) == version else None
        except importlib.metadata.PackageNotFoundError:
            return None

    @property
    def installed(self) -> str:
        """The version that the interpreter really has."""
        asked = f"import importlib.metadata; print(importlib.metadata.version({PACKAGE!r}))"
        return subprocess.run(
            [self.interpreter, "-c", asked], check=True, capture_output=True, text=True, timeout=60
        ).stdout.strip()

    def judged(self, submissions: Sequence[Path]) -> list[Errors | None]:
        """The errors of each submission; None where the peer broke down."""
        asked = "".join(f"{folder}\n" for folder in submissions)
        done = subprocess.run(
            [self.interpreter, "-c", _JUDGE], input=asked, check=True, capture_output=True, text=True, timeout=1800
        )
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(answers) == len(submissions), done.stderr[-2000:]
        return [None if found is None else [(rule, message) for rule, message in found] for found in answers]
