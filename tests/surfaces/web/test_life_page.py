"""Pages about the life of a definition."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from web_pages import shown, site_of, text_of

from small_repositories import make_repository, replay
from worlds import World, run_git

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")


def test_pages_say_where_the_history_of_a_shallow_clone_ends(tmp_path: Path) -> None:
    files = {"a.py": "def old():\n    return 1\n"}
    root = make_repository(tmp_path / "root", [{}, files, files | {"b.py": "def new():\n    return 2\n"}]).root
    run_git(tmp_path, "clone", "-q", "--depth", "2", f"file://{root}", "shallow")
    clone = World(tmp_path / "shallow")
    replay(clone.root)
    client = site_of(clone.root)
    for name, is_boundary in (("old", True), ("new", False)):
        for page in ("life", "entity"):
            text = text_of(shown(client.send("GET", f"/{page}/{clone.entity(name).mark}")))
            assert ("history ends here (shallow clone)" in text) == is_boundary
