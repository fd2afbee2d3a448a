"""The package of a submission: required folders, and the folders of systems, models and points."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from checks import names
from checks.documents import described
from checks.endpoints.book import rule
from checks.endpoints.inputs import PointConfig
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import DOCUMENTS, RESULTS, SOURCE, Curve, Root, Submission, System
from checks.endpoints.values import text
from checks.findings import Finding, Level
from checks.rules import Each, Outcome
from checks.units import Folder, counted, did_you_mean, listed

README: Final = "readme.md"

_RETIRED: Final[Mapping[str, str]] = {"documentation": DOCUMENTS, "pareto": RESULTS}
"""Folders of v0.7 and what stands in their place now."""

_LOOKS_LIKE_POINT: Final = re.compile(r"(r|point)[\W_]*([0-9]{1,18})\Z", re.IGNORECASE)


@rule("path-exists", "submissionPresent", section="1")
def submission_present(root: Root) -> Outcome:
    """The tree holds at least one submission, `<org>/<submission_id>`.

    Why: A check of nothing must not read as a check that was passed.
    Mend: Point the check at the merged tree, at an organisation's folder or at one submission.
    """
    if not root.submissions:
        yield root.finding(
            "There is no submission here: no folder `<org>/<submission_id>` with `results`.",
            "Put each submission in `<org>/<submission_id>/`.",
        )


@rule("path-exists", "submissionsAtOneLevel", section="1")
def submissions_at_one_level(root: Root) -> Outcome:
    """All submissions of a tree stand at the same level, `<org>/<submission_id>`.

    Why: A `results` folder one level too high would hide the submissions beside it.
    Mend: Move the submission into a folder of its own in its organisation's folder.
    """
    deeper = root.deeper_submissions
    for submission in root.submissions if deeper else ():
        if submission.results.exists:
            message = f"`results` stands here, but at {listed([deeper[0].inside(RESULTS)])} for another submission."
            yield submission.results.finding(message, "Put each submission in `<org>/<submission_id>/`.")


@rule("required-dir", "requiredFolders", section="8.1")
def required_folders(submission: Submission) -> Outcome:
    """A submission has the folders `results` and `docs`.

    Why: Points are found below `results`; `docs` holds the software disclosure. A submission without them is rejected
    (9.1).
    Mend: Add the folder. Git keeps no empty folder: `docs` needs a file, which should be the software disclosure.
    """
    for name in (RESULTS, DOCUMENTS):
        if name not in submission.folders:
            yield _lacks_folder(submission, name)


def _lacks_folder(submission: Submission, name: str) -> Finding:
    retired = next((old for old, new in _RETIRED.items() if new == name and old in submission.folders), None)
    hint = f"Rename `{retired}`, its name in v0.7, to `{name}`." if retired else f"Add the folder `{name}`."
    if name not in submission.entries:
        other = [entry for entry in submission.folders if entry not in _RETIRED and entry != name]
        meant = did_you_mean(name, other).replace("Did you mean", "Is it")
        return submission.finding(f"The folder `{name}` is missing.", hint + meant)
    kind = submission.entries[name].kind
    return submission.finding(f"`{name}` is a {kind}; a folder is required.", f"Put the folder `{name}` here.", at=name)


@rule("src-dir", "sourceFolder", section="2.2.1")
def source_folder(submission: Submission) -> Outcome:
    """`src` has at least one folder, one for each implementation.

    Why: Without the source nobody can repeat the measurement; every division has the folder.
    Mend: Put each implementation in `src/<implementation>/` with a README.md.
    """
    source = Folder(submission.tree, submission.inside(SOURCE))
    if not source.exists:
        yield submission.finding("The folder `src` is missing.", "Add `src/<implementation>/README.md`.")
    elif not source.folders:
        yield source.finding(
            f"`src` has no folder for an implementation; it holds {counted(len(source.files), 'file')}.",
            "Move them into `src/<implementation>/` beside a README.md.",
        )


@rule("src-readme", "sourceReadme", section="2.2.1")
def source_readme(submission: Submission) -> Outcome:
    """Each folder of an implementation in `src` has a README.md (in any case of letters).

    Why: It tells how to set up and run the implementation.
    Mend: Add the file to each implementation named here.
    """
    source = Folder(submission.tree, submission.inside(SOURCE))
    for name in source.folders:
        implementation = Folder(submission.tree, source.inside(name))
        if not any(file.lower() == README for file in implementation.files):
            yield implementation.finding(
                f"The implementation `{implementation.shown}` has no README.md.",
                "Add one that says how to set up and run it.",
            )


@rule("system-results-dir", "systemFolders", section="1")
def system_folders(submission: Submission) -> Outcome:
    """`results` has at least one folder, one for each system.

    Why: Results belong to a system.
    Mend: Put the results in `results/<system>/<model_name>/r<concurrency>/`.
    """
    if submission.results.exists and not submission.systems:
        yield submission.results.finding(
            "`results` has no folder for a system.", "Add `results/<system>/<model_name>/r<concurrency>/`."
        )


@rule("benchmark-model-dir", "modelFolders", section="1")
def model_folders(system: System) -> Outcome:
    """A system's folder has at least one folder, named for the benchmark model.

    Why: One system and model make one Pareto curve. Any folder in `results` counts as a system, whatever its name.
    Mend: Add the results, or remove a folder that is no system.
    """
    if not system.curves:
        yield system.finding(
            f"`{system.shown}` stands where systems stand, but has no folder for a model.",
            "Add `<model_name>/r<concurrency>/`, or move the folder out of `results`.",
        )


@rule("point-dirs", "pointFolders", section="1")
def point_folders(curve: Curve, tables: EditionTables) -> Outcome:
    """A model's folder has at least one folder `r<concurrency>`, one for each point; any other folder is warned of.

    Why: Folders of another name are no points: what they hold is not judged and not published.
    Mend: Rename the folder to `r` and the concurrency in digits, or move it out.
    """
    points = {point.name for point in curve.points}
    if not points:
        yield curve.finding(
            f"The curve `{curve.shown}` has no point: no folder is named `r<concurrency>`.",
            "Name each point's folder `r` and its concurrency, for example `r256`.",
        )
    level = Level(tables.severity("point-dirs", "other-folder")) if points else None
    for name in curve.folders:
        if name not in points:
            near = _LOOKS_LIKE_POINT.match(name)
            meant = f" Did you mean `r{int(near.group(2))}`?" if near else ""
            message = f"`{names.shown(name)}` is no point (`r<concurrency>`): nothing in it was judged."
            yield curve.finding(message, f"Rename it or move it out of `results`.{meant}", at=name, level=level)


@rule("shared-path-resolution", "sharedPaths", section="8.1")
def shared_paths(system: System, configs: Each[PointConfig]) -> Outcome:
    """`shared_src` and `shared_docs` name folders of the submission, relative to its top.

    Why: They lead reviewers to source and documents; a path out of the submission leads nowhere once it is merged.
    Mend: Write `src` or `src/<implementation>`, and `docs`.
    """
    told: dict[tuple[str, str], list[PointConfig]] = {}
    for config in configs:
        for key in ("shared_src", "shared_docs"):
            if (value := text(config.get(f"/{key}"))) is not None:
                told.setdefault((key, value), []).append(config)
    for (key, value), found in told.items():
        if fault := _path_fault(system.submission, value):
            others = f" {counted(len(found), 'point')} of this system say so." if len(found) > 1 else ""
            message = f"`{key}` is {described(value)}: {fault}.{others}"
            yield found[0].finding(f"/{key}", message, "Name a folder of the submission, such as `src` or `docs`.")


def _path_fault(submission: Submission, value: str) -> str | None:
    path = value.replace("\\", "/")
    if path.startswith(("/", "~")):
        return "a path from the submission's top is required, without a leading / or ~"
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        return "`..` leads out of the submission"
    folder = submission.path
    for part in parts:  # from the top, so that a path of any length ends where it leaves the tree
        folder = names.join(folder, part)
        if not submission.tree.is_dir(folder):
            return "the submission has no such folder"
    return None
