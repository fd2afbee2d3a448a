"""Bodies of check runs: within GitHub's limits of bytes, in an order that never passes by accident."""

import datetime
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot import check_run
from bot.check_run import Body, Context, Key
from bot.policy import Annotations, Policy, Waiver
from checks.findings import Fact, Fault, Finding, Level, NotRun, Report, Scope, Waived
from tests.bot.reports import BASE, HEAD, MERGE_BASE, S1, S2, finding, report
from tests.github import limits

KEY = Key("Submission checks", HEAD, "pull:7:b", "https://bot.example/checks/octo/results/a")
PATH = f"{S1}/summary.json"


def context(policy: Policy | None = None, changed: frozenset[str] = frozenset({PATH})) -> Context:
    return Context(
        repository="octo/results",
        number=7,
        head_sha=HEAD,
        base_sha=BASE,
        details_url=KEY.details_url,
        changed_files=changed,
        policy=policy or Policy(),
        checked_at=datetime.datetime(2026, 11, 30, 12, 0, tzinfo=datetime.UTC),
    )


def many(number: int) -> list[Finding]:
    return [finding(PATH, line=line, message=f"fault {line}") for line in range(1, number + 1)]


def legal(bodies: list[Body]) -> None:
    """What GitHub refuses, by the stand-in's own rules, and what must hold for a gate that never lies."""
    for body in bodies:
        assert list(limits.faults_of_check_run(body)) == []
        assert len(body["output"].get("annotations", ())) <= 50
        assert body["output"]["title"]
    assert ["conclusion" in body for body in bodies] == [False] * (len(bodies) - 1) + [True]


@pytest.mark.parametrize(("findings", "requests"), [(0, 1), (1, 1), (50, 1), (51, 2), (143, 3), (250, 5)])
def test_fifty_annotations_a_request_and_the_conclusion_last(findings: int, requests: int) -> None:
    bodies = check_run.completed(report(many(findings)), context())
    legal(bodies)
    assert len(bodies) == requests
    assert sum(map(check_run.annotations_in, bodies)) == findings
    assert bodies[-1]["conclusion"] == ("failure" if findings else "success")
    assert bodies[-1]["status"] == "completed"


def test_beyond_the_limit_the_summary_says_so() -> None:
    bodies = check_run.completed(report(many(2607)), context(Policy(annotations=Annotations(limit=60))))
    legal(bodies)
    assert [check_run.annotations_in(body) for body in bodies] == [50, 10]
    assert "2607 findings (2607 errors), 60 annotations" in bodies[-1]["output"]["summary"]
    assert "2547 beyond the limit of 60 annotations" in bodies[-1]["output"]["summary"]


def test_summary_says_what_was_checked_from_where_and_how_to_do_it_again() -> None:
    waived = Waived(finding(S2, rule="2.1.17", name="runTimestamps"), "agreed in the meeting", "2026-12-31")
    whole = report(
        [finding(PATH)],
        [S1, Scope(S2, "system", "code image code-4a3ce79d changed")],
        not_run=(NotRun("3.3.2", S1, "summary.json is missing (see 2.1.19)", f"{S1}/run"),),
        waived=(waived,),
        notes=("The round is open.",),
    )
    (body,) = check_run.completed(whole, context(Policy(disputed={"2.1.7": "https://tracker.example/7"})))
    text = body["output"]["summary"]
    assert body["output"]["title"] == "2 systems changed: 1 passes, 1 has 1 error"
    for part in (
        "| closed/Acme · S1 | ❌ 1 error | 1 | 0 | results changed |",
        "| closed/Acme · S2 | ✅ passes | 0 | 0 | code image code-4a3ce79d changed |",
        "**2.1.7 systemsDirectoryFiles**, 1 finding, first on `closed/Acme/results/S1/summary.json`",
        "3.3.2 on `closed/Acme/results/S1/run`: summary.json is missing",
        "WAIVED **2.1.17 runTimestamps** `closed/Acme/results/S2` until 2026-12-31: agreed in the meeting",
        "The round is open.",
        "2.1.7 is disputed",
        "(<https://tracker.example/7>)",
        "Checked 214 of 214 changed paths",
        f"Head `{HEAD}`, base `{BASE}` (merge base `{MERGE_BASE}`)",
        "rules storage, edition 2.0",
        "submission-bot 1.2.3",
        "2026-11-30 12:00:00 UTC",
        f"submission-bot check --repo . --base {BASE} --head {HEAD}",
        "[Full report](<https://bot.example/checks/octo/results/a>)",
    ):
        assert part in text
    assert "- ❌ error **2.1.7 systemsDirectoryFiles**" in body["output"]["text"]


