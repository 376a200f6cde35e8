"""Histories over graphs of commits whose truth is known: merges, reverts, files that come, go and change names."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.vocabulary import HistoryChange
from dialects import DIALECTS, Program
from graphs import GRAPHS
from pasts import FakePast

PYTHON = DIALECTS["python"]


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
        self.tell(number, HistoryChange.INTRODUCED)

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
def test_the_truth_of_random_edits_is_told(seed: int) -> None:
    check_story(seed, 12)
