"""Rules 2.1.5 and 2.1.8: the folders of a submitter, where its captured code lies, and its systems."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from checks import names
from checks.edition import Edition
from checks.findings import Finding, Level
from checks.rules import Outcome
from checks.storage.book import rule
from checks.storage.code_inputs import Images
from checks.storage.expected_names import difference, loose_files, misspelt
from checks.storage.terms import CODE, RESULTS, SYSTEMS
from checks.storage.units import Submitter, System
from checks.units import Folder, listed

CAPTURED = "Copy the code image that the benchmark tool captured, unchanged, with its .code-hash.json."


@rule("2.1.5.a", "requiredSubdirectoriesClosed")
def required_subdirectories_closed(submitter: Submitter, images: Images, edition: Edition) -> Outcome:
    """A CLOSED submitter's folder holds exactly three folders: `code`, `results` and `systems`.

    Why: Results, the description of what was measured, and the code that measured it belong together.
    Mend: Add the missing folder, or move what does not belong there. Names are case-sensitive.
    Contested: Rule 2.1.6 puts code images into a pool `<org>/code-<hash8>`. `code` is required only where the submitter
    has no pool; both together are accepted with a notice. Edition 3.0 takes pools only: there `code` is an error, as it
    was in that round. Files beside the folders are a notice.
    """
    if not submitter.closed:
        return
    pooled = images.has_pool(submitter.name)
    in_pool_only = edition["structure"]["code_in"] == "pool"
    required = list(edition["structure"]["required_folders"])
    needed = required if pooled or in_pool_only else [CODE, *required]
    yield from _folders(submitter, needed, () if in_pool_only else (CODE,))
    if pooled and not in_pool_only and CODE in submitter.folders:
        yield submitter.finding(
            "Code lies in `code` and in a pool of code images as well; runs are tied to an image by their pointers.",
            "Nothing to do; `code` may be dropped when every run has a pointer.",
            at=CODE,
            level=Level.NOTICE,
        )


@rule("2.1.5.b", "requiredSubdirectoriesOpen")
def required_subdirectories_open(submitter: Submitter, edition: Edition) -> Outcome:
    """An OPEN submitter's folder holds exactly two folders, `results` and `systems`; there is no `code` here.

    Why: In OPEN the code may differ from model to model, so it is captured with each.
    Mend: Move `code` to the workloads whose results it produced. Names are case-sensitive.
    """
    if not submitter.closed:
        yield from _folders(submitter, edition["structure"]["required_folders"], ())


@rule("2.1.5.b", "requiredSubdirectoriesOpen")
def open_leaf_code(system: System, images: Images, edition: Edition) -> Outcome:
    """In OPEN each workload (model, index type, or the whole of kv_cache) holds a folder `code` with its source.

    Why: OPEN code may be changed, so each workload shows the code that it was run with.
    Mend: Copy the code image that the benchmark tool captured into each workload's folder, or add the pool with it.
    Contested: Real OPEN submissions keep code in a pool, with pointers in the runs (2.1.6); where the submitter has a
    pool, no `code` folder is asked for.
    """
    if system.closed or images.has_pool(system.submitter.name) or edition["structure"]["code_in"] == "pool":
        return
    missing = [path for path in system.code_places if not system.tree.is_dir(path)]
    for path in missing:
        workload = names.parent(path)
        shown = names.shown(names.basename(workload))
        yield Finding(workload, f"The folder `{CODE}` is missing in `{shown}`.", CAPTURED)


def _folders(submitter: Submitter, required: Collection[str], optional: Collection[str]) -> Iterator[Finding]:
    found = difference(submitter.folders, required, optional)
    yield from misspelt(submitter, found)
    for name in found.missing:
        hint = CAPTURED if name == CODE else f"Add `{submitter.shown}/{name}`."
        yield submitter.finding(f"The folder `{name}` is missing in `{submitter.shown}`.", hint)
    for name in found.extra:
        yield submitter.finding(
            f"The folder `{names.shown(name)}` stands in `{submitter.shown}`, where only {listed(required)} may.",
            _where_to(submitter, name, required),
            at=name,
        )
    yield from loose_files(submitter)


def _where_to(submitter: Submitter, name: str, required: Collection[str]) -> str:
    inner = Folder(submitter.tree, submitter.inside(name))
    if below := [child for child in inner.folders if child in required]:
        return f"It holds {listed(below)}: the submission lies one level too deep. Move them up."
    if name == CODE and not submitter.closed:
        return "Move it into the workloads' folders, or into a pool of code images."
    return "Move it out of the submission, or to where its content belongs."


@rule("2.1.8", "resultsDirectorySystems")
def results_directory_systems(submitter: Submitter) -> Outcome:
    """`results` holds one folder or more, each named for a system under test.

    Why: The name ties the results to `systems/<name>.yaml` and `systems/<name>.pdf`.
    Mend: Put results under `results/<system>/`. Files directly in `results` are a notice.
    """
    if RESULTS not in submitter.folders:
        return
    if not submitter.systems:
        yield submitter.results.finding(
            "`results` holds no system's folder.", "Put the results under `results/<name of the system>/`."
        )
    yield from loose_files(submitter.results)


@rule("2.1.8", "resultsDirectorySystems", Level.WARNING)
def described_systems_have_results(submitter: Submitter) -> Outcome:
    """A system that is described has results.

    Why: A description without results is left over from a rename or a withdrawal, or its results were forgotten.
    Mend: Remove the description and its PDF, or add the results under the very same name.
    Contested: The document asks only for the other direction; hence a warning.
    """
    if SYSTEMS not in submitter.folders or RESULTS not in submitter.folders:
        return
    systems = submitter.results.folders
    stems = [name.removesuffix(".yaml") for name in submitter.descriptions.files if name.endswith(".yaml")]
    for stem in [stem for stem in stems if not names.is_dot(stem) and stem not in systems]:
        near = [name for name in systems if name.casefold() == stem.casefold()]
        if not near:
            yield submitter.descriptions.finding(
                f"The system `{names.shown(stem)}` is described but has no results: `results` holds "
                f"{listed(systems) if systems else 'no system'}.",
                "Remove the description and its PDF, or add the results under the same name.",
                at=f"{stem}.yaml",
            )
