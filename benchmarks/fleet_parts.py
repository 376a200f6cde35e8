"""Repositories of a size that ends, with real code and real edits: folders of large ones, with their newest commits."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

FEWEST_FILES = 15
SOURCES = (".py", ".java", ".js", ".ts", ".go", ".rs", ".kt", ".c", ".rb")
IDENTITY = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def git(folder: Path, *arguments: str, text: str = "", **environment: str) -> str:
    command, variables = ["git", *arguments], os.environ | IDENTITY | environment
    return subprocess.run(
        command, cwd=folder, env=variables, input=text, check=True, capture_output=True, text=True
    ).stdout.strip()


def folders_of(repository: Path, most: int) -> Iterator[str]:
    """Folders with neither too few nor too many sources, the largest first; none is inside of another."""
    files = git(repository, "ls-tree", "-r", "--name-only", "HEAD").split("\n")
    counts = Counter(
        "/".join(path.split("/")[:depth])
        for path in files
        if path.endswith(SOURCES)
        for depth in range(1, path.count("/") + 1)
    )
    taken: list[str] = []
    for folder, number in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
        if FEWEST_FILES <= number <= most and not any(folder.startswith(f"{other}/") for other in taken):
            taken.append(folder)
            yield folder


def make_part(repository: Path, folder: str, target: Path, n_commits: int) -> None:
    """A bare repository with the newest states of a folder, each as a commit."""
    target.mkdir(parents=True)
    git(target, "init", "-q", "--bare", "-b", "main")
    (target / "objects/info/alternates").write_text(f"{git(repository, 'rev-parse', '--absolute-git-dir')}/objects\n")
    newest = ("log", "--first-parent", f"-{n_commits}", "--format=%H %at", "HEAD", "--", folder)
    parent = ""
    for commit, at in (line.split() for line in reversed(git(repository, *newest).split("\n"))):
        tree = git(repository, "rev-parse", f"{commit}:{folder}")
        dates = {"GIT_AUTHOR_DATE": f"{at} +0000", "GIT_COMMITTER_DATE": f"{at} +0000"}
        parent = git(target, "commit-tree", tree, "-m", "m", *(("-p", parent) if parent else ()), **dates)
    git(target, "update-ref", "refs/heads/main", parent)


def make_fleet(repositories: list[Path], folder: Path, n_parts: int, n_commits: int, most: int) -> list[Path]:
    """Folders of all repositories in turn."""
    choices = {repository: folders_of(repository, most) for repository in repositories}
    parts: list[Path] = []
    while choices and len(parts) < n_parts:
        for repository in list(choices):
            chosen = next(choices[repository], None)
            if chosen is None:
                del choices[repository]
            elif len(parts) < n_parts:
                parts.append(folder / f"{len(parts):02d}.git")
                make_part(repository, chosen, parts[-1], n_commits)
    return parts


def make_fork(original: Path) -> Path:
    """The same repository under another name, with one commit more."""
    fork = original.with_name("fork.git")
    shutil.copytree(original, fork)
    blob = git(fork, "hash-object", "-w", "--stdin", text="def fork():\n    return 1\n")
    entries = f"{git(fork, 'ls-tree', 'HEAD')}\n100644 blob {blob}\tonly_in_fork.py\n"
    tree = git(fork, "mktree", text=entries)
    git(fork, "update-ref", "refs/heads/main", git(fork, "commit-tree", tree, "-p", "HEAD", "-m", "m"))
    return fork
