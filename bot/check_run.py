"""From a report to the bodies of GitHub's check-run requests, within all of GitHub's limits. Pure: nothing is sent.

The bodies of one result are sent in order. All but the last only add annotations; the last one carries the conclusion,
so that a run that could not be posted in full never passes. https://docs.github.com/rest/checks/runs
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot import messages
from bot.account import Context
from bot.annotations import PER_REQUEST, placed
from bot.details import details
from bot.lines import PIECE_BYTES
from bot.markdown import GAP, Block, clipped, size
from bot.others import parted
from bot.summary import LIMIT_BYTES, summary
from checks import __version__
from checks.findings import Report, Verdict
from checks.markdown import code, escape

__all__ = [
    "Body",
    "Context",
    "Key",
    "annotations_in",
    "base_fault",
    "cancelled",
    "closed",
    "completed",
    "conclusion",
    "fault",
    "faulty_configuration",
    "in_progress",
    "no_change",
    "plain",
    "queued",
    "queued_again",
    "rejected",
    "replaced",
    "set_up",
    "together",
]

Body = dict[str, Any]
"""The JSON body of one create or update."""

PASSING = frozenset({"success", "neutral", "skipped"})
"""Conclusions that let a required check pass: https://docs.github.com/pull-requests, about status checks."""

RECHECK = "recheck"
"""Identifier of the button that checks a commit again."""

ACTIONS = [{"label": "Re-check", "description": "Check this commit again", "identifier": RECHECK}]
"""Buttons of a completed run: at most 3, labels of at most 20 characters (https://docs.github.com/rest/checks/runs)."""

TITLE_BYTES = 255
"""GitHub states no limit for a run's title; this is the one of an annotation's."""


@dataclass(frozen=True, slots=True)
class Key:
    """Which run is meant: its name, the commit it judges, the bot's own key, and the page with the full report."""

    name: str
    head_sha: str
    external_id: str
    details_url: str | None = None


def queued(key: Key) -> Body:
    """Body of the create that shows the check at once."""
    named = {"name": key.name, "head_sha": key.head_sha, "external_id": key.external_id, "status": "queued"}
    return {**named, **_address(key.details_url), "output": _output(messages.WAITING, messages.WAITING_SUMMARY)}


def queued_again(key: Key) -> Body:
    """Body of the update by which a run takes back its verdict, since another base asks for a new one."""
    return {name: value for name, value in queued(key).items() if name != "head_sha"}


def in_progress(key: Key) -> Body:
    """Body of the update that a worker sends when it begins."""
    output = _output(messages.CHECKING, messages.CHECKING_SUMMARY)
    return {"status": "in_progress", "external_id": key.external_id, **_address(key.details_url), "output": output}


def completed(report: Report, context: Context) -> list[Body]:
    """Bodies of the updates that post ``report``: one for up to 50 annotations, the conclusion in the last."""
    shown, others = parted(report)
    chosen = placed(
        shown.findings, context.changed_files, context.is_file, context.policy.annotations, shown.base_counts
    )
    output = _output(messages.title(report), summary(shown, context, chosen, others), details(shown, LIMIT_BYTES))
    annotations = [annotation.body() for annotation in chosen.annotations]
    batches = [annotations[start : start + PER_REQUEST] for start in range(0, len(annotations), PER_REQUEST)] or [[]]
    bodies: list[Body] = [{"output": {**output, "annotations": batch} if batch else output} for batch in batches]
    bodies[-1] = {**_outcome(conclusion(report)), **_address(context.details_url), "actions": ACTIONS, **bodies[-1]}
    return bodies


def conclusion(report: Report) -> str:
    """GitHub's word for the outcome; the checker's own fault never passes and never counts as the submitter's."""
    if messages.own_fault(report):
        return "action_required"
    return "success" if report.verdict is Verdict.PASS else "failure"


def no_change(context: Context) -> Body:
    """Body for two equal trees, where nothing had to be read."""
    (body,) = completed(Report("", "", __version__, head=context.head_sha), context)
    return body


def cancelled(new_sha: str) -> Body:
    """Body for a run whose commit is no longer the head of its pull request."""
    text = messages.SUPERSEDED_SUMMARY.format(sha=code(new_sha))
    return {**_outcome("cancelled"), "output": _output(messages.SUPERSEDED, text)}


