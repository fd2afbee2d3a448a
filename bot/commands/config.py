"""``submission-bot config check``: is a repository configuration valid, and if not, where and why."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bot import policy
from bot.commands.check import unable
from checks import names, rule_sets
from checks.input_rules import INPUT_RULES

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
        click.echo(f"{names.shown(place)}: {fault.reason}")
    if faults:
        sys.exit(INVALID)
    click.echo(f"{names.shown(str(file))}: valid")
    sys.exit(VALID)


def known_rules() -> set[str]:
    """The ids that a configuration may name: those of all rule sets, and the input faults."""
    return {rule for name in rule_sets.NAMES for rule in rule_sets.rule_set(name).book.ids()} | set(INPUT_RULES)
