"""Sessions in Markdown pages: blocks of `sh` are run, blocks of `console` print what the page shows.

A block with a title, as in "sh title=…", is about another repository or another machine, and is only shown.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from worlds import GIT_ENVIRONMENT

# What differs from run to run: births, dates, seconds and the ids of subscriptions. Marks and commits are followed.
_VARIABLE = re.compile(
    r":T\d+|(?:sub|note)-\w{10}|\d{4}-\d\d-\d\d(?: \d\d:\d\d)?|[\d.]+ s(?:, [\d,]+ commits/s)?$", re.M
)
_FOLLOWED = re.compile(r"bm-\w{12}|\b[0-9a-f]{12}\b")


def check_session(page: str, folder: Path) -> None:
    """Each command of a page prints what the page shows, and an id that is shown twice is the same twice."""
    ids: dict[str, str] = {}
    for language, block in re.findall(r"^```(sh|console)\n(.*?)```", page, re.S | re.M):
        if language == "sh":
            _run(block, folder)
            continue
        for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, shown = step.rstrip("\n").partition("\n")
            output = _run(_FOLLOWED.sub(lambda found: ids.get(found[0], found[0]), command), folder).rstrip("\n")
            assert _VARIABLE.sub("", _FOLLOWED.sub("", output)) == _VARIABLE.sub("", _FOLLOWED.sub("", shown))
            for ours, theirs in zip(_FOLLOWED.findall(shown), _FOLLOWED.findall(output), strict=True):
                assert ids.setdefault(ours, theirs) == theirs


def _run(command: str, folder: Path) -> str:
    people = {f"GIT_{role}_{field}": "You" for role in ("AUTHOR", "COMMITTER") for field in ("NAME", "EMAIL")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = GIT_ENVIRONMENT | people | {"PATH": path}
    environment = {name: value for name, value in environment.items() if not name.endswith("_DATE")}
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
