"""Rule 2.1.6: every run's pointer names a code image that is there and that records the same hash."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from checks import names
from checks.documents import shortened
from checks.edition import Edition
from checks.findings import Finding
from checks.rules import Outcome
from checks.storage.book import rule
from checks.storage.code_inputs import POINTER, CodePointer, Pointed
from checks.storage.code_use import CodeUse
from checks.storage.leaves import Leaf
from checks.storage.units import System
from checks.units import counted, listed, near_miss

AS_WRITTEN = "Restore the pointer as the benchmark tool wrote it."


@rule("2.1.6", "codeDirectoryContents")
def code_pointers(system: System, code: CodeUse, edition: Edition) -> Outcome:
    """Where code lies in a pool, every timestamp folder holds a pointer `.mlps-code-image`, one line
    `<algorithm>:<hash>`, to an image that is in the pool and records this hash.

    Why: The pointer is the only link between a result and the code that produced it; several images per submitter are
    fine as long as every run names its own.
    Mend: Add the image that the run names, as the tool captured it; never point a run at another image.
    Contested: The document asks for one `code` folder per CLOSED submitter and, two rules later, for a pool. Pointers
    are required where there is a pool and no `code` folder, or where other runs of the system have one.
    """
    found = {leaf.path: pointer for leaf in code.leaves if (pointer := code.pointer(leaf)) is not None}
    pooled = code.images.has_pool(system.submitter.name) and not code.has_folders
    if found or pooled:
        yield from _without_pointer(system, [leaf for leaf in code.leaves if leaf.path not in found])
    pointers = [(leaf, found[leaf.path]) for leaf in code.leaves if leaf.path in found]
    yield from _malformed(pointers, edition["code"]["algorithms"])
    for pointed, leaves in _by_target(pointers).items():
        yield from _target(code, pointed, leaves, system)


def _without_pointer(system: System, leaves: list[Leaf]) -> Iterator[Finding]:
    if not leaves:
        return
    first = leaves[0]
    near = near_miss(POINTER, [name for name in first.entries if name != POINTER])
    seen = f" Did you mean it by `{names.shown(near)}`?" if near else ""
    yield first.finding(
        f"`{POINTER}` is missing in {_named(system, leaves)}, so nothing tells which code image ran.{seen}",
        "Copy the pointer that the benchmark tool wrote beside the results.",
    )


def _malformed(pointers: list[tuple[Leaf, CodePointer]], algorithms: list[str]) -> Iterator[Finding]:
    alike: dict[str, list[CodePointer]] = {}
    for _, pointer in pointers:
        if (wrong := _wrong(pointer, algorithms)) is not None:
            alike.setdefault(wrong, []).append(pointer)
    for wrong, found in alike.items():
        also = f" The same holds for {counted(len(found) - 1, 'other pointer')}." if len(found) > 1 else ""
        yield replace(found[0].finding("", wrong + also, AS_WRITTEN), count=len(found))


def _wrong(pointer: CodePointer, algorithms: list[str]) -> str | None:
    pointed = pointer.pointed
    if pointed is None:
        said = shortened(pointer.data.strip())
        return f'The pointer says "{said}"; one line `<algorithm>:<32 hex digits>` is required.'
    if pointed.algorithm not in algorithms:
        return f"The pointer's algorithm is `{pointed.algorithm}`; known are {listed(algorithms)}."
    return None


def _by_target(pointers: list[tuple[Leaf, CodePointer]]) -> dict[Pointed, list[Leaf]]:
    targets: dict[Pointed, list[Leaf]] = {}
    for leaf, pointer in pointers:
        if pointer.pointed is not None:
            targets.setdefault(pointer.pointed, []).append(leaf)
    return targets


def _target(code: CodeUse, pointed: Pointed, leaves: list[Leaf], system: System) -> Iterator[Finding]:
    image = code.image(leaves[0], pointed)
    where = f"{_named(system, leaves)} point{'s' if len(leaves) == 1 else ''}"
    if image is None:
        known = sorted(code.images.pools.get(system.submitter.name, {}), key=names.encode)
        there = f"there are {listed(known)}" if known else "there is no image at all"
        yield leaves[0].finding(
            f"The code image `{pointed.image}` is not in the tree, but {where} to it; {there}.",
            f"Add the folder `{pointed.image}` as the benchmark tool captured it (hash {pointed.hash}).",
            at=POINTER,
        )
        return
    recorded = code.recorded(image)
    if recorded is not None and recorded != pointed.hash:
        yield leaves[0].finding(
            f"{where} to the hash {pointed.hash}, but the image `{names.shown_path(image)}` "
            f"records {names.shown(recorded)}.",
            "Restore the pointer and the image as the benchmark tool wrote them.",
            at=POINTER,
        )


def _named(system: System, leaves: list[Leaf]) -> str:
    """``2 timestamp folders (`…`, `…`)``, by their paths below the system."""
    below = [leaf.path[len(system.path) + 1 :] for leaf in leaves]
    return f"{counted(len(leaves), 'timestamp folder')} ({listed(below, 3)})"
