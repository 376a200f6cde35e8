"""Random edits on generated trees: who is who is known by construction, and must be what the index says.

A run sees one edit, of which the outcome is certain, or several, after which only what was not touched is certain.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from both_stores import check_rows_are_the_same
from database_rows import Rows, database_rows
from hypothesis import example, given, settings
from hypothesis import strategies as st

from examples import n_examples
from worlds import World

WORDS = "amber birch cedar delta ember fjord grove heath inlet jetty knoll ledge marsh north otter plain quill".split()


@dataclass
class Function:
    """A function that was born once; `uid` is who it is, whatever it is called and wherever it stands."""

    uid: int
    name: str
    body: list[str]


@dataclass
class File:
    """What stands in a file; `is_broken` while a syntax error stands at its end."""

    functions: list[Function]
    n_blank: int = 0
    is_broken: bool = False


@dataclass
class Tree:
    """The truth. `touched` are those whose outcome an edit leaves open when others happen beside it."""

    extension: str
    random: random.Random
    files: dict[str, File] = field(default_factory=dict)
    deleted: dict[str, File] = field(default_factory=dict)
    touched: set[int] = field(default_factory=set)
    twins: set[int] = field(default_factory=set)
    n_made: int = 0

    def make(self) -> Function:
        self.n_made += 1
        choose = self.random.choice
        body = [
            f"{choose(WORDS)} = {choose(WORDS)}_{choose(WORDS)}({choose(WORDS)}, {self.random.randrange(10**6)})"
            for _ in range(self.random.randrange(4, 8))
        ]
        return Function(self.n_made, f"{choose(WORDS)}_{choose(WORDS)}_{self.n_made}", body)

    def new_path(self) -> str:
        self.n_made += 1
        return f"{self.random.choice(WORDS)}/{self.random.choice(WORDS)}_{self.n_made}.{self.extension}"

    def pick(self) -> tuple[str, File]:
        path = self.random.choice(sorted(self.files))
        return path, self.files[path]

    def pick_function(self) -> tuple[File, int]:
        _, file = self.pick()
        index = self.random.randrange(len(file.functions)) if file.functions else -1
        if index >= 0:
            self.touched.add(file.functions[index].uid)
        return file, index


def insert(tree: Tree) -> None:
    _, file = tree.pick()
    file.functions.insert(tree.random.randint(0, len(file.functions)), tree.make())


def delete(tree: Tree) -> None:
    file, index = tree.pick_function()
    if index >= 0:
        del file.functions[index]


def rename(tree: Tree) -> None:
    file, index = tree.pick_function()
    if index >= 0:
        tree.n_made += 1
        file.functions[index].name = f"{tree.random.choice(WORDS)}_new_{tree.n_made}"


def edit(tree: Tree) -> None:
    file, index = tree.pick_function()
    if index >= 0:
        body = file.functions[index].body
        body[tree.random.randrange(len(body))] = f"{tree.random.choice(WORDS)} = {tree.random.randrange(10**6)}"


def move(tree: Tree) -> None:
    file, index = tree.pick_function()
    _, target = tree.pick()
    if index >= 0 and target is not file and not target.is_broken and not file.is_broken:
        target.functions.insert(tree.random.randint(0, len(target.functions)), file.functions.pop(index))


def swap(tree: Tree) -> None:
    file, index = tree.pick_function()
    if index >= 0:
        other = tree.random.randrange(len(file.functions))
        tree.touched.add(file.functions[other].uid)
        file.functions[index], file.functions[other] = file.functions[other], file.functions[index]


def duplicate(tree: Tree) -> None:
    """A copy in a file of its own is another thing; who is who of the two is open once one of them is touched."""
    file, index = tree.pick_function()
    if index >= 0:
        original = file.functions[index]
        tree.n_made += 1
        copy = Function(tree.n_made, original.name, list(original.body))
        tree.files[tree.new_path()] = File([copy])
        tree.twins |= {original.uid, copy.uid}
        tree.touched.add(copy.uid)


def shift(tree: Tree) -> None:
    _, file = tree.pick()
    file.n_blank = tree.random.randrange(40)


def space_out(tree: Tree) -> None:
    file, index = tree.pick_function()
    if index >= 0:
        file.functions[index].body.insert(1, "")


def add_file(tree: Tree) -> None:
    tree.files[tree.new_path()] = File([tree.make() for _ in range(tree.random.randrange(1, 4))])


def rename_file(tree: Tree) -> None:
    path, file = tree.pick()
    tree.touched |= {function.uid for function in file.functions}
    if not file.is_broken:
        tree.files[tree.new_path()] = tree.files.pop(path)


def delete_file(tree: Tree) -> None:
    path, _ = tree.pick()
    if len(tree.files) > 1:
        tree.deleted[path] = tree.files.pop(path)
        tree.touched |= {function.uid for function in tree.deleted[path].functions}


def restore_file(tree: Tree) -> None:
    if tree.deleted:
        path = tree.random.choice(sorted(tree.deleted))
        tree.files[path] = tree.deleted.pop(path)
        tree.touched |= {function.uid for function in tree.files[path].functions}


def break_syntax(tree: Tree) -> None:
    _, file = tree.pick()
    file.is_broken = not file.is_broken
    tree.touched |= {function.uid for function in file.functions}


EDITS: tuple[Callable[[Tree], None], ...] = (
    insert,
    delete,
    rename,
    edit,
    move,
    swap,
    duplicate,
    shift,
    space_out,
    add_file,
    rename_file,
    delete_file,
    restore_file,
    break_syntax,
)

BROKEN = {"py": "def broken(:\n    ((\n", "js": "function broken( { ((\n"}


def render(file: File, extension: str) -> str:
    write = {"py": _render_python, "js": _render_javascript}[extension]
    broken = BROKEN[extension] if file.is_broken else ""
    return "\n" * file.n_blank + "\n\n".join(map(write, file.functions)) + "\n" + broken


def _render_python(function: Function) -> str:
    lines = [f"    {line}" if line else "" for line in function.body]
    return "\n".join([f"def {function.name}(x):", *lines, ""])


def _render_javascript(function: Function) -> str:
    lines = [f"  let {line};" if line else "" for line in function.body]
    return "\n".join([f"function {function.name}(x) {{", *lines, "}", ""])


class Play:
    """A tree, a world that shows it, and the marks that were seen so far."""

    def __init__(self, root: Path, extension: str, seed: int) -> None:
        self.tree, self.world = Tree(extension, random.Random(seed)), World(root)  # noqa: S311  nothing secret
        self.marks: dict[int, str] = {}
        for _ in range(3):
            add_file(self.tree)
        self.run([])

    def run(self, edits: list[Callable[[Tree], None]]) -> None:
        tree = self.tree
        tree.touched, twins = set(), set(tree.twins)
        for change in edits:
            change(tree)
        self._write()
        self.world.index()
        self._compare(open_ends=tree.touched if len(edits) > 1 else tree.touched & twins)

    def _write(self) -> None:
        for found in self.world.root.rglob(f"*.{self.tree.extension}"):
            if found.relative_to(self.world.root).as_posix() not in self.tree.files:
                found.unlink()
        for path, file in self.tree.files.items():
            text = render(file, self.tree.extension)
            if not (self.world.root / path).exists() or self.world.read(path) != text:
                self.world.write(path, text)

    def _compare(self, open_ends: set[int]) -> None:
        found = self.world.marks()
        assert len(set(found.values())) == len(found)
        for uid in open_ends:
            self.marks.pop(uid, None)
        for path, file in self.tree.files.items():
            namesakes: Counter[str] = Counter()  # A copy may have been moved beside its original.
            for function in file.functions:
                suffix = f"#{namesakes[function.name]}" if namesakes[function.name] else ""
                namesakes[function.name] += 1
                mark = found.get(f"{path}::{function.name}{suffix}")
                if file.is_broken or function.uid in open_ends:
                    continue
                if self._is_beside_copy(file, function, open_ends):  # Nothing says which of the two was here before.
                    old = self.marks.pop(function.uid, None)
                    assert old in (None, found[f"{path}::{function.name}"], found[f"{path}::{function.name}#1"])
                    continue
                if mark is None:
                    raise AssertionError(f"{path}::{function.name} is not indexed")
                assert self.marks.setdefault(function.uid, mark) == mark, f"{path}::{function.name}"
        known = {mark: uid for uid, mark in self.marks.items()}
        assert len(known) == len(self.marks), "a mark went to another thing"

    @staticmethod
    def _is_beside_copy(file: File, function: Function, open_ends: set[int]) -> bool:
        alike = [other for other in file.functions if (other.name, other.body) == (function.name, function.body)]
        return any(other.uid in open_ends for other in alike)


def play(extension: str, seed: int, script: list[list[Callable[[Tree], None]]]) -> Rows:
    """Returns what is in the database at the end."""
    with tempfile.TemporaryDirectory() as folder:
        game = Play(Path(folder), extension, seed)
        for edits in script:
            game.run(edits)
        assert game.world.check() == []
        return database_rows(game.world.root)


SCRIPTS = st.lists(st.lists(st.sampled_from(EDITS), min_size=1, max_size=3), min_size=1, max_size=10)
SINGLE_EDITS = st.lists(st.lists(st.sampled_from(EDITS), min_size=1, max_size=1), min_size=1, max_size=12)
SEEDS = st.integers(0, 2**32)


@settings(max_examples=n_examples(12), deadline=None)
@example(17101, [[add_file], [rename], [duplicate], [move]])  # a copy is moved beside its original
@given(SEEDS, SINGLE_EDITS)
def test_single_edits_in_python(seed: int, script: list[list[Callable[[Tree], None]]]) -> None:
    play("py", seed, script)


@settings(max_examples=n_examples(12), deadline=None)
@given(SEEDS, SINGLE_EDITS)
def test_single_edits_in_javascript(seed: int, script: list[list[Callable[[Tree], None]]]) -> None:
    play("js", seed, script)


@settings(max_examples=n_examples(12), deadline=None)
@example(85, [[duplicate, delete, move], [insert]])
@given(SEEDS, SCRIPTS)
def test_several_edits_at_once(seed: int, script: list[list[Callable[[Tree], None]]]) -> None:
    play("py" if seed % 2 else "js", seed, script)


@pytest.mark.postgres
@settings(max_examples=n_examples(3), deadline=None)
@example(7, [[edit], [delete_file], [duplicate], [restore_file], [rename_file]])
@given(SEEDS, SCRIPTS)
def test_any_edits_leave_the_same_rows_in_both_stores(seed: int, script: list[list[Callable[[Tree], None]]]) -> None:
    check_rows_are_the_same(lambda: play("py" if seed % 2 else "js", seed, script))
