"""Rules on what kind of entries stand in a scope, how many, how large, and which are leftovers."""

from __future__ import annotations

from checks import names
from checks.entries import Entries, Owner
from checks.findings import Finding
from checks.hygiene import telling
from checks.hygiene.limits import limits, matches
from checks.rules import Outcome
from checks.tree import Kind
from checks.units import listed

MIB = 1024 * 1024


def too_many_entries(owner: Owner, entries: Entries) -> Outcome:
    """A scope has no more entries, and no deeper folders, than a checker can walk.

    Why: A tree without bounds would take the checker down for everybody.
    Mend: Take out what was committed by mistake; no benchmark tool writes that many files.
    """
    if (over := entries.overflow) is not None:
        hint = "Take out what was committed by mistake; what lies beyond the limit was not looked at."
        yield Finding(over.path, f"{over}.", hint)


def symbolic_links(owner: Owner, entries: Entries) -> Outcome:
    """No symbolic link stands in a submission; none is followed.

    Why: A link points at something else on every machine, and out of the repository on most.
    Mend: Commit a copy of what it points at.
    """
    message = "{name} is a symbolic link; links are not followed, so what it points at is not part of the submission."
    yield from telling.each(owner, entries.of_kind(Kind.SYMLINK), message, "Commit the file itself.")


def submodules(owner: Owner, entries: Entries) -> Outcome:
    """No submodule stands in a submission; none is fetched.

    Why: Its content lies in another repository that may change or vanish.
    Mend: Remove it (`git rm --cached <path>`) and commit the files themselves.
    """
    message = "{name} is a git submodule; its content is not in this repository and is not fetched."
    hint = "Run `git rm --cached` on it and commit the files themselves."
    yield from telling.each(owner, entries.of_kind(Kind.SUBMODULE), message, hint)


def file_sizes(owner: Owner, entries: Entries) -> Outcome:
    """Files are small enough for GitHub: it refuses more than 100 MiB and warns from 50 MiB.

    Of a pull request the sizes of those files are known whose content other rules needed; GitHub judges the rest at the
    push. A folder and a full clone are judged whole.

    Why: A repository of large files is slow for everybody, and what GitHub refuses can't be merged.
    Mend: Leave out what no rule asks for; ask the organisers before cutting a log.
    """
    bounds = limits().file_size
    for path in entries.of_kind(Kind.FILE):
        size = owner.tree.size(path)
        if size is not None and size >= bounds.large:
            does = "refuses it (limit 100 MiB)" if size > bounds.refused else "warns of it (from 50 MiB)"
            hint = "Leave it out if no rule asks for it, or ask the organisers what to keep."
            yield Finding(path, f"The file has {size / MIB:,.1f} MiB; GitHub {does}.", hint)


def leftovers(owner: Owner, entries: Entries) -> Outcome:
    """No leftovers of editors, interpreters or desktops stand in a submission.

    Why: They are noise for readers, and some rules count or name every file.
    Mend: Remove them and put their patterns into your own `.gitignore`.
    """
    bounds = limits()
    folders = [path for path in entries.of_kind(Kind.DIRECTORY) if names.basename(path) in bounds.junk_folders]
    files = [path for path in entries.of_kind(Kind.FILE) if matches(names.basename(path), bounds.junk_files)]
    files = [path for path in files if names.parent(path) not in folders]
    found = [path for path in (*folders, *files) if not owner.permits(path)]
    if found and owner.looked_into:
        what = "Leftover" if len(found) == 1 else f"{len(found):,} leftovers"
        shown = listed([path.removeprefix(owner.path).lstrip("/") for path in found], 4)
        message = f"{what} of an editor, interpreter or desktop: {shown}."
        yield Finding(found[0], message, "Remove what no rule asks for.")