def test_a_verdict_on_the_merge_says_into_what_and_how_to_repeat_it() -> None:
    (still,) = check_run.completed(report(), context())
    (moved,) = check_run.completed(report(), replace(context(), merged_into="v3`@octo"))
    assert "merge into" not in still["output"]["summary"]
    assert "--merged" not in still["output"]["summary"]
    assert f"the verdict is for the merge into ``v3`@octo`` at `{BASE}`" in moved["output"]["summary"]
    assert f"--base {BASE} --head {HEAD} --merged" in moved["output"]["summary"]


def test_nothing_changed_is_a_success_that_says_so() -> None:
    (body,) = check_run.completed(report([], [], paths_changed=1, paths_seen=1), context())
    legal([body])
    assert (body["conclusion"], body["output"]["title"]) == ("success", "No submitted system changed")
    assert "Checked 1 of 1 changed path" in body["output"]["summary"]
    assert check_run.no_change(context())["conclusion"] == "success"


def test_own_faults_never_pass_and_are_told_apart() -> None:
    whole = report([], [S1, S2], faults=(Fault("2.1.7", S1, PATH, "7f3a", "KeyError"),))
    (body,) = check_run.completed(whole, context())
    assert body["conclusion"] == "action_required"
    assert body["output"]["title"] == "Checker fault, not your submission"
    assert "| closed/Acme · S1 | 🔧 checker fault | 0 | 0 |" in body["output"]["summary"]
    assert "| closed/Acme · S2 | ✅ passes |" in body["output"]["summary"]
    assert "Reference `7f3a`" in body["output"]["summary"]


def test_a_path_that_nobody_looked_at_never_passes() -> None:
    (body,) = check_run.completed(report([], paths_seen=213), context())
    assert body["conclusion"] == "action_required"
    assert "Checked 213 of 214" in body["output"]["summary"]


def test_warnings_alone_pass() -> None:
    (body,) = check_run.completed(report([finding(PATH, Level.WARNING)]), context())
    assert body["conclusion"] == "success"
    assert body["output"]["annotations"][0]["annotation_level"] == "warning"


def test_bodies_of_the_other_states_are_legal() -> None:
    assert list(limits.faults_of_check_run(check_run.queued(KEY))) == []
    assert list(limits.faults_of_check_run(check_run.in_progress(KEY))) == []
    for body, conclusion in (
        (check_run.cancelled("d" * 40), "cancelled"),
        (check_run.fault("7f3a", "the git fetch failed: @all <b>"), "action_required"),
        (check_run.faulty_configuration(".github/submission-checks.yml", BASE, 3, "unknown key"), "action_required"),
        (check_run.rejected("No common history", "no merge base", "Rebase."), "failure"),
    ):
        legal([body])
        assert body["conclusion"] == conclusion
        assert "<b>" not in body["output"]["summary"]
    assert "d" * 40 in check_run.cancelled("d" * 40)["output"]["summary"]
    assert "Line 3: unknown key" in check_run.faulty_configuration("f", BASE, 3, "unknown key")["output"]["summary"]


def test_a_refused_result_becomes_a_plain_one_that_does_not_pass() -> None:
    failed = check_run.completed(report(many(3)), context())[-1]
    passed = check_run.completed(report([]), context())[-1]
    assert check_run.plain(failed)["conclusion"] == "failure"
    assert check_run.plain(failed)["output"]["title"] == failed["output"]["title"]
    assert check_run.plain(passed)["conclusion"] == "action_required"
    assert "annotations" not in check_run.plain(failed)["output"]


LONG = ("```\n" * 500, "@" * 3000, "漢🚀é" * 700, "a|`b`" * 600)
texts = st.one_of(st.text(max_size=20), st.sampled_from(LONG))
findings = st.builds(
    finding,
    path=st.one_of(st.just(PATH), st.just(S1), texts),
    level=st.sampled_from([Level.ERROR, Level.WARNING, Level.NOTICE]),
    scope=st.sampled_from([S1, S2]),
    rule=texts,
    name=texts,
    message=texts.map("x{}".format),
    hint=st.one_of(st.none(), texts),
    line=st.one_of(st.none(), st.integers(1, 10**6)),
    count=st.integers(1, 1000),
)


