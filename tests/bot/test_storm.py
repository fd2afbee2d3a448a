"""The short form of the storm; `python -m bench storm` has the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot.service import Service, until
from tests.bot.storm import Storm
from tests.github import GitHub

SETTLE_SECONDS = 150


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
def test_every_head_ends_with_one_run_and_the_verdict_of_a_calm_look(
    seed: int, github: GitHub, service: Service, tmp_path: Path
) -> None:
    service.more = {"RECONCILE_SECONDS": "5"}
    storm = Storm(github, service, seed)
    service.start()
    storm.rage(deliveries=40, pulls=5, kills=2, rate=0.15)
    try:
        until(lambda: not storm.faults(), "every head has its verdict", SETTLE_SECONDS)
    except AssertionError:
        print(service.log)
        raise AssertionError("\n".join(storm.faults())) from None
    assert storm.kills == 2
    assert len(storm.heads) > 10
    assert storm.moves > 1
    assert storm.asked.total() > 1
