"""Limits that GitHub states only in prose, or only by refusing: the OpenAPI description lets these pass.

Sources: https://docs.github.com/rest/checks/runs (prose of the parameters), github/docs#35252 (bytes, not
characters), recorded traffic in hub4j/github-api (text of the missing conclusion).
"""

from collections.abc import Iterator
from typing import Any

SUMMARY_BYTES = 65_535
MESSAGE_BYTES = 64 * 1024
ANNOTATION_TITLE = 255
COMMENT_CHARACTERS = 65_536
NO_CONCLUSION = (
    'Invalid request.\n\nNo subschema in "anyOf" matched.\n"conclusion" wasn\'t supplied.\n'
    'completed is not a member of ["queued", "in_progress"].'
)


def faults_of_check_run(body: dict[str, Any], known_commit: bool = True) -> list[str]:
    """What GitHub refuses in the body of a create or update of a check run, beyond its description."""
    return [*_of_state(body, known_commit), *_of_output(body.get("output") or {})]


def faults_of_comment(body: dict[str, Any]) -> list[str]:
    """What GitHub refuses in the body of an issue comment."""
    text = body.get("body", "")
    if not text.strip():
        return ["Body cannot be blank"]
    if len(text) > COMMENT_CHARACTERS:
        return [f"Body is too long (maximum is {COMMENT_CHARACTERS} characters)"]
    return []


def _of_state(body: dict[str, Any], known_commit: bool) -> Iterator[str]:
    if body.get("status") == "completed" and "conclusion" not in body:
        yield NO_CONCLUSION
    if body.get("conclusion") == "stale":
        yield "Invalid request.\n\nstale can only be set by GitHub."
    if "name" in body and not body["name"].strip():
        yield 'Invalid request.\n\n"name" can\'t be blank.'
    if not known_commit:
        yield f"No commit found for SHA: {body.get('head_sha')}"


def _of_output(output: dict[str, Any]) -> Iterator[str]:
    for key in ("summary", "text"):
        size = len((output.get(key) or "").encode())
        if size > SUMMARY_BYTES:
            yield f"Invalid request.\n\n{key} exceeds a maximum bytesize of {SUMMARY_BYTES} ({size})."
    for number, annotation in enumerate(output.get("annotations") or []):
        for fault in _of_annotation(annotation):
            yield f"Invalid request.\n\nFor 'annotations/{number}', {fault}"


def _of_annotation(annotation: dict[str, Any]) -> Iterator[str]:
    start, end = annotation.get("start_line", 0), annotation.get("end_line", 0)
    if not annotation.get("path"):
        yield "path can't be blank."
    if start < 1 or end < start:
        yield f"start_line and end_line must be positive and in order ({start}, {end})."
    yield from _of_columns(annotation, start == end)
    if len(annotation.get("title") or "") > ANNOTATION_TITLE:
        yield f"title is longer than {ANNOTATION_TITLE} characters."
    for key in ("message", "raw_details"):
        if len((annotation.get(key) or "").encode()) > MESSAGE_BYTES:
            yield f"{key} is larger than 64 KB."
    if not annotation.get("message"):
        yield "message can't be blank."


def _of_columns(annotation: dict[str, Any], one_line: bool) -> Iterator[str]:
    start, end = annotation.get("start_column"), annotation.get("end_column")
    if start is None and end is None:
        return
    if not one_line:
        yield "start_column and end_column are only allowed when start_line and end_line are the same."
    if min(start or 1, end or 1) < 1 or (start is not None and end is not None and end < start):
        yield f"start_column and end_column must be positive and in order ({start}, {end})."
