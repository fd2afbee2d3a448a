"""Whose folder a pull request touches, a submitter's own waivers, systems after the close; what stays unsaid."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pytest

from bot import policy
from bot.check_run import Context, completed
from bot.others import parted
from bot.policy import Occasion, Policy, PolicyFault
from checks.findings import Fault, Figure, Finding, Level, NotRun, Report, ResultRow, Scope, Touched, Verdict, Waived
from tests.bot.reports import BASE, HEAD, S1, finding, report

DAY = datetime.date(2026, 11, 15)
BOLT = "closed/Bolt/results/S9"
OWNERS = 'owners: {Acme: ["octocat"], Bolt: ["@octo-org/bolt", "hubot"], "*": ["monalisa"]}\n'
ACME, BOLTS = Touched("Acme", "closed/Acme", 5), Touched("Bolt", "closed/Bolt", 2)


def scope(path: str, reason: str = "results changed", kind: str = "system") -> Scope:
    folder = "/".join(path.split("/")[:2])
    return Scope(path, kind, reason, folder if path.startswith(("closed/", "open/")) else None)


def touching(*touched: Touched, scopes: tuple[Scope, ...] = (scope(S1),), **fields: object) -> Report:
    return report([], scopes, touched=touched, **fields)


def ruled(one: Report, text: str, author: str | None, today: datetime.date = DAY) -> Report:
    return policy.apply(one, policy.load_text(text.encode()), Occasion(today, author))


@pytest.mark.parametrize("author", ["octocat", "OctoCat", "monalisa", None])
def test_owners_and_those_who_own_all_may(author: str | None) -> None:
    judged = ruled(touching(ACME), OWNERS, author)
    assert (judged.findings, judged.not_run) == ((), ())


def test_somebody_else_gets_a_finding_on_the_folder() -> None:
    (found,) = ruled(touching(ACME, changed_paths=frozenset({f"{S1}/x"})), OWNERS, "mallory").findings
    assert (found.rule, found.level, found.path, found.scope) == (
        "owner.foreign-folder",
        Level.WARNING,
        "closed/Acme",
        S1,
    )
    assert "mallory" in found.message


def test_its_level_is_the_maintainers() -> None:
    strict = OWNERS + 'levels: {"owner.foreign-folder": error}\n'
    judged = ruled(touching(ACME), strict, "mallory")
    assert (judged.findings[0].level, judged.verdict) == (Level.ERROR, Verdict.FAIL)
    assert ruled(touching(ACME), OWNERS + 'levels: {"owner.foreign-folder": "off"}\n', "mallory").findings == ()
    waived = f"{OWNERS}waivers: [{{rule: owner.foreign-folder, path: closed/Acme, reason: moved, until: 2026-12-01}}]\n"
    assert [
        one.reason
        for one in ruled(touching(ACME, scopes=(scope("closed/Acme", kind="submitter"),)), waived, "m").waived
    ] == ["moved"]


def test_members_of_teams_can_not_be_judged_and_that_is_said() -> None:
    judged = ruled(touching(BOLTS, scopes=(scope(BOLT),)), OWNERS, "mallory")
    assert judged.findings == ()
    (unjudged,) = judged.not_run
    assert (unjudged.rule, unjudged.scope) == ("owner.foreign-folder", BOLT)
    assert "teams" in unjudged.reason
    assert ruled(touching(BOLTS), OWNERS, "hubot").not_run == ()


def test_a_submitter_without_owners_belongs_to_nobody() -> None:
    assert ruled(touching(Touched("Core", "open/Core", 1)), OWNERS, "mallory").findings == ()


def test_several_submitters_at_once_are_noticed() -> None:
    both = touching(ACME, BOLTS, scopes=(scope(S1), scope(BOLT)))
    (found,) = ruled(both, "", "mallory").findings
    assert (found.rule, found.level, found.scope) == ("owner.several-folders", Level.NOTICE, BOLT)
    assert ruled(both, 'owners: {"*": [monalisa]}\n', "monalisa").findings == ()


def test_a_folder_that_the_change_removed_is_told_at_the_root() -> None:
    (found,) = ruled(touching(ACME, scopes=(scope(S1, "removed"),)), OWNERS, "mallory").findings
    assert (found.path, found.scope) == (".", "closed/Acme")


def test_paths_are_those_of_the_repository_where_the_tree_lies_deeper() -> None:
    one = touching(ACME, changed_paths=frozenset({f"{S1}/x", "closed/Acme/waivers.yaml"}))
    found = {item.rule: item.path for item in ruled(one, f"{OWNERS}root: results\n", "mallory").findings}
    assert found == {
        "owner.foreign-folder": "results/closed/Acme",
        "owner.own-waivers": "results/closed/Acme/waivers.yaml",
    }


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (".github/submission-checks.yml", True),
        ("waivers.yaml", True),
        ("results/S1/my-waiver.json", True),
        ("results/S1/summary.json", False),
        ("waivers/notes.md", False),
    ],
)
def test_m_08_a_file_of_waivers_in_a_submission_is_noticed(name: str, told: bool) -> None:
    (*found,) = ruled(touching(ACME, changed_paths=frozenset({f"closed/Acme/{name}"})), "", "octocat").findings
    assert [(one.rule, one.level) for one in found] == [("owner.own-waivers", Level.NOTICE)] * told


ROUND = "round: {name: v3.0, opens: 2026-11-01, closes: 2026-11-30}\n"


@pytest.mark.parametrize(
    ("seen", "late"),
    [("2026-11-30T23:59:30", False), ("2026-12-01T00:00:30", True)],
)
def test_m_12_m_15_a_system_after_the_close_is_noted_by_its_first_sight(seen: str, late: bool) -> None:
    when = datetime.datetime.fromisoformat(seen).replace(tzinfo=datetime.UTC)
    new = touching(ACME, scopes=(scope(S1, "added"), scope("closed/Acme/results/S2")))
    occasion = Occasion(datetime.date(2026, 12, 2), "octocat", when)
    judged = policy.apply(new, policy.load_text(ROUND.encode()), occasion)
    notes = [note for note in judged.notes if "was added after round" in note]
    assert len(notes) == late
    assert judged.verdict is Verdict.PASS
    if late:
        assert "closed/Acme · S1" in notes[0]
        assert "2026-12-01 00:00:30 UTC" in notes[0]


def test_a_preview_of_the_configuration() -> None:
    before = b'levels: {"2.1.7": warning}\nwaivers: [{rule: "1", path: a, reason: r, until: 2026-12-01}]\n'
    after = b'levels: {"2.1.7": error, "2.1.8": notice}\ncomment: true\n'
    after += b"round: {name: v3, opens: 2026-01-01, closes: 2026-02-01}\n"
    known = {"2.1.7", "2.1.8", "1"}
    text = "\n".join(policy.preview(before, after, known))
    assert "has no effect on this check" in text
    for part in (
        "levels, 2.1.7: warning → error",
        "levels, 2.1.8: not set → notice",
        "comment: no → yes",
        "round: not set → v3 from 2026-01-01 to 2026-02-01 with 0 levels",
        "Waiver taken back: 1 on a until 2026-12-01 (r).",
    ):
        assert part in text
    assert any("same holds" in note for note in policy.preview(before, b"#\n" + before, known))
    assert any("defaults hold" in note for note in policy.preview(before, None, known))
    assert any("line 1: Unknown key nosuch" in note for note in policy.preview(None, b"nosuch: 1\n", known))
    assert any(
        "line 1: No rule has the id 9.9" in note for note in policy.preview(None, b'levels: {"9.9": error}\n', known)
    )
    assert any("1,048,577 bytes" in note for note in policy.preview(None, b"#" * (2**20 + 1), known))


def test_a_preview_tells_the_first_of_many_faults_and_changes() -> None:
    faulty = b"levels:\n" + b"".join(b'  "9.%d": error\n' % number for number in range(5_000))
    heading, *notes = policy.preview(None, faulty, {"2.1.7"})
    assert "no effect" in heading
    assert len(notes) == 21
    assert "line 2: No rule has the id 9.0." in notes[0]
    assert notes[-1] == "It has 4,980 more faults; `submission-bot config check` names them all."
    assert len(policy.faults_of(faulty, {"2.1.7"})) == 5_000
    *_, last = policy.preview(None, faulty, {f"9.{number}" for number in range(5_000)})
    assert last == "There are 4,980 more changes."
    owners = b"owners:\n" + b"".join(b"  Acme%d: [octocat]\n" % number for number in range(20))
    assert len(policy.preview(None, owners, set())) == 21


def shared() -> Report:
    """A change of Acme's that reaches Bolt by a code image which both use."""
    image = Scope("code-images/code-1", "code", "changed")
    reached = scope(BOLT, "code image code-1 changed")
    return report(
        [finding(S1), finding(BOLT, scope=BOLT, message="Bolt's figures")],
        (scope(S1), reached, image),
        touched=(ACME,),
        not_run=(NotRun("3.3.2", BOLT, "Bolt's file", BOLT),),
        waived=(Waived(finding(BOLT, scope=BOLT), "Bolt's excuse"),),
        faults=(Fault("3.3.2", BOLT, BOLT, "ref-of-bolt", "KeyError"),),
        results_preview=True,
        results=(ResultRow(BOLT, "closed", "unet3d", 5, (Figure("throughput", 1.0, "samples/s"),)),),
    )


