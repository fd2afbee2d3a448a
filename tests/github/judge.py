"""GitHub's own OpenAPI description as the judge of every request and reply, through openapi-core."""

import copy
import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from openapi_core import Config, OpenAPI
from openapi_core.contrib.werkzeug import WerkzeugOpenAPIRequest, WerkzeugOpenAPIResponse
from openapi_core.exceptions import OpenAPIError
from werkzeug import Request, Response

DATA = Path(__file__).parent / "data"
DESCRIPTION = DATA / "github-openapi-23.0.2-reduced.json"
METHODS = ("get", "post", "put", "patch", "delete")


@functools.cache
def description() -> dict[str, Any]:
    """GitHub's description as published (version 23.0.2, cut down to 68 operations)."""
    loaded: dict[str, Any] = json.loads(DESCRIPTION.read_text())
    return loaded


def operations() -> list[tuple[str, str]]:
    """Every (METHOD, path template) of the description."""
    paths = description()["paths"]
    return [(method.upper(), path) for path, item in paths.items() for method in METHODS if method in item]


class DescribedRequest(WerkzeugOpenAPIRequest):
    """A request as seen by the description: on GitHub's host, each path parameter in one segment.

    `/contents/{path}` and its like match one segment only, so the slashes of the values are encoded.
    """

    def __init__(self, request: Request, template: str, parameters: dict[str, str]) -> None:
        super().__init__(request)
        self._path = template.format(**{name: quote(value, safe="") for name, value in parameters.items()})

    @property
    def host_url(self) -> str:
        """The only server that the description names."""
        return "https://api.github.com"

    @property
    def path(self) -> str:
        """The path without the stand-in's own prefix."""
        return self._path


def fault_of_request(request: DescribedRequest) -> str | None:
    """What GitHub's description refuses in this request, or None."""
    try:
        _judge().validate_request(request)
    except OpenAPIError as error:
        return _reasons(error)
    return None


def fault_of_reply(request: DescribedRequest, reply: Response) -> str | None:
    """What the description refuses in this reply, or None. Errors are not judged: checks document no 4xx at all."""
    if reply.status_code >= 400 or reply.status_code == 304:
        return None
    try:
        _judge().validate_response(request, WerkzeugOpenAPIResponse(reply))
    except OpenAPIError as error:
        return _reasons(error)
    return None


def amended() -> dict[str, Any]:
    """The description with the few places mended where GitHub's practice and OpenAPI 3.0 part."""
    mended = copy.deepcopy(description())
    for schema in _nullable_enums(mended):
        schema["enum"].append(None)
    # The schema promises a head repository; GitHub sends null once the fork is deleted.
    for name in ("pull-request", "pull-request-simple"):
        head = mended["components"]["schemas"][name]["properties"]["head"]
        head["properties"]["repo"] = {"$ref": "#/components/schemas/nullable-repository"}
    for path, item in mended["paths"].items():
        for method in METHODS:
            if "requestBody" in item.get(method, {}):
                _amend_body(path, item[method]["requestBody"]["content"])
    return mended


@functools.cache
def _judge() -> OpenAPI:
    # The document itself is validated once, by a test: it takes longer than all else at the start.
    return OpenAPI.from_dict(amended(), config=Config(spec_validator_cls=None))  # type: ignore[arg-type]  # documented


def _nullable_enums(node: Any) -> Iterator[dict[str, Any]]:
    """OpenAPI 3.0 lets `nullable` not widen an `enum`; GitHub sends null in these all the same."""
    if isinstance(node, dict):
        if node.get("nullable") and "enum" in node and None not in node["enum"]:
            yield node
        for child in node.values():
            yield from _nullable_enums(child)
    elif isinstance(node, list):
        for child in node:
            yield from _nullable_enums(child)


def _amend_body(path: str, content: dict[str, Any]) -> None:
    """Refuse misspelt keys; take the bare list of label names that GitHub documents in prose."""
    schema = content["application/json"]["schema"]
    _forbid_unknown(schema)
    if path.endswith("/labels") and "oneOf" in schema:
        schema["oneOf"].append({"type": "array", "items": {"type": "string"}})


def _forbid_unknown(schema: dict[str, Any]) -> None:
    if "properties" in schema and "additionalProperties" not in schema:
        schema["additionalProperties"] = False
    for child in schema.get("properties", {}).values():
        _forbid_unknown(child)
    if "items" in schema:
        _forbid_unknown(schema["items"])
    for child in schema.get("oneOf", []):
        _forbid_unknown(child)


def _reasons(error: OpenAPIError) -> str:
    cause = error.__cause__
    found = getattr(cause, "schema_errors", None) or getattr(error, "schema_errors", None)
    if found:
        return "; ".join(f"{'/'.join(map(str, one.absolute_path)) or 'body'}: {one.message[:300]}" for one in found)
    return f"{error} {cause or ''}".strip()
