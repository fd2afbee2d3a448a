"""``submission-bot check``: the same findings as the service, on a person's machine."""

from __future__ import annotations

import datetime
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from bot import policy
from bot.commands.output import need_git, unable, write
from bot.policy import DEFAULT, Occasion, Policy, PolicyFault
from checks import names, rule_sets
from checks.api import Options, UnknownScope, check_change, check_tree
from checks.collector import few_collections, leave_the_rest
from checks.edition import UnknownEdition
from checks.findings import Report
from checks.folder_tree import FolderTree
from checks.formats import RENDERERS, text
from checks.rule_sets import RulesUnclear
from checks.tree import NotInTree, Tree, TreeError

PASSED, FAILED = 0, 1
"""Exit codes: nothing failed; findings of level error."""

SLOW = 1.0
"""Seconds of work after which a progress bar appears on a terminal."""


@click.command(short_help="Check a folder, or what a change in a git repository touches.")
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--repo", type=click.Path(path_type=Path), help="A bare or ordinary git repository to check in.")
@click.option("--base", help="With --repo: the branch or commit that the change is meant for.")
@click.option("--head", help="With --repo: the branch or commit that holds the change.")
@click.option(
    "--merged", is_flag=True, help="With --repo: judge what a merge into BASE would give, as the service does."
)
@click.option("--author", metavar="LOGIN", help="With --repo: whose change it is, for the rule on owners of folders.")
@click.option("--rules", type=click.Choice(rule_sets.NAMES), help="Default: recognised from the tree.")
@click.option("--edition", help="Edition of the rules; `submission-bot rules` names them.")
@click.option(
    "--config", "config_file", type=click.Path(path_type=Path), help="Default: .github/submission-checks.yml."
)
@click.option("--only", multiple=True, metavar="SCOPE", help="Check this scope only (repeatable).")
@click.option("--format", "format_name", type=click.Choice(tuple(RENDERERS)), default="text", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), help="Write the report to this file.")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Processes that share the work.  [default: as many as save time]"
)
@click.option("--no-fetch", is_flag=True, help="In a partial clone, fetch nothing; exit 2 when content is missing.")
def check(path: Path | None, **given: Any) -> None:
    """Check PATH (a merged tree, or one submitter's package), or with --repo, --base and --head only the systems that
    differ between the merge base of BASE and HEAD, and HEAD, without a checkout.

    Exit codes: 0 nothing failed, 1 findings of level error, 2 the command could not do its work.
    """
    sys.exit(_checked(path, given))


@few_collections()
def _checked(path: Path | None, given: dict[str, Any]) -> int:
    """Checks, writes the report, and gives the exit code."""
    try:
        with _progress() as progress:
            report = _report(path, given, progress)
    except (TreeError, RulesUnclear, UnknownEdition, UnknownScope) as error:
        unable(str(error))
    _write(report, given["format_name"], given["output"])
    leave_the_rest()
    if report.faults:
        unable(f"the checker itself failed on {len(report.faults)} rules; this is not a fault of the submission")
    return PASSED if report.verdict == "pass" else FAILED


def _report(path: Path | None, given: dict[str, Any], progress: Any) -> Report:
    options = Options(
        rules=given["rules"],
        edition=given["edition"],
        only=given["only"],
        strict=given["strict"],
        jobs=given["jobs"],
        progress=progress,
    )
    if given["repo"] is None:
        if path is None or given["base"] or given["head"]:
            raise click.UsageError("Give PATH, or --repo with --base and --head.")
        if given["merged"] or given["author"]:
            raise click.UsageError("--merged and --author go with --repo.")
        return _of_folder(path, given["config_file"], options)
    if path is not None or not (given["base"] and given["head"]):
        raise click.UsageError("--repo goes with --base and --head, and without PATH.")
    return _of_change(given, options)


