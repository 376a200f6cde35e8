"""Outlines at hand: what a replay looks at again and again, kept unpacked within bounds."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from birthmark.extraction.outline import Outline, unpack_outline
from birthmark.store.port import Store

_KEPT = 4000  # outlines; half of them are put away when there are more


class OutlineCache:
    """Asks the store for an outline when it is first wanted."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._outlines: dict[int, Outline | None] = {}

    def __contains__(self, extraction: int) -> bool:
        """Whether an outline is kept; those that another version of this program has packed are not."""
        return self._find(extraction) is not None

    def outline(self, extraction: int) -> Outline:
        outline = self._find(extraction)
        assert outline is not None, "what was just extracted is kept"
        return outline

    def _find(self, extraction: int) -> Outline | None:
        outlines = self._outlines
        if extraction in outlines:
            outlines[extraction] = outlines.pop(extraction)  # The last used is the last to go.
            return outlines[extraction]
        packed = dict(self.store.outlines([extraction])).get(extraction)
        outline = outlines[extraction] = unpack_outline(packed) if packed is not None else None
        if len(outlines) > _KEPT:
            for oldest in list(outlines)[: _KEPT // 2]:
                del outlines[oldest]
        return outline

    def source_of(self, extraction: int) -> Callable[[], bytes]:
        return source_reader(self.store, extraction)


def source_reader(store: Store, extraction: int) -> Callable[[], bytes]:
    """A way to the bytes of what was extracted; empty where they are no longer kept."""

    def read() -> bytes:
        packed = store.source(extraction)
        return b"" if packed is None else zlib.decompress(packed)

    return read
