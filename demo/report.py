"""How the demo prints what GitHub would show."""

from __future__ import annotations

import re
import textwrap
from collections import Counter

from tests.github.github import GitHub
from tests.github.records import CheckRun, Json

WIDTH = 110
MOST = 25
"""Annotations printed; the run itself holds all."""

ESCAPED = re.compile(r"\\([\\`*_{}\[\]()<>#!|~&$])")
"""What :mod:`checks.markdown` puts before characters that Markdown would take for its own."""

MARKS = {"failure": "✗ failure", "warning": "! warning", "notice": "· notice "}


def say(text: str) -> None:
    """A line of the story."""
    print("\n" + textwrap.fill(text, WIDTH, initial_indent="== ", subsequent_indent="   "), flush=True)


def show(github: GitHub, run: CheckRun, seconds: float) -> None:
    """The check run as people see it, and what it cost."""
    annotations = run.annotations
    print(f"\n   {run.name}: {run.conclusion} on {run.head_sha[:12]}, {seconds:.1f} s after the push")
    print(f"   {run.title}\n")
    print(textwrap.indent(_table(run.summary or ""), "   "))
    for annotation in annotations[:MOST]:
        _annotation(annotation)
    if len(annotations) > MOST:
        print(f"   … and {len(annotations) - MOST} more annotations")
    levels = Counter(annotation["annotation_level"] for annotation in annotations)
    told = ", ".join(f"{number} {level}" for level, number in levels.items()) or "none"
    print(f"   Annotations: {told}. {_cost(github)}", flush=True)


def _table(summary: str) -> str:
    """The table of systems and the account of what was looked at, out of the summary's Markdown, unescaped."""
    lines = [line for line in summary.splitlines() if line.startswith("|") or " changed path" in line]
    return ESCAPED.sub(r"\1", "\n".join(lines)) + "\n"


def _annotation(annotation: Json) -> None:
    place = f"{annotation['path']}:{annotation['start_line']}"
    print(f"   {MARKS[annotation['annotation_level']]}  {place}")
    print(f"      {annotation['title']}")
    print(textwrap.indent(textwrap.fill(annotation["message"], WIDTH - 6), "      ") + "\n")


def _cost(github: GitHub) -> str:
    down = sum(request.bytes_out for request in github.git_requests)
    git, api = len(github.git_requests), len(github.requests)
    return f"{git} git requests ({down:,} bytes down), {api} API requests, no checkout."