def test_m_11_what_a_shared_image_reaches_is_a_number_only() -> None:
    bodies = completed(shared(), Context("octo-org/s", 7, HEAD, BASE, is_file=lambda _: True))
    text = str(bodies)
    assert "Bolt" not in text
    assert "S9" not in text
    assert "1 other submitter, 1 part" in text
    assert bodies[-1]["conclusion"] == "action_required"
    clean = replace(shared(), faults=())
    assert completed(clean, Context("octo-org/s", 7, HEAD, BASE))[-1]["conclusion"] == "failure"


def test_m_11_a_change_of_an_image_alone_names_nobody_and_a_whole_tree_everybody() -> None:
    shown, others = parted(replace(shared(), touched=()))
    assert [one.path for one in shown.scopes] == ["code-images/code-1"]
    assert others is not None
    assert others.submitters == 2
    assert parted(replace(shared(), paths_changed=0))[1] is None


def test_m_11_waivers_of_others_are_not_named() -> None:
    text = f'waivers: [{{rule: "1", path: "{BOLT}/**", reason: r, until: 2026-12-01}}]\n'
    assert not any("Bolt" in note for note in ruled(shared(), text, "octocat").notes)
    assert any("matches no finding" in note for note in ruled(shared(), text.replace(BOLT, S1), "octocat").notes)


