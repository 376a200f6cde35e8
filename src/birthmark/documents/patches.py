"""Documents of patches: the lines that differ between two states of one entity."""

from __future__ import annotations

from typing import Annotated

from birthmark.comparison.patch import Patch, PatchHunk
from birthmark.documents.document import Document, doc, make


class HunkDocument(Document, frozen=True):
    """Consecutive lines of a patch, numbered as in a unified diff."""

    old_start: Annotated[int, doc("the first line before; where there is none, the line above")]
    old_count: int
    new_start: Annotated[int, doc("the first line after, likewise")]
    new_count: int
    lines: Annotated[list[str], doc("each after its sign: `-` an old line, `+` a new one, a space for both")]


class PatchDocument(Document, frozen=True):
    """What differs between two states of one entity, line by line."""

    added: Annotated[int, doc("lines")]
    removed: Annotated[int, doc("lines")]
    hunks: list[HunkDocument]


def patch_document(patch: Patch) -> PatchDocument:
    return PatchDocument(patch.n_added, patch.n_removed, [_hunk_document(hunk) for hunk in patch.hunks])


def _hunk_document(patch_hunk: PatchHunk) -> HunkDocument:
    return make(HunkDocument, patch_hunk.hunk, lines=[line.sign + line.text for line in patch_hunk.lines])
