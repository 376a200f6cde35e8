"""What a history walks and what a replay has written into the ledger are the same, event for event."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from birthmark.app.workspace.repository import open_repository
from birthmark.app.workspace.session import asking
from birthmark.history.commit_pairings import CommitPairings
from small_repositories import Commit, Files, make_repository, replay
from walked_and_replayed import compare

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")

A = "def alpha(xs):\n    result = [x * 2 for x in xs if x]\n    return sorted(result)\n\n\n"
B = "def beta(text):\n    words = text.lower().split()\n    return {word: len(word) for word in words}\n\n\n"
C = "class Gamma:\n    def get(self, key):\n        value = self.table.get(key, 0)\n        return value\n\n\n"
D = "def delta(key):\n    return key\n\n\n"
VARIANTS = [
    A,
    A.replace("x * 2", "x * 3 + 1"),
    A.replace("x * 2", "x * 5 - 2"),
    A.replace("alpha", "omega"),
    B,
    B.replace("lower", "upper"),
    B.replace("beta", "alpha"),
    C,
    C.replace("key, 0", "key, None"),
    C.replace("Gamma", "Store"),
    D,
    D.replace("return key", "return -key"),
]


def check_all(root: Path) -> None:
    """Every entity at HEAD."""
    with asking(root) as session, open_repository(root) as past:
        commit, pairings = past.git.resolve("HEAD"), CommitPairings(past)
        for held in session.view.entities():
            assert compare(past, session, commit, held, pairings) == [], held.entity.qualified_name


def check_commits(root: Path, commits: list[Commit]) -> None:
    make_repository(root, commits)
    replay(root)
    check_all(root)


SOURCES = st.lists(st.sampled_from(VARIANTS), max_size=4, unique_by=lambda text: text[:9])
TREES = st.dictionaries(st.sampled_from(["a.py", "b.py", "pkg/c.py"]), SOURCES.map("".join), max_size=3)


@given(st.lists(TREES, min_size=2, max_size=7))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_line_of_commits(tmp_path_factory: pytest.TempPathFactory, trees: list[Files]) -> None:
    check_commits(tmp_path_factory.mktemp("line") / "root", [Commit(files) for files in trees])


class Edits:
    """A repository that grows by edits such as people make: of functions in files, on branches that are merged."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 -- no secret depends on it
        self.n_names = 0
        self.commits: list[Commit] = []

    def grow(self, n_commits: int) -> list[Commit]:
        files = {"a.py": [self.function() for _ in range(4)], "b.py": [self.function() for _ in range(3)]}
        self.commit(files, ())
        while len(self.commits) < n_commits:
            base = len(self.commits) - 1
            if self.chance.random() < 0.25:
                files = self.merge(files, base)
            elif self.chance.random() < 0.1 and base > 1:
                self.commits.append(self.commits[base - 1]._replace(parents=(base,)))  # A revert.
            else:
                files = self.edit(files)
                self.commit(files, (base,))
        return self.commits

    def commit(self, files: dict[str, list[str]], parents: tuple[int, ...]) -> None:
        self.commits.append(Commit({path: "".join(file) for path, file in files.items()}, parents))

    def merge(self, files: dict[str, list[str]], base: int) -> dict[str, list[str]]:
        """Each side edits files of its own, or they edit one file in different places."""
        ours, theirs = self.edit_one(files, 0), self.edit_one(files, -1)
        self.commit(ours, (base,))
        self.commit(theirs, (base,))
        merged = {path: self.join(files[path], ours[path], theirs[path]) for path in files}
        self.commit(merged, (base + 1, base + 2))
        return merged

    def join(self, base: list[str], ours: list[str], theirs: list[str]) -> list[str]:
        return [b if a == old else a for old, a, b in zip(base, ours, theirs, strict=True)]

    def edit_one(self, files: dict[str, list[str]], at: int) -> dict[str, list[str]]:
        path = self.chance.choice([path for path, file in files.items() if file])
        changed = files[path].copy()
        changed[at] = changed[at].replace("total", f"total_{self.fresh()}", 1)
        return files | {path: changed}

    def edit(self, files: dict[str, list[str]]) -> dict[str, list[str]]:
        files = {path: file.copy() for path, file in files.items()}
        path = self.chance.choice([path for path, file in files.items() if file])
        at = self.chance.randrange(len(files[path]))
        kind = self.chance.choice(["add", "change", "rename", "move", "remove", "rename file", "copy"])
        if kind == "add":
            files[path].insert(at, self.function())
        elif kind == "change":
            files[path][at] = files[path][at].replace("log", f"log_{self.fresh()}", 1)
        elif kind == "rename":
            files[path][at] = files[path][at].replace("def f", f"def f{self.fresh()}_", 1)
        elif kind == "remove" and len(files[path]) > 1:
            files[path].pop(at)
        elif kind == "rename file":
            files[f"pkg{self.fresh()}/m.py"] = files.pop(path)
        else:
            target = self.chance.choice([*files, f"m{self.fresh()}.py"])
            moved = files[path][at] if kind == "copy" else files[path].pop(at)
            files.setdefault(target, []).append(moved)
        return files

    def function(self) -> str:
        number = self.fresh()
        lines = "".join(f"    total = step_{number}_{i}(total, {i})\n" for i in range(self.chance.randrange(1, 4)))
        return f"def f{number}(total):\n{lines}    log(total)\n    return total\n\n\n"

    def fresh(self) -> int:
        self.n_names += 1
        return self.n_names


@pytest.mark.parametrize("seed", range(6))
def test_edits_as_people_make_them(tmp_path: Path, seed: int) -> None:
    check_commits(tmp_path / "root", Edits(seed).grow(24))


def test_a_type_around_functions_is_removed(tmp_path: Path) -> None:
    body = "def check(self):\n    def inner(value):\n        return value\n    return inner(A, B)\n"
    indented = "class Checks:\n" + "".join(f"    {line}\n" for line in body.splitlines())
    check_commits(tmp_path / "root", [Commit({"a.py": A + indented}), Commit({"a.py": A + body})])
