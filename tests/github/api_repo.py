"""Operations on a repository's settings, people and statuses, and on the server itself."""

import time

from tests.github import git_read
from tests.github.accounts import RATE_LIMIT
from tests.github.api import Call, Reply, operation
from tests.github.problem import ProblemError, not_found
from tests.github.records import Installation, Json, Repository, now
from tests.github.represent import node_id

REPO = "/repos/{owner}/{repo}"
BRANCH = f"{REPO}/branches/{{branch}}"
# The five roles fold into three permissions: https://docs.github.com/rest/collaborators/collaborators
PERMISSIONS = {"admin": "admin", "maintain": "write", "write": "write", "triage": "read", "read": "read"}
WORST_FIRST = ("error", "failure", "pending", "success")
RULESET_ID = 1


@operation("GET", REPO, metadata="read")
def get_repository(call: Call) -> Reply:
    """The repository."""
    return Reply(call.shapes.repository(call.repository))


@operation("GET", f"{REPO}/collaborators/{{username}}/permission", metadata="read")
def get_permission(call: Call) -> Reply:
    """What a person may do; anyone may read a public repository."""
    login, repository = call.parameters["username"], call.repository
    role = repository.permissions.get(login) or ("none" if repository.private else "read")
    if login not in call.state.users:
        raise ProblemError(404, f"{login} is not a user")
    user = call.shapes.user(call.state.users[login]) | {"role_name": role}
    return Reply({"permission": PERMISSIONS.get(role, role), "role_name": role, "user": user})


@operation("GET", f"{BRANCH}/protection", administration="read")
def get_protection(call: Call) -> Reply:
    """Protection of a branch. Raises 404 for one that has none."""
    url = f"{call.shapes.repo_url(call.repository)}/branches/{call.parameters['branch']}/protection"
    admins = {"url": f"{url}/enforce_admins", "enabled": True}
    return Reply({"url": url, "enabled": True, "required_status_checks": _policy(call), "enforce_admins": admins})


@operation("GET", f"{BRANCH}/protection/required_status_checks", administration="read")
def get_required_checks(call: Call) -> Reply:
    """The checks a branch requires."""
    return Reply(_policy(call))


@operation("GET", f"{REPO}/rules/branches/{{branch}}", metadata="read")
def get_branch_rules(call: Call) -> Reply:
    """The rules that hold for a branch."""
    source = {"ruleset_source_type": "Repository", "ruleset_source": call.repository.full_name}
    return Reply([rule | source | {"ruleset_id": RULESET_ID} for rule in _rules(call.repository)])


@operation("GET", f"{REPO}/rulesets", metadata="read")
def list_rulesets(call: Call) -> Reply:
    """The repository's rulesets: one if any check is required."""
    return Reply([_ruleset(call.repository)] if call.repository.required_checks else [])


@operation("GET", f"{REPO}/rulesets/{{ruleset_id}}", metadata="read")
def get_ruleset(call: Call) -> Reply:
    """One ruleset with its rules."""
    if not call.repository.required_checks or call.parameters["ruleset_id"] != str(RULESET_ID):
        raise not_found()
    return Reply(_ruleset(call.repository) | {"rules": _rules(call.repository)})


@operation("GET", f"{REPO}/commits/{{ref}}/status", statuses="read")
def get_combined_status(call: Call) -> Reply:
    """The worst of the newest statuses of each context."""
    sha = git_read.resolve(call.repository.git, call.parameters["ref"])
    if sha is None:
        raise not_found()
    newest = {one["context"]: one for one in call.repository.statuses if one["sha"] == sha}
    states = [one["state"] for one in newest.values()] or ["pending"]
    url = call.shapes.repo_url(call.repository)
    body = {"state": min(states, key=WORST_FIRST.index), "sha": sha, "total_count": len(newest)} | {
        "statuses": list(newest.values()),
        "repository": call.shapes.repository(call.repository),
        "commit_url": f"{url}/commits/{sha}",
        "url": f"{url}/commits/{sha}/status",
    }
    return Reply(body)


@operation("POST", f"{REPO}/statuses/{{sha}}", statuses="write")
def create_status(call: Call) -> Reply:
    """A commit status."""
    sha, number = call.parameters["sha"], call.state.next_id()
    if not git_read.is_commit(call.repository.git, sha):
        call.refuse([f"No commit found for SHA: {sha}"])
    bot = call.shapes.user(call.state.user(f"{call.token.installation.app.slug}[bot]", "Bot"))
    url = f"{call.shapes.repo_url(call.repository)}/statuses/{sha}"
    status: Json = {"context": "default", "description": None, "target_url": None, **call.body, "sha": sha}
    status |= {"id": number, "node_id": node_id("Status", number), "url": url, "avatar_url": bot["avatar_url"]}
    call.repository.statuses.append(status | {"created_at": now(), "updated_at": now(), "creator": bot})
    return Reply(call.repository.statuses[-1], 201, {"Location": url})


@operation("GET", "/rate_limit")
def get_rate_limit(call: Call) -> Reply:
    """What is left of the hour; asking is free."""
    installation = call.caller.token.installation if call.caller.token else None
    core = rate(installation)
    return Reply({"rate": core, "resources": {"core": core, "search": core, "graphql": core}})


@operation("GET", "/meta")
def get_meta(call: Call) -> Reply:
    """About the server."""
    return Reply({"verifiable_password_authentication": False, "hooks": ["127.0.0.0/8"], "api": ["127.0.0.0/8"]})


def rate(installation: Installation | None) -> Json:
    """`rate-limit` of an installation, full for callers without one."""
    remaining = installation.remaining if installation else RATE_LIMIT
    reset = installation.reset if installation else int(time.time()) + 3600
    return {"limit": RATE_LIMIT, "remaining": remaining, "used": RATE_LIMIT - remaining, "reset": reset}


def _policy(call: Call) -> Json:
    checks = call.repository.required_checks
    if not checks or call.parameters["branch"] != call.repository.default_branch:
        raise ProblemError(404, "Branch not protected")
    branch = f"{call.shapes.repo_url(call.repository)}/branches/{call.parameters['branch']}"
    url = f"{branch}/protection/required_status_checks"
    return {"url": url, "contexts_url": f"{url}/contexts", "strict": True, "checks": checks} | {
        "contexts": [one["context"] for one in checks]
    }


def _ruleset(repository: Repository) -> Json:
    return {
        "id": RULESET_ID,
        "name": "Required checks",
        "target": "branch",
        "source_type": "Repository",
        "source": repository.full_name,
        "enforcement": "active",
        "conditions": {"ref_name": {"include": ["~DEFAULT_BRANCH"], "exclude": []}},
    }


def _rules(repository: Repository) -> list[Json]:
    if not repository.required_checks:
        return []
    checks = [{"context": one["context"], "integration_id": one["app_id"]} for one in repository.required_checks]
    parameters = {"required_status_checks": checks, "strict_required_status_checks_policy": True}
    return [{"type": "required_status_checks", "parameters": parameters}]
