"""What maintainers of submission repositories ask for (M-05 … M-21 of docs/public-reports.md), over the whole road.

Commands (M-01, M-03, M-04, M-19) are tested in test_conversation.py, owners and what stays unsaid in test_owners.py.
"""

from __future__ import annotations

import datetime
import json
import re
import sqlite3
from collections.abc import Mapping

import pytest

from tests.bot.conftest import FILES
from tests.bot.maintained import (
    AUTHOR,
    B_WITHOUT_PDF,
    CONFIGURATION,
    STRANGER,
    completed,
    configuration,
    github,  # noqa: F401 - a fixture
    new_repository,
    pull,
    push,
    said,
    service,  # noqa: F401 - a fixture
    settled,
)
from tests.bot.service import Service, until
from tests.github import GitHub, PullRequest, Repository
from tests.github.records import Comment
from tests.trees.endpoints import Curve, EndpointsTree, spread
from tests.trees.storage import StorageTree
from tests.trees.storage_code import SOURCE
from tests.trees.storage_whole import SECOND_SOURCE

TODAY = datetime.datetime.now(datetime.UTC).date()
YESTERDAY, TOMORROW = (TODAY + datetime.timedelta(days=days) for days in (-1, 1))


def test_m_06_a_change_of_the_configuration_is_previewed_and_has_no_effect(github: GitHub) -> None:  # noqa: F811
    repository = new_repository(github)
    lenient = configuration('comment: true\nowners: {Acme: ["octocat"]}', on=())
    one = pull(github, repository, {**B_WITHOUT_PDF, CONFIGURATION: lenient})
    run = completed(github, repository, one.head_sha)
    assert run.conclusion == "failure"
    text = run.summary.replace("\\", "")
    assert "has no effect on this check" in text
    assert "Would change levels, 2.1.7: not set → off." in text
    assert "Would change comment: no → yes." in text
    push(github, one, {CONFIGURATION: b"rules: storage\nlevel: {}\n"})
    assert "line 2: Unknown key level" in completed(github, repository, one.head_sha).summary.replace("\\", "")


def test_a_faulty_configuration_is_told_with_what_the_change_makes_of_it(github: GitHub) -> None:  # noqa: F811
    repository = new_repository(github, more="nosuch: 1")
    one = pull(github, repository, {CONFIGURATION: configuration()})
    run = completed(github, repository, one.head_sha)
    assert run.conclusion == "action_required"
    assert "Unknown key nosuch" in run.summary
    assert "has no effect on this check" in run.summary
    many = b"levels:\n" + b"".join(b'  "%d.&<@|*_~": error\n' % number for number in range(5_000))
    push(github, one, {CONFIGURATION: many})
    run = completed(github, repository, one.head_sha)
    assert run.conclusion == "action_required"
    assert "4,980 more faults" in run.summary.replace("\\", "")


@pytest.mark.parametrize(
    ("closes", "phase", "conclusion"), [(TOMORROW, "open", "success"), (YESTERDAY, "closed", "failure")]
)
def test_m_07_m_15_the_round_decides_the_level_and_late_systems_are_noted(
    github: GitHub,  # noqa: F811
    closes: datetime.date,
    phase: str,
    conclusion: str,
) -> None:
    opens = YESTERDAY - datetime.timedelta(days=30)
    round_ = f'round: {{name: v3.0, opens: {opens}, closes: {closes}, levels: {{open: {{"2.1.7": warning}}}}}}'
    repository = new_repository(github, more=round_)
    one = pull(github, repository, B_WITHOUT_PDF)
    run = completed(github, repository, one.head_sha)
    text = run.summary.replace("\\", "")
    assert run.conclusion == conclusion
    assert f"its phase '{phase}'" in text
    assert ("was added after round v3.0 had closed" in text) is (phase == "closed")


def test_m_08_a_submitters_own_waivers_have_no_effect(github: GitHub) -> None:  # noqa: F811
    repository = new_repository(github)
    own = configuration('waivers: [{rule: "2.1.7", path: "closed/**", reason: own, until: 2099-01-01}]')
    one = pull(github, repository, {**B_WITHOUT_PDF, "closed/Acme/waivers.yml": own})
    run = completed(github, repository, one.head_sha)
    assert run.conclusion == "failure"
    assert ("notice", "owner.own-waivers noOwnWaivers") in {
        (note["annotation_level"], note["title"]) for note in run.annotations
    }


