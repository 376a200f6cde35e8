"""Files that a sparse checkout skips are unchanged: in the index, in its status, in diffs and in scans."""

from __future__ import annotations

from pathlib import Path

import pytest

from running import birthmark, document
from worlds import World

FILES = {
    f"{folder}/{name}.py": f"def {folder}_{name}():\n    return 1\n" for folder in ("a", "b") for name in ("x", "y")
}


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, {**FILES, "b/.gitignore": "y.py\n"}, with_git=True)
    world.git("add", "-f", ".")
    world.commit()
    return world


def ask(world: World, *arguments: str) -> str:
    done = birthmark(*arguments, cwd=world.root)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize("is_sparse_index", [True, False])
def test_skipped_files_are_unchanged(world: World, *, is_sparse_index: bool) -> None:
    ask(world, "index")
    before = document("entities", cwd=world.root)
    ask(world, "subscribe", "b/x.py::b_x")
    world.git("sparse-checkout", "set", "--sparse-index" if is_sparse_index else "--no-sparse-index", "a")
    assert not (world.root / "b").exists()
    assert "no entity differs" in ask(world, "diff", "HEAD")
    status = document("status", cwd=world.root)
    assert (status["fresh"], status["pending"]) == (True, [])
    assert "changes: none" in ask(world, "index")
    assert document("status", cwd=world.root)["fresh"]
    assert document("entities", cwd=world.root) == before
    assert "return 1" in ask(world, "show", "b/x.py::b_x")
    assert "unchanged" in ask(world, "scan")
    assert ask(world, "validate", "--against-rebuild") == "valid\n"
    world.git("sparse-checkout", "disable")
    assert "changes: none" in ask(world, "index")
    assert document("entities", cwd=world.root) == before


def test_a_skipped_file_that_is_there_is_read(world: World) -> None:
    world.git("sparse-checkout", "set", "a")
    assert "3 entities" in ask(world, "index")
    world.write("b/x.py", "def other():\n    return 2\n")
    assert "b/x.py::other" in ask(world, "resolve", "other")
    assert ask(world, "validate", "--against-rebuild") == "valid\n"
