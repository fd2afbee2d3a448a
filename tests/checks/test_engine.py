"""The engine: inputs by declaration, faults of inputs told once, own faults apart, findings in their scope."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checks.documents import JsonDocument
from checks.edition import Edition
from checks.engine import Engine
from checks.findings import Fact, Finding, Level, Scope
from checks.memory_tree import MemoryTree
from checks.results import Results
from checks.rules import Each, RuleBook
from checks.session import Session
from checks.tree import ObjectMissing
from checks.units import Folder


class Team(Folder):
    """A toy unit: every folder at the top."""

    @property
    def runs(self) -> list[str]:
        return [self.inside(name) for name in self.folders]


class Score(JsonDocument):
    what = "score.json"

    @classmethod
    def of(cls, unit: Team, session: Session):
        return session.file(cls, unit.inside("score.json"), see="9.1")


class Orphan(JsonDocument):
    what = "orphan.json"

    @classmethod
    def of(cls, unit: Team, session: Session):
        return session.file(cls, unit.inside("orphan.json"))

    @classmethod
    def all(cls, unit: Team, session: Session):
        return [session.file(cls, f"{run}/orphan.json") for run in unit.runs]


class ToyLayout:
    def __init__(self, session: Session) -> None:
        self.tree = session.tree

    def scopes(self) -> list[Scope]:
        return [Scope(name, "system", "checked") for name in Folder(self.tree, "").folders]

    def shared_units(self, scopes) -> Iterator[Folder]:
        yield Folder(self.tree, "")

    def units(self, scope: Scope) -> Iterator[Folder]:
        yield Team(self.tree, scope.path)

    def scope_of(self, path: str) -> str:
        return path.split("/", maxsplit=1)[0]


def run(book: RuleBook, files: dict[str, bytes], only: list[str] | None = None, **levels: Level) -> Results:
    session = Session(MemoryTree(files), Edition("1", "toy", {}, {}))
    layout = ToyLayout(session)
    scopes = [scope for scope in layout.scopes() if only is None or scope.path in only]
    return Engine(book, layout, session, {key.replace("_", "."): level for key, level in levels.items()}).run(scopes)


@pytest.fixture
def book() -> RuleBook:
    return RuleBook("toy", "Toy rules")


def test_a_rule_gets_what_its_parameters_ask_for(book):
    @book.rule("1", "positive")
    def positive(team: Team, score: Score, edition: Edition):
        if score.number("/value") <= 0:
            yield score.finding("/value", f"{score.number('/value')} in edition {edition.name}")
        yield Fact("", "value", score.number("/value"), "points", score.path)

    results = run(book, {"a/score.json": b'{"x": 1,\n"value": -3}', "b/score.json": b'{"value": 3}'})

    assert [(item.rule, item.scope, item.path, item.line, item.message) for item in results.findings] == [
        ("1", "a", "a/score.json", 2, "-3 in edition 1")
    ]
    assert [(fact.scope, fact.value) for fact in results.facts] == [("a", -3), ("b", 3)]


def test_a_rule_that_raises_is_an_own_fault_and_all_others_run(book):
    @book.rule("1", "breaks")
    def breaks(team: Team):
        if team.name == "a":
            raise KeyError("surprise")
        yield team.finding("fine")

    @book.rule("2", "works")
    def works(team: Team):
        yield team.finding("seen")

    results = run(book, {"a/x": b"", "b/x": b""})

    assert [(fault.rule, fault.scope, fault.error) for fault in results.faults] == [("1", "a", "KeyError")]
    assert {(item.rule, item.scope) for item in results.findings} == {("1", "b"), ("2", "a"), ("2", "b")}


def test_an_own_fault_has_the_same_reference_each_time(book):
    @book.rule("1", "breaks")
    def breaks(team: Team):
        raise RuntimeError("again")
        yield

    references = {run(book, {"a/x": b""}).faults[0].reference for _ in range(2)}

    assert len(references) == 1


def test_a_missing_input_that_a_rule_reports_is_listed_as_not_run(book):
    @book.rule("1", "needs")
    def needs(team: Team, score: Score):
        yield team.finding("judged")

    results = run(book, {"a/x": b""})

    assert not results.findings
    assert [(item.rule, item.scope, item.path, item.reason) for item in results.not_run] == [
        ("1", "a", "a", "score.json is missing (see 9.1)")
    ]


def test_a_missing_input_that_no_rule_reports_is_one_finding_for_all_rules(book):
    @book.rule("1", "needs")
    def needs(team: Team, orphan: Orphan):
        yield team.finding("judged")

    @book.rule("2", "needs-too")
    def needs_too(team: Team, orphan: Orphan):
        yield team.finding("judged")

    results = run(book, {"a/x": b""})

    assert [(item.rule, item.path, item.level) for item in results.findings] == [("input.missing", "a", Level.ERROR)]
    assert "rules 1, 2" in results.findings[0].message


def test_an_optional_input_may_be_absent(book):
    @book.rule("1", "optional")
    def optional(team: Team, orphan: Orphan | None):
        yield team.finding("with" if orphan else "without")

    results = run(book, {"a/x": b"", "b/orphan.json": b"{}"})

    assert [item.message for item in results.findings] == ["without", "with"]


def test_each_hands_over_what_is_there_and_tells_what_is_not(book):
    @book.rule("1", "all")
    def everything(team: Team, orphans: Each[Orphan]):
        yield team.finding(", ".join(orphan.leaf for orphan in orphans))

    results = run(book, {"a/1/orphan.json": b"{}", "a/2/x": b"", "a/3/orphan.json": b"{}"})

    assert [item.message for item in results.findings if item.rule == "1"] == ["1, 3"]
    assert [item.path for item in results.not_run] == ["a/2"]
    assert [item.path for item in results.findings if item.rule == "input.missing"] == ["a/2"]


@pytest.mark.parametrize(
    ("content", "rule", "line"),
    [
        (b'{"value": 1,\n oops}', "input.json", 2),
        (b'{"value":\n NaN}', "input.json", 2),
        (b"\xff\xfe{", "input.encoding", 1),
        (b'{\n"a": "\xe9"}', "input.encoding", 2),
        (b"", "input.empty", None),
        (b"version https://git-lfs.github.com/spec/v1\noid x\n", "input.lfs-pointer", 1),
        (b"[" * 100_000, "input.json", 1),
    ],
)
def test_an_unreadable_document_is_one_finding_and_its_rules_are_not_run(book, content, rule, line):
    @book.rule("1", "needs")
    def needs(team: Team, score: Score):
        yield team.finding("judged")

    @book.rule("2", "needs-too")
    def needs_too(team: Team, score: Score):
        yield team.finding("judged")

    results = run(book, {"a/score.json": content})

    assert [(item.rule, item.path, item.line) for item in results.findings] == [(rule, "a/score.json", line)]
    assert [item.rule for item in results.not_run] == ["1", "2"]


def test_a_name_given_twice_is_told_once_and_rules_still_run(book):
    @book.rule("1", "needs")
    def needs(team: Team, score: Score):
        yield score.finding("/value", str(score.number("/value")))

    results = run(book, {"a/score.json": b'{"value": 1,\n"value": 2}'})

    assert [(item.rule, item.line) for item in results.findings] == [("input.duplicate-key", 2), ("1", 2)]


def test_a_value_of_the_wrong_type_is_a_finding_of_the_rule_that_needs_it(book):
    @book.rule("1", "needs")
    def needs(team: Team, score: Score):
        yield score.finding("", f"judged {score.number('/value')}")

    for content, said in (
        (b'{"value": "3"}', "a number is required"),
        (b"{}", "missing"),
        (b'{"value": true}', "true"),
    ):
        (finding,) = run(book, {"a/score.json": content}).findings
        assert finding.rule == "1"
        assert said in finding.message


def test_findings_outside_the_affected_scopes_are_dropped(book):
    @book.rule("1", "shared")
    def shared(root: Folder):
        for name in root.folders:
            yield root.finding("seen", at=name)

    results = run(book, {"a/x": b"", "b/x": b""}, only=["b"])

    assert [item.path for item in results.findings if item.rule == "1" and item.path] == ["b"]


@pytest.mark.parametrize(
    ("configured", "explicit", "level"),
    [
        (None, None, Level.ERROR),
        (None, Level.NOTICE, Level.NOTICE),
        (Level.WARNING, None, Level.WARNING),
        (Level.WARNING, Level.NOTICE, Level.NOTICE),
        (Level.NOTICE, Level.WARNING, Level.NOTICE),
        (Level.OFF, None, None),
    ],
)
def test_configured_levels_replace_the_rules_own_and_cap_what_a_rule_made_less(book, configured, explicit, level):
    @book.rule("1", "rule")
    def rule(team: Team):
        yield team.finding("x", level=explicit)

    results = run(book, {"a/x": b""}, **({"1": configured} if configured else {}))

    assert [item.level for item in results.findings] == ([level] if level else [])


def test_every_blob_is_read_once_for_all_rules(book):
    reads: list[str] = []

    class CountingTree(MemoryTree):
        def _read(self, path, entry, cap):
            reads.append(path)
            return super()._read(path, entry, cap)

    @book.rule("1", "one")
    def one(team: Team, score: Score):
        yield score.finding("", str(score.number("/value")))

    @book.rule("2", "two")
    def two(team: Team, score: Score):
        yield score.finding("", str(score.number("/value")))

    session = Session(CountingTree({"a/score.json": b'{"value": 1}'}), Edition("1", "toy", {}, {}))
    layout = ToyLayout(session)
    Engine(book, layout, session, {}).run(layout.scopes())

    assert reads == ["a/score.json"]


def test_a_parameter_that_is_no_input_is_refused_at_once(book):
    with pytest.raises(TypeError, match="no input"):

        @book.rule("1", "wrong")
        def wrong(team: Team, number: int):
            yield Finding("", "never")


def test_a_value_that_several_rules_need_is_one_finding_of_the_weightiest(book):
    @book.rule("1", "mild", level=Level.NOTICE)
    def mild(team: Team, score: Score):
        yield Fact("", "value", score.number("/value"), "points", score.path)

    @book.rule("2", "grave")
    def grave(team: Team, score: Score):
        score.number("/value")
        yield team.finding("judged")

    @book.rule("10", "also")
    def also(team: Team, score: Score):
        score.number("/value")
        yield team.finding("judged")

    results = run(book, {"a/score.json": b'{"x": 1}'})

    (finding,) = results.findings
    assert (finding.rule, finding.level, finding.line) == ("2", Level.ERROR, 1)
    assert finding.message == (
        "`value` is missing; a number is required here. Rules 1, 10 can't be judged without it either."
    )
    assert {(item.rule, item.reason) for item in results.not_run} == {
        (rule, "`value` is missing; a number is required here (see 2)") for rule in ("1", "10")
    }
    assert results.rules_run == 3


def test_a_value_that_only_rules_which_are_off_need_is_not_told(book):
    @book.rule("1", "off")
    def off(team: Team, score: Score):
        score.number("/value")
        yield team.finding("judged")

    assert not run(book, {"a/score.json": b"{}"}, **{"1": Level.OFF}).findings


class Broken(JsonDocument):
    what = "score.json"

    @classmethod
    def of(cls, unit: Team, session: Session):
        return session.file(cls, unit.inside("score.json"))

    def _parse(self, text):
        raise ZeroDivisionError(text)


def test_a_reader_that_fails_is_an_own_fault_and_all_others_run(book):
    @book.rule("1", "reads")
    def reads(team: Team, score: Broken):
        yield team.finding("judged")

    @book.rule("2", "works")
    def works(team: Team):
        yield team.finding("seen")

    results = run(book, {"a/score.json": b"{}"})

    assert [(fault.rule, fault.scope, fault.error) for fault in results.faults] == [("1", "a", "ZeroDivisionError")]
    assert [item.rule for item in results.findings] == ["2"]


def test_a_fault_on_a_unit_that_scopes_share_is_in_the_scope_of_that_unit(book):
    @book.rule("1", "breaks")
    def breaks(top: Folder):
        if not isinstance(top, Team):
            raise RuntimeError("no")
        yield top.finding("fine")

    results = run(book, {"a/x": b""})

    assert [(fault.scope, fault.path) for fault in results.faults] == [("", "")]


class Unread(MemoryTree):
    def _read(self, path, entry, cap):
        raise ObjectMissing(f"{path} is not here")


def test_a_tree_that_can_not_be_read_is_no_fault_of_a_rule(book):
    @book.rule("1", "reads")
    def reads(team: Team):
        yield team.finding(team.tree.read(team.inside("x")).decode())

    session = Session(Unread({"a/x": b""}), Edition("1", "toy", {}, {}))
    layout = ToyLayout(session)
    with pytest.raises(ObjectMissing):
        Engine(book, layout, session, {}).run(layout.scopes())
