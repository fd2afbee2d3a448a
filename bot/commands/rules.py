"""``submission-bot rules``: every rule, or why it can't be checked from a tree."""

from __future__ import annotations

import click

from bot.commands.output import unable, write
from checks import rule_sets
from checks.edition import UnknownEdition
from checks.formats.rule_list import RENDERERS, rows


@click.command(short_help="List every rule: id, name, level, what it reads, or why no tree can show it.")
@click.option("--rules", "name", type=click.Choice(rule_sets.NAMES), help="Default: all rule sets.")
@click.option("--edition", help="Default: each rule set's own.")
@click.option("--format", "format_name", type=click.Choice(tuple(RENDERERS)), default="text", show_default=True)
def rules(name: str | None, edition: str | None, format_name: str) -> None:
    """List every rule of the rule sets."""
    try:
        chosen = [rule_sets.rule_set(item) for item in ([name] if name else rule_sets.NAMES)]
        if edition and not name:
            chosen = [item for item in chosen if edition in item.editions] or chosen
        tables = [(item, item.edition(edition), rows(item, item.edition(edition))) for item in chosen]
    except UnknownEdition as error:
        unable(str(error))
    write(RENDERERS[format_name](tables))
