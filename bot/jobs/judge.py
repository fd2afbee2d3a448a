"""The part of a check that reads what came from the pull request: from two commits in a mirror to request bodies.

It runs in a process of its own (:mod:`bot.isolated`), so everything here goes in and comes out as plain data.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot import check_run, policy
from bot.check_run import Body
from bot.mirror import CredentialsRefusedError, DamagedMirrorError, MalformedObjectError, Mirror, MirrorError
from bot.policy import PATH, Policy, PolicyFault
from bot.settings import Settings
from bot.summary import Context
from checks import names
from checks.api import Options, check_change
from checks.edition import UnknownEdition
from checks.findings import Report
from checks.formats import json
from checks.git_tree import Fetch, GitTree, merge_base
from checks.rule_sets import RulesUnclear
from checks.tree import Kind, TooLarge, Tree

NO_HISTORY = "No common history with the base branch"
TOO_LARGE = "Too large to be checked"
MALFORMED = "An object of this pull request is malformed"


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be judged: ``head_sha`` of a pull request or merge group against the base branch's ``base_sha``."""

    settings: Settings
    repository_id: int
    repository: str
    number: int | None
    head_sha: str
    base_sha: str
    token: str = field(repr=False)
    details_url: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """Request bodies in the order of sending, the last of which completes the run, and the report as JSON.

    Instead of bodies, ``retry`` says how git failed in a way that may pass, and ``token_refused`` that a fresh token
    may help. ``seconds`` are those that each stage took.
    """

    bodies: tuple[Body, ...] = ()
    json: str | None = None
    tree_sha: str | None = None
    retry: str | None = None
    token_refused: bool = False
    seconds: Mapping[str, float] = field(default_factory=dict)


def judge(question: Question) -> Answer:
    """Checks what differs between merge base and head, by the configuration at the base commit.

    What the pull request itself makes impossible is an answer too. Raises whatever is the bot's own fault.
    """
    mirror = Mirror(question.settings, question.repository_id, question.repository)
    try:
        with mirror.reading():
            begun = time.monotonic()
            mirror.fetch(question.head_sha, question.base_sha, question.number, question.token)
            fetched = time.monotonic()
            answer = _answer(question, mirror)
            return replace(answer, seconds={"fetch": fetched - begun, "rules": time.monotonic() - fetched})
    except MalformedObjectError as error:
        remedy = "Make the commits anew, without the object that git refuses."
        return Answer((check_run.rejected(MALFORMED, f"{error.reason} (see git fsck).", remedy),))
    except DamagedMirrorError as error:
        mirror.renew(question.token)
        return Answer(retry=error.reason)
    except MirrorError as error:
        if not error.retryable:
            raise
        return Answer(retry=error.reason, token_refused=isinstance(error, CredentialsRefusedError))


def _answer(question: Question, mirror: Mirror) -> Answer:
    def fetch(oids: Sequence[str]) -> None:
        mirror.fetch_blobs(oids, question.token)

    base_sha = merge_base(mirror.path, question.base_sha, question.head_sha)
    if base_sha is None:
        remedy = "Rebase the branch onto the base branch, or open a pull request from a branch that began there."
        return Answer((check_run.rejected(NO_HISTORY, "The two branches share no commit.", remedy),))
    head = GitTree.at(mirror.path, question.head_sha, fetch)
    try:
        rules = _policy(GitTree.at(mirror.path, question.base_sha, fetch))
        report = _report(question, mirror, fetch, rules, base_sha)
    except PolicyFault as fault:
        return Answer((check_run.faulty_configuration(PATH, question.base_sha, fault.line, fault.reason),))
    except TooLarge as error:
        remedy = "Split the pull request, or ask the maintainers to raise the limit."
        return Answer((check_run.rejected(TOO_LARGE, str(error), remedy),), tree_sha=head.tree)
    bodies = check_run.completed(report, _context(question, rules, report, head))
    return Answer(tuple(bodies), json.render(report), head.tree)


def _policy(base: Tree) -> Policy:
    """The configuration at the base commit. Raises PolicyFault."""
    entry = base.entry(PATH)
    if entry is None:
        return policy.DEFAULT
    if entry.kind is not Kind.FILE:
        raise PolicyFault(None, f"{PATH} is a {entry.kind}; it must be a file")
    base.ensure([PATH])
    return policy.load_text(base.read(PATH))


def _report(question: Question, mirror: Mirror, fetch: Fetch, rules: Policy, base_sha: str) -> Report:
    """The report with paths from the repository's root. Raises PolicyFault where the configuration does not suffice."""
    root = names.inside_path(rules.root) if rules.root != names.ROOT else ""
    today = datetime.datetime.now(datetime.UTC).date()
    base, head = (GitTree.at(mirror.path, sha, fetch, root) for sha in (base_sha, question.head_sha))
    options = Options(rules.rules, rules.edition, rules.levels_on(today), base=base_sha, head=question.head_sha)
    try:
        report = check_change(base, head, options)
    except (RulesUnclear, UnknownEdition) as error:
        raise PolicyFault(None, f"{PATH} must say what to check by: {error}") from error
    return policy.apply(_from_root(report, root), rules, today)


def _from_root(report: Report, root: str) -> Report:
    """``report`` with the paths of findings and changes as in the repository, where the tree lies in ``root``."""
    if not root:
        return report
    folder = names.shown_path(root)
    findings = tuple(replace(finding, path=names.join(folder, finding.path)) for finding in report.findings)
    changed = frozenset(names.join(folder, path) for path in report.changed_paths)
    return replace(report, findings=findings, changed_paths=changed)


def _context(question: Question, rules: Policy, report: Report, head: Tree) -> Context:
    return Context(
        repository=question.repository,
        number=question.number,
        head_sha=question.head_sha,
        base_sha=question.base_sha,
        details_url=question.details_url,
        changed_files=frozenset(path for path in map(names.inside_path, report.changed_paths) if head.is_file(path)),
        is_file=head.is_file,
        policy=rules,
        checked_at=datetime.datetime.now(datetime.UTC),
    )
