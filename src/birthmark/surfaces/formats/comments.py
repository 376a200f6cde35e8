"""The one comment of a pull request or merge request that is found again by its first line, and replaced."""

from __future__ import annotations

import re

SCAN_MARKER = "<!-- birthmark-scan -->"
REVIEW_MARKER = "<!-- birthmark-review -->"
_LIMIT = 65_536  # GitHub's; GitLab takes more
_ITEM = "- "


def write_comment(marker: str, markdown: str) -> str:
    """The body of a comment, cut where it would be refused: whole items, and how many more there are."""
    text = f"{marker}\n{markdown}"
    if _width(text) <= _LIMIT:
        return text
    blocks = re.split(r"(?<=\n)(?! )", text)  # A line with those that are indented under it.
    room, kept = _LIMIT - 100, 0
    while kept < len(blocks) and _width(blocks[kept]) <= room:
        room -= _width(blocks[kept])
        kept += 1
    rest = sum(block.startswith(_ITEM) for block in blocks[kept:])
    return f"{''.join(blocks[:kept]).rstrip()}\n\n… and {rest:,} more\n"


def _width(text: str) -> int:
    """In UTF-16, the most that GitHub may count."""
    return len(text.encode("utf-16-le")) // 2
