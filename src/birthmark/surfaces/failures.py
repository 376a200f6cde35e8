"""Internal failures: the traceback goes to a file, and one line names that file."""

from __future__ import annotations

import tempfile
import traceback


def describe_failure(error: BaseException) -> str:
    with tempfile.NamedTemporaryFile("w", prefix="birthmark-", suffix=".log", delete=False) as log:
        traceback.print_exception(error, file=log)
    summary = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"internal failure: {summary}; the details are in {log.name}"
