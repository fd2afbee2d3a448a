"""Which scopes a change touches, and why: on real git trees, with the exact number of blobs that are read."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pygit2
import pytest

from checks.api import check_change
from checks.changes import Affected
from checks.git_tree import GitTree
from checks.rule_sets import rule_set
from checks.session import Session
from tests.github.gitrepo import SYMLINK, Entry, GitRepository
from tests.trees.storage import StorageTree
from tests.trees.storage_code import SOURCE, CodeImage
from tests.trees.storage_files import FileTree
from tests.trees.storage_whole import SECOND_SOURCE

S1, S2 = "closed/Acme/results/S1", "closed/Acme/results/S2"
BOLT = "closed/Bolt/results/S1"
OPEN = "open/Acme/results/S1"
OTHER_SOURCE = {**SOURCE, "README.md": b"# Another\n"}


class Fixture:
    """A merged tree in the v3 shape: Acme with S1 and S2 (code of its own) in CLOSED and S1 in OPEN, Bolt with S1."""

    def __init__(self, folder: Path) -> None:
        self.repository = GitRepository(folder / "repo.git")
        tree = StorageTree("v3")
        acme = tree.submitter("Acme")
        self.run = acme.system("S1").checkpointing().runs[0]
        acme.system("S2", source=SECOND_SOURCE).checkpointing()
        tree.submitter("Acme", "open").system("S1").checkpointing()
        tree.submitter("Bolt", source=OTHER_SOURCE).system("S1").checkpointing()
        self.files = dict(tree.files)
        self.base = self.repository.commit(self.files)
        self.image, self.second = f"Acme/{CodeImage().folder}", f"Acme/{CodeImage(SECOND_SOURCE).folder}"

    def head(self, change: Mapping[str, bytes | Entry] | None = None, remove: list[str] | None = None) -> str:
        return self.repository.commit(change or {}, base=self.base, remove=remove or [])

    def moved(self, old: str, new: str) -> str:
        moved = FileTree(self.files).rename(old, new).files
        return self.repository.commit(moved)

    def affected(self, head: str) -> Affected:
        rules = rule_set("storage")
        edition = rules.edition("3.0")
        self.before, self.after = (GitTree.at(self.repository.path, commit) for commit in (self.base, head))
        return rules.affected(Session(self.before, edition), Session(self.after, edition, self.before))

    def scopes(self, *change, **options) -> dict[str, str]:
        return {scope.path: scope.reason for scope in self.affected(self.head(*change, **options)).scopes}

    @property
    def reads(self) -> int:
        return self.before.reads + self.after.reads


@pytest.fixture
def tree(tmp_path: Path) -> Fixture:
    return Fixture(tmp_path)


def test_nothing_changed(tree) -> None:
    assert tree.affected(tree.head()) == Affected((), (), (), 0)


def test_results_of_one_system(tree) -> None:
    assert tree.scopes({tree.run.summary: b"{}"}) == {S1: "results changed"}
    assert tree.reads == 0


def test_a_removed_file_of_one_system(tree) -> None:
    assert tree.scopes(remove=[tree.run.summary]) == {S1: "results changed"}


@pytest.mark.parametrize("name", ["S1.yaml", "S1.pdf", "S1.yml", "S1.PDF"])
def test_a_description(tree, name) -> None:
    assert tree.scopes({f"closed/Acme/systems/{name}": b"x"}) == {S1: "description changed"}
    assert tree.reads == 0


def test_several_reasons_of_one_system(tree) -> None:
    change = {"closed/Acme/systems/S1.yaml": b"x", tree.run.summary: b"{}"}
    assert tree.scopes(change) == {S1: "results changed, description changed"}


@pytest.mark.parametrize("name", ["notes.txt", "README.md", ".DS_Store", "S9.yaml"])
def test_other_files_of_systems_touch_the_submitter(tree, name) -> None:
    assert tree.scopes({f"closed/Acme/systems/{name}": b"x"}) == {"closed/Acme": "changed"}


@pytest.mark.parametrize("path", ["closed/Acme/notes.txt", "closed/Acme/results/notes.txt"])
def test_files_of_a_submitter(tree, path) -> None:
    assert tree.scopes({path: b"x"}) == {"closed/Acme": "changed"}


def test_a_new_folder_of_a_submitter_is_seen_there(tree) -> None:
    reasons = tree.scopes({"closed/Acme/extra/x": b"x"})
    assert list(reasons) == ["closed/Acme"]


def test_the_loss_of_all_descriptions_is_seen_at_the_submitter_too(tree) -> None:
    assert set(tree.scopes(remove=["closed/Acme/systems"])) == {"closed/Acme", S1, S2}


@pytest.mark.parametrize("path", ["assets/logo.svg", "closed/notes.txt", "Closed/Acme/results/S1/x"])
def test_what_belongs_to_nobody_touches_the_tree(tree, path) -> None:
    reasons = tree.scopes({path: b"x"})
    assert list(reasons) == [""]


@pytest.mark.parametrize("path", [".github/w.yml", ".gitignore", "README.md", ".hidden/code-01234567/x"])
def test_exempt_paths_touch_nothing(tree, path) -> None:
    affected = tree.affected(tree.head({path: b"x"}))
    assert affected.scopes == ()
    assert affected.exempt == len(affected.changes) == 1


def test_a_link_at_the_top_is_not_exempt(tree) -> None:
    assert list(tree.scopes({"README.md": Entry(b"/etc/passwd", SYMLINK)})) == [""]


def test_dot_entries_below_the_top_hide_nothing(tree) -> None:
    assert tree.scopes({f"{S1}/.cache/x": b"x"}) == {S1: "results changed"}
    assert tree.scopes({"closed/.Acme/results/S1/x": b"x"}) == {
        "closed/.Acme": "added",
        "closed/.Acme/results/S1": "added",
    }


def test_a_changed_image_touches_every_system_that_names_it(tree) -> None:
    assert tree.scopes({f"{tree.image}/README.md": b"changed"}) == {
        tree.image: "changed",
        S1: f"code image {CodeImage().folder} changed",
        OPEN: f"code image {CodeImage().folder} changed",
    }
    assert tree.reads == 2  # the image's record, before and after the change


def test_an_image_of_one_system_only(tree) -> None:
    assert set(tree.scopes({f"{tree.second}/.github/x": b"x"})) == {tree.second, S2}


def test_an_image_shared_by_two_organisations(tmp_path) -> None:
    tree = Fixture(tmp_path)
    shared = FileTree(tree.files)
    for path in shared.find("closed/Bolt/*/.mlps-code-image"):
        shared.put(path, CodeImage().pointer + "\n")
    tree.base = tree.repository.commit(shared.files)
    assert set(tree.scopes({f"{tree.image}/README.md": b"changed"})) == {tree.image, S1, OPEN, BOLT}


def test_a_removed_image_touches_the_systems_that_named_it(tree) -> None:
    affected = tree.affected(tree.head(remove=[tree.second]))
    assert [(scope.path, scope.reason) for scope in affected.scopes] == [
        (S2, f"code image {tree.second.partition('/')[2]} removed")
    ]
    assert [(scope.path, scope.reason) for scope in affected.removed] == [(tree.second, "removed")]


def test_a_changed_record_touches_what_named_it_before_or_after(tree) -> None:
    record = f"{tree.image}/.code-hash.json"
    other = CodeImage(SECOND_SOURCE)
    content = tree.files[record].replace(CodeImage().hash.encode(), other.hash.encode())
    assert set(tree.scopes({record: content})) == {tree.image, S1, OPEN}


def test_the_loss_of_a_whole_pool(tree) -> None:
    affected = tree.affected(tree.head(remove=["Bolt"]))
    assert {scope.path for scope in affected.scopes} == {"closed/Bolt", BOLT}


def test_a_first_pool_touches_all_systems_of_its_submitter(tmp_path) -> None:
    tree = Fixture(tmp_path)
    tree.base = tree.head(remove=["Bolt"])
    reasons = tree.scopes({f"Bolt/{CodeImage(OTHER_SOURCE).folder}/x": b"x"})
    assert set(reasons) == {f"Bolt/{CodeImage(OTHER_SOURCE).folder}", "closed/Bolt", BOLT}


def test_a_pools_marker_touches_its_submitters(tree) -> None:
    assert set(tree.scopes({"Acme/.mlps-image-pool": b"x"})) == {"closed/Acme", "open/Acme"}


def test_a_changed_pointer_brings_the_image_that_it_names(tree) -> None:
    pointer = CodeImage(SECOND_SOURCE).pointer.encode()
    assert tree.scopes({tree.run.pointer: pointer}) == {
        S1: "code pointer changed",
        tree.image: "named by a changed run",
        tree.second: "named by a changed run",
    }
    assert tree.reads == 2  # the pointer before and after the change


def test_a_pointer_to_nowhere_brings_the_image_that_it_named_before(tree) -> None:
    for content in (b"", b"md5-tree-v2:" + b"0" * 32, b"\0"):
        assert set(tree.scopes({tree.run.pointer: content})) == {S1, tree.image}


def test_a_new_system_is_added_with_its_image(tree) -> None:
    new = StorageTree("v3")
    new.submitter("Acme").system("S3").checkpointing()
    reasons = tree.scopes(new.files)
    assert reasons == {tree.image: "named by a changed run", "closed/Acme/results/S3": "added"}


def test_a_new_submitter(tree) -> None:
    new = StorageTree("v3")
    new.submitter("Corp", source={"a.py": b"1"}).system("S1").checkpointing()
    reasons = tree.scopes(new.files)
    assert {path: why for path, why in reasons.items() if path.startswith("closed")} == {
        "closed/Corp": "its pool of code images changed, added",
        "closed/Corp/results/S1": f"added, code image {CodeImage({'a.py': b'1'}).folder} added",
    }


def test_a_removed_system(tree) -> None:
    affected = tree.affected(tree.head(remove=[S2, "closed/Acme/systems/S2.yaml", "closed/Acme/systems/S2.pdf"]))
    assert [(scope.path, scope.reason) for scope in affected.scopes] == [
        (tree.second, "named by a changed run"),
        ("closed/Acme", "system S2 removed"),
    ]
    assert [(scope.path, scope.reason) for scope in affected.removed] == [(S2, "removed")]


def test_a_renamed_system_is_seen_from_both_sides(tree) -> None:
    affected = tree.affected(tree.moved(S2, "closed/Acme/results/S9"))
    reasons = {scope.path: scope.reason for scope in affected.scopes}
    assert reasons["closed/Acme/results/S9"] == f"renamed from {S2}"
    assert reasons["closed/Acme"] == "system S2 removed"
    assert [scope.path for scope in affected.removed] == [S2]


def test_a_renamed_submitter(tree) -> None:
    affected = tree.affected(tree.moved("closed/Bolt", "closed/Bolts"))
    reasons = {scope.path: scope.reason for scope in affected.scopes}
    assert reasons["closed/Bolts"] == "added"
    assert reasons["closed/Bolts/results/S1"] == f"renamed from {BOLT}"
    assert {scope.path for scope in affected.removed} == {"closed/Bolt", BOLT}


def test_code_in_the_documents_folder_touches_every_system_of_the_submitter(tmp_path) -> None:
    tree = Fixture(tmp_path)
    document = StorageTree("document")
    for name in ("S1", "S2"):
        document.submitter("Acme").system(name).checkpointing()
    tree.base = tree.repository.commit(document.files)
    assert tree.scopes({"closed/Acme/code/README.md": b"changed"}) == {
        "closed/Acme/code": "changed",
        S1: "code image code changed",
        S2: "code image code changed",
    }


def test_code_of_an_open_leaf_belongs_to_its_system(tmp_path) -> None:
    tree = Fixture(tmp_path)
    document = StorageTree("document")
    document.submitter("Acme", "open").system("S1").checkpointing()
    tree.base = tree.repository.commit(document.files)
    assert tree.scopes({f"{OPEN}/checkpointing/llama3-8b/code/README.md": b"x"}) == {OPEN: "results changed"}


def test_images_of_the_one_pool_at_the_top(tmp_path) -> None:
    tree = Fixture(tmp_path)
    pooled = StorageTree("v3", "root-pool")
    for name in ("Acme", "Bolt"):
        pooled.submitter(name).system("S1").checkpointing()
    tree.base = tree.repository.commit(pooled.files)
    image = f"code-images/{CodeImage().folder}"
    assert set(tree.scopes({f"{image}/README.md": b"changed"})) == {image, S1, BOLT}


def test_every_changed_path_is_counted(tree) -> None:
    affected = tree.affected(tree.head({tree.run.summary: b"{}", "README.md": b"x"}, [tree.run.pointer]))
    assert [change.path for change in affected.changes] == ["README.md", tree.run.pointer, tree.run.summary]
    assert affected.paths == {"README.md", tree.run.summary}


def test_a_check_of_one_changed_system_reads_only_its_blobs(tree) -> None:
    head = tree.head({tree.run.summary: tree.files[tree.run.summary] + b"\n"})
    base, after = (GitTree.at(tree.repository.path, commit) for commit in (tree.base, head))
    reads: dict[GitTree, list[str]] = {base: [], after: []}
    for side in reads:
        side._read = lambda path, entry, cap, side=side, original=side._read: (
            reads[side].append(path),
            original(path, entry, cap),
        )[1]
    report = check_change(base, after)
    assert [scope.path for scope in report.scopes] == [S1]
    own = (f"{S1}/", "closed/Acme/systems/S1.")
    for side, read in reads.items():  # the base's too, since S1 has a finding: is it an old one?
        assert [path for path in read if not path.startswith(own) and not path.endswith(".code-hash.json")] == []
        assert len(read) == len(set(read)) == side.reads


class Mirror:
    """A partial clone without any blob; what is fetched is copied from the full repository, batch by batch."""

    def __init__(self, source: GitRepository, folder: Path) -> None:
        self.source, self.folder = source, folder
        self.batches: list[set[str]] = []
        with (source.path / "config").open("a") as config:
            config.write("[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n")
        command = ["git", "clone", "--quiet", "--bare", "--filter=blob:none", source.path.as_uri(), str(folder)]
        subprocess.run(command, check=True)

    def fetch(self, oids: Sequence[str]) -> None:
        self.batches.append(set(oids))
        here = pygit2.Repository(str(self.folder))
        for oid in oids:
            kind, content = self.source.odb.read(oid)
            here.odb.write(kind, content)

    def tree(self, commit: str) -> GitTree:
        return GitTree.at(self.folder, commit, self.fetch)


def test_a_mirror_fetches_pointers_once_and_the_rest_in_one_batch(tree, tmp_path) -> None:
    new = StorageTree("v3")
    new.submitter("Acme").system("S3").checkpointing()
    head = tree.repository.commit(new.files, base=tree.base, branch="main")
    tree.repository.set_ref("refs/heads/base", tree.base)
    mirror = Mirror(tree.repository, tmp_path / "mirror.git")
    report = check_change(mirror.tree(tree.base), mirror.tree(head))
    assert report.faults == ()
    assert [scope.path for scope in report.scopes] == [tree.image, "closed/Acme/results/S3"]
    pointers, _ = mirror.batches
    assert len(pointers) == 3 + 3  # three images are named, and each has a record
    again = len(mirror.batches)
    check_change(mirror.tree(tree.base), mirror.tree(head))
    assert len(mirror.batches) == again


def test_a_change_of_exempt_paths_only_passes(tree) -> None:
    head = tree.head({".github/w.yml": b"x", "README.md": b"x"})
    report = check_change(*(GitTree.at(tree.repository.path, commit) for commit in (tree.base, head)))
    assert (report.verdict, report.scopes, report.findings) == ("pass", (), ())
    assert report.paths_changed == 2


def test_a_link_in_place_of_a_submitter_is_seen_at_the_tree(tree) -> None:
    head = tree.head({"closed/Bolt": Entry(b"Acme", SYMLINK)}, remove=["closed/Bolt"])
    affected = tree.affected(head)
    assert {scope.path: scope.reason for scope in affected.scopes if not scope.path} == {"": "submitter Bolt removed"}
    report = check_change(tree.before, tree.after)
    assert ("input.symlink", "closed/Bolt") in {(item.rule, item.path) for item in report.findings}
    assert report.verdict == "fail"


def test_the_loss_of_the_last_submitter_of_a_division_is_seen_at_the_tree(tree) -> None:
    tree.affected(tree.head({"open/notes.txt": b"x"}, remove=["open/Acme"]))
    report = check_change(tree.before, tree.after)
    assert ("2.1.4", "open") in {(item.rule, item.path) for item in report.findings}


def test_a_link_in_place_of_a_code_image_is_seen_at_the_tree(tree) -> None:
    tree.affected(tree.head({"Acme/code-01234567": Entry(b"code-d88c8f88", SYMLINK)}))
    report = check_change(tree.before, tree.after)
    assert [(item.rule, item.path) for item in report.findings if item.level == "error"] == [
        ("input.symlink", "Acme/code-01234567")
    ]
