"""Refusals: what GitHub answers when it does not do as asked."""

from typing import Any

DOCUMENTATION = "https://docs.github.com/rest"


class ProblemError(Exception):
    """Raised by an operation to answer with an error status and GitHub's JSON error body."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers or {}
        self.body = {"message": message, **more, "documentation_url": DOCUMENTATION, "status": str(status)}


def not_found() -> ProblemError:
    """Also the answer for what the caller may not know of."""
    return ProblemError(404, "Not Found")


def forbidden() -> ProblemError:
    """The token lacks a permission."""
    return ProblemError(403, "Resource not accessible by integration")


def invalid(message: str) -> ProblemError:
    """The request is understood and refused."""
    return ProblemError(422, message)
