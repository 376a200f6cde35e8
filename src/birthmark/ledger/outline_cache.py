"""What a replay looks up again and again: outlines and sources by the number of their extraction."""

from __future__ import annotations

from collections.abc import Callable

from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import Outline


class OutlineCache:
    """Outlines are in the extractor's memory, within its bounds."""

    def __init__(self, extractor: Extractor) -> None:
        self.extractor = extractor
        self.source_of: Callable[[int], Callable[[], bytes]] = extractor.source_of

    def __contains__(self, extraction: int) -> bool:
        """Whether an outline is kept; those that another version of this program has packed are not."""
        return self.extractor.outline(extraction) is not None

    def outline(self, extraction: int) -> Outline:
        outline = self.extractor.outline(extraction)
        assert outline is not None, "what was just extracted is kept"
        return outline
