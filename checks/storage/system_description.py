"""Rules 2.1.7 and 2.1.8 on what a system description says: its shape, what ties its figures together, its PDF."""

from __future__ import annotations

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from checks import json_schema
from checks.documents import LFS_HEADER, PRUNED, text_of
from checks.edition import Edition
from checks.findings import Fact, Finding, Level
from checks.json_schema import ShapeFault
from checks.rules import Each, Outcome
from checks.storage import description_sums
from checks.storage.book import rule
from checks.storage.description_inputs import SpareDescription, SystemPdf
from checks.storage.inputs import SystemDescription
from checks.storage.terms import CHECKPOINTING
from checks.storage.units import Submitter, System
from checks.units import listed, near_miss

PDF_MAGIC = b"%PDF-"
"""How a PDF begins; readers accept it anywhere in the first 1,024 bytes (ISO 32000-1, annex H.3, note 13)."""

_SHAPES = {"system_under_test": "system_under_test", "System": "shared_capabilities"}
"""Top key of each known shape and the name of its schema."""

_CAPABILITIES = {"system_under_test": ("solution", "capabilities"), "System": ("System", "shared_capabilities")}
"""Where each shape holds the capabilities: the object's definition or property, and its key."""


@rule("2.1.7", "systemsDirectoryFiles")
def system_description(system: System, description: SystemDescription, edition: Edition) -> Outcome:
    """A system description has the shape that readers and tables count on: `system_under_test` as in the published
    trees, or `System` as rule 4.7.4 prints it; its figures agree with each other.

    Why: The results table takes type, protocol, capacity, rack units and power from it.
    Mend: Correct the key at the line named; the benchmark tool's template shows every key with its meaning and unit.
    Contested: The rules document prints only `System.shared_capabilities`; the v3.0 round enforced the shape
    `system_under_test` strictly. Edition 2.0 takes both, and what only the newer shape demands is a warning; edition
    3.0 takes the newer shape only.
    """
    named_elsewhere = CHECKPOINTING in system.folders
    yield from _described(description, edition, named_elsewhere)


@rule("2.1.7", "systemsDirectoryFiles")
def spare_descriptions(submitter: Submitter, descriptions: Each[SpareDescription], edition: Edition) -> Outcome:
    """A description of a system without results has the same shape as any other.

    Why: Its results may come with the next change; its faults should not.
    Mend: Correct it, or remove it with its PDF when the system was withdrawn.
    """
    for description in descriptions:
        yield from _described(description, edition, named_elsewhere=False)


def _described(document: SystemDescription, edition: Edition, named_elsewhere: bool) -> Outcome:
    settings = edition["system_description"]
    levels = {kind: Level(level) for kind, level in settings["levels"].items()}
    top = next((key for key in settings["shapes"] if document.has(f"/{key}")), None)
    if top is None:
        yield _no_shape(document, settings["shapes"])
        return
    for fault in json_schema.faults(_shape(top, named_elsewhere), document.data):
        yield _finding(document, fault, levels[fault.departure])
    if top == "system_under_test":
        for pointer, message, hint, cause in description_sums.disagreements(document):
            yield document.finding(pointer, message, hint, levels["consistency"], cause)
        if (power := description_sums.provisioned_watts(document)) is not None:
            yield Fact("", "provisioned_power_w", power, "W", document.path)


def _finding(document: SystemDescription, fault: ShapeFault, level: Level) -> Finding:
    return document.finding(fault.pointer, fault.message, fault.hint, level, fault.cause)


def _no_shape(document: SystemDescription, shapes: list[str]) -> Finding:
    keys = list(document.data) if isinstance(document.data, dict) else []
    meant = next((name for name in keys if near_miss(name, shapes)), None)
    found = f"it has {listed(keys, 4)}" if keys else "it has no keys"
    hint = f"Put everything under the key `{shapes[0]}`."
    if meant:
        hint = f"Did you mean `{near_miss(meant, shapes)}` by `{meant}`? Names are case-sensitive."
    message = f"The description does not begin with {' or '.join(f'`{name}`' for name in shapes)}; {found}."
    return document.finding(f"/{meant}" if meant else "", message, hint)


@cache
def _shape(top: str, named_elsewhere: bool) -> Draft202012Validator:
    """The schema of a shape; without the capabilities where rules 4.7.3 and 4.7.4 judge them."""
    if not named_elsewhere:
        return json_schema.compiled("checks.storage", _SHAPES[top])
    schema = json_schema.shipped("checks.storage", _SHAPES[top])
    holder, key = _CAPABILITIES[top]
    part: dict[str, Any] = schema["$defs"][holder]
    part["properties"][key] = True
    part["required"].remove(key)
    return json_schema.validator(schema)


@rule("2.1.8", "resultsDirectorySystems", level=Level.WARNING)
def submission_name(system: System, description: SystemDescription) -> Outcome:
    """The name in the system description is the name of its results folder.

    Why: The name links results, description and PDF; tables show the one in the description.
    Mend: Write the folder's name as `submission_name`, or rename folder, description and PDF together.
    Contested: The rules document does not ask for it; the public checker does, as an error.
    """
    pointer = "/system_under_test/solution/submission_name"
    found = description.get(pointer)
    if isinstance(found, str) and found and found != system.name:
        message = f"`submission_name` is {listed([found])}, but the system's folder is `{system.shown}`."
        yield description.finding(
            pointer, message, f"Write `{system.shown}` here, or rename folder and files together."
        )


@rule("2.1.7", "systemsDirectoryFiles")
def system_pdf(system: System, pdf: SystemPdf | None) -> Outcome:
    """The PDF of a system is one: content in git that begins as a PDF does.

    Why: A pointer, a placeholder or a saved web page of that name tells a reader nothing about the system.
    Mend: Commit the PDF itself.
    """
    if pdf is None:
        return
    if pdf.head.startswith(LFS_HEADER):
        # In the words of the scan for pointers, so that both are one finding; that scan may not look at this scope.
        _, fault = text_of(pdf.head)
        assert fault is not None
        yield Finding(pdf.path, fault.message, fault.hint, fault.line, rule=fault.rule)
    elif (reason := not_a_pdf(pdf.head)) is not None:
        yield Finding(pdf.path, reason, "Commit the PDF itself under this name.")


def not_a_pdf(head: bytes) -> str | None:
    """Why a file that begins with ``head`` (up to 1,024 bytes) is no PDF; None when it is one."""
    if PDF_MAGIC in head:
        return None
    if head.strip() == PRUNED:
        return "A placeholder stands in place of the PDF (PRUNED BY STAFF)."
    if not head:
        return "The PDF is empty."
    if head.lstrip()[:1] == b"<":
        return "The file is a web page or XML, not a PDF."
    return "The file is no PDF: `%PDF-` is not in its first 1,024 bytes."
