"""Mirrors over real smart HTTP: what is fetched, by how many requests, within which bounds, and what never happens."""

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pygit2
import pytest

from bot import git_command, mirror, mirror_folder
from bot.file_lock import LockTimeoutError, exclusive, shared
from bot.git_command import GitError, Surroundings
from bot.mirror import (
    BusyMirrorError,
    CredentialsRefusedError,
    DamagedMirrorError,
    MalformedObjectError,
    Mirror,
    MirrorError,
    MissingObjectError,
    TooLargeError,
    folder_fault,
)
from bot.settings import Settings
from tests.bot.clients import settings_for
from tests.github import GitHub, Repository, effects

LONG = b"".join(b'{"line": %d, "read": "1048576 bytes"}\n' % number for number in range(200))
POINTER = b"md5-tree-v2:" + b"0" * 32 + b"\n"
SYSTEM = "closed/Acme/results/S1"
FILES = {
    f"{SYSTEM}/summary.json": LONG,
    f"{SYSTEM}/notes.txt": LONG * 2,
    "closed/Acme/systems/S1.yaml": b"name: S1\n" + LONG,
}
NOBODY = "f" * 40

CONTENT = b"Results of a system, in more bytes than come along with a commit.\n"


@pytest.fixture
def standin(tmp_path: Path) -> Iterator[GitHub]:
    with GitHub(tmp_path / "github") as running:
        yield running


@pytest.fixture
def results(standin: GitHub) -> Repository:
    return standin.add_repository("octo-org/results", FILES)


@pytest.fixture
def settings(standin: GitHub, tmp_path: Path) -> Settings:
    return settings_for(standin, tmp_path / "bot")


@pytest.fixture
def ours(settings: Settings, results: Repository) -> Mirror:
    return Mirror(settings, results.id, results.full_name)


@pytest.fixture
def token(standin: GitHub, results: Repository) -> str:
    return standin.token(results)


def main_of(results: Repository) -> str:
    found = results.git.ref("refs/heads/main")
    assert found is not None
    return found


def pull(results: Repository, files: dict[str, bytes], name: str = "topic") -> str:
    """A commit on top of main, on a branch of its own."""
    return results.git.commit(files, base=main_of(results), branch=name)


def oid_of(results: Repository, commit: str, path: str) -> str:
    return str(results.git.odb[commit].peel(pygit2.Tree)[path].id)


def holds(ours: Mirror, *oids: str) -> bool:
    return all(pygit2.Repository(str(ours.path)).odb.exists(oid) for oid in oids)


def requests_of(standin: GitHub) -> int:
    return len(standin.git_requests)


def test_commits_cost_two_requests_and_contents_two_whatever_was_done(
    standin: GitHub, results: Repository, ours: Mirror, token: str
) -> None:
    ours.fetch(main_of(results), main_of(results), 1, token)
    added = pull(results, {"closed/Acme/results/S2/summary.json": LONG})
    edited = pull(results, {f"{SYSTEM}/summary.json": LONG + b"!"})
    for number, head, path in (
        (1, added, "closed/Acme/results/S2/summary.json"),
        (2, edited, f"{SYSTEM}/summary.json"),
    ):
        standin.clear_requests()
        ours.fetch(head, main_of(results), number, token)
        assert requests_of(standin) == 2
        content = oid_of(results, head, path)
        assert not holds(ours, content)
        assert ours.fetch_blobs([content], token) == ()
        assert holds(ours, content)
        assert requests_of(standin) == 4


def test_pointers_to_code_images_come_with_the_commits(results: Repository, ours: Mirror, token: str) -> None:
    head = pull(results, {f"{SYSTEM}/.mlps-code-image": POINTER})
    ours.fetch(head, main_of(results), 1, token)
    assert holds(ours, oid_of(results, head, f"{SYSTEM}/.mlps-code-image"))


