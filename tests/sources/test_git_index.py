"""What git tracks is read from its index, whatever the version, and without starting git."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from birthmark.errors import BirthmarkError
from birthmark.sources.git.git_files import index_names, is_tracked
from worlds import World

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")

NAMES = [
    "!bang",
    ".a",
    ".birth",
    ".birthmark-not",
    ".birthmark/index.db",
    "b" * 200 + "/" + "c" * 200,
    "deep/er/file.py",
    "zé.py",
]


@pytest.mark.parametrize("version", ["2", "3", "4"])
@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_names_are_those_that_git_lists(tmp_path: Path, version: str, object_format: str) -> None:
    world = World(tmp_path)
    world.git("init", "-q", f"--object-format={object_format}")
    for name in NAMES:
        world.write(name, "x")
    world.git("add", "-f", ".")
    if version == "3":
        world.git("update-index", "--skip-worktree", ".a")  # which only version 3 can say
    else:
        world.git("update-index", "--index-version", version)
    index = (tmp_path / ".git/index").read_bytes()
    assert index[7] == int(version)
    names = list(index_names(index, 20 if object_format == "sha1" else 32))
    assert [name.decode() for name in names] == sorted(NAMES)


@pytest.mark.parametrize(
    ("files", "folder", "expected"),
    [
        ([], ".birthmark", False),
        (["a.py", ".birthmark-not/x", ".birthmar/x", "x/.birthmark/x"], ".birthmark", False),
        (["a.py", ".birthmark/index.db", "z.py"], ".birthmark", True),
        (["a.py", ".birthmark"], ".birthmark", True),
        (["a.py", "x/.birthmark/index.db"], "x/.birthmark", True),
        (["link/.birthmark/index.db"], "x/.birthmark", False),
    ],
)
def test_a_folder_is_tracked(tmp_path: Path, files: list[str], folder: str, expected: bool) -> None:
    world = World(tmp_path, dict.fromkeys(files, "x"), with_git=True)
    world.git("add", "-f", ".")
    assert is_tracked(tmp_path / folder) is expected


def test_links_on_the_way_are_followed(tmp_path: Path) -> None:
    world = World(tmp_path, {"real/.birthmark/index.db": "x"}, with_git=True)
    (tmp_path / "link").symlink_to("real")
    world.git("add", "-f", ".")
    assert is_tracked(tmp_path / "link/.birthmark")


def test_of_a_linked_worktree(tmp_path: Path) -> None:
    world = World(tmp_path / "main", {"a.py": ""}, with_git=True)
    world.commit()
    world.git("worktree", "add", "-q", "../linked", "-b", "other")
    linked = World(tmp_path / "linked", {".birthmark/index.db": "x"})
    linked.git("add", "-f", ".")
    assert is_tracked(tmp_path / "linked/.birthmark")
    assert not is_tracked(tmp_path / "main/.birthmark")


def test_a_split_index(tmp_path: Path) -> None:
    world = World(tmp_path, {".birthmark/index.db": "x"}, with_git=True)
    world.git("add", "-f", ".")
    world.git("update-index", "--split-index")
    assert is_tracked(tmp_path / ".birthmark")


@pytest.mark.parametrize("content", [b"DIRC", b"DIRC\0\0\0\x05\0\0\0\x01", b"DIRC\0\0\0\x02\0\0\0\x01" + b"x" * 80])
def test_an_index_that_cannot_be_read_is_reported(tmp_path: Path, content: bytes) -> None:
    World(tmp_path, with_git=True)
    (tmp_path / ".git/index").write_bytes(content)
    with pytest.raises(BirthmarkError, match="cannot be read"):
        is_tracked(tmp_path / ".birthmark")
