"""Operations on check suites and check runs. https://docs.github.com/rest/checks"""

from collections.abc import Sequence

from tests.github import git_read, represent_checks
from tests.github.api import Call, Reply, operation
from tests.github.limits import faults_of_check_run
from tests.github.problem import ProblemError, invalid, not_found
from tests.github.records import CheckRun, CheckSuite, Json, now

REPO = "/repos/{owner}/{repo}"


@operation("POST", f"{REPO}/check-runs", checks="write")
def create_run(call: Call) -> Reply:
    """A new run, also when one of this name exists: only the newest is then shown."""
    if call.repository.archived:
        raise ProblemError(403, "Repository was archived so is read-only.")
    call.refuse(faults_of_check_run(call.body, git_read.is_commit(call.repository.git, call.body["head_sha"])))
    suite = call.state.suite(call.token.installation.app, call.repository, call.body["head_sha"])
    suite.rerequested = False
    run = CheckRun(call.state.next_id(), suite, call.body["name"], details_url="https://example.org")
    _change(run, {"status": "queued", **call.body})
    call.state.runs[run.id] = run
    body = represent_checks.check_run(call.shapes, run)
    return Reply(body, 201, {"Location": body["url"]})


@operation("GET", f"{REPO}/check-runs/{{check_run_id}}", checks="read")
def get_run(call: Call) -> Reply:
    """One run."""
    return Reply(represent_checks.check_run(call.shapes, _run(call)))


@operation("PATCH", f"{REPO}/check-runs/{{check_run_id}}", checks="write")
def update_run(call: Call) -> Reply:
    """Change a run of one's own; annotations are added to those it has."""
    run = _run(call)
    _demand_own(call, run.suite)
    body = call.body or {}
    call.refuse(faults_of_check_run(body))
    run.suite.rerequested = False
    _change(run, body)
    return Reply(represent_checks.check_run(call.shapes, run))


@operation("GET", f"{REPO}/check-runs/{{check_run_id}}/annotations", checks="read")
def list_annotations(call: Call) -> Reply:
    """All annotations of a run, in the order they came."""
    run = _run(call)
    page, links = call.page(run.annotations)
    return Reply([represent_checks.annotation(call.shapes, run, one) for one in page], headers=links)


@operation("POST", f"{REPO}/check-runs/{{check_run_id}}/rerequest", checks="write")
def rerequest_run(call: Call) -> Reply:
    """Ask the run's App to run again; the run itself stays as it is."""
    run = _run(call)
    if run.status != "completed":
        raise invalid("Check run is not rerequestable")
    run.suite.rerequested = True
    return Reply({}, 201)


@operation("POST", f"{REPO}/check-suites", checks="write")
def create_suite(call: Call) -> Reply:
    """The suite of this App for a commit: 201 when new, 200 when it was there."""
    sha, app = call.body["head_sha"], call.token.installation.app
    if not git_read.is_commit(call.repository.git, sha):
        call.refuse([f"No commit found for SHA: {sha}"])
    before = len(call.state.suites)
    suite = call.state.suite(app, call.repository, sha)
    return Reply(represent_checks.check_suite(call.shapes, suite), 201 if len(call.state.suites) > before else 200)


@operation("PATCH", f"{REPO}/check-suites/preferences", checks="write")
def set_preferences(call: Call) -> Reply:
    """Whether pushes make suites by themselves; echoed."""
    chosen = call.body.get("auto_trigger_checks", [])
    body = {"preferences": {"auto_trigger_checks": chosen}, "repository": call.shapes.repository(call.repository)}
    return Reply(body)


@operation("GET", f"{REPO}/check-suites/{{check_suite_id}}", checks="read")
def get_suite(call: Call) -> Reply:
    """One suite."""
    return Reply(represent_checks.check_suite(call.shapes, _suite(call)))


@operation("GET", f"{REPO}/check-suites/{{check_suite_id}}/check-runs", checks="read")
def list_runs_of_suite(call: Call) -> Reply:
    """Runs of one suite."""
    suite = _suite(call)
    return _listed(call, [run for run in call.state.runs.values() if run.suite is suite])


