"""The part of a check that reads what came from the pull request: from two commits in a mirror to request bodies.

It runs in a process of its own (:mod:`bot.isolated`), so everything here goes in and comes out as plain data.
"""

from __future__ import annotations

import contextlib
import datetime
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot import check_run, policy
from bot.check_run import Body
from bot.conversation import sticky
from bot.conversation.sticky import Note
from bot.jobs.configuration import configuration, previewed
from bot.jobs.runs import Target
from bot.mirror import CredentialsRefusedError, DamagedMirrorError, MalformedObjectError, Mirror, MirrorError
from bot.policy import PATH, Occasion, Policy, PolicyFault, Waiver
from bot.settings import Settings
from bot.summary import Context, Sights
from checks import names
from checks.api import Options, check_change, fetch_change
from checks.edition import UnknownEdition
from checks.findings import Report
from checks.formats import json
from checks.git_tree import GitTree, merge_base
from checks.rule_sets import RulesUnclear
from checks.tree import TooLarge

Trees = Callable[..., GitTree]
"""The tree of a commit, or of a folder in it."""

NO_HISTORY = "No common history with the base branch"
ROOT_GONE = "The folder of the submissions is gone"
TOO_LARGE = "Too large to be checked"
SEVERITY = ("success", "failure", "action_required")
"""Conclusions from the best to the worst: what could not be judged is tried again, so nothing may hide it."""
MALFORMED = "An object of this pull request is malformed"


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be judged: the commit ``head_sha`` for each of ``targets``, with the ``waivers`` given by command.

    ``first_seen`` is the head's first sight, ``trees_seen`` those of the trees of its pull requests' earlier heads.
    """

    settings: Settings
    repository_id: int
    repository: str
    head_sha: str
    targets: tuple[Target, ...]
    token: str = field(repr=False)
    details_url: str | None
    first_seen: datetime.datetime | None = None
    trees_seen: Mapping[str, datetime.datetime] = field(default_factory=dict)
    waivers: tuple[Waiver, ...] = ()

    def sights(self, tree_sha: str) -> Sights | None:
        """When the head was first seen, and its tree, which an earlier head may have had too."""
        if self.first_seen is None:
            return None
        return Sights(self.first_seen, tree_sha, min(self.first_seen, self.trees_seen.get(tree_sha, self.first_seen)))


@dataclass(frozen=True, slots=True)
class Answer:
    """Request bodies in the order of sending, the last of which completes the run, and the report as JSON.

    Instead of bodies, ``retry`` says how git failed in a way that may pass, and ``token_refused`` that a fresh token
    may help. ``seconds`` are those that each stage took. ``notes`` are for the comments that are kept up to date.
    """

    bodies: tuple[Body, ...] = ()
    json: str | None = None
    tree_sha: str | None = None
    retry: str | None = None
    token_refused: bool = False
    notes: tuple[Note, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)


def judge(question: Question) -> Answer:
    """Checks what differs between merge base and head, by the configuration at the base commit.

    Of several targets the worst outcome is given, with a line for each. What the pull request itself makes impossible
    is an answer too. Raises whatever is the bot's own fault.
    """
    mirror = Mirror(question.settings, question.repository_id, question.repository)
    try:
        with mirror.reading():
            begun = time.monotonic()
            for target in question.targets:
                mirror.fetch(question.head_sha, target.base_sha, target.number, question.token)
            fetched = time.monotonic()
            answer = _worst(question.targets, [_answer(question, target, mirror) for target in question.targets])
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


def _worst(targets: Sequence[Target], answers: Sequence[Answer]) -> Answer:
    """The worst of ``answers``, the first of equals; with several, its texts name every target and its outcome."""
    worst = max(answers, key=lambda answer: SEVERITY.index(answer.bodies[-1]["conclusion"]))
    if len(answers) == 1:
        return worst
    told = [_told(target, answer.bodies[-1]) for target, answer in zip(targets, answers, strict=True)]
    notes = tuple(note for answer in answers for note in answer.notes)
    return replace(worst, bodies=tuple(check_run.together(worst.bodies, told)), notes=notes)


def _told(target: Target, body: Body) -> str:
    where = f"#{target.number} into {target.base_ref} at {target.base_sha}"
    return f"{where}: {body['conclusion']}, {body['output']['title']}"


def _answer(question: Question, target: Target, mirror: Mirror) -> Answer:
    def fetch(oids: Sequence[str]) -> None:
        mirror.fetch_blobs(oids, question.token)

    def tree(sha: str, root: str = "") -> GitTree:
        return GitTree.at(mirror.path, sha, fetch, root)

    base_sha = merge_base(mirror.path, target.base_sha, question.head_sha)
    if base_sha is None:
        remedy = "Rebase the branch onto the base branch, or open a pull request from a branch that began there."
        return Answer((check_run.rejected(NO_HISTORY, "The two branches share no commit.", remedy),))
    head = tree(question.head_sha)
    try:
        _fetch_with_configuration(tree(target.base_sha), tree(base_sha), head)
        rules = configuration(tree(target.base_sha))
        rules = replace(rules, waivers=rules.waivers + question.waivers)
        report = _report(question, target, tree, rules, base_sha)
    except PolicyFault as fault:
        mending = previewed(tree(base_sha), head)
        return Answer((check_run.faulty_configuration(PATH, target.base_sha, fault.line, fault.reason, mending),))
    except policy.RootGoneError as error:
        remedy = "Put the folder back, or ask the maintainers to change `root` in the configuration first."
        return Answer((check_run.rejected(ROOT_GONE, str(error), remedy),), tree_sha=head.tree)
    except TooLarge as error:
        remedy = "Split the pull request, or ask the maintainers to raise the limit."
        return Answer((check_run.rejected(TOO_LARGE, str(error), remedy),), tree_sha=head.tree)
    context = _context(question, target, rules, report, head)
    note = sticky.note(report, context, question.settings.check_name)
    bodies = check_run.completed(report, context)
    return Answer(tuple(bodies), json.render(report), head.tree, notes=(note,) if note else ())


def _fetch_with_configuration(tip: GitTree, base: GitTree, head: GitTree) -> None:
    """Where the configuration is not in the mirror yet, gets it in one request with what the rules will most likely
    read, as if it said nothing: only its `root` or another rule set changes that, and then a second request follows.
    """
    entry = tip.entry(PATH)
    if entry is None or entry.oid is None or tip.has(entry.oid):
        return
    head.along(tip, [PATH])
    head.along(head, [PATH])
    with contextlib.suppress(RulesUnclear, TooLarge):  # told when the real check meets them
        fetch_change(base, head, Options())


def _report(question: Question, target: Target, tree: Trees, rules: Policy, base_sha: str) -> Report:
    """The report with paths from the repository's root.

    Raises PolicyFault where the configuration does not suffice, and RootGoneError.
    """
    root = policy.root_of(rules, tree(target.base_sha), tree(base_sha), tree(question.head_sha))
    sights = question.sights(tree(question.head_sha).tree)
    occasion = Occasion(datetime.datetime.now(datetime.UTC).date(), target.author, sights.tree if sights else None)
    options = Options(
        rules.rules,
        rules.edition,
        rules.levels_on(occasion.today),
        base=base_sha,
        head=question.head_sha,
        results_preview=rules.results_preview,
    )
    before, after = tree(base_sha, root), tree(question.head_sha, root)
    try:
        report = check_change(before, after, options)
    except (RulesUnclear, UnknownEdition) as error:
        raise PolicyFault(None, f"{PATH} must say what to check by: {error}") from error
    notes = previewed(tree(base_sha), tree(question.head_sha))
    return policy.apply(replace(report, notes=(*notes, *report.notes)), rules, occasion)


def _context(question: Question, target: Target, rules: Policy, report: Report, head: GitTree) -> Context:
    return Context(
        repository=question.repository,
        number=target.number,
        head_sha=question.head_sha,
        base_sha=target.base_sha,
        details_url=question.details_url,
        changed_files=frozenset(path for path in map(names.inside_path, report.changed_paths) if head.is_file(path)),
        is_file=head.is_file,
        policy=rules,
        checked_at=datetime.datetime.now(datetime.UTC),
        sights=question.sights(head.tree),
    )