def test_an_edit_that_the_server_sends_as_a_difference(results: Repository, ours: Mirror, token: str) -> None:
    ours.fetch(main_of(results), main_of(results), 1, token)
    head = pull(results, {f"{SYSTEM}/notes.txt": LONG.replace(b"7", b"8", 1)})
    ours.fetch(head, main_of(results), 1, token)
    content = oid_of(results, head, f"{SYSTEM}/notes.txt")
    ours.fetch_blobs([content], token)
    assert holds(ours, content)
    untouched = [oid_of(results, head, path) for path in (f"{SYSTEM}/summary.json", "closed/Acme/systems/S1.yaml")]
    assert not any(holds(ours, oid) for oid in untouched)
    assert ours.fetch_blobs(untouched, token) == ()
    assert holds(ours, *untouched)


def test_the_first_pull_request_costs_four_too(standin: GitHub, results: Repository, ours: Mirror, token: str) -> None:
    head = pull(results, {"README.md": CONTENT})
    ours.fetch(head, main_of(results), 1, token)
    readme = oid_of(results, head, "README.md")
    assert not holds(ours, readme)
    ours.fetch_blobs([readme], token)
    assert holds(ours, readme, head, main_of(results))
    assert requests_of(standin) == 4


def test_no_contents_come_with_the_commits(results: Repository, ours: Mirror, token: str) -> None:
    head = pull(results, {"README.md": CONTENT})
    ours.fetch(main_of(results), main_of(results), 1, token)
    ours.fetch(head, main_of(results), 1, token)
    repository = pygit2.Repository(str(ours.path))
    kinds = [repository.odb.read_header(oid)[0] for oid in repository.odb]
    assert kinds.count(pygit2.enums.ObjectType.BLOB) == 0
    assert repository.merge_base(head, main_of(results)) == pygit2.Oid(hex=main_of(results))


def test_large_contents_stay_away_until_they_are_named(results: Repository, ours: Mirror, token: str) -> None:
    ours.fetch(main_of(results), main_of(results), 1, token)
    head = pull(results, {"log.txt": os.urandom(4096), "small.txt": b"x"})
    ours.fetch(head, main_of(results), 1, token)
    assert holds(ours, oid_of(results, head, "small.txt"))
    large = oid_of(results, head, "log.txt")
    assert not holds(ours, large)
    ours.fetch_blobs([large, large], token)
    assert holds(ours, large)


def test_nothing_is_asked_for_what_is_here(standin: GitHub, results: Repository, ours: Mirror, token: str) -> None:
    head = pull(results, {"README.md": CONTENT})
    ours.fetch(head, main_of(results), 1, token)
    standin.clear_requests()
    ours.fetch(head, main_of(results), 1, token)
    assert ours.fetch_blobs([], token) == ()
    assert requests_of(standin) == 0


def test_a_base_that_moved_and_a_head_pushed_away_and_back(results: Repository, ours: Mirror, token: str) -> None:
    first, second = pull(results, {"a": b"1"}), pull(results, {"b": b"2"})
    ours.fetch(first, main_of(results), 1, token)
    moved = results.git.commit({"c": b"3"}, base=main_of(results), branch="main")
    ours.fetch(second, moved, 1, token)
    ours.fetch(first, moved, 1, token)
    repository = pygit2.Repository(str(ours.path))
    assert str(repository.references["refs/prs/1"].target) == first
    assert str(repository.references["refs/bases/prs/1"].target) == moved
    assert holds(ours, second)


def test_unrelated_history_and_merge_groups(results: Repository, ours: Mirror, token: str) -> None:
    orphan = results.git.commit({"x": b"1"}, branch="orphan")
    ours.fetch(orphan, main_of(results), None, token)
    repository = pygit2.Repository(str(ours.path))
    assert repository.merge_base(orphan, main_of(results)) is None
    assert f"refs/groups/{orphan}" in repository.references


def test_a_fork_that_is_gone_is_fetched_from_the_base_repository(
    standin: GitHub, results: Repository, ours: Mirror, token: str
) -> None:
    head = pull(results, {"a": b"1"})
    standin.open_pull_request(results, head, fork=True, fork_deleted=True)
    results.git.delete_ref("refs/heads/topic")
    ours.fetch(head, main_of(results), 1, token)
    assert holds(ours, head)


