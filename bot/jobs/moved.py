"""Which open pull requests a move of their base branch can touch. Runs in a process of its own, as judging does.

A verdict can differ when the configuration changed, or when the branch changed what the pull request touches too, in
itself or merged into the branch before or after: the same submitter's folder, or a code image that both reach.
Everything else keeps its verdict, so that a merge does not set off a check of every open pull request.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.jobs.configuration import configuration
from bot.mirror import CredentialsRefusedError, MalformedObjectError, Mirror, MirrorError, MissingObjectError
from bot.policy import PATH, Policy, PolicyFault
from bot.settings import Settings
from checks import names
from checks.change_trees import ChangeTrees, Commits
from checks.changes import Affected
from checks.comparison import Comparison
from checks.edition import UnknownEdition
from checks.git_tree import Fetch, GitTree, merge_base
from checks.rule_sets import RuleSet, RulesUnclear, recognised, rule_set
from checks.tree import TreeError

OWNER_DEPTH = 2
"""Folders that make a scope's owner: `closed/Acme`, `code-images/<image>`, `<org>/<submission>`."""


@dataclass(frozen=True, slots=True)
class Move:
    """A base branch of a repository that went from one commit to another."""

    settings: Settings
    repository_id: int
    repository: str
    before: str
    after: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Head:
    """An open pull request into that branch."""

    number: int
    sha: str


@dataclass(frozen=True, slots=True)
class Concerned:
    """The pull requests to check again; instead, ``retry`` says how git failed in a way that may pass."""

    numbers: frozenset[int] = frozenset()
    retry: str | None = None
    token_refused: bool = False


def concerned(move: Move, heads: Sequence[Head]) -> Concerned:
    """Which of ``heads`` to check again. In doubt (an old base that is gone, a shape without rules) all of them.

    Raises whatever is the bot's own fault.
    """
    mirror = Mirror(move.settings, move.repository_id, move.repository)
    everyone = Concerned(frozenset(head.number for head in heads))
    try:
        with mirror.reading():
            mirror.fetch(move.after, move.before, None, move.token)
            return _compared(move, heads, mirror)
    except (MissingObjectError, MalformedObjectError, TreeError, PolicyFault, RulesUnclear, UnknownEdition):
        return everyone
    except MirrorError as error:
        if not error.retryable:
            raise
        return Concerned(retry=error.reason, token_refused=isinstance(error, CredentialsRefusedError))


def _compared(move: Move, heads: Sequence[Head], mirror: Mirror) -> Concerned:
    def fetch(oids: Sequence[str]) -> None:
        mirror.fetch_blobs(oids, move.token)

    before, after = (GitTree.at(mirror.path, sha, fetch) for sha in (move.before, move.after))
    if before.entry(PATH) != after.entry(PATH):
        return Concerned(frozenset(head.number for head in heads))
    rules = configuration(after)
    look = _Look(mirror, rules, fetch, move)
    moved = look.moved()
    return Concerned(frozenset(head.number for head in heads if look.touches(head, moved)))


class _Look:
    """Compares commits of one mirror by the rule set that holds there."""

    def __init__(self, mirror: Mirror, policy: Policy, fetch: Fetch, move: Move) -> None:
        self._mirror = mirror
        self._policy = policy
        self._fetch = fetch
        self._move = move
        self._root = names.inside_path(policy.root) if policy.root != names.ROOT else ""
        self._rules = self._rule_set()

    def moved(self) -> frozenset[str]:
        """Whose folders, and which code images, the move reaches."""
        return self._owners(Commits(self._move.before, self._move.before, self._move.after))

    def touches(self, head: Head, moved: frozenset[str]) -> bool:
        """Whether a pull request reaches any of what ``moved``; one that was never fetched is taken to."""
        try:
            return any(self._reaches(head, tip, moved) for tip in (self._move.before, self._move.after))
        except TreeError:
            return True

    def _reaches(self, head: Head, tip: str, moved: frozenset[str]) -> bool:
        common = merge_base(self._mirror.path, tip, head.sha)
        return common is None or bool(moved & self._owners(Commits(common, tip, head.sha)))

    def _owners(self, commits: Commits) -> frozenset[str]:
        trees = ChangeTrees.at(self._mirror.path, commits, self._fetch, self._root)
        edition = self._rules.edition(self._policy.edition)
        return _owners(Comparison.of(self._rules, edition, trees.base, trees.head, trees.merge).affected)

    def _rule_set(self) -> RuleSet:
        if self._policy.rules:
            return rule_set(self._policy.rules)
        return recognised(GitTree.at(self._mirror.path, self._move.after, self._fetch, self._root))


def _owners(affected: Affected) -> frozenset[str]:
    return frozenset("/".join(scope.path.split("/")[:OWNER_DEPTH]) for scope in (*affected.scopes, *affected.removed))
