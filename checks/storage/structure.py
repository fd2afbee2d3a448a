"""Rules 1.1 and 2.1.1 to 2.1.4: the top of a tree, its divisions, and how submitters are named."""

from __future__ import annotations

import re

from checks import names
from checks.edition import Edition
from checks.findings import Level
from checks.rules import Outcome
from checks.storage.book import not_checkable, rule
from checks.storage.code_inputs import Images
from checks.storage.expected_names import difference, loose_files, misspelt
from checks.storage.units import Division, Root, Submitter
from checks.units import listed

_BLANK_OR_ODD = re.compile(r"[^A-Za-z0-9._-]")

not_checkable(
    "1.1",
    "mlpstorageGeneratesHierarchy",
    "a tree does not show which program made it; what the tool always writes is demanded by the rules of section 2",
)


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

    Why: Everything that a checker or a reader looks for is found from these two names, which are case-sensitive.
    Mend: Rename the folder to lower case, or move what does not belong to a submission out of the tree.
    Contested: Pools of code images (`<org>/code-<hash8>`, `code-images`) are allowed, since rule 2.1.6 puts them at the
    top; loose files are a notice only, since published trees carry documents there. The diagram of 2.1.27 writes
    `Closed` and `Open`; the text asks for lower case and is followed.
    """
    divisions = edition["structure"]["divisions"]
    folders = [name for name in root.folders if not names.is_dot(name) and name not in images.pools]
    found = difference(folders, (), divisions)
    yield from misspelt(root, found)
    deep = {name: [inner for inner in divisions if root.tree.is_dir(f"{name}/{inner}")] for name in found.extra}
    for name in found.extra:
        yield root.finding(
            f"The folder `{names.shown(name)}` stands at the top, where only {listed(divisions)} may.",
            f"It holds {listed(deep[name])}: the submission lies one level too deep. Move it up, or check this folder."
            if deep[name]
            else "Move it out of the tree. Code images are recognised by the marker `.mlps-image-pool` or their names "
            "`code-<hash8>`.",
            at=name,
        )
    if not found.misspelt and not any(deep.values()) and not any(name in divisions for name in root.folders):
        yield root.finding(
            "There is neither a folder `closed` nor a folder `open` at the top.",
            "Put the submission under `closed/<submitter>` or `open/<submitter>`.",
        )
    for name in [name for name in root.files if not names.is_dot(name)]:
        yield root.finding(
            f"The file `{names.shown(name)}` stands loose at the top; it belongs to no submission.",
            "Nothing to do if it documents the merged tree.",
            at=name,
            level=Level.NOTICE,
        )


not_checkable("2.1.3", "openMatchesClosed", "every rule is run on both divisions alike; there is nothing more to check")


@rule("2.1.4", "closedSubmitterDirectory")
def submitters_have_folders(division: Division) -> Outcome:
    """In `closed` and `open` each submitter's contribution lies in a folder of the submitter's name; a merged tree
    holds many, one submitter's package one.

    Why: Whose result it is, is told by the folder and by nothing else.
    Mend: Put the submission under a folder of the submitter's name.
    Contested: Whether the top folder of a package is named like the submitter can't be seen from the tree; both forms
    are accepted. Files beside the submitters' folders are a notice.
    """
    yield from loose_files(division)
    if not division.folders:
        yield division.finding(
            f"`{division.shown}` holds no submitter's folder.", "Put the submission under a folder of your name."
        )


not_checkable(
    "2.1.5",
    "requiredSubdirectories",
    "only introduces its two parts: 2.1.5.a (CLOSED) and 2.1.5.b (OPEN) are checked under their own ids",
)
not_checkable(
    "2.1.27",
    "directoryDiagram",
    "the diagram draws what rules 2.1.2 to 2.1.26 say in words; each of them is checked under its own id",
)
not_checkable(
    "2.29",
    "dlioLog",
    "the drawing repeats the files of rules 2.1.14, 2.1.15, 2.1.19, 2.1.20, 2.1.25 and 2.1.26, which are checked there",
)
