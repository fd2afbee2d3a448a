"""GitHub's JSON shapes of check suites, check runs and annotations."""

from collections.abc import Sequence
from urllib.parse import quote

from tests.github import represent_git
from tests.github.records import CheckRun, CheckSuite, Json, PullRequest
from tests.github.represent import Shapes, node_id

# A suite takes the worst of its runs, in this order.
WORST_FIRST = ("failure", "timed_out", "cancelled", "action_required", "neutral", "success", "skipped")


def check_suite(shapes: Shapes, suite: CheckSuite) -> Json:
    """`check-suite`; nothing about pull requests or branches for a head that lies in a fork."""
    runs = [run for run in shapes.state.runs.values() if run.suite is suite]
    status, conclusion = _outcome(suite, runs)
    pulls = _own_pulls(shapes, suite)
    url = f"{shapes.repo_url(suite.repository)}/check-suites/{suite.id}"
    return {
        "id": suite.id,
        "node_id": node_id("CheckSuite", suite.id),
        "head_branch": pulls[0].head_ref if pulls else _branch(suite),
        "head_sha": suite.head_sha,
        "status": status,
        "conclusion": conclusion,
        "url": url,
        "before": None,
        "after": suite.head_sha,
        "pull_requests": [_minimal(shapes, one) for one in pulls],
        "app": shapes.app(suite.app),
        "repository": shapes.repository(suite.repository),
        "created_at": suite.created_at,
        "updated_at": suite.created_at,
        "head_commit": represent_git.simple_commit(suite.repository, suite.head_sha),
        "latest_check_runs_count": len({run.name for run in runs}),
        "check_runs_url": f"{url}/check-runs",
        "rerequestable": True,
        "runs_rerequestable": True,
    }


def check_run(shapes: Shapes, run: CheckRun) -> Json:
    """`check-run`; annotations only as a count, as GitHub answers."""
    repository = run.suite.repository
    url = f"{shapes.repo_url(repository)}/check-runs/{run.id}"
    output = {"title": run.title, "summary": run.summary, "text": run.text}
    return {
        "id": run.id,
        "node_id": node_id("CheckRun", run.id),
        "head_sha": run.head_sha,
        "external_id": run.external_id,
        "url": url,
        "html_url": f"{shapes.web}/{repository.full_name}/runs/{run.id}",
        "details_url": run.details_url,
        "status": run.status,
        "conclusion": run.conclusion,
        "started_at": run.started_at,
        "completed_at": run.completed_at,
        "output": output | {"annotations_count": len(run.annotations), "annotations_url": f"{url}/annotations"},
        "name": run.name,
        "check_suite": {"id": run.suite.id},
        "app": shapes.app(run.suite.app),
        "pull_requests": [_minimal(shapes, one) for one in _own_pulls(shapes, run.suite)],
    }


def annotation(shapes: Shapes, run: CheckRun, given: Json) -> Json:
    """`check-annotation`."""
    page = f"{shapes.web}/{run.suite.repository.full_name}/blob/{run.head_sha}"
    optional = dict.fromkeys(["start_column", "end_column", "title", "raw_details"])
    return optional | given | {"blob_href": f"{page}/{quote(given['path'])}"}


def _minimal(shapes: Shapes, one: PullRequest) -> Json:
    repository = one.repository
    short = {"id": repository.id, "url": shapes.repo_url(repository), "name": repository.name}
    return {
        "id": one.id,
        "number": one.number,
        "url": f"{shapes.repo_url(repository)}/pulls/{one.number}",
        "head": {"ref": one.head_ref, "sha": one.head_sha, "repo": short},
        "base": {"ref": one.base_ref, "sha": one.base_sha, "repo": short},
    }


def _own_pulls(shapes: Shapes, suite: CheckSuite) -> list[PullRequest]:
    return [
        one
        for one in shapes.state.pulls_of(suite.repository)
        if one.state == "open" and one.head_sha == suite.head_sha and not one.from_fork
    ]


def _branch(suite: CheckSuite) -> str | None:
    repository = suite.repository
    tip = repository.git.ref(f"refs/heads/{repository.default_branch}")
    return repository.default_branch if tip == suite.head_sha else None


def _outcome(suite: CheckSuite, runs: Sequence[CheckRun]) -> tuple[str, str | None]:
    latest = {run.name: run for run in runs}.values()
    if suite.rerequested or not latest:
        return "queued", None
    if any(run.status != "completed" for run in latest):
        return "in_progress", None
    return "completed", min((run.conclusion or "neutral" for run in latest), key=WORST_FIRST.index)
