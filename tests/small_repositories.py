"""Repositories of a few commits that are written down as the files they have, and their replay."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from birthmark.app.indexing.index import IndexOptions, index_worktree
from birthmark.app.indexing.replay import replay_worktree
from birthmark.app.workspace.stores import writing
from birthmark.app.workspace.workspace import find_workspace
from birthmark.ledger.replay import Replayed
from worlds import START, World, run_git

Files = Mapping[str, str]


class Commit(NamedTuple):
    """All files of a commit, its parents by their numbers (without any, the one before it), author's time, subject."""

    files: Files
    parents: tuple[int, ...] | None = None
    at: int | None = None
    subject: str = "m"


def make_repository(root: Path, commits: Sequence[Commit | Files], *, object_format: str = "sha1") -> World:
    """A repository with these commits, the last of which is checked out."""
    root.mkdir(parents=True)
    run_git(root, "init", "-q", "-b", "main", f"--object-format={object_format}")
    stream = b"".join(_write_commit(number, commit) for number, commit in enumerate(commits))
    end = b"reset refs/heads/main\nfrom :%d\n\n" % len(commits)
    command = ["git", "fast-import", "--quiet"]
    subprocess.run(command, cwd=root, input=stream + end, check=True)
    run_git(root, "reset", "-q", "--hard")
    return World(root)


def _write_commit(number: int, commit: Commit | Files) -> bytes:
    commit = commit if isinstance(commit, Commit) else Commit(commit)
    parents = commit.parents if commit.parents is not None else (number - 1,) if number else ()
    at = commit.at if commit.at is not None else START + number
    lines = [f"commit refs/heads/work{number}", f"mark :{number + 1}"]
    lines += [f"author A <a@b> {at} +0100", f"committer C <c@d> {START + 10**6} +0000"]
    lines += [f"data {len(commit.subject)}", commit.subject]
    lines += [f"{'merge' if place else 'from'} :{parent + 1}" for place, parent in enumerate(parents)]
    body = ["deleteall", *(f"M 100644 inline {path}\ndata {len(text)}\n{text}" for path, text in commit.files.items())]
    return "\n".join([*lines, *body, "", ""]).encode()


def replay(root: Path, options: IndexOptions | None = None) -> Replayed:
    workspace = find_workspace(root)
    with writing(workspace, 0) as store:
        replayed = replay_worktree(store, workspace, options or IndexOptions(1))
        index_worktree(store, workspace, IndexOptions(1))
    return replayed
