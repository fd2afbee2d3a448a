"""Operations that read trees, blobs and files. https://docs.github.com/rest/git, /rest/repos/contents"""

import base64
from urllib.parse import quote

import pygit2

from tests.github import git_read
from tests.github.api import Call, Reply, operation
from tests.github.gitrepo import EXECUTABLE, FILE, SUBMODULE, SYMLINK
from tests.github.gittree import DIRECTORY
from tests.github.problem import ProblemError, not_found
from tests.github.records import Json
from tests.github.represent import node_id

REPO = "/repos/{owner}/{repo}"
CONTENT_TYPES = {FILE: "file", EXECUTABLE: "file", SYMLINK: "symlink", SUBMODULE: "submodule", DIRECTORY: "dir"}
OBJECT_TYPES = {SUBMODULE: "commit", DIRECTORY: "tree"}
# https://docs.github.com/rest/git/trees, /rest/repos/contents
MOST_TREE_ENTRIES = 100_000
INLINE_BYTES, MOST_BYTES = 1_000_000, 100_000_000


@operation("GET", f"{REPO}/contents/{{path}}", contents="read")
def get_content(call: Call) -> Reply:
    """A file, folder, link or submodule at `ref` (default branch if absent)."""
    git = call.repository.git
    sha = git_read.resolve(git, call.query("ref") or call.repository.default_branch)
    if sha is None:
        raise ProblemError(404, f"No commit found for the ref {call.query('ref')}")
    path = call.parameters["path"].strip("/")
    try:
        entry = git_read.commit(git, sha).tree[path]
    except KeyError:
        raise not_found() from None
    if isinstance(entry, pygit2.Tree):
        return Reply([_content(call, f"{path}/{_name(child)}", child, sha) for child in entry])
    return Reply(_content(call, path, entry, sha) | _inside(call, entry))


@operation("GET", f"{REPO}/git/trees/{{tree_sha}}", contents="read")
def get_tree(call: Call) -> Reply:
    """A tree by its id, a commit's id or a branch; `recursive` with any value goes down, up to 100,000 entries."""
    git, wanted = call.repository.git, call.parameters["tree_sha"]
    found = git.odb.get(git_read.resolve(git, wanted) or wanted) if wanted.isalnum() else None
    if found is None:
        raise not_found()
    tree = found.peel(pygit2.Tree)
    url = f"{call.shapes.repo_url(call.repository)}/git"
    entries = _walk(git.odb, tree, "", url, call.query("recursive") is not None)
    kept = entries[:MOST_TREE_ENTRIES]
    body = {"sha": str(tree.id), "url": f"{url}/trees/{tree.id}", "tree": kept, "truncated": len(kept) < len(entries)}
    return Reply(body)


@operation("GET", f"{REPO}/git/blobs/{{file_sha}}", contents="read")
def get_blob(call: Call) -> Reply:
    """A blob in base64, up to 100 MB."""
    sha = call.parameters["file_sha"]
    found = call.repository.git.odb.get(sha) if git_read.SHA.fullmatch(sha) else None
    if not isinstance(found, pygit2.Blob):
        raise not_found()
    if found.size > MOST_BYTES:
        raise ProblemError(403, "This API returns blobs up to 100 MB in size.")
    body = {"sha": sha, "node_id": node_id("Blob", sha), "size": found.size, "encoding": "base64"}
    url = f"{call.shapes.repo_url(call.repository)}/git/blobs/{sha}"
    return Reply(body | {"url": url, "content": base64.encodebytes(found.data).decode()})


def _name(entry: pygit2.Object) -> str:
    return git_read.shown(entry.raw_name or b"")


def _content(call: Call, path: str, entry: pygit2.Object, sha: str) -> Json:
    repository, kind = call.repository, OBJECT_TYPES.get(int(entry.filemode), "blob")
    url, page = call.shapes.repo_url(repository), f"{call.shapes.web}/{repository.full_name}"
    links = {
        "self": f"{url}/contents/{quote(path)}?ref={sha}",
        "git": f"{url}/git/{kind}s/{entry.id}",
        "html": f"{page}/{kind}/{sha}/{quote(path)}",
    }
    return {
        "type": CONTENT_TYPES[int(entry.filemode)],
        "size": entry.size if isinstance(entry, pygit2.Blob) else 0,
        "name": path.rpartition("/")[2],
        "path": path,
        "sha": str(entry.id),
        "url": links["self"],
        "git_url": links["git"],
        "html_url": links["html"],
        "download_url": f"{page}/raw/{sha}/{quote(path)}" if kind == "blob" else None,
        "_links": links,
    }


def _inside(call: Call, entry: pygit2.Object) -> Json:
    if int(entry.filemode) == SUBMODULE:
        return {"submodule_git_url": f"{call.shapes.web}/{call.repository.full_name}-part.git"}
    assert isinstance(entry, pygit2.Blob)
    if int(entry.filemode) == SYMLINK:
        return {"target": git_read.shown(entry.data)}
    if entry.size > INLINE_BYTES:
        return {"encoding": "none", "content": ""}
    return {"encoding": "base64", "content": base64.encodebytes(entry.data).decode()}


def _walk(odb: pygit2.Repository, tree: pygit2.Tree, prefix: str, url: str, deep: bool) -> list[Json]:
    found: list[Json] = []
    for entry in tree:
        mode, path = int(entry.filemode), f"{prefix}{_name(entry)}"
        kind = OBJECT_TYPES.get(mode, "blob")
        line: Json = {"path": path, "mode": f"{mode:06o}", "type": kind, "sha": str(entry.id)}
        size = {"size": entry.size} if isinstance(entry, pygit2.Blob) else {}
        found.append(line | size | {"url": f"{url}/{kind}s/{entry.id}"})
        if deep and isinstance(entry, pygit2.Tree):
            found.extend(_walk(odb, entry, f"{path}/", url, deep))
    return found
