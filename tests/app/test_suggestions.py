"""What is suggested after a first index: a REF that names one thing, found without trying all."""

from __future__ import annotations

from pathlib import Path

from birthmark.app.indexing.index import update_folder
from birthmark.app.indexing.suggestions import find_suggestions


def test_namesakes_are_passed_over(tmp_path: Path) -> None:
    source = "def f():\n    return 1\n" * 300 + "def other():\n    return 2\n"
    (tmp_path / "a.py").write_text(source, "utf-8")
    update_folder(tmp_path, 1)
    assert find_suggestions(tmp_path)[0].arguments == "show a.py::other"
