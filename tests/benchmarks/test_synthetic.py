"""Synthetic trees: no content is there twice, what is made twice is the same, and a history ends in its tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from growth import exponent_of
from synthetic import draw_files, edit_function, find_sources, make_repository

from worlds import run_git

SOURCES = {
    "a.py": "class Basket:\n    def total(self):\n        return self.size\n\n    def again(self): ...\n\n\nBasket()\n",
    "b/c.js": "export function total(a) {\n  return a;\n}\n",
    "b/d.go": "package b\n\nfunc Run() int {\n\treturn first\n}\n",
    "empty.py": "",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, text in SOURCES.items():
        (tmp_path / "real" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "real" / path).write_text(text)
    return tmp_path / "real"


def test_a_tree_has_so_many_files_and_commits_each_time(folder: Path, tmp_path: Path) -> None:
    files = draw_files(find_sources([folder]), 42)
    for name in ("one", "two"):
        make_repository(tmp_path / name, files)
    heads = {run_git(tmp_path / name, "rev-parse", "HEAD") for name in ("one", "two")}
    assert len(heads) == 1
    root = tmp_path / "one"
    blobs = run_git(root, "ls-tree", "-r", "--format=%(objectname)", "HEAD").split()
    assert len(blobs) == len(set(blobs)) == 42
    assert run_git(root, "rev-list", "--count", "HEAD").strip() == "5"
    assert run_git(root, "status", "--porcelain") == ""


def test_an_edit_changes_one_function_of_one_file(folder: Path, tmp_path: Path) -> None:
    files = draw_files(find_sources([folder]), 42)
    make_repository(tmp_path / "one", files)
    edit_function(tmp_path / "one", files, 1)
    assert run_git(tmp_path / "one", "diff", "--numstat").split()[:2] == ["1", "0"]
    edit_function(tmp_path / "one", files, 0)
    assert run_git(tmp_path / "one", "diff", "--numstat") == ""


@pytest.mark.parametrize(("costs", "exponent"), [((3.0, 30.0), 1.0), ((3.0, 3.0), 0.0), ((1.0, 100.0), 2.0)])
def test_exponents(costs: tuple[float, float], exponent: float) -> None:
    assert exponent_of((10, costs[0]), (100, costs[1])) == pytest.approx(exponent)