def multiplied(parts: tuple[list[Finding], int]) -> list[Finding]:
    return parts[0] * parts[1]


@settings(max_examples=20, deadline=None)
@given(
    st.tuples(st.lists(findings, max_size=6), st.sampled_from([1, 20])).map(multiplied),
    st.lists(st.builds(Scope, path=texts, kind=st.sampled_from(["system", "code"]), reason=texts), max_size=4),
    st.sampled_from([1, 400]),
    st.lists(texts, max_size=12),
)
def test_every_report_keeps_the_limits(found: list[Finding], scopes: list[Scope], times: int, notes: list[str]) -> None:
    whole = report(
        found,
        [S1, S2, *scopes * times],
        notes=tuple(notes),
        not_run=tuple(NotRun("3.3.2", S1, note, note) for note in notes),
        waived=tuple(Waived(one, one.message, None) for one in found),
        faults=tuple(Fault("2.1", S1, note, "ref", "E") for note in notes),
    )
    bodies = check_run.completed(whole, context())
    legal(bodies)
    summary = bodies[-1]["output"]["summary"]
    assert "### The same check on your machine" in summary
    assert f"--head {HEAD}" in summary
    if found:
        assert all_lines_are_ours(bodies[-1]["output"]["text"], whole)


def all_lines_are_ours(text: str, whole: Report) -> bool:
    """Whether the details, as Markdown, are nothing but headings and one list item per finding."""
    tokens = [token.type for token in MarkdownIt("gfm-like", {"linkify": False}).parse(text)]
    plain = {"heading", "paragraph", "bullet_list", "list_item"}
    allowed = {f"{name}_{end}" for name in plain for end in ("open", "close")} | {"inline"}
    return set(tokens) <= allowed and tokens.count("list_item_open") <= len(whole.findings)


def test_a_thousand_systems_fit_with_the_failing_ones_first() -> None:
    scopes = [f"closed/Acme/results/System-{number:04}" for number in range(3000)]
    whole = report([finding(scopes[-1], scope=scopes[-1])], scopes)
    (body,) = check_run.completed(whole, context())
    legal([body])
    rows = [line for line in body["output"]["summary"].splitlines() if line.startswith("| closed")]
    assert rows[0].startswith("| closed/Acme · System-2999 | ❌ 1 error |")
    assert f"{3000 - len(rows)} more rows are left out here" in body["output"]["summary"]


def test_output_about_one_submitter_names_no_other() -> None:
    (body,) = check_run.completed(report(many(2)), context())
    assert "Other" not in body["output"]["summary"] + body["output"]["text"]


def curves(systems: list[str], points: int) -> tuple[Fact, ...]:
    """Facts of one curve of each system."""
    figures = (("concurrency", 1), ("region", "High throughput"), ("system_tps", 123456.7), ("duration_s", 1234.5))
    return tuple(
        Fact(system, name, point if name == "concurrency" else value, "", f"{system}/llama/r{point}")
        for system in systems
        for point in range(1, points)
        for name, value in figures
    )


def test_the_table_of_verdicts_goes_before_the_previews_which_say_what_they_lack() -> None:
    systems = [f"acme/sub-0001/results/sys_{number:03}" for number in range(60)]
    whole = report([finding(systems[55], scope=systems[55])], systems, facts=curves(systems, 33), results_preview=True)
    text = check_run.completed(whole, context())[-1]["output"]["summary"]
    rows = [line for line in text.splitlines() if line.startswith("| acme/sub-0001 · sys")]
    shown = text.count("| Concurrency |")
    assert len(rows) == 60
    assert rows[55].startswith("| acme/sub-0001 · sys\\_055 | ❌ 1 error |")
    assert 0 < shown < 60
    assert f"{60 - shown} more curves are left out here; the command below with `--format markdown`" in text


def test_previews_without_any_room_are_still_told_and_failing_systems_are_kept() -> None:
    systems = [f"acme/{'s' * 900}{number:03}/results/sys" for number in range(99)]
    systems += [f"acme/{number}/results/{'漢' * 300}" for number in range(400)]
    whole = report([finding(systems[-1], scope=systems[-1])], systems, facts=curves(systems[:3], 40))
    text = check_run.completed(replace(whole, results_preview=True), context())[-1]["output"]["summary"]
    assert "❌ 1 error" in text
    assert "3 more curves are left out here" in text


