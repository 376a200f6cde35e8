"""Patches as people and programs see them."""

from __future__ import annotations

from msgspec import to_builtins

from birthmark.comparison.patch import CodeLines, make_patch
from birthmark.documents.parts import patch_document
from birthmark.surfaces.cli.terminal.commits import patch_lines

PATCH = make_patch(CodeLines("a.py", "f", 7, ("a", "b\x1b[2J")), CodeLines("a.py", "f", 9, ("a", "\tc", "d")))


def test_a_patch_has_nothing_that_a_terminal_obeys() -> None:
    assert list(patch_lines(PATCH, "  ")) == ["  @@ -7,2 +9,3 @@", "   a", "  -b\ufffd[2J", "  +\tc", "  +d"]


def test_a_patch_as_a_document() -> None:
    lines = [" a", "-b\x1b[2J", "+\tc", "+d"]
    hunk = {"old_start": 7, "old_count": 2, "new_start": 9, "new_count": 3, "lines": lines}
    assert to_builtins(patch_document(PATCH)) == {"added": 2, "removed": 1, "hunks": [hunk]}
