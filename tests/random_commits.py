"""Random histories: lines of commits, edits such as people make, and graphs in which anything may be merged."""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import strategies as st

from small_repositories import Commit, Files

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

SOURCES = st.lists(st.sampled_from(VARIANTS), max_size=4, unique_by=lambda text: text[:9])
TREES = st.dictionaries(st.sampled_from(["a.py", "b.py", "pkg/c.py"]), SOURCES.map("".join), max_size=3)


# What becomes of the text of a file in the worktree, and of its path.
WORKTREE_EDITS: dict[str, Callable[[str, str], Files]] = {
    "change": lambda path, text: {path: text.replace("total", "amount", 2)},
    "add": lambda path, text: {path: f"{text}def fresh(key):\n    return key\n"},
    "remove": lambda path, text: {path: text.partition("\n\n\n")[2]},
    "comment": lambda path, text: {path: f"# Edited.\n{text}"},
    "move": lambda path, text: {f"moved/{path}": text},
    "split": lambda path, text: {path: text.partition("\n\n\n")[0], f"rest/{path}": text.partition("\n\n\n")[2]},
    "delete": lambda path, text: {},
}


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


class AnyGraph:
    """Commits with any one to three of the earlier ones as parents, whose files are those of any, or edited."""

    PATHS = ("a.py", "b.py", "pkg/c.py", "d.py")

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 -- no secret depends on it

    def grow(self, n_commits: int) -> list[Commit]:
        commits = [Commit(self.edit({}), ())]
        while len(commits) < n_commits:
            commits.append(
                self.merge(commits) if len(commits) > 2 and self.chance.random() < 0.4 else self.add(commits)
            )
        return commits

    def add(self, commits: list[Commit]) -> Commit:
        parent = self.chance.randrange(max(0, len(commits) - 3), len(commits))
        if self.chance.random() < 0.15:
            return Commit(self.chance.choice(commits).files, (parent,))  # A revert, of whatever there was.
        return Commit(self.edit(dict(commits[parent].files)), (parent,))

    def merge(self, commits: list[Commit]) -> Commit:
        earlier = range(max(0, len(commits) - 5), len(commits))
        parents = self.chance.sample(earlier, min(self.chance.choice([2, 2, 2, 3]), len(earlier)))
        chosen = {path: commits[self.chance.choice(parents)].files.get(path) for path in self.PATHS}
        files = {path: text for path, text in chosen.items() if text is not None}
        return Commit(files if self.chance.random() < 0.7 else self.edit(files), tuple(parents))

    def edit(self, files: dict[str, str]) -> dict[str, str]:
        for _ in range(self.chance.randrange(1, 3)):
            path = self.chance.choice(self.PATHS)
            if self.chance.random() < 0.15:
                files.pop(path, None)
            else:
                files[path] = self.source()
        if files and self.chance.random() < 0.2:
            files[self.chance.choice(self.PATHS)] = files.pop(self.chance.choice(list(files)))
        return files

    def source(self) -> str:
        chosen = self.chance.sample(VARIANTS, self.chance.randrange(5))
        return "".join({text[:9]: text for text in chosen}.values())
