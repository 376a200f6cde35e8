"""Which folder is a workspace, and which index folders are refused."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from birthmark.app.workspace.workspace import find_workspace, make_home
from birthmark.errors import BirthmarkError
from running import birthmark
from worlds import World

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")

SOURCE = "def f(x):\n    return x + 1\n"
COMMANDS = [
    "index",
    "index --from-history",
    "status",
    "entities",
    "entities a.py",
    "chunks --since HEAD",
    "show f",
    "resolve f",
    "callers f",
    "diff HEAD",
    "history a.py::f",
    "blame a.py",
    "subscribe a.py::f",
    "subscriptions",
    "scan",
    "scan --history",
    "apply",
    "validate",
    "doctor",
    "watch",
    "serve --port 0",
    "deliver",
    "deliver --list",
]


def link_to_a_folder(world: World, outside: Path) -> None:
    (world.root / ".birthmark").symlink_to(outside)


def link_to_nothing(world: World, outside: Path) -> None:
    (world.root / ".birthmark").symlink_to(outside / "not-there")


def tracked_folder(world: World, outside: Path) -> None:
    for name in ("index.db", "subscriptions.db", "ledger.log", "http-token"):
        world.write(f".birthmark/{name}", "t" * 43)
    world.git("add", "-f", ".birthmark")


def submodule(world: World, outside: Path) -> None:
    other = World(world.root / ".birthmark", {"index.db": ""}, with_git=True)
    other.commit()
    world.git("add", "-f", ".birthmark")


REFUSED: list[tuple[Callable[[World, Path], None], str]] = [
    (link_to_a_folder, "is a symbolic link"),
    (link_to_nothing, "is a symbolic link"),
    (tracked_folder, "is tracked by git"),
    (submodule, "is tracked by git"),
]


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path / "repository", {"a.py": SOURCE}, with_git=True)
    world.commit()
    return world


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(("bring", "reason"), REFUSED)
def test_a_foreign_index_folder_is_refused(
    world: World, outside: Path, bring: Callable[[World, Path], None], reason: str
) -> None:
    bring(world, outside)
    result = birthmark("index", cwd=world.root)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert reason in result.stderr
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("bring", "reason"), REFUSED[1:3])
def test_every_command_refuses_it(
    world: World, outside: Path, command: str, bring: Callable[[World, Path], None], reason: str
) -> None:
    bring(world, outside)
    result = birthmark(*command.split(), cwd=world.root)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert reason in result.stderr
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["index.db", "index.db-wal", "subscriptions.db", "ledger.log", "lock", "http-token", ".gitignore"]
)
def test_links_inside_are_refused(world: World, outside: Path, name: str) -> None:
    world.index()
    (world.root / ".birthmark" / name).unlink(missing_ok=True)
    (world.root / ".birthmark" / name).symlink_to(outside / "target")
    result = birthmark("index", cwd=world.root)
    assert result.returncode == 2
    assert f".birthmark/{name}: is a symbolic link" in result.stderr
    assert list(outside.iterdir()) == []


def test_a_tracked_folder_below_the_root_is_refused(world: World) -> None:
    world.write("sub/.birthmark/index.db", "")
    world.git("add", "-f", ".")
    with pytest.raises(BirthmarkError, match="is tracked by git"):
        find_workspace(world.root / "sub")
    assert find_workspace(world.root).root == world.root


def test_a_folder_of_someone_else_is_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.index()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(BirthmarkError, match="belongs to another user"):
        find_workspace(world.root)


def test_what_a_checkout_put_there_meanwhile_is_refused(world: World) -> None:
    """A watch has found its workspace long ago."""
    world.index()
    home = find_workspace(world.root).home
    world.git("add", "-f", ".birthmark/.gitignore")
    with pytest.raises(BirthmarkError, match="is tracked by git"):
        make_home(home)


def test_an_index_of_our_own_is_used_again(world: World) -> None:
    world.index()
    assert birthmark("status", "--exit-code", cwd=world.root).returncode == 0
    world.git("worktree", "add", "-q", "../linked")
    assert find_workspace(world.root.parent / "linked").home == world.root / ".birthmark"


# Commands that only read


@pytest.mark.parametrize(
    "command",
    [command for command in COMMANDS if command.split()[0] not in ("index", "subscribe", "watch", "serve")],
)
def test_reading_leaves_nothing_behind(world: World, command: str) -> None:
    birthmark(*command.split(), cwd=world.root)
    assert not (world.root / ".birthmark").exists()


# Bare repositories


@pytest.fixture
def bare(world: World, tmp_path: Path) -> Path:
    world.git("clone", "-q", "--bare", ".", "../bare.git")
    return tmp_path / "bare.git"


def test_a_bare_repository_is_a_workspace(world: World, bare: Path) -> None:
    found = find_workspace(bare / "refs/heads")
    assert (found.root, found.home, found.ref, found.has_git) == (bare, bare / ".birthmark", "refs/heads/main", True)
    assert (found.head, found.branch) == (world.git("rev-parse", "HEAD"), "main")


@pytest.mark.parametrize("folder", [".git", ".git/refs/heads", ".git/modules/one"])
def test_the_git_folder_of_a_worktree_is_not(world: World, folder: str) -> None:
    world.git("init", "-q", "--bare", ".git/modules/one")
    found = find_workspace(world.root / folder)
    assert (found.root, found.ref) == (world.root, None)


def test_what_needs_a_worktree_says_so(bare: Path) -> None:
    result = birthmark("watch", cwd=bare)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "bare repository, which has no worktree; " in result.stderr
    assert not (bare / ".birthmark").exists()
