"""Other tools that index code, and the commands that make them do it.

They are looked for in a folder that holds what `npm install` and `python -m venv venv` put there. Each runs in a clone
of its own, with an empty home, for at most 300 s a step. One that is missing or fails is listed as such.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from commands import Run, run_command

LIMIT_SECONDS = 300.0


class Peer(NamedTuple):
    """A tool, where it is, and what it is told; `again` is for one that can bring its index up to date."""

    name: str
    program: str
    full: str
    again: str = ""
    has_graph: bool = False
    only: str = ""  # the one language it reads


_CODE_INDEX = """{program} -c '
import sys
from code_index_mcp.indexing.sqlite_index_manager import SQLiteIndexManager
manager = SQLiteIndexManager()
sys.exit(not (manager.set_project_path("{root}") and manager.build_index()))'"""

PEERS = (
    Peer("ctags", "ctags", "{program} -R -f {out} ."),
    Peer("ast-grep outline", "venv/bin/ast-grep", "{program} outline ."),
    Peer("griffe", "venv/bin/griffe", "{program} dump -s . -s src -o {out} {packages}", only="python"),
    Peer(
        "codegraph (optave)",
        "node_modules/@optave/codegraph/dist/cli.js",
        "node {program} build .",
        "node {program} build .",
        has_graph=True,
    ),
    Peer(
        "codegraph (colbymchenry)",
        "node_modules/@colbymchenry/codegraph/npm-shim.js",
        "node {program} init --yes .",
        "node {program} sync .",
        has_graph=True,
    ),
    Peer(
        "code-review-graph",
        "venv/bin/code-review-graph",
        "{program} build",
        "{program} update",
        has_graph=True,
    ),
    Peer("code-index-mcp", "venv/lib/*/site-packages/code_index_mcp", _CODE_INDEX, _CODE_INDEX),
    Peer("graphify", "venv/bin/graphify", "{program} update .", "{program} update .", has_graph=True),
    Peer(
        "scip-python",
        "node_modules/@sourcegraph/scip-python/index.js",
        "node {program} index --quiet --project-name peer --output {out}",
        has_graph=True,
        only="python",
    ),
)


def find_reason_to_skip(peer: Peer, folder: Path, language: str) -> str | None:
    if peer.only and peer.only != language:
        return f"reads only {peer.only}"
    return None if _find_program(peer, folder) is not None else "not installed"


def run_peer(peer: Peer, root: Path, scratch: Path, folder: Path, edit: Callable[[], None]) -> list[Run]:
    """All, then nothing changed, then one edit; what follows a failure is left out."""
    home = scratch / "home"
    home.mkdir()
    environment = os.environ | {"HOME": str(home), "DO_NOT_TRACK": "1", "CODEGRAPH_TELEMETRY": "0"}
    words = {
        "program": _find_program(peer, folder),
        "root": root,
        "out": scratch / "out",
        "packages": _packages_of(root),
    }
    runs = [run_command(shlex.split(peer.full.format(**words)), root, LIMIT_SECONDS, environment)]
    for prepare in (_change_nothing, edit):
        if peer.again and runs[-1].failure is None:
            prepare()
            runs.append(run_command(shlex.split(peer.again.format(**words)), root, LIMIT_SECONDS, environment))
    return runs


def _change_nothing() -> None:
    pass


def _find_program(peer: Peer, folder: Path) -> str | None:
    """Below the folder, or on the search path; for a library it is the Python that has it."""
    if "/" not in peer.program:
        return shutil.which(peer.program)
    found = next(folder.glob(peer.program), None)
    if found is not None and found.is_dir():
        return str(folder / "venv/bin/python")
    return None if found is None else str(found)


def _packages_of(root: Path) -> str:
    """The Python packages at the top of a repository, as they are imported."""
    found = [path.parent.name for folder in (root, root / "src") for path in folder.glob("*/__init__.py")]
    return " ".join(sorted({*found} - {"tests", "test", "docs"}))
