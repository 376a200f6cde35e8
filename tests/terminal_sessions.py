"""Sessions at a terminal, written down as files: what is typed after `$`, and what people see of it.

A session runs in a copy of the sample repository whose history is indexed. Commands of birthmark run in this process,
others in a shell. Times, and the folder the repository is in, are replaced; what goes to standard error comes last.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from unittest import mock

from running import birthmark
from worlds import GIT_ENVIRONMENT

NOW = 1_767_607_200  # 2026-01-05, when all of the sessions happen
_SECONDS = re.compile(r"\b\d+\.\d+ (s|ms)\b")
_RATE = re.compile(r"\b[\d,.]+ (commits/s)")
_READ = re.compile(r"\b\d+ files? read\b|\bnothing to read\b")
_SIZE = re.compile(r"\b[\d,.]+ (kB|KB|MB|KiB|MiB)\b")


def commands_of(session: str) -> list[str]:
    return [line.removeprefix("$ ") for line in session.splitlines() if line.startswith("$ ")]


def play(commands: list[str], root: Path, columns: int, *, has_color: bool = False) -> Iterator[tuple[str, str]]:
    """Each command with what it printed; ids of subscriptions and notes are numbered, tokens are zeros."""
    settings = str(root.parent / "settings")
    environment = {"COLUMNS": str(columns), "TZ": "UTC", "XDG_CONFIG_HOME": settings}
    environment |= {"FORCE_COLOR": "1"} if has_color else {}
    ids, note_ids = (map((prefix + "-{:010}").format, count(1)) for prefix in ("sub", "note"))
    with (
        mock.patch.dict(os.environ, environment),
        mock.patch("time.time", return_value=float(NOW)),
        mock.patch("birthmark.app.scans.subscriptions.new_id", side_effect=ids),
        mock.patch("birthmark.app.notes.new_id", side_effect=note_ids),
        mock.patch("birthmark.server.commands.token_commands.secrets.token_urlsafe", return_value="0" * 43),
    ):
        time.tzset()
        for command in commands:
            yield command, plain_output(_run(command, root, has_color=has_color), root)
    time.tzset()


def write_session(played: Iterator[tuple[str, str]]) -> str:
    return "\n".join(f"$ {command}\n{output}" for command, output in played)


def _run(command: str, root: Path, *, has_color: bool) -> str:
    words = shlex.split(command)
    if words[0] != "birthmark":
        return subprocess.check_output(["bash", "-c", command], cwd=root, env=GIT_ENVIRONMENT, text=True)  # noqa: S607
    result = birthmark(*words[1:], cwd=root, has_color=has_color)
    code = f"[exit code {result.returncode}]\n" if result.returncode else ""
    return result.stdout + result.stderr + code


def plain_output(output: str, root: Path) -> str:
    """Without what differs from one run to the next."""
    output = output.replace(str(root), "/home/you/shop")
    output = _SECONDS.sub(r"0.00 \1", output)
    output = _READ.sub("10 files read", output)  # those that were written just before are read again
    return _SIZE.sub(r"0 \1", _RATE.sub(r"000 \1", output))
