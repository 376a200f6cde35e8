"""What people do to a repository with git costs no mark: a sample of the benchmark, on a small project."""

from __future__ import annotations

from pathlib import Path

import pytest
from everyday_git import Clone, measure, prepare

from running import birthmark
from worlds import run_git

FILES = {
    "lib/area.py": "RATIO = 3\n\n\ndef area(radius, offset):\n    return radius * RATIO\n",
    "lib/basket.py": "class Basket:\n    size = 3\n\n    def total(self, items):\n        return sum(items)\n",
    "app/index.js": "var app = start();\nfunction run(first, second) {\n  return first + second;\n}\n",
    "app/other.js": "var app = start();\nfunction run(first, second) {\n  return first - second;\n}\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """Its last commits; commands run in this process."""
    root = tmp_path / "project"
    for number, (path, text) in enumerate(FILES.items()):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        if not number:
            run_git(root, "init", "-q", "-b", "main")
        run_git(root, "add", "-A")
        run_git(root, "commit", "-q", "-m", path)
    monkeypatch.setattr(Clone, "birthmark", lambda self, *words: birthmark(*words, cwd=self.folder).stdout)
    return prepare(root, tmp_path / "prepared", 3)


@pytest.mark.parametrize(
    ("scenario", "index_options"),
    [
        ("rebase", ()),
        ("filter-repo", ("--from-history",)),
        ("formatter", ()),
        ("directory moved with edits", ()),
        ("JavaScript to TypeScript", ()),
    ],
)
def test_marks_are_kept(scenario: str, index_options: tuple[str, ...], project: Clone, tmp_path: Path) -> None:
    project.index_options = ("--jobs", "1", *index_options)
    project.index()
    kept = measure(project, scenario, tmp_path / "clone")
    assert kept.lost == []
    assert kept.n_kept == kept.n_before == 9
