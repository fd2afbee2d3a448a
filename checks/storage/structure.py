"""Rules 2.1.1 to 2.1.5, 2.1.7 and 2.1.8: names and required folders of submissions and submitters."""

from __future__ import annotations

import re

from checks import names
from checks.edition import Edition
from checks.findings import Level
from checks.rules import Outcome
from checks.storage.book import not_checkable, rule
from checks.storage.code_inputs import Images
from checks.storage.units import Root, Submitter
from checks.units import listed, unexpected

_BLANK_OR_ODD = re.compile(r"[^A-Za-z0-9._-]")
_DESCRIPTION = re.compile(r"(.+)\.(yaml|pdf)\Z")


@rule("2.1.1", "submitterRootDirectory")
def submitter_root_directory(submitter: Submitter, edition: Edition) -> Outcome:
    """A submitter's folder has a name made of the characters that a POSIX file name may portably hold; any other is
    replaced by a dash.

    Why: The name appears in paths, links and tables; a blank or an odd character breaks one of them.
    Mend: Rename the folder in `closed`, `open` and the code pool alike, with a dash for each other character.
    """
    if not re.fullmatch(edition["structure"]["submitter_name"], submitter.name):
        better = _BLANK_OR_ODD.sub("-", submitter.name)
        yield submitter.finding(
            f"The submitter's folder `{submitter.shown}` has characters that a POSIX file name can't portably hold.",
            f"Rename it to `{better}`, in every division and in the code pool alike.",
        )


@rule("2.1.2", "topLevelSubdirectories")
def top_level_subdirectories(root: Root, images: Images, edition: Edition) -> Outcome:
    """At the top there is a folder `closed`, a folder `open`, or both, and nothing more but dot-prefixed entries.

    Why: Everything a checker or a reader looks for is found from these two names, which are case-sensitive. Mend:
    Rename the folder to lower case, or move what does not belong to a submission out of the tree. Contested: Pools of
    code images (`<org>/code-<hash8>`, `code-images`) are allowed, since rule 2.1.6 puts them at the top; loose files
    are a notice only, since published trees carry documents there.
    """
    divisions = edition["structure"]["divisions"]
    folders = [name for name in root.folders if not names.is_dot(name) and name not in images.pools]
    for name, hint in unexpected(root, folders, divisions):
        yield root.finding(
            f"The folder `{names.shown(name)}` stands at the top beside {listed(divisions)}, where nothing else may.",
            (hint.strip() + " " if hint else "") + "Names are case-sensitive; move or remove anything else.",
            at=name,
        )
    if not any(name in divisions for name in root.folders):
        yield root.finding(
            "There is neither a folder `closed` nor a folder `open` at the top.", "Put the submission in one."
        )
    for name in [name for name in root.files if not names.is_dot(name)]:
        yield root.finding(
            f"The file `{names.shown(name)}` stands loose at the top; it belongs to no submission.",
            "Nothing to do if it documents the merged tree.",
            at=name,
            level=Level.NOTICE,
        )


not_checkable("2.1.3", "openMatchesClosed", "every rule is run on both divisions alike; there is nothing more to check")
not_checkable(
    "2.1.4",
    "closedSubmitterDirectory",
    "whether the top folder is one submitter's package or a merged set is not recorded; both are accepted",
)