def commented(github: GitHub, service: Service) -> tuple[Repository, PullRequest, Comment]:  # noqa: F811
    """A pull request that the bot has commented on."""
    repository = new_repository(github, more="comment: true")
    one = pull(github, repository, B_WITHOUT_PDF)
    completed(github, repository, one.head_sha)
    settled(service)
    (comment,) = said(github, one)
    return repository, one, comment


def test_m_10_one_comment_is_kept_up_to_date(github: GitHub, service: Service) -> None:  # noqa: F811
    repository, one, comment = commented(github, service)
    for number in range(2):
        push(github, one, {"closed/Acme/systems/B.md": str(number).encode()})
        completed(github, repository, one.head_sha)
        settled(service)
    (same,) = said(github, one)
    assert same.id == comment.id
    assert one.head_sha in same.body
    assert "has 2 errors" in same.body
    push(github, one, dict.fromkeys([*B_WITHOUT_PDF, "closed/Acme/systems/B.md"]))
    completed(github, repository, one.head_sha)
    settled(service)
    (same,) = said(github, one)
    assert one.head_sha in same.body
    assert "Nothing is to be mended" in same.body


def test_m_10_a_comment_that_somebody_deleted_comes_again_once(github: GitHub, service: Service) -> None:  # noqa: F811
    repository, one, gone = commented(github, service)
    del github.state.comments[gone.id]
    for number in range(2):
        push(github, one, {"closed/Acme/systems/B.md": str(number).encode()})
        completed(github, repository, one.head_sha)
        settled(service)
    (again,) = said(github, one)
    assert one.head_sha in again.body


def test_m_10_what_passes_is_not_commented(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github, more="comment: true", on=())
    silent = new_repository(github)
    clean = pull(github, repository, B_WITHOUT_PDF)
    quiet = pull(github, silent, B_WITHOUT_PDF)
    completed(github, silent, quiet.head_sha)
    for number in range(2):
        assert completed(github, repository, clean.head_sha).conclusion == "success"
        push(github, clean, {"closed/Acme/systems/B.md": str(number).encode()})
    completed(github, repository, clean.head_sha)
    settled(service)
    assert said(github, clean) == []
    assert said(github, quiet) == []


def test_m_10_a_refused_comment_changes_no_verdict(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github, more="comment: true")
    github.faults.add("POST", "/comments$", status=403, body={"message": "Resource not accessible by integration"})
    one = pull(github, repository, B_WITHOUT_PDF)
    assert completed(github, repository, one.head_sha).conclusion == "failure"
    settled(service)
    assert github.faults.pending == 0
    assert said(github, one) == []


def test_m_11_a_shared_image_names_no_other_submitter(github: GitHub, service: Service) -> None:  # noqa: F811
    tree = StorageTree("v3", "root-pool")
    for name in ("Acme", "Bolt"):
        tree.submitter(name).system("S1").checkpointing()
    image = next(
        path for path in tree.files if path.count("/") > 1 and path.startswith("code-images/") and "json" not in path
    )
    repository = new_repository(github, files=tree.files)
    one = pull(github, repository, {image: b"changed\n", "closed/Acme/systems/notes.md": b"x\n"})
    run = completed(github, repository, one.head_sha)
    assert "1 other submitter" in run.summary
    assert "Bolt" not in f"{run.title} {run.summary} {run.text} {run.annotations}"


