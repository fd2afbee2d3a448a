"""What tests change in the service's processes: Python runs this file first of all.

`TEST_SECONDS_BETWEEN_WRITES` sets the pace of writes, which GitHub wants to be a second, `TEST_PATIENCE_SECONDS` how
long a job takes errors of GitHub's for passing ones. `TEST_RULES` adds rules to the real ones; the file that it names
says what they do: `raises`, `findings` (a number), `waits` (as long as that is true).
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if "TEST_SECONDS_BETWEEN_WRITES" in os.environ:
    from bot import pace

    pace.SECONDS_BETWEEN_WRITES = float(os.environ["TEST_SECONDS_BETWEEN_WRITES"])

if "TEST_PATIENCE_SECONDS" in os.environ:
    from bot.jobs import check, context

    context.PATIENCE_SECONDS = check.FETCH_PATIENCE_SECONDS = float(os.environ["TEST_PATIENCE_SECONDS"])

if "TEST_RULES" in os.environ:
    from checks.findings import Finding
    from checks.storage.book import BOOK
    from checks.storage.units import Submitter

    def told() -> dict[str, Any]:
        told: dict[str, Any] = json.loads(Path(os.environ["TEST_RULES"]).read_text())
        return told

    @BOOK.rule("9.1", "raises")
    def raises(submitter: Submitter) -> Iterator[Finding]:
        """Raises when it is told to."""
        if told().get("raises"):
            raise KeyError(submitter.path)
        yield from ()

    @BOOK.rule("9.2", "waits")
    def waits(submitter: Submitter) -> Iterator[Finding]:
        """Ends when it is told to."""
        while told().get("waits"):
            time.sleep(0.05)
        yield from ()

    @BOOK.rule("9.3", "finds")
    def finds(submitter: Submitter) -> Iterator[Finding]:
        """Finds as much as it is told to."""
        for number in range(told().get("findings", 0)):
            yield Finding(f"{submitter.path}/systems/B.yaml", f"Finding {number} of a test.", line=1)