def _of_folder(path: Path, config_file: Path | None, options: Options) -> Report:
    whole = FolderTree(path)
    found = _policy(whole, config_file)
    root = names.inside_path(found.root)
    if root and not whole.is_dir(root):
        unable(f"root: {root} is no folder in {path}; the configuration says that the submissions lie there")
    tree = FolderTree(path / root) if root else whole
    return _ruled(check_tree(tree, _with(options, found)), found)


def _of_change(given: dict[str, Any], options: Options) -> Report:
    need_git()
    from bot.commands.local_git import Blobs  # a folder is checked without git, and git takes its time to load
    from checks.change_trees import ChangeTrees, Commits
    from checks.git_tree import RevisionUnknown, merge_base, open_repository, resolve

    folder = given["repo"]
    repository = open_repository(folder)
    try:
        base, head = resolve(repository, given["base"]), resolve(repository, given["head"])
    except RevisionUnknown as error:
        unable(f"{error}; fetch it first, or give its full name, such as origin/main")
    common = merge_base(folder, base, head)
    if common is None:
        remedy = "; the clone is shallow: complete it by `git fetch --unshallow`" if repository.is_shallow else ""
        unable(f"{given['base']} and {given['head']} share no history, so that nothing can be compared{remedy}")
    fetch = None if given["no_fetch"] else Blobs(folder).fetch
    commits = Commits(common, base if given["merged"] else common, head)
    whole = ChangeTrees.at(folder, commits, fetch)
    found = _policy(whole.tip, given["config_file"])
    trees = ChangeTrees.at(folder, commits, fetch, _root(found, whole.tip, whole.base, whole.head))
    options = replace(_with(options, found), base=common, head=head)
    return _ruled(check_change(trees.base, trees.head, options, trees.merge), found, given["author"])


def _root(found: Policy, *trees: Tree) -> str:
    """The folder that holds the submissions; where it is none, the command ends."""
    try:
        return policy.root_of(found, *trees)
    except (PolicyFault, policy.RootGoneError) as error:
        unable(str(error))


def _policy(tree: Tree, config_file: Path | None) -> Policy:
    """The configuration from the file named, else from the tree; faulty ones end the command."""
    place = str(config_file) if config_file else policy.PATH
    try:
        if config_file is not None:
            return policy.load_text(config_file.read_bytes())
        tree.ensure([policy.PATH] if tree.is_file(policy.PATH) else [])
        return policy.load_text(tree.read(policy.PATH, policy.MAX_BYTES))
    except NotInTree:
        return DEFAULT
    except OSError as error:
        unable(f"the configuration {place} can't be read: {error.strerror}")
    except PolicyFault as fault:
        line = f":{fault.line}" if fault.line else ""
        unable(f"the configuration is not valid: {place}{line}: {fault.reason} (`config check` names all faults)")


def _with(options: Options, found: Policy) -> Options:
    return replace(
        options,
        rules=options.rules or found.rules,
        edition=options.edition or found.edition,
        levels=found.levels_on(_today()),
        results_preview=found.results_preview,
    )


def _ruled(report: Report, found: Policy, author: str | None = None) -> Report:
    return policy.apply(report, found, Occasion(_today(), author))


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()


@contextmanager
def _progress() -> Iterator[Any]:
    """A bar on standard error, when that is a terminal and the work takes over a second."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    started = time.monotonic()
    bar: Any = None

    def told(done: int, total: int) -> None:
        nonlocal bar
        if bar is None and time.monotonic() - started > SLOW:
            bar = click.progressbar(length=total, label="Checking", file=sys.stderr)
            bar.__enter__()
        if bar is not None:
            bar.update(done - bar.pos)

    try:
        yield told
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)


def _on_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _write(report: Report, format_name: str, output: Path | None) -> None:
    if output is not None:
        try:
            output.write_text(RENDERERS[format_name](report), encoding="utf-8")
        except OSError as error:
            unable(f"the report can't be written to {output}: {error.strerror}")
        return
    colour = format_name == "text" and _on_terminal() and not os.environ.get("NO_COLOR")
    rendered = text.render(report, colour=True) if colour else RENDERERS[format_name](report)
    write(rendered)