def test_m_12_first_sights_are_recorded_and_shown(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    one = pull(github, repository, B_WITHOUT_PDF)
    first = completed(github, repository, one.head_sha)
    before, tree = one.head_sha, str(repository.git.odb[one.head_sha].tree_id)
    (shown,) = re.findall(r"This head was first seen (.*? UTC), its content \(tree `(\w+)`\) (.*? UTC)", first.summary)
    assert (shown[0], shown[1]) == (shown[2], tree)
    parent = repository.git.ref("refs/heads/main")
    files = {path: data for path, data in B_WITHOUT_PDF.items() if data}
    amended = repository.git.commit(files, base=parent, message="Amended")
    github.synchronize(one, amended)
    second = completed(github, repository, amended)
    (again,) = re.findall(r"This head was first seen (.*? UTC), its content \(tree `(\w+)`\) (.*? UTC)", second.summary)
    assert (again[1], again[2]) == (tree, shown[0])
    assert again[0] >= shown[0]
    with sqlite3.connect(service.data / "submission-bot.sqlite3") as database:
        query = "SELECT tree_sha FROM seen_heads WHERE repository_id = ? AND head_sha IN (?, ?)"
        rows = database.execute(query, (repository.id, before, amended)).fetchall()
    assert rows == [(tree,), (tree,)]


def test_m_14_a_preview_row_of_the_results_table(github: GitHub) -> None:  # noqa: F811
    tree = StorageTree("document")
    runs = tree.submitter("Acme").system("S1").training().runs
    repository = new_repository(github, more="results_preview: true", files=tree.files)
    one = pull(github, repository, {runs[1].summary: tree.files[runs[1].summary] + b"\n"})
    run = completed(github, repository, one.head_sha)
    text = run.summary.replace("\\", "")
    assert re.search(r"\| S1 \| closed \| training/\w+ \| 5 \| throughput [\d,.]+ samples/s \|", text)
    bare: dict[str, bytes | None] = {}
    for leaf in runs:
        summary = json.loads(tree.files[leaf.summary])
        del summary["metric"]["train_throughput_mean_samples_per_second"]
        bare[leaf.summary] = json.dumps(summary).encode()
    push(github, one, bare)
    run = completed(github, repository, one.head_sha)
    assert "⚠️ blank" in run.summary
    assert run.conclusion == "success"


def test_m_17_the_base_has_it_already(github: GitHub) -> None:  # noqa: F811
    files = {path: data for path, data in B_WITHOUT_PDF.items() if data is not None}
    strict, lenient = (
        new_repository(github, files=files),
        new_repository(github, "baseline: {fails: false}", files=files),
    )
    more: dict[str, bytes | None] = {"closed/Acme/results/B/training/unet3d/more.txt": b"x\n"}
    for repository, conclusion in ((strict, "failure"), (lenient, "success")):
        github.clear_requests()
        one = pull(github, repository, more)
        run = completed(github, repository, one.head_sha)
        assert "Already on the base" in run.summary
        assert run.conclusion == conclusion
        assert len(github.git_requests) <= 4
    new = completed(github, lenient, pull(github, lenient, {"closed/Acme/systems/C.yaml": b"name: C\n"}).head_sha)
    assert new.conclusion == "failure"


def test_s_21_owners_are_people_named_by_the_configuration(github: GitHub) -> None:  # noqa: F811
    repository = new_repository(github, more=f'owners: {{Acme: ["{AUTHOR}"]}}', on=())
    own = completed(github, repository, pull(github, repository, B_WITHOUT_PDF).head_sha)
    assert own.annotations == []
    foreign = pull(github, repository, {**B_WITHOUT_PDF, "closed/Acme/systems/B.md": b"\n"}, author=STRANGER)
    (note,) = completed(github, repository, foreign.head_sha).annotations
    assert (note["annotation_level"], note["title"]) == ("warning", "owner.foreign-folder ownFolder")
    several = pull(github, repository, {**B_WITHOUT_PDF, "open/Bolt/systems/x.md": b"x"})
    assert "owner.several-folders oneSubmitter" in {
        one["title"] for one in completed(github, repository, several.head_sha).annotations
    }


def test_m_13_a_sister_that_was_merged_is_seen_by_the_others(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    sister = pull(github, repository, {"closed/Acme/systems/C.md": b"x\n"})
    one = pull(github, repository, B_WITHOUT_PDF)
    before = completed(github, repository, one.head_sha)
    completed(github, repository, sister.head_sha)
    github.close(sister, merge=True)
    settled(service)
    (after,) = [run for run in github.check_runs(repository, one.head_sha) if run.id >= before.id][-1:]
    merged = str(repository.git.ref("refs/heads/main"))
    assert (after.status, after.conclusion) == ("completed", "failure")
    assert f"base `{merged}`" in after.summary


def test_m_13_two_amendments_that_fit_alone_are_told_once_one_is_merged(github: GitHub, service: Service) -> None:  # noqa: F811
    tree = EndpointsTree()
    curve = tree.submission().system("sys_000").curve("llama3_1-8b", spread(31), offline="elected")
    repository = new_repository(github, files=tree.files, on=("point-cap",), rules="endpoints")
    before = dict(tree.files)
    seven, eight = (pull(github, repository, added_points(tree, curve, before, one)) for one in (17, 18))
    for one in (seven, eight):
        assert completed(github, repository, one.head_sha).conclusion == "success"
    github.close(seven, merge=True)
    settled(service)
    told = github.check_runs(repository, eight.head_sha)[-1]
    assert (told.status, told.conclusion) == ("completed", "failure")
    merged = repository.git.ref("refs/heads/main")
    assert "33 points of distinct concurrencies, at most 32 allowed" in told.summary.replace("\\", "")
    assert f"the verdict is for the merge into `main` at `{merged}`" in told.summary
    assert f"check --repo . --base {merged} --head {eight.head_sha} --merged" in told.summary
    assert {note["path"].split("/")[-2] for note in told.annotations} == {"r18"}


def added_points(
    tree: EndpointsTree, curve: Curve, before: Mapping[str, bytes], concurrency: int
) -> dict[str, bytes | None]:
    """The files of one more point, in no other pull request's tree."""
    known = set(tree.files)
    curve.add(concurrency)
    added: dict[str, bytes | None] = {path: data for path, data in tree.files.items() if path not in known}
    assert all(before[path] == tree.files[path] for path in before)
    return added


def test_m_13_a_code_image_that_another_pull_request_took_away(github: GitHub, service: Service) -> None:  # noqa: F811
    base, without, more = (acme(*systems) for systems in (("S1", "S2"), ("S1",), ("S1", "S2", "S3")))
    repository = new_repository(github, 'edition: "3.0"', files=base, on=("2.1.6",))
    seven = pull(github, repository, dict.fromkeys(set(base) - set(without)))
    eight = pull(github, repository, {path: data for path, data in more.items() if path not in base})
    for one in (seven, eight):
        assert completed(github, repository, one.head_sha).conclusion == "success"
    github.close(seven, merge=True)
    settled(service)
    told = github.check_runs(repository, eight.head_sha)[-1]
    assert (told.status, told.conclusion) == ("completed", "failure")
    assert {note["path"].rpartition("/results/")[2].partition("/")[0] for note in told.annotations} == {"S3"}


def acme(*systems: str) -> dict[str, bytes]:
    """The files of Acme's systems, of which all but S1 share a code image."""
    tree = StorageTree("v3")
    submitter = tree.submitter("Acme")
    for name in systems:
        submitter.system(name, source=SOURCE if name == "S1" else SECOND_SOURCE).checkpointing()
    return tree.files


def test_m_13_a_pull_request_first_heard_of_late_is_judged_into_the_tip(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    main = str(repository.git.ref("refs/heads/main"))
    known = pull(github, repository, {"closed/Acme/systems/A.md": b"x\n"})
    completed(github, repository, known.head_sha)
    unheard = repository.git.commit({"closed/Acme/systems/notes.txt": b"x\n"}, base=main)
    late = github.open_pull_request(repository, unheard, author=AUTHOR, send=False)
    github.push(repository, repository.git.commit({"closed/Acme/systems/X.yaml": b"name: X\n"}, base=main))
    settled(service)
    assert late.base_sha == main
    github.ready_for_review(late)
    told = completed(github, repository, late.head_sha)
    assert f"the verdict is for the merge into `main` at `{repository.git.ref('refs/heads/main')}`" in told.summary
    delivery = github.deliveries[-1]
    github.deliver(delivery.event, delivery.payload)
    settled(service)
    assert [run.id for run in github.check_runs(repository, late.head_sha)] == [told.id]


def test_m_13_a_push_that_is_told_late_brings_no_old_tip_back(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    one = pull(github, repository, {"closed/Acme/systems/notes.txt": b"x\n"})
    completed(github, repository, one.head_sha)
    moves = []
    for name in ("X", "Y"):
        main = repository.git.ref("refs/heads/main")
        files = {f"closed/Acme/systems/{name}.yaml": b"name: x\n"}
        moves.append(github.push(repository, repository.git.commit(files, base=main)))
        settled(service)
    assert moves[0] is not None
    github.deliver(moves[0].event, moves[0].payload)
    settled(service)
    newest = github.check_runs(repository, one.head_sha)[-1]
    assert f"the merge into `main` at `{repository.git.ref('refs/heads/main')}`" in newest.summary


def test_m_13_what_only_the_base_has_is_told_without_an_annotation(github: GitHub) -> None:  # noqa: F811
    repository = new_repository(github, "annotations: {unchanged_files: annotate}")
    one = pull(github, repository, {"closed/Acme/systems/notes.txt": b"x\n"})
    completed(github, repository, one.head_sha)
    main = repository.git.ref("refs/heads/main")
    github.push(repository, repository.git.commit({"closed/Acme/systems/X.yaml": b"name: X\n"}, base=main))
    push(github, one, {"closed/Acme/systems/more.txt": b"x\n"})
    told = completed(github, repository, one.head_sha)
    assert "Already on the base" in told.summary
    assert "X.yaml" in told.summary.replace("\\", "")
    assert {note["path"].rpartition("/")[2] for note in told.annotations} == {"notes.txt", "more.txt"}


def test_m_13_no_annotation_stands_on_lines_that_the_head_does_not_have(github: GitHub) -> None:  # noqa: F811
    described = {"closed/Acme/systems/X.yaml": b"name: X\n", "closed/Acme/systems/X.pdf": b"%PDF-1.7\n"}
    repository = new_repository(github, "annotations: {unchanged_files: annotate}", files={**FILES, **described})
    main = repository.git.ref("refs/heads/main")
    changed = {"closed/Acme/systems/X.yaml": b"# added\nname: X\n"}
    tip = repository.git.commit(changed, base=main, remove=["closed/Acme/systems/X.pdf"])
    one = pull(github, repository, {"closed/Acme/systems/notes.txt": b"x\n"})
    completed(github, repository, one.head_sha)
    github.push(repository, tip)
    push(github, one, {"closed/Acme/systems/more.txt": b"x\n"})
    told = completed(github, repository, one.head_sha)
    assert told.conclusion == "failure"
    assert "X.yaml" in told.summary.replace("\\", "")
    assert "X.yaml" not in {note["path"].rpartition("/")[2] for note in told.annotations}


def test_m_16_a_verdict_is_not_replaced_unless_somebody_asks(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    one = pull(github, repository, B_WITHOUT_PDF)
    delivery = github.deliveries[-1]
    run = completed(github, repository, one.head_sha)
    assert re.search(r"rules storage, edition 2\S*; submission-bot \S+;", run.summary)
    github.deliver(delivery.event, delivery.payload)
    settled(service)
    assert [one.id for one in github.check_runs(repository, one.head_sha)] == [run.id]
    assert run.statuses.count("completed") == 1


def test_m_18_a_finding_says_rule_path_what_and_how_to_mend_it(github: GitHub) -> None:  # noqa: F811
    repository = new_repository(github)
    run = completed(github, repository, pull(github, repository, B_WITHOUT_PDF).head_sha)
    note = next(note for note in run.annotations if "pdf" in note["message"])
    assert note["title"] == "2.1.7 systemsDirectoryFiles"
    assert note["path"] == "closed/Acme/systems/B.yaml"
    what, how = note["message"].splitlines()
    assert "missing" in what
    assert how
    assert "submission-bot check --repo . --base" in run.summary


def test_m_20_a_check_is_queued_at_once_and_nothing_to_check_passes(github: GitHub) -> None:  # noqa: F811
    repository = new_repository(github)
    one = pull(github, repository, {"README.md": b"# New\n"})
    until(lambda: github.check_runs(repository, one.head_sha), "the run is there", seconds=5)
    run = completed(github, repository, one.head_sha)
    assert run.statuses[0] == "queued"
    assert (run.conclusion, run.title) == ("success", "No submitted system changed")
