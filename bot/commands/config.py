"""``submission-bot config check``: is a repository configuration valid, and if not, where and why."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bot import policy
from bot.commands.output import unable, write
from bot.rule_ids import known_rules
from checks import names

VALID, INVALID = 0, 1


@click.group(short_help="Work with repository configurations.")
def config() -> None:
    """Work with repository configurations (.github/submission-checks.yml)."""


@config.command("check", short_help="Validate a configuration file.")
@click.argument("file", type=click.Path(path_type=Path))
def check_config(file: Path) -> None:
    """Validate FILE. Exit codes: 0 valid, 1 invalid (each fault with its place), 2 not readable."""
    try:
        content = file.read_bytes()
    except OSError as error:
        unable(f"{file} can't be read: {error.strerror}")
    faults = policy.faults_of(content, known_rules())
    for fault in faults:
        place = f"{file}:{fault.line}" if fault.line else str(file)
        write(f"{names.shown(place)}: {fault.reason}\n")
    if faults:
        sys.exit(INVALID)
    write(f"{names.shown(str(file))}: valid\n")
    sys.exit(VALID)