@operation("POST", f"{REPO}/check-suites/{{check_suite_id}}/rerequest", checks="write")
def rerequest_suite(call: Call) -> Reply:
    """Ask the suite's App to run again; the suite becomes queued."""
    _suite(call).rerequested = True
    return Reply({}, 201)


@operation("GET", f"{REPO}/commits/{{ref}}/check-runs", checks="read")
def list_runs_of_commit(call: Call) -> Reply:
    """Runs for a commit, by every App unless `app_id` names one."""
    runs = call.state.runs_of(call.repository, _commit(call))
    wanted = call.query("app_id")
    return _listed(call, [run for run in runs if wanted in (None, str(run.suite.app.id))])


@operation("GET", f"{REPO}/commits/{{ref}}/check-suites", checks="read")
def list_suites_of_commit(call: Call) -> Reply:
    """Suites for a commit."""
    sha, app, name = _commit(call), call.query("app_id"), call.query("check_name")
    of_commit = [one for one in call.state.suites.values() if one.repository is call.repository and one.head_sha == sha]
    named = {run.suite.id for run in call.state.runs_of(call.repository, sha) if run.name == name}
    found = [one for one in of_commit if app in (None, str(one.app.id)) and (name is None or one.id in named)]
    page, links = call.page(found)
    suites = [represent_checks.check_suite(call.shapes, one) for one in page]
    return Reply({"total_count": len(found), "check_suites": suites}, headers=links)


def _listed(call: Call, runs: Sequence[CheckRun]) -> Reply:
    """Newest first; with `filter=latest` (the default) only the newest of a name in each suite."""
    name, status = call.query("check_name"), call.query("status")
    kept = [run for run in reversed(runs) if name in (None, run.name)]
    if (call.query("filter") or "latest") == "latest":
        newest = {(run.suite.id, run.name): run for run in reversed(kept)}
        kept = [run for run in kept if newest[run.suite.id, run.name] is run]
    found = [run for run in kept if status in (None, run.status)]
    page, links = call.page(found)
    shown = [represent_checks.check_run(call.shapes, run) for run in page]
    return Reply({"total_count": len(found), "check_runs": shown}, headers=links)


def _change(run: CheckRun, body: Json) -> None:
    for key in ("name", "external_id", "details_url", "started_at", "actions"):
        if key in body:
            setattr(run, key, body[key])
    _move(run, body)
    output = body.get("output") or {}
    run.title, run.summary = output.get("title", run.title), output.get("summary", run.summary)
    run.text = output.get("text", run.text)
    run.annotations.extend(output.get("annotations") or [])


def _move(run: CheckRun, body: Json) -> None:
    """A conclusion completes the run; another status than completed takes the conclusion away."""
    status = "completed" if "conclusion" in body else body.get("status", run.status)
    if status == "completed":
        run.conclusion = body.get("conclusion", run.conclusion)
        run.completed_at = body.get("completed_at") or run.completed_at or now()
    else:
        run.conclusion = run.completed_at = None
    run.started_at = run.started_at or now()
    run.status = status
    run.statuses.append(status)


def _run(call: Call) -> CheckRun:
    found = call.state.runs.get(int(call.parameters["check_run_id"]))
    if found is None or found.suite.repository is not call.repository:
        raise not_found()
    return found


def _suite(call: Call) -> CheckSuite:
    found = call.state.suites.get(int(call.parameters["check_suite_id"]))
    if found is None or found.repository is not call.repository:
        raise not_found()
    return found


def _demand_own(call: Call, suite: CheckSuite) -> None:
    app = call.token.installation.app
    if suite.app is not app:
        text = "check run can only be modified by the GitHub App that created it."
        raise ProblemError(403, f"Invalid app_id `{app.id}` - {text}")


def _commit(call: Call) -> str:
    found = git_read.resolve(call.repository.git, call.parameters["ref"])
    if found is None:
        raise invalid(f"No commit found for SHA: {call.parameters['ref']}")
    return found
