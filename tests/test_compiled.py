"""The compiled modules of the graph count only if they were made from the present sources."""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from birthmark import compiled


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of compiled modules; nothing is found in the one of the checkout."""
    monkeypatch.setattr(compiled, "FOLDER", tmp_path)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.delenv("BIRTHMARK_PURE", raising=False)
    return tmp_path


@pytest.mark.parametrize(("stamp", "is_pure", "expected"), [("", "0", 1), ("", "1", 0), ("x", "0", 0), (None, "0", 0)])
def test_only_what_was_made_from_the_present_sources_counts(
    folder: Path, monkeypatch: pytest.MonkeyPatch, stamp: str | None, is_pure: str, expected: int
) -> None:
    monkeypatch.setenv("BIRTHMARK_PURE", is_pure)
    if stamp is not None:
        (folder / compiled.STAMP).write_text(stamp or compiled.digest_sources(), "ascii")
    finders = [*sys.meta_path]
    compiled.prefer_compiled()
    assert len(sys.meta_path) - len(finders) == expected


def test_an_edit_of_the_graph_is_another_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("graph/resolve.py", "languages/rules.py", "model.py", "vocabulary.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x = 1\n", "utf-8")
    monkeypatch.setattr(compiled, "PACKAGE", tmp_path)
    before = compiled.digest_sources()
    (tmp_path / "graph/resolve.py").write_text("x = 2\n", "utf-8")
    assert compiled.digest_sources() != before


def test_modules_that_are_not_compiled_are_imported_as_sources(tmp_path: Path) -> None:
    path = tmp_path / f"birthmark/graph/resolve{EXTENSION_SUFFIXES[0]}"
    path.parent.mkdir(parents=True)
    path.touch()
    found = compiled.CompiledFinder(tmp_path).find_spec("birthmark.graph.resolve")
    assert found is not None
    assert found.origin == str(path)
    names = ("birthmark.graph.edges", "birthmark.store.model", "json", "other__mypyc")
    assert [compiled.CompiledFinder(tmp_path).find_spec(name) for name in names] == [None] * 4


def test_the_finder_does_not_look_for_what_it_needs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", [compiled.CompiledFinder(tmp_path), *sys.meta_path])
    monkeypatch.delitem(sys.modules, "importlib.machinery")
    assert importlib.import_module("importlib.machinery").EXTENSION_SUFFIXES == EXTENSION_SUFFIXES
