"""The maintainers' configuration: read strictly, with lines; and what it does to a report."""

import datetime
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bot import policy
from bot.policy import DEFAULT, Annotations, Phase, PolicyFault, UnchangedFiles, Waiver
from checks.findings import Fault, Finding, Level, Scope, Verdict
from tests.bot.reports import S1, S2, finding, report

FULL = b"""\
rules: storage
edition: "2.0"
root: results/
levels: {"2.1.12": warning, "2.1.7": "off"}
disputed: {"4.3.5": "https://tracker.example/4"}
waivers:
  - {rule: "2.1.17", path: "closed/Acme/results/S1/**", reason: "power cut", until: 2026-12-31}
annotations: {limit: 100, unchanged_files: annotate}
owners: {Acme: ["@octo-org/acme-submitters", "octocat"]}
round:
  name: v3.0
  opens: 2026-11-01
  closes: 2026-11-30
  levels:
    open: {"3.3.2": warning}
    closed: {"2.1.12": error}
"""
DAY = datetime.date(2026, 11, 15)


def test_everything_that_can_be_said() -> None:
    loaded = policy.load_text(FULL)
    assert (loaded.rules, loaded.edition, loaded.root, loaded.present) == ("storage", "2.0", "results", True)
    assert loaded.levels == {"2.1.12": Level.WARNING, "2.1.7": Level.OFF}
    assert loaded.disputed == {"4.3.5": "https://tracker.example/4"}
    assert loaded.waivers == (
        Waiver("2.1.17", "closed/Acme/results/S1/**", "power cut", datetime.date(2026, 12, 31), line=7),
    )
    assert loaded.annotations == Annotations(100, UnchangedFiles.ANNOTATE)
    assert loaded.owners == {"Acme": ("@octo-org/acme-submitters", "octocat")}
    assert loaded.round is not None
    assert loaded.round.levels == {Phase.OPEN: {"3.3.2": Level.WARNING}, Phase.CLOSED: {"2.1.12": Level.ERROR}}


@pytest.mark.parametrize("text", [b"", b"# nothing yet\n", b"{}", b"\xef\xbb\xbfannotations: {}\n"])
def test_an_empty_file_is_not_an_absent_one(text: bytes) -> None:
    loaded = policy.load_text(text)
    assert loaded.present
    assert not DEFAULT.present
    assert (loaded.levels, loaded.annotations) == (DEFAULT.levels, DEFAULT.annotations)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (b"levels: {}\nlevel: {}\n", 2, "Unknown key level in the file; known are rules,"),
        (b"annotations:\n  limit: 5\n  most: 6\n", 3, "Unknown key most in annotations"),
        (b"rules: storage\n\nrules: storage\n", 3, "The key rules is given twice (first in line 1)."),
        (b'levels:\n  "2.1.7": warning\n  "2.1.7": error\n', 3, "2.1.7 is given twice"),
        (b"rules: power\n", 1, "must be one of storage, endpoints."),
        (b"# x\nedition: 2.0\n", 2, "must be of type string; put it in quotes."),
        (b"- rules\n", 1, "the file must be of type object."),
        (b"levels:\n  '2.1.7': loud\n", 2, "levels.2.1.7 must be one of error, warning, notice, off."),
        (b"annotations: {limit: -1}\n", 1, "annotations.limit must be at least 0."),
        (b"annotations: {limit: 100000}\n", 1, "annotations.limit must be at most 1000."),
        (b"disputed: {'2.1': 'javascript:x'}\n", 1, "has not the form that is wanted"),
        (b"root: ../elsewhere\n", 1, "root"),
        (b"root: /etc\n", 1, "root"),
        (b"waivers:\n  - {rule: a, path: b, until: 2026-01-01}\n", 2, "waivers.0 lacks reason."),
        (b"waivers:\n- {rule: a, path: b, reason: ' ', until: 2026-01-01}\n", 2, "waivers.0.reason has not the form"),
        (b"waivers:\n- {rule: a, path: '**', reason: r, until: 2026-01-01}\n", 2, "waivers.0.path has not the form"),
        (b"waivers:\n- {rule: a, path: './**', reason: r, until: 2026-01-01}\n", 2, "waivers.0.path must begin with"),
        (b"waivers:\n- {rule: a, path: '.', reason: r, until: 2026-01-01}\n", 2, "waivers.0.path must begin with"),
        (b"waivers:\n- {rule: '*', path: b, reason: r, until: 2026-01-01}\n", 2, "waivers.0.rule has not the form"),
        (b"waivers:\n- {rule: a, path: b, reason: r, until: 2026-02-30}\n", 2, "is not a day of the calendar"),
        (b"waivers:\n- {rule: a, path: b, reason: r, until: soon}\n", 2, "waivers.0.until"),
        (b"round: {name: r, opens: 2026-02-02, closes: 2026-02-01}\n", 1, "closes lies before round.opens"),
        (b"a: [1\nb: 2\n", 2, "Not valid YAML"),
        (b"a: &x [*x]\n", 1, "alias"),
        (b"a: !!python/object:os.system x\n", 1, "is not plain data"),
        (b"rules: storage\nroot: \xff\n", 2, "not UTF-8"),
        (b"#" * (1 << 20) + b"#", None, "1,048,577 bytes"),
    ],
)
def test_faults_have_their_line(text: bytes, line: int | None, reason: str) -> None:
    with pytest.raises(PolicyFault, match=re.escape(reason)) as caught:
        policy.load_text(text)
    assert caught.value.line == line


