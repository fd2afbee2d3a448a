"""A storm: people push, close, reopen, ask again and move the base branch while GitHub fails in every known way and the
bot is killed again and again.

What must hold afterwards is small: every head commit has one check run, and at most one more for each time that
somebody asked for one or the base moved; no two are for the same; all are completed; and what is open has the verdict
that a calm look at the same commits gives.
"""

from __future__ import annotations

import datetime
import itertools
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot import check_run, policy
from bot.policy import Occasion
from checks.api import Options, check_change
from checks.change_trees import ChangeTrees, Commits
from checks.git_tree import merge_base
from checks.rule_sets import rule_set
from tests.bot.service import Service
from tests.github import GitHub
from tests.github.records import PullRequest, Repository
from tests.github.sender import MAINTAINER

JUDGED = "2.1.7"
"""The one rule of the storm's repository: each system has a description and a PDF."""


@dataclass
class Storm:
    """People at work on one repository; ``heads`` are all commits that were a head, ``asked`` counts their re-runs."""

    github: GitHub
    service: Service
    seed: int
    heads: set[str] = field(default_factory=set)
    pulls: list[PullRequest] = field(default_factory=list)
    kills: int = 0
    moves: int = 0
    asked: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self.repository = _repository(self.github)
        self._names = (f"S{number}" for number in itertools.count(1))

    def rage(self, deliveries: int, pulls: int, kills: int, rate: float) -> None:
        """Sends so many deliveries, opening so many pull requests first, and kills the bot so often meanwhile."""
        self.github.faults.storm(self.seed, rate)
        moments = set(self.dice.sample(range(pulls // 2, deliveries), kills))
        for number in range(deliveries):
            if number in moments:
                self.strike()
            if len(self.pulls) < pulls:
                self._open()
            else:
                self.dice.choice(self._deeds())(self.dice.choice(self.pulls))
            time.sleep(self.dice.uniform(0, 0.2))
        self.github.faults.clear()

    def strike(self) -> None:
        """Kill the bot, and start it again a moment later; what GitHub sends meanwhile is lost."""
        self.service.kill()
        self.kills += 1
        self._push(self.dice.choice(self.pulls))
        self.service.start()

    def faults(self) -> list[str]:
        """What is not as it must be, a line each; empty once all is well."""
        found = []
        for sha in sorted(self.heads):
            runs = self.github.check_runs(self.repository, sha)
            states = [(run.external_id, run.status, run.conclusion) for run in runs]
            few = 1 <= len(runs) <= 1 + self.asked[sha] + self.moves
            once = len({run.external_id for run in runs}) == len(runs)
            if not few or not once or any(run.status != "completed" for run in runs):
                found.append(f"{sha}, re-run {self.asked[sha]} times, {self.moves} moves of the base, has {states}")
        for pull in self.pulls:
            if pull.state == "open":
                conclusion = self.github.check_runs(self.repository, pull.head_sha)[-1:]
                wanted = self.calm(pull)
                if [run.conclusion for run in conclusion] != [wanted]:
                    found.append(f"#{pull.number} {pull.head_sha} has {conclusion}, calm {wanted}")
        return found

    def calm(self, pull: PullRequest) -> str:
        """The verdict on a pull request into the base branch as it is now, without any service."""
        folder, tip = self.repository.git.path, self._tip()
        base = merge_base(folder, tip, pull.head_sha)
        assert base is not None
        trees = ChangeTrees.at(folder, Commits(base, tip, pull.head_sha))
        rules = policy.load_text(trees.tip.read(policy.PATH, policy.MAX_BYTES))
        today = datetime.datetime.now(datetime.UTC).date()
        options = Options(rules.rules, rules.edition, rules.levels_on(today), base=base, head=pull.head_sha)
        report = check_change(trees.base, trees.head, options, trees.merge)
        return check_run.conclusion(policy.apply(report, rules, Occasion(today)))

    def _tip(self) -> str:
        return str(self.repository.git.ref("refs/heads/main"))

    def _deeds(self) -> Sequence[Callable[[PullRequest], object]]:
        often = (self._push, self._push, self._push_back, self._close_or_reopen, self._again, self._say)
        return (*often, self._ask, self._move_base)

    def _ask(self, pull: PullRequest) -> None:
        """Somebody presses Re-run, or says `/recheck`."""
        runs = self.github.check_runs(self.repository, pull.head_sha)
        self.asked[pull.head_sha] += 1
        if runs and self.dice.random() < 1 / 2:
            self.github.rerequest_run(runs[-1])
        else:
            self.github.comment(pull, "/recheck", MAINTAINER)

    def _move_base(self, _pull: PullRequest) -> None:
        """The base branch gets a system without its PDF, which fails with every change of that submitter's, or loses
        it.
        """
        path, git = "closed/Acme/systems/Base.yaml", self.repository.git
        self.moves += 1
        wrong = self.moves % 2 == 1
        sha = git.commit({path: b"name: Base\n"} if wrong else {}, base=self._tip(), remove=[] if wrong else [path])
        self.github.push(self.repository, sha)

    def _open(self) -> None:
        pull = self.github.open_pull_request(self.repository, self._commit(None), fork=self.dice.random() < 0.5)
        self.pulls.append(pull)

    def _push(self, pull: PullRequest) -> None:
        self.github.synchronize(pull, self._commit(pull.head_sha))

    def _push_back(self, pull: PullRequest) -> None:
        parents = self.repository.git.odb[pull.head_sha].parent_ids
        before = str(parents[0])
        self.github.synchronize(pull, before if before in self.heads else self._commit(pull.head_sha))

    def _close_or_reopen(self, pull: PullRequest) -> None:
        if pull.state == "open":
            self.github.close(pull)
        else:
            self.github.reopen(pull)

    def _again(self, pull: PullRequest) -> None:
        """A delivery of the past, once more."""
        first = self.dice.choice(self.github.deliveries)
        self.github.deliver(first.event, first.payload, delivery=first.guid)

    def _say(self, pull: PullRequest) -> None:
        self.dice.choice((self.github.convert_to_draft, self.github.ready_for_review))(pull)

    def _commit(self, base: str | None) -> str:
        """A commit with one more system, of which every third lacks its PDF."""
        name = next(self._names)
        files: dict[str, bytes | None] = {f"closed/Acme/systems/{name}.yaml": f"name: {name}\n".encode()}
        if self.dice.random() < 2 / 3:
            files[f"closed/Acme/systems/{name}.pdf"] = b"%PDF-1.7\n"
        parent = base or self.repository.git.ref("refs/heads/main")
        sha = self.repository.git.commit(files, base=parent)
        self.heads.add(sha)
        return sha


def _repository(github: GitHub) -> Repository:
    rules = sorted({rule.id for rule in rule_set("storage").book.rules} - {JUDGED})
    levels = "".join(f'  "{rule}": "off"\n' for rule in rules)
    configuration = f"rules: storage\nlevels:\n{levels}".encode()
    files = {"closed/Acme/systems/A.yaml": b"name: A\n", "closed/Acme/systems/A.pdf": b"%PDF-1.7\n"}
    return github.add_repository("octo-org/storm", {**files, ".github/submission-checks.yml": configuration})
