"""PDFs of one content, results tables, altered and unused code images, misspelt dot names."""

from __future__ import annotations

from pathlib import Path

from checks.findings import Level
from checks.session import Session
from checks.storage.hygiene_inputs import SystemPdfs
from checks.storage.units import Root
from tests.checks.hygiene_trees import RUN, SYSTEM, SYSTEMS, Git, of, small
from tests.checks.support import found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_code import SOURCE
from tests.trees.storage_whole import SECOND_SOURCE


def pooled() -> tuple[StorageTree, str]:
    """Two systems, in both divisions, with one code image, which is in the pool of their organisation."""
    tree = StorageTree("v3")
    for division in ("closed", "open"):
        submitter = tree.submitter("Acme", division)
        submitter.system(f"S-{division}").checkpointing("llama3-8b")
    return tree, submitter.code


def test_one_pdf_under_two_names(tmp_path: Path) -> None:
    tree = small()
    tree.submitter("Acme").system("S2")
    tree.put("closed/Acme/results/S2/x", "x")
    assert found(tree, "hygiene.same-pdf") == []
    tree.put(f"{SYSTEMS}/S2.pdf", tree.files[f"{SYSTEMS}/S1.pdf"])
    git = Git(tmp_path)
    in_git = of(git.report(git.commit(tree.files)), "hygiene.same-pdf")
    for findings in (found(tree, "hygiene.same-pdf"), in_git):
        (finding,) = findings
        assert places([finding]) == [("hygiene.same-pdf", "notice", f"{SYSTEMS}/S2.pdf", None)]
        assert finding.message == "`S1.pdf`, `S2.pdf` have the same content."


def test_pdfs_are_told_apart_in_git_without_reading_them(tmp_path: Path) -> None:
    git = Git(tmp_path)
    tree = git.tree(git.commit(small().files))
    submitter = Root(tree, "").divisions[0].submitters[0]
    assert SystemPdfs.of(submitter, Session(tree, None)).same == []
    assert tree.reads == 0


def test_a_description_gives_no_secret_away() -> None:
    tree = small()
    path = f"{SYSTEMS}/S1.yaml"
    assert found(tree, "hygiene.secret") == []
    password = "Sup3r" + "S3cretPw1"
    tree.files[path] += f"# export MINIO_ROOT_PASSWORD={password}\n".encode()
    (finding,) = found(tree, "hygiene.secret")
    assert (finding.path, finding.line) == (path, tree.files[path].count(b"\n"))
    assert password[:4] not in f"{finding.message} {finding.hint}"


def test_results_tables_are_told_only_when_a_change_touches_them(tmp_path: Path) -> None:
    git = Git(tmp_path)
    base = git.commit({**small().files, "results.csv": b"a,b\n"})
    assert of(git.report(base), "hygiene.results-table") == []
    assert of(git.report(git.commit({f"{RUN}/dlio.log": b"x"}, base=base), base), "hygiene.results-table") == []
    changed = git.report(git.commit({"results.csv": b"a,c\n", "results.json": b"{}"}, base=base), base)
    assert [(item.path, item.level, item.scope) for item in of(changed, "hygiene.results-table")] == [
        ("results.csv", Level.WARNING, "."),
        ("results.json", Level.WARNING, "."),
    ]
    removed = git.report(git.commit({}, base=base, remove=("results.csv",)), base)
    (finding,) = of(removed, "hygiene.results-table")
    assert (finding.path, finding.message[:42]) == (".", "The generated table `results.csv` is remov")


def test_other_loose_files_at_the_top_still_touch_nothing(tmp_path: Path) -> None:
    git = Git(tmp_path)
    base = git.commit(small().files)
    assert git.report(git.commit({"Notes.md": b"x"}, base=base), base).scopes == ()


def test_an_existing_code_image_is_immutable(tmp_path: Path) -> None:
    git = Git(tmp_path)
    tree, image = pooled()
    base = git.commit(tree.files)
    names = sorted(SOURCE)
    changed = git.commit(
        {f"{image}/{names[0]}": b"x", f"{image}/new.py": b""}, base=base, remove=(f"{image}/{names[1]}",)
    )
    (finding,) = of(git.report(changed, base), "hygiene.image-changed")
    assert (finding.level, finding.scope) == (Level.WARNING, image)
    assert finding.path.startswith(f"{image}/")
    assert "1 file added, 1 file changed, 1 file removed" in finding.message
    assert of(git.report(base), "hygiene.image-changed") == []
    other = git.commit({f"Acme/code-01234567/{name}": data for name, data in SOURCE.items()}, base=base)
    assert of(git.report(other, base), "hygiene.image-changed") == []


def test_an_image_that_no_run_points_to() -> None:
    tree, image = pooled()
    assert found(tree, "hygiene.orphan-image") == []
    tree.remove("closed")
    assert found(tree, "hygiene.orphan-image") == []  # the other division still points to it
    for path in tree.find("*/.mlps-code-image"):
        tree.remove(path)
    (finding,) = found(tree, "hygiene.orphan-image")
    assert places([finding]) == [("hygiene.orphan-image", "warning", image, None)]


def test_withdrawing_the_last_run_leaves_an_orphan_behind(tmp_path: Path) -> None:
    git = Git(tmp_path)
    tree, image = pooled()
    second = tree.submitter("Acme").system("S3", source=SECOND_SOURCE)
    second.checkpointing("llama3-8b")
    (other,) = {path.rpartition("/")[0] for path in tree.find("Acme/code-*/.code-hash.json")} - {image}
    base = git.commit(tree.files)
    head = git.commit({}, base=base, remove=(second.path, second.yaml, second.pdf))
    report = git.report(head, base)
    assert [item.path for item in of(report, "hygiene.orphan-image")] == [other]
    assert image not in {scope.path for scope in report.scopes}


def test_misspelt_dot_names() -> None:
    tree = small()
    tree.put(f"{RUN}/.mlps_code_image", "x")
    tree.put(f"{RUN}/.gitkeep", "")
    (finding,) = found(tree, "hygiene.near-name")
    assert places([finding]) == [("hygiene.near-name", "notice", f"{RUN}/.mlps_code_image", None)]
    assert finding.hint == "Did you mean `.mlps-code-image`?"
    assert finding.scope == SYSTEM