def test_m_14_the_preview_shows_rows_and_blank_cells() -> None:
    full = Figure("save", 12.345, "GB/s")
    rows = tuple(
        ResultRow(S1, "closed", name, 5, cells)
        for name, cells in (("a", (full,)), ("b", (full, Figure("load", None, "GB/s"))))
    )
    text = completed(report([], results=rows, results_preview=True), Context("o/s", 7, HEAD, BASE))[-1]["output"][
        "summary"
    ]
    assert "| S1 | closed | a | 5 | save 12.3 GB/s |" in text
    assert "| S1 | closed | b | 5 | save 12.3 GB/s, load ⚠️ blank |" in text
    off = completed(report([], results=rows), Context("o/s", 7, HEAD, BASE))[-1]["output"]["summary"]
    assert "12.3" not in off


def test_what_the_base_has_already_stands_apart() -> None:
    old, new = finding(f"{S1}/old", on_base=True, message="old"), finding(f"{S1}/new", message="new")
    text = completed(report([old, new]), Context("o/s", 7, HEAD, BASE))[-1]["output"]["summary"]
    first, _, second = text.partition("Already on the base")
    assert "new" in first.partition("mended first")[2]
    assert "old" in second
    lenient = report([old], base_counts=False)
    (body,) = completed(lenient, Context("o/s", 7, HEAD, BASE, changed_files=frozenset({f"{S1}/old"})))
    assert body["conclusion"] == "success"
    assert "not counted here" in body["output"]["summary"]
    assert "already" in body["output"]["annotations"][0]["message"]
    assert body["output"]["title"] == "1 system changed: it passes"


def test_unknown_authors_and_policies_of_none() -> None:
    judged = policy.apply(touching(ACME), Policy(), Occasion(DAY))
    assert isinstance(judged.findings, tuple)
    with pytest.raises(PolicyFault):
        policy.load_text(b"owners: [Acme]\n")


def test_findings_of_owners_keep_the_levels_of_others() -> None:
    one = replace(touching(ACME, BOLTS), findings=(Finding("a", "m", rule="2.1.7", level=Level.NOTICE, scope=S1),))
    levels = [found.level for found in ruled(one, "", "x").findings]
    assert levels == [Level.NOTICE, Level.NOTICE]
