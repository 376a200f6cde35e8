"""Histories over graphs of commits whose truth is known: merges, reverts, files that come, go and change names."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.operations.aspects import INTRODUCED
from tests.dialects import DIALECTS, Program
from tests.pasts import FakePast

PYTHON = DIALECTS["python"]
PRICE, PRICE_1, PRICE_2, PRICE_3 = (
    "sum tax log give",
    "sum tax log mail give",
    "stock sum tax log give",
    "sum log tax give",
)
SHIP, SHIP_1 = "stock mail give", "stock log mail give"


def shop(**functions: str) -> Program:
    return {"a": {"": functions}}


# Commits, the parents of those that do not follow the one before, what is asked for, and its story, newest first.
GRAPHS: dict[str, tuple[Sequence[Program], Mapping[int, Sequence[int]], str, str]] = {
    "a merge that equals one parent changed nothing": (
        [
            shop(price=PRICE, ship=SHIP),
            shop(price=PRICE_1, ship=SHIP),
            shop(price=PRICE, ship=SHIP_1),
            shop(price=PRICE_1, ship=SHIP_1),
        ],
        {2: [0], 3: [1, 2]},
        "a.py::price",
        "1 body change; 0 introduced",
    ),
    "a merge that took the other side changed nothing": (
        [shop(price=PRICE), shop(price=PRICE_1), shop(price=PRICE_2), shop(price=PRICE_2)],
        {2: [0], 3: [1, 2]},
        "a.py::price",
        "2 body change; 0 introduced",
    ),
    "a merge that differs from both parents": (
        [shop(price=PRICE), shop(price=PRICE_1), shop(price=PRICE_2), shop(price=PRICE_3)],
        {2: [0], 3: [1, 2]},
        "a.py::price",
        "3 body change; 2 body change; 1 body change; 0 introduced",
    ),
    "each parent of an octopus is asked": (
        [
            shop(price=PRICE, ship=SHIP, send="mail log give"),
            shop(price=PRICE_1, ship=SHIP, send="mail log give"),
            shop(price=PRICE, ship=SHIP_1, send="mail log give"),
            shop(price=PRICE, ship=SHIP, send="mail log tax give"),
            shop(price=PRICE_1, ship=SHIP_1, send="mail log tax give"),
        ],
        {2: [0], 3: [0], 4: [1, 2, 3]},
        "a.py::send",
        "3 body change; 0 introduced",
    ),
    "introduced on a branch": (
        [shop(price=PRICE), shop(price=PRICE, ship=SHIP), shop(price=PRICE_1), shop(price=PRICE_1, ship=SHIP)],
        {2: [0], 3: [1, 2]},
        "a.py::ship",
        "1 introduced",
    ),
    "introduced by a merge": (
        [shop(price=PRICE), shop(price=PRICE_1), shop(price=PRICE_2), shop(price=PRICE_1, ship=SHIP)],
        {2: [0], 3: [1, 2]},
        "a.py::ship",
        "3 introduced",
    ),
    "a file renamed on one branch and edited on another": (
        [
            {"a": {"": {"price": PRICE, "ship": SHIP}}},
            {"b": {"": {"price": PRICE, "ship": SHIP}}},
            {"a": {"": {"price": PRICE_1, "ship": SHIP}}},
            {"b": {"": {"price": PRICE_1, "ship": SHIP}}},
        ],
        {2: [0], 3: [1, 2]},
        "b.py::price",
        "2 body change; 1 container change; 0 introduced",
    ),
    "criss-cross merges": (
        [
            shop(price=PRICE, ship=SHIP),
            shop(price=PRICE_1, ship=SHIP),
            shop(price=PRICE, ship=SHIP_1),
            shop(price=PRICE_1, ship=SHIP_1),
            shop(price=PRICE_1, ship=SHIP_1),
            shop(price=PRICE_2, ship=SHIP_1),
            shop(price=PRICE_2, ship=SHIP_1),
        ],
        {2: [0], 3: [1, 2], 4: [2, 1], 5: [3], 6: [5, 4]},
        "a.py::price",
        "5 body change; 1 body change; 0 introduced",
    ),
    "criss-cross renames of functions": (
        [
            shop(price=PRICE, ship=SHIP),
            shop(cost=PRICE, ship=SHIP),
            shop(price=PRICE, send=SHIP),
            shop(cost=PRICE, send=SHIP),
        ],
        {2: [0], 3: [1, 2]},
        "a.py::send",
        "2 rename; 0 introduced",
    ),
    "criss-cross renames of files": (
        [
            {"a": {"": {"price": PRICE}}, "b": {"": {"ship": SHIP}}},
            {"t": {"": {"price": PRICE}}, "b": {"": {"ship": SHIP}}},
            {"t": {"": {"price": PRICE}}, "a": {"": {"ship": SHIP}}},
            {"b": {"": {"price": PRICE}}, "a": {"": {"ship": SHIP}}},
        ],
        {},
        "b.py::price",
        "3 container change; 1 container change; 0 introduced",
    ),
    "a revert": (
        [shop(price=PRICE), shop(price=PRICE_1), shop(price=PRICE)],
        {},
        "a.py::price",
        "2 body change; 1 body change; 0 introduced",
    ),
    "a rename and its revert": (
        [shop(price=PRICE), shop(cost=PRICE), shop(price=PRICE)],
        {},
        "a.py::price",
        "2 rename; 1 rename; 0 introduced",
    ),
    "a file deleted and added again": (
        [shop(price=PRICE), {}, shop(price=PRICE)],
        {},
        "a.py::price",
        "2 introduced",
    ),
    "deleted on one branch, kept by the merge": (
        [shop(price=PRICE, ship=SHIP), shop(ship=SHIP), shop(price=PRICE, ship=SHIP_1), shop(price=PRICE, ship=SHIP_1)],
        {2: [0], 3: [1, 2]},
        "a.py::price",
        "0 introduced",
    ),
    "two roots": (
        [shop(price=PRICE), {"b": {"": {"ship": SHIP}}}, {"a": {"": {"price": PRICE}}, "b": {"": {"ship": SHIP}}}],
        {1: [], 2: [0, 1]},
        "b.py::ship",
        "1 introduced",
    ),
}


@pytest.mark.parametrize("graph", GRAPHS)
def test_each_graph_has_its_story(graph: str) -> None:
    commits, parents, ref, expected = GRAPHS[graph]
    past = FakePast([PYTHON.write(program) for program in commits], parents)
    assert "; ".join(past.story(ref)) == expected


class Story:
    """A repository that grows by random edits, and the truth about each function: commits, newest last, with a word.

    Functions are known by numbers; their statements are theirs alone, so that there is no doubt who is who.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.files: dict[str, dict[int, tuple[str, tuple[str, ...]]]] = {"m0": {}}
        self.commits: list[Program] = []
        self.parents: dict[int, tuple[int, ...]] = {}
        self.truth: dict[int, list[tuple[int, str]]] = {}
        self.n_names = 1
        for _ in range(4):
            self.add()
        self.commit()

    def commit(self, *parents: int) -> None:
        functions = {
            path: {name: " ".join(words) for name, words in file.values()} for path, file in self.files.items()
        }
        if parents:
            self.parents[len(self.commits)] = parents
        self.commits.append({path: {"": file} for path, file in functions.items()})

    def tell(self, number: int, word: str) -> None:
        self.truth.setdefault(number, []).append((len(self.commits), word))

    def fresh(self, kind: str) -> str:
        self.n_names += 1
        return f"{kind}{self.n_names}"

    def pick(self) -> tuple[str, int]:
        return self.chance.choice([(path, number) for path, file in self.files.items() for number in file])

    # What may happen

    def add(self) -> None:
        number, path = len(self.truth), self.chance.choice(list(self.files))
        self.files[path][number] = (self.fresh("f"), (*(self.fresh("call") for _ in range(8)), "give"))
        self.tell(number, INTRODUCED)

    def edit(self) -> None:
        path, number = self.pick()
        name, words = self.files[path][number]
        at = self.chance.randrange(len(words) - 1)
        self.files[path][number] = (name, (*words[:at], self.fresh("call"), *words[at + 1 :]))
        self.tell(number, "body change")

    def rename(self) -> None:
        path, number = self.pick()
        self.files[path][number] = (self.fresh("f"), self.files[path][number][1])
        self.tell(number, "rename")

    def move(self) -> None:
        """To another file, which may be new; the order in a file says nothing."""
        path, number = self.pick()
        target = self.chance.choice([other for other in (*self.files, self.fresh("m")) if other != path])
        self.files.setdefault(target, {})[number] = self.files[path].pop(number)
        self.files = {path: file for path, file in self.files.items() if file}
        self.tell(number, "moved")

    def rename_file(self) -> None:
        path = self.chance.choice(list(self.files))
        self.files[self.fresh("m")] = self.files.pop(path)
        for number in list(self.files.values())[-1]:
            self.tell(number, "moved")

    def swap_files(self) -> None:
        if len(self.files) > 1:
            one, two = self.chance.sample(list(self.files), 2)
            self.files[one], self.files[two] = self.files[two], self.files[one]
            for number in (*self.files[one], *self.files[two]):
                self.tell(number, "moved")

    def join_files(self) -> None:
        if len(self.files) > 1:
            one, two = self.chance.sample(list(self.files), 2)
            for number in self.files[two]:
                self.tell(number, "moved")
            self.files[one] |= self.files.pop(two)

    def branch(self) -> None:
        """Two branches that edit functions of their own, and their merge."""
        base = len(self.commits) - 1
        before = {path: dict(file) for path, file in self.files.items()}
        self.chance.choice([self.edit, self.rename])()
        (mine,) = [number for number, told in self.truth.items() if told[-1][0] == len(self.commits)]
        self.commit(base)
        merged, self.files = self.files, {path: dict(file) for path, file in before.items()}
        self.edit()
        (theirs,) = [number for number, told in self.truth.items() if told[-1][0] == len(self.commits)]
        if theirs == mine:  # Then the branch is left alone.
            self.truth[theirs].pop()
            self.files = merged
            return
        self.commit(base)
        path = next(path for path, file in self.files.items() if theirs in file)
        merged[path][theirs] = self.files[path][theirs]
        self.files = merged
        self.commit(base + 1, base + 2)


OPERATIONS = ["add", "edit", "edit", "rename", "move", "rename_file", "swap_files", "join_files", "branch"]


def check_story(seed: int, n_steps: int) -> None:
    story = Story(random.Random(seed))  # noqa: S311 -- no secret depends on it
    for _ in range(n_steps):
        n_commits = len(story.commits)
        getattr(story, story.chance.choice(OPERATIONS))()
        if len(story.commits) == n_commits:
            story.commit()
    past = FakePast([PYTHON.write(program) for program in story.commits], story.parents)
    for path, file in story.files.items():
        for number, (name, _) in file.items():
            told = [(int(step.commit), step.changes) for step in past.history(f"{path}.py::{name}")]
            said = [(commit, "moved" if "container change" in words else " ".join(words)) for commit, words in told]
            assert said == story.truth[number][::-1], (seed, path, name)


@given(st.integers(0, 1 << 32))
@settings(max_examples=40, deadline=None)
def test_the_truth_of_random_edits_is_told(seed: int) -> None:
    check_story(seed, 12)
