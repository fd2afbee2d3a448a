"""Hygiene of a storage tree: PDFs of one content, results tables, code images that changed or that nothing names."""

from __future__ import annotations

from checks import names
from checks.changes import changed_paths
from checks.edition import Edition
from checks.entries import Entries, Owner
from checks.findings import Finding
from checks.hygiene import add
from checks.hygiene.text_rules import secrets_of
from checks.inputs import Before
from checks.rules import Outcome
from checks.storage.book import BOOK
from checks.storage.code_inputs import HASH_FILE, IMAGE_POOL, POINTER
from checks.storage.hygiene_inputs import PointedImages, SystemPdfs
from checks.storage.inputs import SystemDescription
from checks.storage.units import CodeImage, Root, Submitter, System
from checks.units import counted, listed, near_miss

DOT_NAMES = (POINTER, HASH_FILE, IMAGE_POOL)
"""Dot-prefixed files with a meaning, which a rule overlooks when they are misspelt."""


@add(BOOK, "hygiene.same-pdf")
def same_pdf(submitter: Submitter, pdfs: SystemPdfs) -> Outcome:
    """Each system has a PDF of its own: no two have the same content.

    Why: One document for several systems rarely describes them all; numbers of hosts or drives are then wrong.
    Mend: Give each system its own PDF, or say in the one document which systems it describes.
    Contested: No document forbids it, and published systems of one make share a PDF rightly; hence a notice.
    """
    for group in pdfs.same:
        message = f"{listed(group)} have the same content."
        hint = "Give each system its own PDF, or make sure that this one describes them all."
        yield submitter.descriptions.finding(message, hint, at=group[-1])


@add(BOOK, "hygiene.secret")
def secrets_described(system: System, description: SystemDescription) -> Outcome:
    """No key, token or password stands in a log, in a record, or in a system's description (here: the last).

    Why: The repository is public, and stays so in its history: what is written once is known for good.
    Mend: Revoke the key or change the password first, then take it out of the description.
    """
    del system
    yield from secrets_of(description.path, description.tree.head(description.path, description.tree.limits.log_bytes))


@add(BOOK, "hygiene.results-table")
def results_table(root: Root, before: Before | None, edition: Edition) -> Outcome:
    """The results tables at the top are generated from the tree by staff; a submission leaves them alone.

    Why: Uploaded tables contradicted the generated ones in the v3.0 round, and 26 had to be deleted.
    Mend: Take the file out of the change.
    """
    for name in edition["hygiene"]["generated_tables"] if before is not None else ():
        old, new = before.entry(name) if before else None, root.entries.get(name)
        if old != new:
            done = "removed" if new is None else "added" if old is None else "changed"
            message = f"The generated table `{name}` is {done}; staff makes it anew from the merged tree."
            yield root.finding(message, "Take the file out of this change, unless you are staff.", at=name)


@add(BOOK, "hygiene.image-changed")
def image_changed(image: CodeImage, before: Before | None) -> Outcome:
    """A code image that exists stays as it is: its name is its content's hash, and earlier results point to it.

    Why: Results that were measured with the old content would now show another.
    Mend: Restore the image, and add the changed code as an image of its own (`code-<hash8>`).
    """
    if before is None or image.hash8 is None or before.entry(image.path) is None:
        return
    changes = changed_paths(before.tree, image.tree, image.path)
    counts = {
        "added": [change.path for change in changes if change.old is None],
        "changed": [change.path for change in changes if change.old is not None and change.new is not None],
        "removed": [change.path for change in changes if change.new is None],
    }
    if changes:
        told = ", ".join(f"{counted(len(paths), 'file')} {what}" for what, paths in counts.items() if paths)
        shown = listed([change.path.removeprefix(f"{image.path}/") for change in changes], 4)
        hint = "Restore it, and add changed code as an image of its own; results point to an image by its content."
        yield Finding(changes[0].path, f"The existing code image `{image.shown}` was altered: {told} ({shown}).", hint)


@add(BOOK, "hygiene.orphan-image")
def orphan_image(image: CodeImage, pointed: PointedImages | None) -> Outcome:
    """Some run, in either division, points to each code image of a pool.

    Why: An image that nothing names is left over from results that were withdrawn, or was uploaded by mistake.
    Mend: Remove it, or add the results that were made with it.
    """
    if pointed is not None and image.path not in pointed.images:
        hint = "Remove it with the results that it belonged to, or correct the pointers that should name it."
        yield image.finding(f"No run points to the code image `{image.shown}`, in neither division.", hint)


@add(BOOK, "hygiene.near-name")
def near_names(owner: Owner, entries: Entries) -> Outcome:
    """Dot-prefixed files with a meaning (`.mlps-code-image`, `.code-hash.json`, `.mlps-image-pool`) are spelt right.

    Why: A misspelt one is passed over in silence, and another rule then reports the right one as missing.
    Mend: Rename the file.
    """
    for path, entry in entries:
        meant = near_miss(entry.name, DOT_NAMES) if names.is_dot(entry.name) and entry.name not in DOT_NAMES else None
        if meant is not None:
            yield Finding(path, f"`{names.shown(entry.name)}` has no meaning here.", f"Did you mean `{meant}`?")
