"""An index may be outside of its repository, so that a checkout that cannot be written to is asked as well."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from running import birthmark, document
from worlds import World

ASKED = [
    "status", "entities", "show f", "resolve f", "users f", "search return", "diff HEAD", "history f", "blame a.py",
    "scan", "validate --against-rebuild", "chunks", "impact f", "review HEAD",
]  # fmt: skip


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path / "repository", {"a.py": "def f():\n    return 1\n"}, with_git=True)
    world.commit()
    return world


def files_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if ".git/" not in f"{path}/")


def test_nothing_is_written_into_the_repository(world: World, tmp_path: Path) -> None:
    before = files_in(world.root)
    option = ("--index-dir", os.path.relpath(tmp_path / "indexes", world.root))
    assert birthmark(*option, "index", cwd=world.root).returncode == 0
    assert (tmp_path / f"indexes/{world.root}/.birthmark/index.db").is_file()
    for command in ASKED:
        done = birthmark(*option, *command.split(), cwd=world.root)
        assert done.returncode == 0, done.stderr
    subscribed = birthmark(*option, "subscribe", "a.py::f", cwd=world.root)
    assert subscribed.returncode == 0, subscribed.stderr
    assert files_in(world.root) == before
    assert birthmark("show", "f", cwd=world.root).returncode == 2


def test_the_variable_names_the_folder(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIRTHMARK_INDEX_DIR", str(tmp_path / "indexes"))
    birthmark("index", cwd=world.root)
    assert document("status", cwd=world.root)["store"] == str(tmp_path / f"indexes/{world.root}/.birthmark")
    linked = tmp_path / "linked"
    world.git("worktree", "add", "-q", str(linked))
    birthmark("index", cwd=linked)
    snapshots = document("status", cwd=world.root)["snapshots"]
    assert {one["worktree"] for one in snapshots} == {".", "../linked"}
    other = World(tmp_path / "other", {"a.py": "def g():\n    return 1\n"})
    birthmark("index", cwd=other.root)
    assert "g" in birthmark("entities", cwd=other.root).stdout
    assert len(document("status", cwd=other.root)["snapshots"]) == 1


def test_the_variable_is_an_absolute_path(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIRTHMARK_INDEX_DIR", "indexes")
    assert "write an absolute path" in birthmark("index", cwd=world.root).stderr


def test_a_folder_of_someone_else_is_refused(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIRTHMARK_INDEX_DIR", str(tmp_path))
    home = tmp_path / str(world.root).lstrip("/") / ".birthmark"
    home.parent.mkdir(parents=True)
    home.symlink_to(tmp_path)
    assert "symbolic link" in birthmark("index", cwd=world.root).stderr
