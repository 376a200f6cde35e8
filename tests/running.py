"""Commands in this process, as a user and a program meet them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from birthmark.app.workspace.workspace import INDEX_DIR, REPOSITORY, STORE
from birthmark.sources.git.fetching import FETCH
from birthmark.surfaces.cli.main import main


class Result(NamedTuple):
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


def birthmark(*arguments: str, cwd: Path, stdin: bytes = b"", has_color: bool = False) -> Result:
    """Run a command in this process, as `main` does it."""
    before, argv = Path.cwd(), sys.argv
    environment: dict[str, str | None] = {"NO_COLOR": "" if has_color else "1"}
    changed = (
        STORE,
        REPOSITORY,
        INDEX_DIR,
        FETCH,
        "PATH",
        "PYTHONPATH",
        "PYTHONSAFEPATH",
    )  # by options, and by every command
    environment |= {name: os.environ.get(name) for name in changed}
    with CliRunner(env=environment).isolation(stdin, color=has_color) as (stdout, stderr, _):
        os.chdir(cwd)
        sys.argv = ["birthmark", *arguments]
        try:
            main()
        except SystemExit as stop:
            code = stop.code
        finally:
            os.chdir(before)
            sys.argv = argv
    assert isinstance(code, int)
    return Result(code, stdout.getvalue().decode(), stderr.getvalue().decode())


def document(*arguments: str, cwd: Path, code: int = 0) -> Any:
    result = birthmark(*arguments, "--json", cwd=cwd)
    assert result.returncode == code, result.stderr
    return json.loads(result.stdout)


def without_time(value: Any) -> Any:
    """A document without when its worktree was looked at, to be compared with another one."""
    if isinstance(value, dict):
        return {name: without_time(one) for name, one in value.items() if name != "checked_at"}
    return [without_time(one) for one in value] if isinstance(value, list) else value
