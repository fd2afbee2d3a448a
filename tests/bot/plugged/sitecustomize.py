"""Rules of a test, added to the real ones in the service's processes: Python runs this file first of all.

`TEST_RULE_RAISES` lets a rule raise; `TEST_RULE_WAITS` names a file while which a rule does not end; `TEST_FINDINGS` is
how many findings a rule yields.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path

if os.environ.keys() & {"TEST_RULE_RAISES", "TEST_RULE_WAITS", "TEST_FINDINGS"}:
    from checks.findings import Finding
    from checks.storage.book import BOOK
    from checks.storage.units import Submitter

    @BOOK.rule("9.1", "raises")
    def raises(submitter: Submitter) -> Iterator[Finding]:
        """Raises when it is told to."""
        if "TEST_RULE_RAISES" in os.environ:
            raise KeyError(submitter.path)
        yield from ()

    @BOOK.rule("9.2", "waits")
    def waits(submitter: Submitter) -> Iterator[Finding]:
        """Ends when a file is gone."""
        while Path(os.environ.get("TEST_RULE_WAITS", "/nowhere")).exists():
            time.sleep(0.05)
        yield from ()

    @BOOK.rule("9.3", "finds")
    def finds(submitter: Submitter) -> Iterator[Finding]:
        """Finds as much as it is told to."""
        for number in range(int(os.environ.get("TEST_FINDINGS", "0"))):
            yield Finding(f"{submitter.path}/systems/B.yaml", f"Finding {number} of a test.", line=1)
