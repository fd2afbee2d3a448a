"""The judge finds faults in requests and replies, and only there."""

import json
from typing import Any

import pytest
from werkzeug import Request, Response
from werkzeug.test import EnvironBuilder

from tests.github.judge import DescribedRequest, fault_of_reply, fault_of_request

REPO = {"owner": "o", "repo": "r"}
LABELS = "/repos/{owner}/{repo}/issues/{issue_number}/labels"


def described(method: str, template: str, body: Any = None, **parameters: str) -> DescribedRequest:
    request = Request(EnvironBuilder(method=method, json=body).get_environ())
    return DescribedRequest(request, template, REPO | parameters)


def replied(body: Any, status: int = 200) -> Response:
    return Response(json.dumps(body), status, mimetype="application/json")


def test_reply_that_lacks_properties_is_found() -> None:
    request = described("GET", "/repos/{owner}/{repo}/pulls/{pull_number}", pull_number="1")
    fault = fault_of_reply(request, replied({"id": 1}))
    assert fault is not None
    assert "'number' is a required property" in fault


def test_undocumented_status_is_found() -> None:
    request = described("GET", "/repos/{owner}/{repo}/pulls/{pull_number}", pull_number="1")
    assert fault_of_reply(request, replied({}, 201)) is not None


def test_errors_are_not_judged() -> None:
    request = described("POST", "/repos/{owner}/{repo}/check-runs", {"name": "c", "head_sha": "a"})
    assert fault_of_reply(request, replied({"message": "Not Found"}, 404)) is None


def test_null_for_a_nullable_enum_passes() -> None:
    request = described("GET", "/repos/{owner}/{repo}/check-suites/{check_suite_id}", check_suite_id="1")
    fault = fault_of_reply(request, replied({"status": None, "conclusion": None}))
    assert fault is not None
    assert "None" not in fault


@pytest.mark.parametrize("body", [["bug"], {"labels": ["bug"]}, {"labels": [{"name": "bug"}]}])
def test_labels_in_all_documented_forms(body: Any) -> None:
    assert fault_of_request(described("POST", LABELS, body, issue_number="1")) is None


@pytest.mark.parametrize("body", [[1], {"label": ["bug"]}, {"labels": [{"nam": "bug"}]}])
def test_labels_in_other_forms(body: Any) -> None:
    assert fault_of_request(described("POST", LABELS, body, issue_number="1")) is not None


def test_parameters_keep_to_one_segment() -> None:
    template = "/repos/{owner}/{repo}/contents/{path}"
    request = described("GET", template, path="closed/Größe 1/a?.yaml")
    assert request.path == "/repos/o/r/contents/closed%2FGr%C3%B6%C3%9Fe%201%2Fa%3F.yaml"
    assert fault_of_request(request) is None


def test_parameter_of_a_wrong_type_is_found() -> None:
    assert fault_of_request(described("GET", "/repos/{owner}/{repo}/pulls/{pull_number}", pull_number="x")) is not None
