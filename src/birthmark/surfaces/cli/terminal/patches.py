"""The change of an entity as a unified diff, in colour where there is colour."""

from __future__ import annotations

from collections.abc import Iterator

from birthmark.comparison.patch import Patch, PatchHunk
from birthmark.surfaces.text import paint
from birthmark.words import visible

_COLORS = {"+": "green", "-": "red"}
_BAR = 20  # columns of the longest bar


def patch_lines(patch: Patch, indent: str = "") -> Iterator[str]:
    """Hunks alone: which entity it is, and where, is said above them. Code is not cut."""
    for hunk in patch.hunks:
        yield indent + paint(_header(hunk), "cyan")
        for sign, text in hunk.lines:
            yield (indent + paint(sign + visible(text), _COLORS.get(sign))).rstrip()


def _header(patch_hunk: PatchHunk) -> str:
    hunk = patch_hunk.hunk
    return f"@@ -{_range(hunk.old_start, hunk.old_count)} +{_range(hunk.new_start, hunk.new_count)} @@"


def _range(start: int, count: int) -> str:
    return f"{start}" if count == 1 else f"{start},{count}"


def stat(patch: Patch, longest: int = 0) -> str:
    """`+3 -1 +++-`: how many lines were added and removed, and a bar whose length is that number, or in proportion."""
    added, removed = patch.n_added, patch.n_removed
    most = max(longest, added + removed, 1)
    scale = min(1.0, _BAR / most)
    bar = paint("+" * _scaled(added, scale), "green") + paint("-" * _scaled(removed, scale), "red")
    return f"+{added} -{removed}  {bar}".rstrip()


def _scaled(number: int, scale: float) -> int:
    return max(1, round(number * scale)) if number else 0
