"""Where the text of something new comes from: it may be extracted or copied from another entity.

Takes the file before and after; gives words such as `extracted from Cart.total`. That is no identity: what is new
stays new, and its source goes on.
"""

from __future__ import annotations

import re
from collections import Counter

from birthmark.extraction.model import OutlinedFile
from birthmark.model import FUNCTION_LIKE, Entity

_FEWEST_LINES = 2  # that say something
_SAYS_SOMETHING = re.compile(rb"\w\W*\w\W*\w\W*\w")
_MOST_OF_A_COPY = 0.9

Lines = Counter[bytes]


def find_source(old: OutlinedFile, new: OutlinedFile, index: int) -> str | None:
    """The function that had most lines of a new one and gave them up, or has nearly all and kept them."""
    entity = new.outline.entities[index]
    mine = _lines(new, entity)
    if entity.kind not in FUNCTION_LIKE or mine.total() < _FEWEST_LINES:
        return None
    before = {one.qualified_name: one for one in old.outline.entities if one.kind in FUNCTION_LIKE}
    for other in new.outline.entities:
        if other.qualified_name in before and other is not entity and other.kind in FUNCTION_LIKE:
            had, has = _lines(old, before[other.qualified_name]), _lines(new, other)
            if 2 * (mine & (had - has)).total() > mine.total():
                return f"extracted from {other.qualified_name}"
            if (mine & had & has).total() >= _MOST_OF_A_COPY * mine.total():
                return f"copied from {other.qualified_name}"
    return None


def _lines(file: OutlinedFile, entity: Entity) -> Lines:
    """Those of the body that say something."""
    text = b"\n".join(file.source()[slice(*span)] for span in entity.body_spans)
    return Counter(line.strip() for line in text.splitlines() if _SAYS_SOMETHING.search(line))
