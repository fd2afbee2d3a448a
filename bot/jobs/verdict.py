"""The verdict on one pull request: its change judged as merged into the base, by the configuration at the base."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot import check_run, messages, others, policy
from bot.account import Context
from bot.conversation import sticky
from bot.jobs.configuration import configuration, previewed
from bot.jobs.question import Answer, Question
from bot.jobs.runs import Target
from bot.mirror import Mirror
from bot.policy import PATH, Occasion, Policy, PolicyFault
from checks import names
from checks.api import Options, check_change, fetch_change
from checks.change_trees import ChangeTrees, Commits
from checks.edition import UnknownEdition
from checks.findings import Report
from checks.git_tree import Fetch, GitTree, merge_base
from checks.rule_sets import RulesUnclear
from checks.tree import TooLarge, Tree

NO_HISTORY = "No common history with the base branch"
ROOT_GONE = "The folder of the submissions is gone"
TOO_LARGE = "Too large to be checked"
TOO_LARGE_BASE = "The base branch is too large to be checked, not your submission"


class BaseTooLargeError(Exception):
    """The limit that a check met is exceeded on the base branch already."""


def verdict(question: Question, target: Target, mirror: Mirror) -> Answer:
    """What to answer for one target, whose commits are in the mirror. Raises MirrorError and the bot's own faults."""

    def fetch(oids: Sequence[str]) -> None:
        mirror.fetch_blobs(oids, question.token)

    base_sha = merge_base(mirror.path, target.base_sha, question.head_sha)
    if base_sha is None:
        remedy = "Rebase the branch onto the base branch, or open a pull request from a branch that began there."
        return Answer((check_run.rejected(NO_HISTORY, "The two branches share no commit.", remedy),))
    look = _Look(mirror, Commits(base_sha, target.base_sha, question.head_sha), fetch)
    trees = look.trees()
    try:
        _fetch_with_configuration(trees)
        rules = configuration(trees.tip)
        rules = replace(rules, waivers=rules.waivers + question.waivers)
        report = _report(question, target, look, rules)
    except PolicyFault as fault:
        mending = previewed(trees.base, trees.head)
        return Answer((check_run.faulty_configuration(PATH, target.base_sha, fault.line, fault.reason, mending),))
    except policy.RootGoneError as error:
        remedy = "Put the folder back, or ask the maintainers to change `root` in the configuration first."
        return Answer((check_run.rejected(ROOT_GONE, str(error), remedy),), tree_sha=trees.head.tree)
    except BaseTooLargeError as error:
        body = check_run.base_fault(TOO_LARGE_BASE, target.base_sha, str(error), messages.MEND_TOO_LARGE)
        return Answer((body,), tree_sha=trees.head.tree)
    except TooLarge as error:
        remedy = "Split the pull request, or ask the maintainers to raise the limit."
        return Answer((check_run.rejected(TOO_LARGE, str(error), remedy),), tree_sha=trees.head.tree)
    context = _context(question, target, rules, report, trees)
    note = sticky.note(report, context, question.settings.check_name)
    bodies = check_run.completed(report, context)
    return Answer(tuple(bodies), others.stored(report), trees.head.tree, notes=(note,) if note else ())


@dataclass(frozen=True)
class _Look:
    """The commits of one target in a mirror, and how contents get there."""

    mirror: Mirror
    commits: Commits
    fetch: Fetch

    def trees(self, root: str = "") -> ChangeTrees:
        """Their trees, or those of the folder ``root``."""
        return ChangeTrees.at(self.mirror.path, self.commits, self.fetch, root)


def _fetch_with_configuration(trees: ChangeTrees) -> None:
    """Where the configuration is not in the mirror yet, gets it in one request with what the rules will most likely
    read, as if it said nothing: only its `root` or another rule set changes that, and then a second request follows.
    """
    entry = trees.tip.entry(PATH)
    if entry is None or entry.oid is None or trees.tip.has(entry.oid):
        return
    judged = _judged(trees)
    judged.along(trees.tip, [PATH])
    judged.along(trees.head, [PATH])
    with contextlib.suppress(RulesUnclear, TooLarge):  # told when the real check meets them
        fetch_change(trees.base, trees.head, Options(), trees.merge)


def _report(question: Question, target: Target, look: _Look, rules: Policy) -> Report:
    """The report with paths from the repository's root.

    Raises PolicyFault where the configuration does not suffice, RootGoneError, TooLarge and BaseTooLargeError.
    """
    whole = look.trees()
    root = policy.root_of(rules, whole.tip, whole.base, whole.head)
    sights = question.sights(whole.head.tree)
    occasion = Occasion(datetime.datetime.now(datetime.UTC).date(), target.author, sights.tree if sights else None)
    options = Options(
        rules.rules,
        rules.edition,
        rules.levels_on(occasion.today),
        base=look.commits.base,
        head=question.head_sha,
        results_preview=rules.results_preview,
    )
    report = _checked(look.trees(root) if root else whole, options)
    notes = previewed(whole.base, whole.head)
    return policy.apply(replace(report, notes=(*notes, *report.notes)), rules, occasion)


def _checked(trees: ChangeTrees, options: Options) -> Report:
    try:
        return check_change(trees.base, trees.head, options, trees.merge)
    except (RulesUnclear, UnknownEdition) as error:
        raise PolicyFault(None, f"{PATH} must say what to check by: {error}") from error
    except TooLarge as error:
        if _has(trees.tip, error.path):
            raise BaseTooLargeError(str(error)) from error
        raise


def _has(tree: GitTree, path: str) -> bool:
    """Whether something stands at ``path``, which may lie deep; the root's size is what the pull request makes it."""
    parts = path.split("/") if path else []
    return bool(parts) and all(tree.entry("/".join(parts[:end])) for end in range(1, len(parts) + 1))


def _judged(trees: ChangeTrees) -> Tree:
    """The tree that the findings are about: the merged one, where that is not the head's."""
    return trees.merge.result if trees.merge else trees.head


def _context(question: Question, target: Target, rules: Policy, report: Report, trees: ChangeTrees) -> Context:
    head, judged = trees.head, _judged(trees)

    def as_judged(path: str) -> bool:
        # A file that only the base branch changed has other lines in the head, where annotations are shown.
        return head.is_file(path) and head.entry(path) == judged.entry(path)

    return Context(
        repository=question.repository,
        number=target.number,
        head_sha=question.head_sha,
        base_sha=target.base_sha,
        merged_into=target.base_ref if trees.merge else None,
        details_url=question.details_url,
        changed_files=frozenset(path for path in map(names.inside_path, report.changed_paths) if as_judged(path)),
        is_file=as_judged,
        policy=rules,
        checked_at=datetime.datetime.now(datetime.UTC),
        sights=question.sights(head.tree),
        author=target.author,
        comparisons=len(question.targets),
    )
