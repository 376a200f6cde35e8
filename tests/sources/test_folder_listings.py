"""A walk that uses what was found before finds what a walk without it finds, whatever changed meanwhile."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.sources import discover as discover_module
from birthmark.sources.discover import Discovery, discover
from birthmark.sources.worktree import pack_listings, unpack_listings

_LIMIT = 200  # bytes
_PATHS = [
    "a.py",
    "b.txt",
    "x/a.py",
    "x/b.html",
    "x/y/a.py",
    "x/y/c.js",
    "gen/a.py",
    "gen/api/a.py",
    ".git/info/exclude",
]
_RULE_FILES = [".gitignore", "x/.gitignore", ".birthmarkignore", ".gitattributes", "x/.gitattributes"]
_RULES = ["", "gen/", "*.py", "!/gen/api/", "/x/y", "a.py", "*.html linguist-language=python", "*.py linguist-vendored"]


def _wants(name: str) -> bool:
    return name.endswith((".py", ".js"))


def _walk(root: Path, before: Discovery | None = None, key: str = "") -> Discovery:
    known = unpack_listings(pack_listings(before.listings)) if before is not None else None
    return discover(root, _wants, _LIMIT, known, key)


def _write(root: Path, path: str, text: str) -> None:
    file = root / path
    if any((root / parent).is_file() or (root / parent).is_symlink() for parent in Path(path).parents if parent.name):
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.is_dir() and not file.is_symlink():
        shutil.rmtree(file)
    file.unlink(missing_ok=True)
    file.write_text(text)


def _change(root: Path, kind: str, path: str, text: str) -> None:
    place = root / path
    if kind == "write":
        _write(root, path, text)
    elif kind == "remove" and place.is_file():
        place.unlink()
    elif kind == "folder" and not os.path.lexists(place) and place.parent.is_dir():
        place.mkdir()
        (place / "inside.py").write_text(text)
    elif kind == "replace" and place.is_file():
        place.unlink()
        place.mkdir()
        (place / "inside.py").write_text(text)
    elif kind == "link" and place.is_file():
        place.unlink()
        place.symlink_to("elsewhere")
    elif kind == "clone" and place.parent.is_dir() and place.parent != root:
        (place.parent / ".git").mkdir(exist_ok=True)


_change_kinds = st.sampled_from(["write", "write", "remove", "folder", "replace", "link", "clone"])
_texts = st.sampled_from(["", "x = 1", "y" * (_LIMIT + 1)])
_file_changes = st.tuples(_change_kinds, st.sampled_from(_PATHS), _texts)
_rule_changes = st.tuples(
    st.just("write"), st.sampled_from([*_RULE_FILES, ".git/info/exclude"]), st.sampled_from(_RULES)
)
_steps = st.lists(st.one_of(_file_changes, _rule_changes), min_size=1, max_size=4)


@given(first=_steps, rounds=st.lists(_steps, min_size=1, max_size=4))
@settings(deadline=None)
def test_what_was_found_before_changes_nothing(
    first: list[tuple[str, str, str]], rounds: list[list[tuple[str, str, str]]]
) -> None:
    _compare_walks(first, rounds)


@given(first=_steps, rounds=st.lists(_steps, min_size=1, max_size=4))
def test_what_was_found_long_ago_changes_nothing(
    first: list[tuple[str, str, str]], rounds: list[list[tuple[str, str, str]]]
) -> None:
    """Folders that are as they were are not even listed; their times have ticks of some milliseconds."""
    with pytest.MonkeyPatch.context() as patch:
        _let_time_pass(patch)
        _compare_walks(first, rounds, 0.02)


def _let_time_pass(patch: pytest.MonkeyPatch) -> None:
    """A minute between what is done to folders and what is found in them."""
    patch.setattr(discover_module, "time", SimpleNamespace(time_ns=lambda: time.time_ns() + 60 * 10**9))


def _compare_walks(
    first: list[tuple[str, str, str]], rounds: list[list[tuple[str, str, str]]], pause: float = 0
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for path in _PATHS:
            _write(root, path, "")
        (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (root / ".git" / "objects").mkdir()
        (root / ".git" / "refs").mkdir()
        before = None
        for steps in (first, *rounds):
            for step in steps:
                _change(root, *step)
            time.sleep(pause)
            fresh, after = _walk(root), _walk(root, before)
            assert after == fresh
            before = after


def test_a_folder_that_is_the_same_is_not_judged_again(tmp_path: Path) -> None:
    for path in ("a.py", "x/a.py", "x/y/a.py"):
        _write(tmp_path, path, "")
    before = _walk(tmp_path)
    asked: list[str] = []

    def wants(name: str) -> bool:
        asked.append(name)
        return _wants(name)

    _write(tmp_path, "x/new.py", "")
    _write(tmp_path, "x/y/a.py", "longer")
    after = discover(tmp_path, wants, _LIMIT, before.listings)
    assert [file.path for file in after.files] == ["a.py", "x/a.py", "x/new.py", "x/y/a.py"]
    assert sorted(asked) == ["a.py", "new.py"], "those of x alone"


def _count_listed(root: Path, before: Discovery, monkeypatch: pytest.MonkeyPatch) -> tuple[Discovery, list[str]]:
    listed: list[str] = []
    scan = os.scandir

    def scandir(path: bytes) -> object:
        listed.append(os.path.relpath(os.fsdecode(path), root))
        return scan(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", scandir)
        return _walk(root, before), sorted(listed)


def test_a_folder_that_is_as_it_was_is_not_listed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in ("a.py", "x/a.py", "x/y/a.py", "z/a.py"):
        _write(tmp_path, path, "")
    at_once = _walk(tmp_path)
    assert _count_listed(tmp_path, at_once, monkeypatch)[1] == [".", "x", "x/y", "z"], "it may change within a tick"
    _let_time_pass(monkeypatch)
    later, listed = _count_listed(tmp_path, at_once, monkeypatch)
    assert listed == [".", "x", "x/y", "z"]
    (tmp_path / "x" / "y" / "a.py").write_text("longer")
    assert _count_listed(tmp_path, later, monkeypatch) == (_walk(tmp_path), [])
    time.sleep(0.02)
    _write(tmp_path, "x/new.py", "")
    _write(tmp_path, "z/.gitignore", "a.py")
    after, listed = _count_listed(tmp_path, later, monkeypatch)
    assert listed == ["x", "z"]
    assert [file.path for file in after.files] == ["a.py", "x/a.py", "x/new.py", "x/y/a.py"]
    (tmp_path / "z" / ".gitignore").write_text("b.py")
    found, listed = _count_listed(tmp_path, after, monkeypatch)
    assert "z/a.py" in [file.path for file in found.files], "rules are read in any case"


@pytest.mark.parametrize("damaged", [None, b"", b"\xc1", 7, "text"])
def test_what_cannot_be_unpacked_is_forgotten(damaged: object) -> None:
    assert unpack_listings(damaged) == {}


def test_what_else_is_wanted_is_looked_for(tmp_path: Path) -> None:
    _write(tmp_path, "a.py", "")
    _write(tmp_path, "a.rb", "")
    before = _walk(tmp_path, key="1")
    found = discover(tmp_path, lambda name: name.endswith(".rb"), _LIMIT, before.listings, "2")
    assert [file.path for file in found.files] == ["a.rb"]