def test_what_github_does_not_have(standin: GitHub, results: Repository, ours: Mirror, token: str) -> None:
    with pytest.raises(MissingObjectError) as caught:
        ours.fetch(NOBODY, main_of(results), 1, token)
    assert (caught.value.oid, caught.value.retryable) == (NOBODY, True)
    head = pull(results, {"a": b"1"})
    ours.fetch(head, main_of(results), 1, token)
    known = oid_of(results, head, f"{SYSTEM}/notes.txt")
    unknown = ["1" * 40, "2" * 40]
    assert sorted(ours.fetch_blobs([unknown[0], known, unknown[1]], token)) == unknown
    assert holds(ours, known)


def test_too_many_unknown_contents_are_given_up(
    monkeypatch: pytest.MonkeyPatch, results: Repository, ours: Mirror, token: str
) -> None:
    monkeypatch.setattr(mirror, "UNKNOWN_OIDS", 2)
    ours.fetch(main_of(results), main_of(results), 1, token)
    with pytest.raises(MissingObjectError):
        ours.fetch_blobs([str(number) * 40 for number in range(4)], token)


def test_contents_are_fetched_in_chunks(
    monkeypatch: pytest.MonkeyPatch, standin: GitHub, results: Repository, ours: Mirror, token: str
) -> None:
    monkeypatch.setattr(mirror, "OIDS_PER_FETCH", 2)
    main = main_of(results)
    ours.fetch(main, main, 1, token)
    standin.clear_requests()
    wanted = [oid_of(results, main, path) for path in FILES]
    ours.fetch_blobs(wanted, token)
    assert holds(ours, *wanted)
    assert requests_of(standin) == 4


@pytest.mark.parametrize("name", [b"..", b".git", b"a/b"])
def test_objects_that_git_refuses(results: Repository, ours: Mirror, token: str, name: bytes) -> None:
    ours.fetch(main_of(results), main_of(results), 1, token)
    blob = results.git.blob(b"x")
    bad = results.git.commit_raw_tree([(0o100644, name, blob)], parents=[main_of(results)])
    with pytest.raises(MalformedObjectError) as caught:
        ours.fetch(bad, main_of(results), 1, token)
    assert not caught.value.retryable
    assert caught.value.fault in ("hasDotdot", "hasDotgit", "fullPathname")
    assert not holds(ours, bad)


def test_refused_credentials_are_told_and_nothing_is_left(
    results: Repository, ours: Mirror, token: str, standin: GitHub
) -> None:
    with pytest.raises(CredentialsRefusedError):
        ours.fetch(main_of(results), main_of(results), 1, "ghs_" + "0" * 40)
    assert [path.name for path in ours.path.parent.iterdir() if path.is_dir()] == ["home"]
    ours.fetch(main_of(results), main_of(results), 1, token)
    standin.expire_tokens()
    with pytest.raises(CredentialsRefusedError):
        ours.fetch(pull(results, {"a": b"1"}), main_of(results), 1, token)


@pytest.mark.parametrize("effect", effects.GIT_STORM)
def test_failures_on_the_way_may_be_tried_again(
    standin: GitHub, results: Repository, ours: Mirror, token: str, effect: effects.Effect
) -> None:
    main = main_of(results)
    ours.fetch(main, main, 1, token)
    head = pull(results, {"a": b"1"})
    standin.faults.add("POST", "git-upload-pack", effect)
    with pytest.raises(MirrorError) as caught:
        ours.fetch(head, main, 1, token)
    assert caught.value.retryable
    assert token not in caught.value.reason
    ours.fetch(head, main, 1, token)
    assert holds(ours, head)


def test_a_hung_server_ends_in_time_and_leaves_no_process(
    monkeypatch: pytest.MonkeyPatch, standin: GitHub, results: Repository, ours: Mirror, token: str
) -> None:
    ours.fetch(main_of(results), main_of(results), 1, token)
    monkeypatch.setattr(mirror, "FETCH_SECONDS", 0.5)
    standin.faults.add("POST", "git-upload-pack", effects.delayed(30))
    begun = time.monotonic()
    with pytest.raises(MirrorError, match="stopped after"):
        ours.fetch(pull(results, {"a": b"1"}), main_of(results), 1, token)
    assert time.monotonic() - begun < 5
    assert processes_on(ours) == []


