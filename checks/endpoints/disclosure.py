"""Disclosure by division (requirements page, rules 8): what the description and the documents of a submission name."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cache
from typing import Final

from checks.documents import described
from checks.endpoints.book import rule
from checks.endpoints.curve_shape import CurvePoint, CurveShape
from checks.endpoints.docs_inputs import SubmissionDocs
from checks.endpoints.document_faults import DocumentFault, told_once
from checks.endpoints.inputs import PointConfig
from checks.endpoints.structure import README
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import SOURCE, Curve, Submission
from checks.endpoints.values import is_blank, text
from checks.findings import Level
from checks.rules import Each, Outcome
from checks.units import Folder, listed

NODE_KEYS: Final = ("host_processor_model_name", "host_memory_capacity", "number_of_nodes")
PARALLELISM: Final = ("tensor_parallel", "pipeline_parallel", "expert_parallel", "data_parallel")
SOFTWARE_KEYS: Final = ("driver", "operating_system")
SOFTWARE_PAGE: Final = "software_disclosure"

_HAS_DIGIT: Final = re.compile(r"[0-9]")
_COMMIT_OR_TAG: Final = re.compile(r"\b([0-9a-f]{7,40}|v?[0-9]+\.[0-9]+(\.[0-9]+)*)\b", re.IGNORECASE)
_PRICE: Final = re.compile(r"\bpric(e|es|ing)\b|\bcosts?\b", re.IGNORECASE)
_RATE_LIMIT: Final = re.compile(r"rate[\s-]*limit|(requests|tokens)\s+(per|a)\s+(minute|second)", re.IGNORECASE)


@rule("disclosure-by-division", "hardwareAndSoftware", section="Requirements, Disclosure by division")
def hardware_and_software(curve: Curve, shape: CurveShape, tables: EditionTables) -> Outcome:
    """system_desc.json discloses what the division must: the nodes' hardware (Standardized, RDI), the primary
    accelerator (all), the parallelism mapping (Standardized), and versions of the software (Standardized, RDI).

    Why: Without it nobody can compare the system or build it again.
    Mend: Fill in the values that the finding names, in every copy.
    """
    level = Level(tables.severity("disclosure-by-division", "text"))
    required_of = cache(tables.disclosure.required_of)
    described_points = [point for point in shape.points if point.description and point.config]
    yield from told_once(
        (point.description, fault)
        for point in described_points
        if point.description is not None
        for fault in _undisclosed(point, required_of, level)
    )


def _undisclosed(
    point: CurvePoint, required_of: Callable[[str], frozenset[str]], text_level: Level
) -> Iterator[DocumentFault]:
    assert point.config is not None
    assert point.description is not None
    division, description = text(point.config.get("/division")) or "", point.description.data
    if not isinstance(description, dict):
        return
    required = required_of(division)
    nodes = description.get("node_types")
    kinds = [kind for kind in nodes if isinstance(kind, dict)] if isinstance(nodes, list) else []
    if "node_hardware" in required:
        yield from _blank_in_nodes(kinds, NODE_KEYS, division)
    if "primary_accelerator" in required:
        yield from _unnamed_accelerators(kinds, division)
    if "parallelism" in required:
        yield from _missing(description, PARALLELISM, division, "State each; 1 where it is not used.")
    if "software_versions" in required:
        yield from _missing(description, ("serving_framework",), division, "Name it with its version.")
        yield from _blank_in_nodes(kinds, SOFTWARE_KEYS, division)
        framework = text(description.get("serving_framework"))
        if framework and not _HAS_DIGIT.search(framework):
            message = f"`serving_framework` is {described(framework)}, without a version."
            yield DocumentFault("/serving_framework", message, "Name version and commit or release tag.", text_level)


def _missing(
    description: dict[str, object], keys: Collection[str], division: str, hint: str
) -> Iterator[DocumentFault]:
    absent = [key for key in keys if is_blank(description.get(key))]
    if absent:
        yield DocumentFault("", f"The division {division} must disclose {listed(absent)}.", hint)


def _blank_in_nodes(kinds: list[dict[str, object]], keys: Collection[str], division: str) -> Iterator[DocumentFault]:
    for index, kind in enumerate(kinds):
        absent = [key for key in keys if is_blank(kind.get(key))]
        if absent:
            message = f"The division {division} must disclose {listed(absent)} of `node_types[{index}]`."
            yield DocumentFault(f"/node_types/{index}", message, "Fill in each.")


def _unnamed_accelerators(kinds: list[dict[str, object]], division: str) -> Iterator[DocumentFault]:
    found = 0
    for index, kind in enumerate(kinds):
        entries = kind.get("accelerator_info")
        for number, entry in enumerate(entries if isinstance(entries, list) else ()):
            found += 1
            if isinstance(entry, dict) and is_blank(entry.get("accelerator_model_name")):
                pointer = f"/node_types/{index}/accelerator_info/{number}"
                message = f"The division {division} must disclose `accelerator_model_name`."
                yield DocumentFault(pointer, message, "Name the accelerator as its vendor does.")
    if not found:
        message = f"The division {division} must disclose the primary accelerator; no node type has `accelerator_info`."
        yield DocumentFault("/node_types", message, "Add `accelerator_info` with `accelerator_model_name`.")


@rule("disclosure-by-division", "sourceDisclosed", section="2.2.1, 8")
def source_disclosed(submission: Submission, configs: Each[PointConfig], tables: EditionTables) -> Outcome:
    """The source to reproduce a Standardized result lies in `src` beside the README.

    Why: A README alone reproduces nothing.
    Mend: Add the scripts and configurations that the run was started with.
    Contested: Whether they suffice is for reviewers to judge; an implementation without any file but its README is a
    warning.
    """
    if _requiring(configs, "source_code", tables):
        source = Folder(submission.tree, submission.inside(SOURCE))
        for name in source.folders:
            implementation = Folder(submission.tree, source.inside(name))
            if all(entry.lower() == README for entry in implementation.entries):
                message = f"The implementation `{implementation.shown}` holds no source but its README."
                yield implementation.finding(
                    message, "Add the source that the run was started with.", level=_text(tables)
                )


@rule("disclosure-by-division", "softwareDisclosed", section="8.4")
def software_disclosed(
    submission: Submission, configs: Each[PointConfig], docs: SubmissionDocs, tables: EditionTables
) -> Outcome:
    """`docs/software_disclosure.md` names the serving framework with version and commit or tag, the accelerator library
    and its build, the driver and the operating system (Standardized, RDI).

    Why: Results follow from versions as much as from hardware.
    Mend: Add the file, or what it lacks.
    Contested: Text is searched for numbers of versions and commits; whether they are right is for reviewers to judge,
    so that this is a warning.
    """
    if not docs.folder.exists or not _requiring(configs, "software_versions", tables):
        return
    page = next((page for page in docs.pages if SOFTWARE_PAGE in page.path.lower()), None)
    if page is None:
        message = "There is no `software_disclosure.md` in `docs`."
        yield docs.folder.finding(message, "Add it; it names every part of the software.", level=_text(tables))
    elif not _COMMIT_OR_TAG.search(page.data):
        message = "The software disclosure names no version, commit or release tag."
        yield page.finding("", message, "Name framework, accelerator library, driver and system.", _text(tables))


@rule("disclosure-by-division", "pricingDisclosed", section="Requirements, Disclosure by division")
def pricing_disclosed(
    submission: Submission, configs: Each[PointConfig], docs: SubmissionDocs, tables: EditionTables
) -> Outcome:
    """The documents of a Serviced submission state prices and rate limits.

    Why: They are part of what is measured on a public service.
    Mend: Add a page with both to `docs`.
    Contested: No field or file is defined for them; the documents are searched for words, so that this is a warning.
    """
    if not docs.folder.exists or not _requiring(configs, "pricing", tables):
        return
    sought = {"prices": _PRICE, "rate limits": _RATE_LIMIT}
    lacking = [what for what, words in sought.items() if not any(words.search(page.data) for page in docs.pages)]
    if lacking:
        message = f"No document in `docs` speaks of {' and '.join(lacking)}, which a Serviced submission discloses."
        yield docs.folder.finding(message, "Add a page with prices and rate limits.", level=_text(tables))


def _requiring(configs: Each[PointConfig], item: str, tables: EditionTables) -> bool:
    return any(tables.disclosure.requires(item, text(config.get("/division")) or "") for config in configs)


def _text(tables: EditionTables) -> Level:
    return Level(tables.severity("disclosure-by-division", "text"))
