"""Makes commits in a bare git repository from plain dictionaries, without a work tree.

Trees are written byte by byte, so that names which git itself would refuse (`..`, `.git`, bytes that are no UTF-8)
can be built as a hostile submitter would build them. All objects of a commit go into one pack: fast for tens of
thousands of files, and it is what the git server then reads from.
"""

import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pygit2

from tests.github.gitpack import Pack, tree_line
from tests.github.gittree import TreeEditor

FILE, EXECUTABLE, SYMLINK, SUBMODULE = 0o100644, 0o100755, 0o120000, 0o160000
# One fixed clock: the same content gives the same commit id in every run.
EPOCH = 1_790_000_000
IDENTITY = "Ada Submitter <ada@example.org>"


@dataclass(frozen=True)
class Entry:
    """Content with a git mode; `data` is the file's bytes, a link's target or a submodule's commit id (40 hex)."""

    data: bytes
    mode: int = FILE


Content = bytes | Entry
Files = Mapping[str, Content] | Mapping[bytes, Content] | Mapping[str | bytes, Content]


class GitRepository:
    """A bare repository on disk. Commits are made with a fixed identity and a clock that ticks once a commit."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not (path / "HEAD").exists():
            pygit2.init_repository(str(path), bare=True, initial_head="main")
        self._ticks = 0

    @property
    def odb(self) -> pygit2.Repository:
        """A fresh pygit2 view: cheap (0.1 ms) and safe to use from any thread."""
        return pygit2.Repository(str(self.path))

    def commit(
        self,
        files: Files,
        *,
        parents: Sequence[str] | None = None,
        base: str | None = None,
        remove: Iterable[str | bytes] = (),
        message: str = "Add results",
        branch: str | None = None,
    ) -> str:
        """Write one commit and give its id. `base` is the commit whose files are kept (and, unless `parents` is given,
        the parent); `remove` names files or whole folders of it to leave out. `branch` is moved to the new commit.
        """
        pack, edited = Pack(), TreeEditor(self.odb, base)
        for path in remove:
            edited.remove(_raw(path))
        for path, content in files.items():
            edited.put(_raw(path), *_leaf(pack, content))
        tree = edited.write(pack)
        ancestors = [base] if parents is None and base else list(parents or [])
        sha = pack.add(b"commit", self._commit_text(tree, ancestors, message))
        self._store(pack)
        if branch:
            self.set_ref(f"refs/heads/{branch}", sha)
        return sha

    def commit_raw_tree(self, entries: Sequence[tuple[int, bytes, str]], *, parents: Sequence[str] = ()) -> str:
        """Commit a root tree of exactly these (mode, name, object id) entries, in this order, however wrong."""
        pack = Pack()
        tree = pack.add(b"tree", b"".join(tree_line(*entry) for entry in entries))
        sha = pack.add(b"commit", self._commit_text(tree, list(parents), "Raw tree"))
        self._store(pack)
        return sha

    def blob(self, data: bytes) -> str:
        """Store one blob, give its id."""
        return str(self.odb.create_blob(data))

    def set_ref(self, name: str, sha: str) -> None:
        """Create or move a reference."""
        self.odb.references.create(name, sha, force=True)

    def delete_ref(self, name: str) -> None:
        """Delete a reference if it is there."""
        references = self.odb.references
        if name in references:
            references.delete(name)

    def ref(self, name: str) -> str | None:
        """The commit id that a full reference name points to, or None."""
        reference = self.odb.references.get(name)
        return None if reference is None else str(reference.resolve().target)

    def has(self, sha: str) -> bool:
        """Whether the object is in this repository (or in one that it borrows from)."""
        return self.odb.odb.exists(sha)

    def fetch(self, source: "GitRepository", sha: str) -> None:
        """Copy a commit, with all that it reaches, from another repository."""
        command = ["git", "fetch", "--quiet", "--no-tags", "--no-write-fetch-head"]
        environment = {**os.environ, "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "uploadpack.allowAnySHA1InWant"}
        environment["GIT_CONFIG_VALUE_0"] = "true"
        subprocess.run([*command, str(source.path.resolve()), sha], cwd=self.path, env=environment, check=True)

    def merge(self, base: str, head: str) -> str | None:
        """A merge commit of two commits, or None for conflicts and unrelated histories; no branch moves."""
        odb = self.odb
        start = odb.merge_base(base, head)
        if start is None:
            return None
        if str(start) == base:
            tree = odb[head].peel(pygit2.Commit).tree_id
        else:
            index = odb.merge_commits(base, head)
            if index.conflicts is not None:
                return None
            tree = index.write_tree(odb)
        who = pygit2.Signature("GitHub", "noreply@github.com", EPOCH, 0)
        return str(odb.create_commit(None, who, who, f"Merge {head} into {base}", tree, [base, head]))

    def share(self, path: Path) -> "GitRepository":
        """A fork: a repository of its own that borrows this one's objects, as GitHub's forks do."""
        fork = GitRepository(path)
        (path / "objects" / "info").mkdir(exist_ok=True)
        (path / "objects" / "info" / "alternates").write_text(f"{self.path.resolve() / 'objects'}\n")
        return fork

    def _commit_text(self, tree: str, parents: Sequence[str], message: str) -> bytes:
        self._ticks += 1
        who = f"{IDENTITY} {EPOCH + self._ticks} +0000"
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents), f"author {who}", f"committer {who}"]
        return "\n".join([*lines, "", message, ""]).encode()

    def _store(self, pack: Pack) -> None:
        subprocess.run(
            ["git", "index-pack", "--stdin"],
            cwd=self.path,
            input=pack.to_bytes(),
            stdout=subprocess.DEVNULL,
            check=True,
        )


def _raw(path: str | bytes) -> bytes:
    return path if isinstance(path, bytes) else path.encode()


def _leaf(pack: Pack, content: Content) -> tuple[int, str]:
    entry = content if isinstance(content, Entry) else Entry(content)
    if entry.mode == SUBMODULE:
        return entry.mode, entry.data.decode()
    return entry.mode, pack.add(b"blob", entry.data)