def test_a_pack_beyond_the_bound_is_refused(
    monkeypatch: pytest.MonkeyPatch, results: Repository, ours: Mirror, token: str
) -> None:
    ours.fetch(main_of(results), main_of(results), 1, token)
    monkeypatch.setattr(mirror_folder, "LARGEST_FILE", 1 << 20)
    head = pull(results, {f"{number}.bin": os.urandom(1 << 20) for number in range(4)})
    ours.fetch(head, main_of(results), 1, token)
    contents = [oid_of(results, head, f"{number}.bin") for number in range(4)]
    with pytest.raises(TooLargeError) as caught:
        ours.fetch_blobs(contents, token)
    assert not caught.value.retryable
    assert not holds(ours, *contents)


def test_many_at_once_in_one_mirror(results: Repository, ours: Mirror, token: str) -> None:
    main = main_of(results)
    heads = [pull(results, {f"{number}.txt": b"%d" % number}, f"topic-{number}") for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(ours.fetch, head, main, number, token) for number, head in enumerate(heads, 1)]:
            done.result()
        for done in [pool.submit(ours.fetch, head, main, 99, token) for head in heads]:
            done.result()
    assert holds(ours, *heads)
    assert len(list(ours.path.parent.glob("*.git"))) == 1


def test_the_mirror_follows_a_rename(
    standin: GitHub, results: Repository, settings: Settings, ours: Mirror, token: str
) -> None:
    ours.fetch(main_of(results), main_of(results), 1, token)
    standin.state.renamed["octo-org/results"] = results
    results.name = "results-v3"
    head = pull(results, {"a": b"1"})
    with pytest.raises(MirrorError):
        ours.fetch(head, main_of(results), 1, token)
    renamed = Mirror(settings, results.id, "octo-org/results-v3")
    renamed.fetch(head, main_of(results), 1, token)
    assert renamed.path == ours.path
    assert holds(ours, head)


@pytest.mark.parametrize(
    "sha", ["HEAD", "--upload-pack=touch /tmp/p", "-c", "a" * 39, "A" * 40, "a" * 40 + "\n", "ext::sh -c id", ""]
)
def test_nothing_but_an_object_id_reaches_git(standin: GitHub, ours: Mirror, sha: str) -> None:
    with pytest.raises(ValueError, match="40 hex"):
        ours.fetch(sha, "a" * 40, 1, "t")
    with pytest.raises(ValueError, match="40 hex"):
        ours.fetch("a" * 40, sha, 1, "t")
    with pytest.raises(ValueError, match="40 hex"):
        ours.fetch_blobs([sha], "t")
    assert requests_of(standin) == 0
    assert not ours.path.exists()


@pytest.mark.parametrize("name", ["ext::sh -c id", "../../etc", "-o/r", "o/r --upload-pack=x", "o/.."])
def test_nothing_but_a_name_becomes_an_address(settings: Settings, name: str) -> None:
    with pytest.raises(ValueError, match="owner/name"):
        Mirror(settings, 1, name)
    with pytest.raises(ValueError, match="whole number"):
        Mirror(settings, 0, "octo-org/results")


def test_the_token_is_in_no_process_list_and_on_no_disk(
    standin: GitHub, results: Repository, ours: Mirror, token: str
) -> None:
    ours.fetch(main_of(results), main_of(results), 1, token)
    standin.faults.add("POST", "git-upload-pack", effects.delayed(1))
    worker = threading.Thread(target=ours.fetch, args=(pull(results, {"a": b"1"}), main_of(results), 1, token))
    worker.start()
    seen: list[str] = []
    while worker.is_alive() and not any("upload-pack" in line or "remote-http" in line for line in seen):
        seen += processes_on(ours)
    worker.join()
    assert seen
    assert all(token not in line and "x-access-token" not in line for line in seen)
    for file in ours.path.parent.rglob("*"):
        assert not file.is_file() or token.encode() not in file.read_bytes()


