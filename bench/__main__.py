"""``python -m bench [case…]``: runs the cases named, without any all of them but the storm."""

from __future__ import annotations

import click

from bench.cases import changed_system, endpoints_5760, storage_20000
from bench.measure import table
from bench.storm import storm

CASES = {"endpoints-5760": endpoints_5760, "storage-20000": storage_20000, "changed-system": changed_system}


def show(name: str) -> None:
    """Runs one case and prints its table."""
    case = CASES[name]
    click.echo(table(case.TITLE, case.figures()))


@click.group(chain=True, invoke_without_command=True)
@click.pass_context
def main(context: click.Context) -> None:
    """Measure, and say how it was measured. Nothing here is a test."""
    if context.invoked_subcommand is None:
        for name in CASES:
            show(name)


for _name, _case in CASES.items():
    main.command(_name, help=_case.TITLE)(lambda name=_name: show(name))
main.add_command(storm, "storm")


if __name__ == "__main__":
    main()