def closed() -> Body:
    """Body for a run whose pull request was closed, or whose group left the merge queue, before it was done."""
    return {**_outcome("cancelled"), "output": _output(messages.CLOSED, messages.CLOSED_SUMMARY)}


def replaced() -> Body:
    """Body for an unfinished run whose commit is checked anew in another run."""
    return {**_outcome("cancelled"), "output": _output(messages.REPLACED, messages.REPLACED_SUMMARY)}


def set_up() -> Body:
    """Body for the default branch of a new repository: GitHub lets people require only checks that it has seen."""
    return {**_outcome("success"), "output": _output(messages.SET_UP, messages.SET_UP_SUMMARY)}


def fault(reference: str, why: str) -> Body:
    """Body for the checker's own failure. ``reference`` is the key of the log's entry, ``why`` says what happened."""
    text = messages.OWN_FAULT_SUMMARY.format(why=_piece(why), reference=code(reference))
    return {**_outcome("action_required"), "output": _output(messages.OWN_FAULT, text)}


def faulty_configuration(path: str, base_sha: str, line: int | None, reason: str, notes: Sequence[str] = ()) -> Body:
    """Body for a configuration at the base commit that can't be used; ``notes`` are on the pull request's own one."""
    place = f"Line {line}: " if line else ""
    text = messages.FAULTY_CONFIGURATION_SUMMARY.format(
        path=code(path), base=code(base_sha), place=place, reason=_piece(reason)
    )
    text = "\n".join([text, *(f"\n- {_piece(note)}" for note in notes)])
    return {**_outcome("action_required"), "output": _output(messages.FAULTY_CONFIGURATION, text)}


def base_fault(title: str, base_sha: str, reason: str, remedy: str) -> Body:
    """Body for what the base branch makes impossible, whatever the pull request holds."""
    text = messages.BASE_FAULT_SUMMARY.format(base=code(base_sha), reason=_piece(reason), remedy=_piece(remedy))
    return {**_outcome("action_required"), "output": _output(title, text)}


def rejected(title: str, reason: str, remedy: str) -> Body:
    """Body for a pull request that can't be checked as it stands: no common history, objects that git refuses, …"""
    text = messages.REJECTED_SUMMARY.format(reason=_piece(reason), remedy=_piece(remedy))
    return {**_outcome("failure"), "output": _output(title, text)}


def together(bodies: Sequence[Body], others: Sequence[str]) -> list[Body]:
    """``bodies`` of the worst of several outcomes for one commit, with a line for each outcome put before its texts."""
    title = messages.worst_title(len(others), bodies[-1]["output"]["title"])
    rows = [f"- {escape(clipped(line, PIECE_BYTES))}" for line in others]
    head = Block(f"{messages.WORST_SUMMARY}\n", rows, messages.MORE_COMPARISONS.format)
    return [_with_head(body, title, head) for body in bodies]


def _with_head(body: Body, title: str, head: Block) -> Body:
    """The summary stands whole: cut after it was finished, it would lose its end and leave a fence open."""
    output = body["output"]
    said = head.within(max(0, LIMIT_BYTES - size(output["summary"]) - len(GAP)))
    text = GAP.join(filter(None, (said, output["summary"])))
    return {**body, "output": {**output, "title": clipped(title, TITLE_BYTES), "summary": text}}


def plain(body: Body) -> Body:
    """The smallest body for when GitHub has refused ``body``: the same outcome and title, but never a pass."""
    outcome = body.get("conclusion", "action_required")
    passed = outcome in PASSING
    title = messages.OWN_FAULT if passed else body["output"]["title"]
    return {**_outcome("action_required" if passed else outcome), "output": _output(title, messages.PLAIN_SUMMARY)}


def annotations_in(body: Body) -> int:
    """How many more annotations GitHub holds once it has taken ``body``."""
    return len(body.get("output", {}).get("annotations", ()))


def _outcome(word: str) -> Body:
    return {"status": "completed", "conclusion": word}


def _address(url: str | None) -> Body:
    return {"details_url": url} if url else {}


def _piece(text: str) -> str:
    return escape(clipped(text, PIECE_BYTES))


def _output(title: str, summary_text: str, text: str = "") -> Body:
    output = {"title": clipped(title, TITLE_BYTES), "summary": summary_text}
    return {**output, "text": text} if text else output