def test_the_operators_environment_does_not_reach_git(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, results: Repository, ours: Mirror, token: str
) -> None:
    (tmp_path / ".gitconfig").write_text(f'[url "file:///nowhere"]\n\tinsteadOf = {ours._url}\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "objects"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.bare=false'")
    ours.fetch(main_of(results), main_of(results), 1, token)
    assert holds(ours, main_of(results))
    assert not (tmp_path / "objects").exists()


def test_only_the_servers_own_protocol_and_no_lazy_fetch(settings: Settings, tmp_path: Path) -> None:
    surroundings = Surroundings("https://github.com", tmp_path / "home")
    for address in ("file:///etc", "ext::sh -c id", "http://127.0.0.1:1/x", "git://127.0.0.1/x"):
        with pytest.raises(GitError, match="not allowed"):
            git_command.run(surroundings, ["ls-remote", "--", address], timeout=10, largest_file=1 << 20)
    environment = surroundings.environment("ghs_x")
    assert environment["GIT_NO_LAZY_FETCH"] == "1"
    assert "http.https://github.com/.extraHeader" in environment.values()
    assert settings.github_server_url.startswith("http://127.0.0.1")


def test_hooks_of_the_mirror_do_not_run(results: Repository, ours: Mirror, token: str, tmp_path: Path) -> None:
    ours.fetch(main_of(results), main_of(results), 1, token)
    hook = ours.path / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    ours.fetch(pull(results, {"a": b"1"}), main_of(results), 1, token)
    assert not (tmp_path / "ran").exists()


def test_upkeep_packs_renews_and_prunes(
    monkeypatch: pytest.MonkeyPatch, results: Repository, ours: Mirror, token: str
) -> None:
    assert ours.maintain(token) == ()
    for number in range(4):
        ours.fetch(pull(results, {f"{number}": b"%d" % number}), main_of(results), number + 1, token)
    assert ours.maintain(token) == ("prune",)
    monkeypatch.setattr(mirror, "MAX_PACKS", 3)
    head = pull(results, {"head": b"x"})
    ours.fetch(head, main_of(results), 9, token)
    assert ours.maintain(token) == ("prune", "repack")
    assert len(list(ours.path.glob("objects/pack/*.pack"))) == 1
    assert holds(ours, head)
    monkeypatch.setattr(mirror, "MAX_BYTES", 1)
    ours.fetch(pull(results, {"large": os.urandom(20_000)}), main_of(results), 10, token)
    assert ours.maintain(token) == ("prune", "renew")
    assert ours.size < 10_000
    ours.fetch(head, main_of(results), 9, token)
    assert holds(ours, head, oid_of(results, head, "head"))
    assert sorted(path.name for path in ours.path.parent.iterdir() if path.is_dir()) == [ours.path.name, "home"]


def test_leftovers_of_killed_processes_go_when_they_are_old(results: Repository, ours: Mirror, token: str) -> None:
    ours.fetch(main_of(results), main_of(results), 1, token)
    old = [ours.path / "objects/pack/tmp_pack_x", ours.path / "packed-refs.lock", ours.path / "refs/prs/7.lock"]
    young = ours.path / "objects/pack/tmp_pack_y"
    for file in [*old, young]:
        file.write_bytes(b"x")
    for file in old:
        os.utime(file, (1, 1))
    unfinished = ours.path.with_name(f"{results.id}.new-killed")
    unfinished.mkdir()
    os.utime(unfinished, (1, 1))
    being_made = ours.path.with_name(f"{results.id}.new-alive")
    being_made.mkdir()
    ours.prune()
    assert not any(file.exists() for file in [*old, unfinished])
    assert young.exists()
    assert being_made.exists()


def test_a_renewal_waits_for_readers_and_gives_up_in_time(results: Repository, ours: Mirror, token: str) -> None:
    ours.fetch(main_of(results), main_of(results), 1, token)
    with ours.reading() as path:
        ours.fetch(pull(results, {"a": b"1"}), main_of(results), 1, token)
        with pytest.raises(BusyMirrorError, match="was held by others") as caught:
            ours.renew(token, 0.2)
        assert path.exists()
    assert caught.value.retryable
    ours.renew(token)


def test_upkeep_leaves_a_mirror_in_use_to_the_next_time(
    monkeypatch: pytest.MonkeyPatch, standin: GitHub, results: Repository, ours: Mirror, token: str
) -> None:
    for number in range(4):
        ours.fetch(pull(results, {f"{number}": b"%d" % number}), main_of(results), number + 1, token)
    (ours.path / mirror_folder.SIZE_FILE).write_text("1")
    old = ours.path / "objects/pack/tmp_pack_x"
    old.write_bytes(b"x")
    os.utime(old, (1, 1))
    standin.clear_requests()
    begun = time.monotonic()
    with ours.reading():
        packs = len(list(ours.path.glob("objects/pack/*.pack")))
        for bound, value in (("MAX_PACKS", packs - 1), ("MAX_BYTES", ours.size - 2)):
            monkeypatch.setattr(mirror, bound, value)
            assert ours.maintain(token) == ("prune",)
    assert time.monotonic() - begun < 10
    assert not old.exists()
    assert requests_of(standin) == 0
    assert ours.maintain(token) == ("prune", "renew")


def test_readers_that_overlap_do_not_keep_upkeep_out_for_ever(
    monkeypatch: pytest.MonkeyPatch, results: Repository, ours: Mirror, token: str
) -> None:
    for number in range(4):
        ours.fetch(pull(results, {f"{number}": b"%d" % number}), main_of(results), number + 1, token)
    monkeypatch.setattr(mirror, "MAX_PACKS", 1)
    over = threading.Event()
    main = main_of(results)

    def read() -> None:
        while not over.is_set():
            with ours.reading():
                over.wait(0.5)
                ours.fetch(main, main, 1, token)  # a reader's own fetch is let through while upkeep waits

    with ThreadPoolExecutor(2) as pool:
        try:
            readers = [pool.submit(read)]
            time.sleep(0.25)
            readers.append(pool.submit(read))
            assert ours.maintain(token) == ("prune", "repack")
        finally:
            over.set()
        for reader in readers:
            reader.result()


def test_a_damaged_mirror_is_told_and_can_be_renewed(results: Repository, ours: Mirror, token: str) -> None:
    ours.fetch(main_of(results), main_of(results), 1, token)
    (ours.path / "HEAD").write_text("nonsense")
    head = pull(results, {"a": b"1"})
    with pytest.raises(DamagedMirrorError):
        ours.fetch(head, main_of(results), 1, token)
    ours.renew(token)
    ours.fetch(head, main_of(results), 1, token)
    assert holds(ours, head)


def test_many_fetches_leave_no_children_and_no_open_files(results: Repository, ours: Mirror, token: str) -> None:
    main, head = main_of(results), pull(results, {"a": b"1"})
    counts = []
    for number in range(1, 31):  # nothing is left to fetch, so the stand-in in this process opens nothing
        ours.fetch(head, main, 1, token)
        if number in (5, 30):
            counts.append((len(list(Path("/proc/self/fd").iterdir())), children()))
    (files, processes), (files_later, processes_later) = counts
    assert files_later <= files
    assert processes_later <= processes


def test_the_folder_of_the_mirrors_is_tested(
    settings: Settings, ours: Mirror, results: Repository, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert folder_fault(settings) is None
    ours.fetch(main_of(results), main_of(results), 1, token)
    assert folder_fault(settings) is None
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert "belongs to another user" in str(folder_fault(settings))


def test_a_folder_that_is_a_file_is_told(settings: Settings) -> None:
    settings.data_dir.mkdir()
    settings.mirrors_dir.write_text("")
    assert "can't be written" in str(folder_fault(settings))


def test_locks_exclude_each_other_within_one_process(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with shared(path, 1), shared(path, 1), pytest.raises(LockTimeoutError), exclusive(path, 0.1):
        pass
    with exclusive(path, 1), pytest.raises(LockTimeoutError), shared(path, 0.1):
        pass
    with exclusive(path, 0):
        pass


def processes_on(ours: Mirror) -> list[str]:
    """Command lines of running processes that have to do with a mirror."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # ended meanwhile
            lines.append(file.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
    return [line for line in lines if str(ours.path) in line or ours._url in line]


def children() -> int:
    """How many child processes the threads of this process have."""
    lists = [file.read_text().split() for file in Path("/proc/self/task").glob("*/children")]
    return sum(map(len, lists))
