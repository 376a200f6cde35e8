"""Requests that cannot be answered, whatever the protocol: HTTP, that of agents, that of editors; and failures."""

from __future__ import annotations

import tempfile
import traceback


class RequestError(Exception):
    """`code` is one of the table in `http/errors.py`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def describe_failure(error: BaseException) -> str:
    """Write the traceback to a file, and return one line that names it."""
    with tempfile.NamedTemporaryFile("w", prefix="birthmark-", suffix=".log", delete=False) as log:
        traceback.print_exception(error, file=log)
    summary = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"internal failure: {summary}; the details are in {log.name}"