def test_all_faults_are_found_in_the_order_of_the_file() -> None:
    faults = policy.faults_of(b"rules: x\nnosuch: 1\nannotations: {limit: no}\n")
    assert [fault.line for fault in faults] == [1, 2, 3]
    assert policy.faults_of(FULL) == ()


def test_ids_that_no_rule_has_are_faults_where_the_rules_are_known() -> None:
    known = {"2.1.12", "2.1.7", "4.3.5", "2.1.17"}
    (fault,) = policy.faults_of(FULL, known)
    assert (fault.line, fault.reason) == (15, "No rule has the id 3.3.2.")
    assert policy.load_text(FULL, {*known, "3.3.2"}).rules == "storage"


@given(st.one_of(st.binary(max_size=200), st.text("rules:{}[]&*!\n -\"'<#0.,", max_size=80).map(str.encode)))
def test_any_bytes_give_a_policy_or_a_fault(text: bytes) -> None:
    try:
        assert policy.load_text(text).present
    except PolicyFault as fault:
        assert fault.reason


def test_schema_is_one_that_editors_can_use() -> None:
    Draft202012Validator.check_schema(policy.schema())
    assert "$ref" not in {key for key in policy.schema() if key != "$defs"}


def test_the_reference_shows_a_configuration_that_is_valid() -> None:
    page = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text()
    examples = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert examples
    for example in examples:
        assert policy.faults_of(example.encode()) == ()
    assert set(policy.schema()["properties"]) <= set(re.findall(r"`([a-z_]+)[`.]", page))


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("closed/Acme/results/S1/**", "closed/Acme/results/S1/a/b.json", True),
        ("closed/Acme/results/S1/**", "closed/Acme/results/S1", True),
        ("closed/Acme/results/S1/**", "closed/Acme/results/S10/a", False),
        ("closed/Acme/systems/*.yaml", "closed/Acme/systems/S1.yaml", True),
        ("closed/Acme/systems/*.yaml", "closed/Acme/systems/x/S1.yaml", False),
        ("closed/**/summary.json", "closed/Acme/results/summary.json", True),
        ("closed/**/summary.json", "closed/summary.json", True),
        ("closed/Acme/S?", "closed/Acme/S1", True),
        ("closed/Acme/S?", "closed/Acme/S/", False),
        ("closed/Acme/S1", "closed/Acme/S1", True),
        ("closed/Acme/S1", "closed/Acme/S1/a", False),
        ("closed/A.c+me", "closed/Axc+me", False),
    ],
)
def test_globs(glob: str, path: str, matches: bool) -> None:
    assert Waiver("r", glob, "x", DAY).matches("r", path) is matches
    assert not Waiver("r", glob, "x", DAY).matches("other", path)


def applied(text: str, findings: list[Finding], day: datetime.date = DAY, scopes: tuple[str, ...] = (S1, S2)):  # type: ignore[no-untyped-def]
    return policy.apply(report(findings, scopes), policy.load_text(text.encode()), policy.Occasion(day))


WAIVER = f'waivers: [{{rule: "2.1.7", path: "{S1}/**", reason: power cut, until: 2026-11-15}}]\n'


