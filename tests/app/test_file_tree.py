"""What folders consist of, judged by the files themselves."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.app.answers.overview import read_tree
from birthmark.documents.listings import TreeDocument
from birthmark.errors import NotFoundError
from examples import n_examples
from running import birthmark
from worlds import World

NAME = st.sampled_from(["a", "b", "a-", "a0", "Ä"])
FOLDERS = st.lists(NAME, max_size=3).map(tuple)


def tree_of(world: World, folder: str = "") -> TreeDocument:
    with world.session() as session:
        return read_tree(session, folder)


@settings(max_examples=n_examples(15), deadline=None)
@given(st.dictionaries(st.tuples(FOLDERS, NAME), st.integers(0, 3), min_size=1, max_size=8))
def test_every_folder_is_the_sum_of_what_is_in_it(sources: dict[tuple[tuple[str, ...], str], int]) -> None:
    texts = {
        "/".join((*folders, f"{name}.py")): "".join(f"def f{n}(): pass\n" for n in range(n_functions))
        for (folders, name), n_functions in sources.items()
    }
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), texts)
        world.index()
        for path in {"/".join(folders[:depth]) for folders, _ in sources for depth in range(len(folders) + 1)}:
            tree = tree_of(world, path)
            below = {file: text for file, text in texts.items() if file.startswith(f"{path}/" if path else "")}
            start = len(path) + 1 if path else 0
            assert {one.path for one in tree.children if not one.folder} == {f for f in below if "/" not in f[start:]}
            assert tree.folder.files == len(below) == sum(one.files for one in tree.children)
            assert tree.folder.entities == sum(text.count("def ") for text in below.values())
            assert tree.folder.bytes == sum(map(len, below.values())) == sum(one.bytes for one in tree.children)
            assert [one.files for one in tree.languages] == [len(below)]


@settings(max_examples=n_examples(15), deadline=None)
@given(st.sets(st.tuples(FOLDERS, NAME), min_size=1, max_size=12), st.integers(0, 12))
def test_opened_folders_hold_each_file_once(names: set[tuple[tuple[str, ...], str]], least: int) -> None:
    paths = {"/".join((*folders, f"{name}.py")) for folders, name in names}
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), dict.fromkeys(paths, "def f(): pass\n"))
        world.index()
        with world.session() as session:
            tree = read_tree(session, "", least)
    held = [[path for path in paths if path == one.path or path.startswith(f"{one.path}/")] for one in tree.children]
    assert sorted(path for in_one in held for path in in_one) == sorted(paths)
    assert [len(in_one) for in_one in held] == [one.files for one in tree.children]


def test_the_largest_folders_are_opened_until_there_are_enough(tmp_path: Path) -> None:
    texts = {f"large/inner/{n}.py": "def f(): pass\n" * 9 for n in range(4)} | {"small/x.py": "def g(): pass\n"}
    world = World(tmp_path, texts)
    world.index()
    with world.session() as session:
        assert [one.path for one in read_tree(session, "", 2).children] == ["large", "small"]
        opened = [one.path for one in read_tree(session, "", 3).children]
    assert opened == [*(f"large/inner/{n}.py" for n in range(4)), "small"]


def test_changes_are_those_after_the_first_run(tmp_path: Path) -> None:
    world = World(tmp_path, {"a/x.py": "def f(): pass\n", "a/y.py": "def g(): pass\n"})
    world.index()
    world.write("a/x.py", "def f(): return 1\n")
    world.index()
    (folder,) = tree_of(world).children
    assert (folder.path, folder.changes, folder.by_commit) == ("a", 1, False)
    x, y = tree_of(world, "a").children
    assert [(one.path, one.changes, one.language) for one in (x, y)] == [
        ("a/x.py", 1, "python"),
        ("a/y.py", 0, "python"),
    ]
    assert x.last_at is not None
    assert y.last_at is not None
    assert folder.last_at == x.last_at > y.last_at


def test_of_a_replayed_history_commits_are_counted(tmp_path: Path) -> None:
    world = World(tmp_path, {"x.py": "def f(): pass\n"}, with_git=True)
    world.commit()
    world.write("x.py", "def f(): return 1\n")
    head = world.commit()
    assert birthmark("index", "--from-history", cwd=tmp_path).returncode == 0
    tree = tree_of(world)
    (file,) = tree.children
    assert (tree.history_replayed, file.changes, file.by_commit) == (True, 1, True)
    assert file.last_revision == head


def test_an_index_without_files_is_an_empty_tree(tmp_path: Path) -> None:
    world = World(tmp_path, {"notes.unknown": "x"})
    world.index()
    tree = tree_of(world)
    assert (tree.folder.files, tree.folder.last_at, tree.children, tree.languages) == (0, None, [], [])


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    world = World(tmp_path, {"source/x.py": "def f(): pass\n"})
    world.index()
    with pytest.raises(NotFoundError, match="source"):
        tree_of(world, "sourc")
    assert tree_of(world, "./source/").folder.path == "source"
