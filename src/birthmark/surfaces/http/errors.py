"""The response to a request that failed: a status, and a problem document (RFC 9457) with a code and a line."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import NamedTuple

import click
from starlette.exceptions import HTTPException
from starlette.responses import Response

from birthmark.documents.document import ErrorDetailsDocument, ErrorDocument, encode_line
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.surfaces.request_error import RequestError, describe_failure

PROBLEM = "application/problem+json"

# Every error code with its status.
STATUSES = {
    "bad_request": 400,
    "unauthorized": 401,
    "forbidden_origin": 403,
    "forbidden": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "request_timeout": 408,
    "body_too_large": 413,
    "unsupported_media_type": 415,
    "unknown_host": 421,
    "too_many_requests": 429,
    "failure": 500,
    "busy": 503,
    "time_limit": 504,
}
_CODES = {status: code for code, status in STATUSES.items()}


def error_response(
    code: str, message: str, headers: dict[str, str] | None = None, choices: Sequence[str] = ()
) -> Response:
    status = STATUSES[code]
    details = ErrorDetailsDocument(message, code, [" ".join(choice.split()) for choice in choices])
    document = ErrorDocument(details, HTTPStatus(status).phrase, status, message)
    return Response(encode_line(document), status, headers, PROBLEM)


class ExplainedError(NamedTuple):
    """An error as clients see it."""

    code: str
    message: str
    choices: tuple[str, ...] = ()
    headers: dict[str, str] | None = None

    @property
    def status(self) -> int:
        return STATUSES[self.code]


def explain_error(error: Exception) -> ExplainedError:
    """Return the explanation of an error; tracebacks are not sent."""
    if isinstance(error, RequestError):
        return ExplainedError(error.code, str(error))
    if isinstance(error, NotFoundError):
        return ExplainedError("not_found", str(error), tuple(error.choices))
    if isinstance(error, BirthmarkError):
        code = "bad_request" if error.exit_code == 2 else "failure"
        return ExplainedError(code, str(error), tuple(error.choices))
    if isinstance(error, HTTPException) and error.status_code in _CODES:
        headers = dict(error.headers) if error.headers else None
        return ExplainedError(_CODES[error.status_code], error.detail, (), headers)
    click.echo(f"birthmark: {describe_failure(error)}", err=True)
    return ExplainedError("failure", "internal failure; the standard error of the server has the details")


def describe_error(error: Exception) -> Response:
    """The response to it."""
    code, message, choices, headers = explain_error(error)
    return error_response(code, message, headers, choices)
