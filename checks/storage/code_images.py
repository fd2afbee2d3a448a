"""Rule 2.1.6: captured code, its record, and whether the two agree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from checks import names
from checks.documents import described
from checks.edition import Edition
from checks.findings import Finding
from checks.rules import Outcome
from checks.storage.book import rule
from checks.storage.code_inputs import HASH_FILE, IMAGE_NAME, CodeHash, Images
from checks.storage.code_source import Comparison, Source
from checks.storage.terms import CODE
from checks.storage.units import CodeImage, Submitter
from checks.units import counted, listed, near_miss

RESTORE = "Restore the image as the benchmark tool captured it; don't edit the record."
CAPTURE = "Copy the image as the benchmark tool captured it, with its .code-hash.json; don't write one by hand."


@rule("2.1.6", "codeDirectoryContents")
def code_image_is_complete(image: CodeImage) -> Outcome:
    """A code folder is a captured copy of the benchmark's source tree with a `.code-hash.json` at its top; in a pool
    its name is `code-` and the first eight digits of the hash.

    Why: Without its record nobody can tell whether the code that is shown is the code that ran.
    Mend: Copy the image as the benchmark tool captured it.
    Contested: The schema speaks of one `code` folder per submitter, the text above it of pools `<org>/code-<hash8>`.
    Both are accepted, and `code-images` as well. Edition 3.0 accepts pools only, as that round did.
    """
    if image.name != CODE and not IMAGE_NAME.match(image.name):
        yield image.finding(
            f"The folder `{image.shown}` stands in a pool of code images, but is not named `code-` and the first eight "
            "digits of its hash (lower case).",
            "Move it out of the pool, or give it back the name under which the benchmark tool captured it.",
        )
    elif HASH_FILE not in image.files:
        near = near_miss(HASH_FILE, [name for name in image.entries if name != HASH_FILE])
        seen = f" Did you mean it by `{names.shown(near)}`?" if near else ""
        yield image.finding(f"`{HASH_FILE}` is missing in the code image `{image.shown}`.{seen}", CAPTURE)


@rule("2.1.6", "codeDirectoryContents")
def code_hash_file(image: CodeImage, record: CodeHash, edition: Edition) -> Outcome:
    """The record of a code image, `.code-hash.json`, has five keys: the hash, its algorithm, the time of the capture
    (UTC), the version of the benchmark package and the git commit (or null).

    Why: By the record everybody can compute the hash again and find the source that it was taken from.
    Mend: Take the file from the run again; it is written by the benchmark tool and never edited.
    Contested: The document says that the algorithm is currently `md5-tree-v1`, the tools write `md5-tree-v2`; both name
    the same computation and are accepted.
    """
    there, forms = record.mapping(""), edition["code"]["hash_file"]
    if missing := [key for key in forms if key not in there]:
        wanted = "; ".join(f"`{key}` ({forms[key]['wanted']})" for key in missing)
        yield record.finding("", f"{counted(len(missing), 'required key')} missing: {wanted}.", CAPTURE)
    for key, form in forms.items():
        if (wrong := _wrong(record, key, form)) is not None:
            yield record.finding(f"/{key}", wrong, CAPTURE)
    algorithm = record.get("/algorithm")
    known = edition["code"]["algorithms"]
    if isinstance(algorithm, str) and algorithm.strip() and algorithm not in known:
        message = f"The algorithm is {described(algorithm)}; the hash can be judged for {listed(known)} only."
        yield record.finding("/algorithm", message, "Capture the code with a released version of the benchmark tool.")


def _wrong(record: CodeHash, key: str, form: dict[str, Any]) -> str | None:
    value = record.get(f"/{key}")
    if not record.has(f"/{key}") or (value is None and form.get("nullable")):
        return None
    if isinstance(value, str) and (_is_utc(value) if form.get("utc_time") else re.fullmatch(form["pattern"], value)):
        return None
    return f"`{key}` is {described(value)}; {form['wanted']} is required."


def _is_utc(text: str) -> bool:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return False
    return moment.tzinfo is not None and moment.utcoffset() == UTC.utcoffset(None)


@rule("2.1.6", "codeDirectoryContents")
def code_matches_its_record(image: CodeImage, record: CodeHash, source: Source, edition: Edition) -> Outcome:
    """The files of a code image give, hashed again, the hash that its `.code-hash.json` records, and a pool's folder is
    named by it.

    Why: The image must be the code that ran; one changed byte, one added or removed file gives another hash.
    Mend: Restore the image as it was captured. Typical causes are line ends converted by git or by an editor, a file
    removed by hand, and files that an editor left behind. Never edit the recorded hash.
    Contested: The document's list of what the hash leaves out (every dot-prefixed name) is not the list that the tools
    used (developer tools' folders), and tools differ on whether it applies at any depth. An image passes when any of
    the three readings gives the recorded hash.
    """
    recorded = record.recorded
    if recorded is None or not re.fullmatch(edition["code"]["hash_file"]["hash"]["pattern"], recorded):
        return
    comparison = source.comparison
    if comparison.matched is not None or not comparison.tried:
        yield from _misnamed(image, record, recorded)
        return
    causes = f" Likely cause: {'; '.join(comparison.causes)}." if comparison.causes else ""
    unknown = "" if causes else " No line-end change, leftover or single added file explains it: a file was changed."
    message = f"The code image does not match its recorded hash: {_compared(record, comparison)}.{causes}{unknown}"
    yield record.finding("/hash", message, RESTORE)


def _misnamed(image: CodeImage, record: CodeHash, recorded: str) -> Iterator[Finding]:
    if IMAGE_NAME.match(image.name) and image.name != f"{CODE}-{recorded[:8]}":
        yield record.finding(
            "/hash",
            f"The folder is named `{image.shown}`, but the recorded hash begins with {recorded[:8]}.",
            f"Rename the folder to `{CODE}-{recorded[:8]}`; every run's pointer finds it by this name.",
        )


def _compared(record: CodeHash, comparison: Comparison) -> str:
    """Recorded and computed hashes; readings that hash the same files are told together."""
    together: dict[tuple[str, int], list[str]] = {}
    for exclusion, hashed in comparison.tried:
        together.setdefault((hashed.hash, hashed.files), []).append(exclusion.title)
    computed = [
        f"{digest} over {counted(files, 'file')} ({_left_out(titles, len(together))})"
        for (digest, files), titles in together.items()
    ]
    return f"recorded {names.shown(str(record.recorded))}, computed {', '.join(computed)}"


def _left_out(titles: list[str], groups: int) -> str:
    return "in every reading of what is left out" if groups == 1 else f"left out: {' or '.join(titles)}"


@rule("2.1.6", "codeDirectoryContents")
def code_pool_is_there(submitter: Submitter, images: Images, edition: Edition) -> Outcome:
    """Where an edition takes code from pools only, a submitter with results has a pool of code images.

    Why: Without an image nobody can tell which code was run.
    Mend: Add `<org>/code-<hash8>` at the top of the tree, with the marker file `.mlps-image-pool`.
    """
    if edition["structure"]["code_in"] == "pool" and submitter.systems and not images.has_pool(submitter.name):
        yield submitter.finding(
            f"There is no pool of code images for `{submitter.shown}`: neither `{submitter.shown}/code-<hash8>` nor "
            "`code-images/code-<hash8>` stands at the top.",
            "Add the images that the benchmark tool captured, unchanged.",
        )
