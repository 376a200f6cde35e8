"""What nobody foresaw: the details go to a file, a line says where that is."""

from __future__ import annotations

import tempfile
import traceback


def describe_failure(error: BaseException) -> str:
    with tempfile.NamedTemporaryFile("w", prefix="birthmark-", suffix=".log", delete=False) as log:
        traceback.print_exception(error, file=log)
    summary = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"internal failure: {summary}; the details are in {log.name}"
