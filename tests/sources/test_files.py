"""Files are read within limits; attributes and settings are found where git would look."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from birthmark.errors import BirthmarkError
from birthmark.sources.attributes import CommittedAttributes, linguist_language
from birthmark.sources.config import load_settings
from birthmark.sources.worktree import read_file


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert read_file(tmp_path / "a", 3) == b"abc"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("big", r"has 4 bytes, more than the limit of 3; raise --max-bytes"),
        ("folder", "is a folder; name a source file"),
        ("pipe", "is not a regular file"),
        ("missing", "no such file; check the path"),
        ("loop", "check the path"),
    ],
)
def test_what_cannot_be_read_says_so_in_a_line(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "big").write_bytes(b"abcd")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(BirthmarkError, match=message):
        read_file(tmp_path / name, 3)


def test_attributes_from_the_root_down(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / ".gitattributes").write_text('# c\n*.h linguist-language=C++\n"*.x" text linguist-language="Go"\n*.y\n')
    (tmp_path / "sub" / ".gitattributes").write_text("special.h linguist-language=C\n")
    assert linguist_language(tmp_path / "a.h") == "C++"
    assert linguist_language(tmp_path / "sub" / "a.h") == "C++"
    assert linguist_language(tmp_path / "sub" / "special.h") == "C"
    assert linguist_language(tmp_path / "a.x") == "Go"
    assert linguist_language(tmp_path / "a.y") is None


def test_attributes_of_folders_of_any_depth() -> None:
    attributes = CommittedAttributes(lambda blob: f"*.{blob} linguist-language=C++".encode())
    assert attributes.of_path(b"a/" * 2000 + b"b.h", lambda folder: "h")[0] == "C++"


def test_outside_a_repository_only_the_own_folder_counts(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / ".gitattributes").write_text("*.h linguist-language=C++\n")
    assert linguist_language(tmp_path / "sub" / "a.h") is None
    assert linguist_language(tmp_path / "a.h") == "C++"


def test_settings(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    assert load_settings(tmp_path / "sub").limits.max_bytes == 1 << 20
    (tmp_path / "birthmark.toml").write_text("[limits]\nmax_bytes = 5\n[chunks]\nlongest = 7\n[other]\nx = 1\n")
    settings = load_settings(tmp_path / "sub")
    assert (settings.limits.max_bytes, settings.limits.seconds, settings.chunks.longest) == (5, 20.0, 7)


def test_settings_above_the_repository_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "birthmark.toml").write_text("[limits]\nmax_bytes = 5\n")
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    assert load_settings(tmp_path / "repo").limits.max_bytes == 1 << 20


@pytest.mark.parametrize(
    "text", ["[limits", "[limits]\nmax_bytes = 'a'", "[limits]\nspeed = 1", "[chunks]\nlongest = 0", "limits = 1"]
)
def test_bad_settings_say_so_in_a_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "birthmark.toml").write_text(text)
    with pytest.raises(BirthmarkError, match=r"birthmark\.toml: "):
        load_settings(tmp_path)