def test_what_fails_is_kept_where_rows_of_a_short_table_have_to_go() -> None:
    systems = [f"acme/{number:02}{'*' * 190}/results/sys" for number in range(100)]
    waived = tuple(Waived(finding("*" * 300, message="m"), "*" * 400, None) for _ in range(10))
    not_run = tuple(NotRun("3.3.2", S1, "*" * 400, "p") for _ in range(10))
    faults = tuple(Fault("*" * 800, S1, "p", "r", "E") for _ in range(10))
    notes = tuple("*" * 400 for _ in range(10))
    found = [finding(systems[-1], scope=systems[-1])]
    whole = report(found, systems, waived=waived, not_run=not_run, faults=faults, notes=notes)
    text = check_run.completed(whole, context())[-1]["output"]["summary"]
    assert "more rows are left out here" in text
    assert "❌ 1 error" in text


def test_new_findings_go_before_those_of_the_base() -> None:
    old = [replace(one, on_base=True, message="x" * 390) for one in many(300)]
    late = finding(PATH, line=900, message="NEW FAULT")
    for whole in (report([*old, late]), report([*old, replace(late, level=Level.WARNING)], base_counts=False)):
        bodies = check_run.completed(whole, context())
        legal(bodies)
        posted = [one["message"] for body in bodies for one in body["output"]["annotations"]]
        assert "NEW FAULT" in posted
        assert "NEW FAULT" in bodies[-1]["output"]["text"]
        shown = bodies[-1]["output"]["text"].count("\n- ")
        assert f"Only the {shown} most urgent have room here" in bodies[-1]["output"]["text"]


@pytest.mark.parametrize("number", [2, 5, 100])
def test_the_worst_of_several_keeps_its_end_and_says_what_is_left_out(number: int) -> None:
    scopes = [f"closed/Acme/results/System-{number:04}" for number in range(800)]
    whole = report([finding(scope, scope=scope) for scope in scopes], scopes)
    told = [f"#{one} into branch-{one} at {BASE}: failure, {'*' * 200}" for one in range(number)]
    bodies = check_run.together(check_run.completed(whole, replace(context(), comparisons=number)), told)
    legal(bodies)
    text = bodies[-1]["output"]["summary"]
    shown = text.count(" into branch-")
    assert text.count("```") == 2
    for part in (f"--head {HEAD}", f"Head `{HEAD}`", "edition 2.0", "more rows are left out here", "Full report"):
        assert part in text
    assert shown >= min(number, 10)
    assert (f"- and {number - shown} more pull requests" in text) == (shown < number)


def test_a_list_that_is_cut_twice_counts_what_is_left_out() -> None:
    waived = tuple(Waived(finding(f"{S1}/{'q' * 300}", message="m"), "*" * 400, "2099-01-01") for _ in range(300))
    (body,) = check_run.completed(report([], waived=waived), context())
    shown = body["output"]["summary"].count("- WAIVED")
    assert shown < 10
    assert f"- and {300 - shown} more; the command below shows all" in body["output"]["summary"]


def test_the_command_names_the_author_where_owners_are_configured() -> None:
    by_bot = replace(context(Policy(owners={"Acme": ("octocat",)})), author="some-app[bot]")
    (body,) = check_run.completed(report(), by_bot)
    assert f"--head {HEAD} --author 'some-app[bot]'\n" in body["output"]["summary"]
    (body,) = check_run.completed(report(), replace(context(), author="octocat"))
    assert "--author" not in body["output"]["summary"]


def test_waivers_that_only_the_service_knows_are_said_not_to_hold_at_home() -> None:
    waived = tuple(Waived(finding(PATH, message=f"m{number}"), "agreed", None) for number in range(11))
    of_file = Waiver("2.1.7", PATH, "agreed", datetime.date(2099, 1, 1))
    for waiver, told in ((of_file, False), (replace(of_file, author="octocat"), True)):
        (body,) = check_run.completed(report([], waived=waived), context(Policy(waivers=(waiver,))))
        text = body["output"]["summary"]
        assert ("(`/waive`) are not known there" in text) == told
        assert ("- and 1 more; the command below shows all" in text) != told
        assert "- and 1 more" in text


def test_notes_that_have_no_room_are_not_said_to_be_shown_at_home() -> None:
    (body,) = check_run.completed(report([], notes=tuple(f"Note {number}." for number in range(12))), context())
    assert "- and 2 more\n" in body["output"]["summary"]
