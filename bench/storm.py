"""The fault storm in its long form: does every head commit end with one run and the verdict of a calm look?

python -m bench storm [--seed N] [--deliveries 300] [--pulls 20] [--kills 6] [--rate 0.2]
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

import click

from tests.bot.service import Service
from tests.bot.storm import Storm
from tests.github import GitHub

SETTLE_SECONDS = 900


@click.command()
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same deeds and faults.")
@click.option("--deliveries", default=300, show_default=True)
@click.option("--pulls", default=20, show_default=True)
@click.option("--kills", default=6, show_default=True, help="How often the bot is ended with kill -9.")
@click.option("--rate", default=0.2, show_default=True, help="Share of the API calls and git requests that fail.")
@click.option("--keep", is_flag=True, help="Leave the folder with the log there, and say where it is.")
def storm(*, seed: int, deliveries: int, pulls: int, kills: int, rate: float, keep: bool) -> None:
    """Let everything fail at random, then count what is not as it must be."""
    folder = tempfile.mkdtemp(prefix="storm-")
    with GitHub(Path(folder) / "github") as github:
        service = Service(github, Path(folder) / "bot", {"RECONCILE_SECONDS": "5"})
        raging = Storm(github, service, seed)
        service.start()
        try:
            begun = time.monotonic()
            raging.rage(deliveries, pulls, kills, rate)
            calm = time.monotonic()
            faults = raging.faults()
            while faults and time.monotonic() < calm + SETTLE_SECONDS:
                time.sleep(1)
                faults = raging.faults()
            ended = time.monotonic()
        finally:
            service.stop()
        click.echo(f"seed {seed}: {len(github.deliveries)} deliveries, {len(raging.pulls)} pull requests, ", nl=False)
        click.echo(f"{len(raging.heads)} heads, {raging.kills} kills, {len(github.requests)} API calls")
        click.echo(f"storm {calm - begun:.0f} s, settled after {ended - calm:.0f} s, {len(faults)} faults")
        for line in [*faults, *github.violations]:
            click.echo(line)
    if keep:
        click.echo(folder)
    else:
        shutil.rmtree(folder)
    if faults or github.violations:
        raise SystemExit(1)
