"""Marks under everyday git: how many survive a rebase, a formatter, a directory that is moved.

    python benchmarks/everyday_git.py PROJECT ... [--work FOLDER] [--scenario NAME] [--commits N] [--lost N]

PROJECT is a git repository. Its last commits are made anew on one line in a copy of it, which is indexed; then each
scenario of SCENARIOS does to a copy of that what people do, and it is indexed again. What everything is called
afterwards is known by construction: paths are those that the scenario says, names are the same. Printed is the share of
entities that kept their marks, of those that are there before and after: by `birthmark index`, and by
`birthmark index --from-history`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from everyday_edits import (
    add_kotlin,
    add_licences,
    edit_returns,
    move_folder,
    reformat,
    turn_into_typescript,
    use_carriage_returns,
)

NAMES = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")
Place = tuple[str, str, int]  # path, qualified name, and which one of that name
Renamed = Callable[[str], str]  # where a file is afterwards


class Kept(NamedTuple):
    """How many of the entities that are there before and after have their mark."""

    n_kept: int
    n_there: int
    n_before: int
    lost: list[Place]
    derived: str = ""  # how many of the new functions are known where they came from


class Clone:
    """A repository with a worktree, and the commands that are run in it."""

    def __init__(self, folder: Path, index_options: tuple[str, ...] = ()) -> None:
        self.folder, self.index_options = folder, index_options

    def git(self, *arguments: str, at: int = 0) -> str:
        """The time of a commit is part of what a replay records; `at` makes it later than all others."""
        who = dict.fromkeys(NAMES, "everyday@example.org")
        when = {"GIT_AUTHOR_DATE": f"{at} +0000", "GIT_COMMITTER_DATE": f"{at} +0000"} if at else {}
        quiet = {"GIT_EDITOR": "true", "FILTER_BRANCH_SQUELCH_WARNING": "1"}
        options = ("-c", "core.autocrlf=false", "-c", "advice.detachedHead=false", "-c", "core.hooksPath=/dev/null")
        command = ["git", *options, *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=os.environ | who | when | quiet, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(arguments)}: {done.stderr}")
        return done.stdout.strip()

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def copy(self, folder: Path) -> Clone:
        shutil.copytree(self.folder, folder, symlinks=True)
        return Clone(folder, self.index_options)

    def files(self) -> list[str]:
        return self.git("ls-files", "-z").split("\0")[:-1] or []

    def index(self) -> None:
        self.birthmark("index", *self.index_options)

    def birthmark(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "birthmark", *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True).stdout

    def marks(self) -> dict[Place, str]:
        found: dict[Place, str] = {}
        seen: Counter[tuple[str, str]] = Counter()
        for line in self.birthmark("entities", "--jsonl", "--no-refresh").splitlines():
            entity = json.loads(line)
            name = entity["path"], entity["qualified_name"]
            found[*name, seen[name]] = entity["mark"]
            seen[name] += 1
        return found

    def count_derived(self) -> str:
        """Of functions in Kotlin that are long enough, those derived from the Java function of their name."""
        listed = map(json.loads, self.birthmark("entities", "--jsonl", "--no-refresh").splitlines())
        marks = {
            entity["mark"]: entity["name"]
            for entity in listed
            if entity["language"] == "kotlin" and entity["kind"] in ("fn", "method")
            if entity["end_line"] - entity["start_line"] >= N_LINES - 1
        }
        if len(marks) < 2:
            return ""
        answers = map(json.loads, self.birthmark("resolve", "--json", "--no-refresh", *marks).splitlines())
        sources = [{one["place"]["qualified_name"].rpartition(".")[2] for one in a["derived_from"]} for a in answers]
        n_right = sum(name in found for name, found in zip(marks.values(), sources, strict=True))
        return f", {n_right} of {len(marks)} derived"


# Scenarios: each does something to a clone, and says where files are afterwards


def same_path(path: str) -> str:
    return path


def rebase(clone: Clone) -> Renamed:
    """The last commits onto others, which edit files that they do not."""
    half = n_commits(clone) // 2
    touched = set(clone.git("diff", "--name-only", f"HEAD~{half}", "HEAD").splitlines())
    clone.git("branch", "topic")
    clone.git("checkout", "-q", "-b", "upstream", f"HEAD~{half}")
    edit_returns(clone.folder, [file for file in clone.files() if file not in touched])
    clone.commit("upstream edits")
    clone.git("rebase", "-q", "upstream", "topic")
    return same_path


def squash(clone: Clone) -> Renamed:
    clone.git("reset", "-q", "--soft", f"HEAD~{n_commits(clone) // 2}")
    clone.commit("squashed")
    return same_path


def cherry_pick(clone: Clone) -> Renamed:
    """Onto an older commit, which is indexed in between."""
    half, head = n_commits(clone) // 2, clone.git("rev-parse", "HEAD")
    clone.git("checkout", "-q", "-b", "release", f"HEAD~{half}")
    clone.index()
    clone.git("cherry-pick", "--allow-empty", "--keep-redundant-commits", f"HEAD..{head}")
    return same_path


def revert(clone: Clone) -> Renamed:
    """Commits are reverted, which is indexed, and the reverts are reverted."""
    half = n_commits(clone) // 2
    clone.git("revert", "--no-commit", f"HEAD~{half}..HEAD")
    clone.commit("reverted")
    clone.index()
    clone.git("revert", "--no-edit", "HEAD")
    return same_path


def rewrite_paths(clone: Clone) -> Renamed:
    """All of history as if everything had been in a folder from the beginning."""
    script = 'mkdir -p inside && for f in $(ls -A | grep -v -x -e inside -e .git); do mv "$f" inside/; done'
    clone.git("filter-branch", "-f", "--tree-filter", script, "HEAD")
    clone.git("reset", "-q", "--hard")
    return lambda path: f"inside/{path}"


def merge_subtree(clone: Clone) -> Renamed:
    """Another project is merged into a folder, with its history."""
    other = clone.folder.parent / "other"
    clone.git("init", "-q", str(other))
    (other / "library.py").write_text("def load(path):\n    with open(path) as file:\n        return file.read()\n")
    guest = Clone(other)
    guest.commit("another project")
    clone.git("fetch", "-q", str(other), "HEAD")
    clone.git("merge", "-q", "-s", "ours", "--no-commit", "--allow-unrelated-histories", "FETCH_HEAD")
    clone.git("read-tree", "--prefix=vendor/", "-u", "FETCH_HEAD")
    clone.commit("merged as a sub-tree")
    return same_path


def become_subtree(clone: Clone) -> Renamed:
    """The project is itself merged into a folder of another one."""
    head = clone.git("rev-parse", "HEAD")
    clone.git("checkout", "-q", "--orphan", "host")
    clone.git("rm", "-rfq", ".")
    (clone.folder / "host.py").write_text("def start(project):\n    return project.run()\n")
    clone.commit("the host")
    clone.git("merge", "-q", "-s", "ours", "--no-commit", "--allow-unrelated-histories", head)
    clone.git("read-tree", "--prefix=vendor/project/", "-u", head)
    clone.commit("merged as a sub-tree")
    return lambda path: f"vendor/project/{path}"


def edited(edit: Callable[[Path, list[str]], None]) -> Callable[[Clone], Renamed]:
    """One commit that edits all files."""

    def run(clone: Clone) -> Renamed:
        edit(clone.folder, clone.files())
        clone.commit("edited")
        return same_path

    return run


def move_with_edits(clone: Clone) -> Renamed:
    """The folder with most files goes into another one; imports and bodies are edited in the same commit."""
    renamed = move_folder(clone.folder, clone.files())
    edit_returns(clone.folder, [renamed(file) for file in clone.files() if renamed(file) != file])
    clone.commit("moved")
    return renamed


def typescript(clone: Clone) -> Renamed:
    turn_into_typescript(clone.folder, clone.files())
    clone.commit("TypeScript")
    return lambda path: f"{path[:-3]}.ts" if path.endswith(".js") else path


SCENARIOS: dict[str, Callable[[Clone], Renamed]] = {
    "rebase": rebase,
    "squash": squash,
    "cherry-pick": cherry_pick,
    "revert": revert,
    "filter-repo": rewrite_paths,
    "sub-tree merge": merge_subtree,
    "sub-tree of another": become_subtree,
    "formatter": edited(reformat),
    "CRLF": edited(use_carriage_returns),
    "licence headers": edited(add_licences),
    "directory moved with edits": move_with_edits,
    "JavaScript to TypeScript": typescript,
    "Java into Kotlin beside it": edited(add_kotlin),
}
NEEDS = {"JavaScript to TypeScript": ".js", "Java into Kotlin beside it": ".java"}  # what a project must have
N_LINES = 5  # of a function that is long enough to be known by its code


def n_commits(clone: Clone) -> int:
    return int(clone.git("rev-list", "--count", "HEAD")) - 1


# Measuring


def prepare(project: Path, folder: Path, n_last: int) -> Clone:
    """The last commits of a project, as a line of its own."""
    subprocess.run(["git", "clone", "-q", "--no-checkout", str(project), str(folder)], check=True)  # noqa: S607
    clone = Clone(folder)
    line = clone.git("rev-list", "--first-parent", f"-n{n_last + 1}", "HEAD").split()[::-1]
    parent: list[str] = []
    for number, commit in enumerate(line):
        tree = clone.git("rev-parse", f"{commit}^{{tree}}")
        parent = [
            "-p",
            clone.git("commit-tree", tree, *parent, "-m", f"commit {number}", at=1_600_000_000 + 60 * number),
        ]
    clone.git("checkout", "-q", "-B", "everyday", parent[1])
    return clone


def measure(indexed: Clone, name: str, folder: Path) -> Kept:
    clone = indexed.copy(folder)
    before = clone.marks()
    renamed = SCENARIOS[name](clone)
    clone.index()
    after = clone.marks()
    expected = {(renamed(path), *rest): mark for (path, *rest), mark in before.items()}
    there = [place for place in expected if place in after]
    lost = [place for place in there if expected[place] != after[place]]
    return Kept(len(there) - len(lost), len(there), len(before), lost, clone.count_derived())


def main() -> None:
    options = read_options()
    print("| project | scenario | index | entities | still there | marks kept |\n|---|---|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory(dir=options.work) as work:
        for project in options.projects:
            clone = prepare(project, Path(work) / project.name, options.commits)
            for index_options in ((), ("--from-history",)):
                indexed = clone.copy(Path(work) / f"{project.name}-indexed{len(index_options)}")
                indexed.index_options = index_options
                indexed.index()
                measure_all(indexed, project.name, options)


def measure_all(indexed: Clone, project: str, options: argparse.Namespace) -> None:
    suffixes = {Path(file).suffix for file in indexed.files()}
    for name in options.scenario or SCENARIOS:
        if NEEDS.get(name, "") not in {"", *suffixes}:
            continue
        with tempfile.TemporaryDirectory(dir=options.work) as folder:
            kept = measure(indexed, name, Path(folder) / "clone")
        share = f"{100 * kept.n_kept / max(kept.n_there, 1):.2f} %"
        how = "from history" if indexed.index_options else "plain"
        print(
            f"| {project} | {name} | {how} | {kept.n_before:,} | {kept.n_there:,} | {share}{kept.derived} |", flush=True
        )
        for place in kept.lost[: options.lost]:
            print(f"    {place}", file=sys.stderr)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", type=Path, nargs="+")
    parser.add_argument("--work", type=Path, help="a folder for the copies")
    parser.add_argument("--scenario", action="append", choices=SCENARIOS, help="all if none is given")
    parser.add_argument("--commits", type=int, default=20, help="how many of the last ones")
    parser.add_argument("--lost", type=int, default=5, help="how many that lost their mark to list")
    return parser.parse_args()


if __name__ == "__main__":
    main()