def test_a_waiver_sets_aside_only_what_it_names() -> None:
    both = [finding(f"{S1}/a"), finding(f"{S2}/a", scope=S2), finding(f"{S1}/a", rule="2.1.8")]
    judged = applied(WAIVER, both)
    assert [one.finding for one in judged.waived] == both[:1]
    assert (judged.waived[0].reason, judged.waived[0].until) == ("power cut", "2026-11-15")
    assert list(judged.findings) == both[1:]
    assert judged.counts.error == 2


def test_a_waiver_ends_with_its_day_and_that_is_said() -> None:
    judged = applied(WAIVER, [finding(f"{S1}/a")], DAY + datetime.timedelta(days=1))
    assert judged.verdict is Verdict.FAIL
    assert judged.waived == ()
    assert any("ended on 2026-11-15" in note for note in judged.notes)


def test_a_waiver_without_effect_is_told_where_its_folder_was_checked() -> None:
    assert any("matches no finding" in note for note in applied(WAIVER, []).notes)
    assert applied(WAIVER, [], scopes=(S2,)).notes == ()


def test_waivers_of_other_submitters_are_not_named() -> None:
    text = 'waivers: [{rule: "2.1.7", path: "closed/Other/**", reason: r, until: 2026-11-15}]\n'
    assert applied(text, [finding(f"{S1}/a")]).notes == ()


def test_waivers_never_touch_own_faults() -> None:
    broken = report([finding(f"{S1}/a")], faults=(Fault("2.1.7", S1, f"{S1}/a", "ref", "KeyError"),))
    judged = policy.apply(broken, policy.load_text(WAIVER.encode()), policy.Occasion(DAY))
    assert judged.faults == broken.faults
    assert judged.verdict is Verdict.FAIL


def test_a_disputed_rule_warns_with_the_link() -> None:
    judged = applied('disputed: {"2.1.7": "https://tracker.example/7"}', [finding(f"{S1}/a", hint="Add it.")])
    assert judged.verdict is Verdict.PASS
    (found,) = judged.findings
    assert found.level is Level.WARNING
    assert found.hint == "Add it. This rule is disputed and therefore only warns: https://tracker.example/7"


def test_a_disputed_notice_stays_a_notice() -> None:
    (found,) = applied('disputed: {"2.1.7": "https://x.example"}', [finding(S1, Level.NOTICE)]).findings
    assert found.level is Level.NOTICE


@pytest.mark.parametrize(
    ("level", "given", "left"),
    [
        ("warning", Level.ERROR, [Level.WARNING]),
        ("warning", Level.NOTICE, [Level.NOTICE]),
        ("error", Level.WARNING, [Level.WARNING]),
        ('"off"', Level.ERROR, []),
    ],
)
def test_levels_cap(level: str, given: Level, left: list[Level]) -> None:
    judged = applied(f'levels: {{"2.1.7": {level}}}', [finding(S1, given)])
    assert [one.level for one in judged.findings] == left


@pytest.mark.parametrize(
    ("day", "phase", "level"),
    [
        ("2026-10-31", "before", Level.ERROR),
        ("2026-11-01", "open", Level.WARNING),
        ("2026-11-30", "open", Level.WARNING),
        ("2026-12-01", "closed", Level.ERROR),
    ],
)
def test_levels_by_phase_of_the_round(day: str, phase: str, level: Level) -> None:
    text = (
        "round: {name: v3, opens: 2026-11-01, closes: 2026-11-30, "
        'levels: {open: {"2.1.7": warning}, before: {"2.1.7": error}}}\nlevels: {"2.1.7": error}\n'
    )
    judged = applied(text, [finding(S1)], datetime.date.fromisoformat(day))
    assert judged.findings[0].level is level
    assert any("v3" in note and f"'{phase}'" in note for note in judged.notes)


def test_without_a_configuration_the_defaults_hold_and_that_is_said() -> None:
    judged = policy.apply(report([finding(S1)]), DEFAULT, policy.Occasion(DAY))
    assert judged.findings == (finding(S1),)
    assert any("no .github/submission-checks.yml" in note for note in judged.notes)


def test_scopes_are_those_of_the_report_with_the_root_as_a_dot() -> None:
    whole = report([], [Scope(".", "tree", "changed")])
    judged = policy.apply(whole, policy.load_text(WAIVER.encode()), policy.Occasion(DAY))
    assert not any("closed/Acme" in note for note in judged.notes)
    loose = policy.load_text(WAIVER.replace("closed/Acme/results/S1/**", "Closed").encode())
    assert any("matches no finding" in note for note in policy.apply(whole, loose, policy.Occasion(DAY)).notes)
