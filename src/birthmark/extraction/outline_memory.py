"""The outlines that were used last, by content and language or by the number of their extraction."""

from __future__ import annotations

from collections import OrderedDict

from birthmark.extraction.model import Outline
from birthmark.model import Level
from birthmark.store.model import ContentKey

_SIZE = 4096  # outlines


class OutlineMemory:
    """A bounded cache, least recently used first out."""

    def __init__(self) -> None:
        self._outlines: OrderedDict[ContentKey | int, tuple[Level, Outline]] = OrderedDict()

    def put(self, key: ContentKey | int, level: Level, outline: Outline) -> Outline:
        self._outlines[key] = level, outline
        if len(self._outlines) > _SIZE:
            self._outlines.popitem(last=False)
        return outline

    def get(self, key: ContentKey | int, level: Level) -> Outline | None:
        found = self._outlines.get(key)
        if found is None or (level is Level.OUTLINE and found[0] is Level.ENTITIES):
            return None
        self._outlines.move_to_end(key)
        return found[1]

    def forget_numbers(self) -> None:
        """What was kept by number may be of a lower level than the store has now."""
        self._outlines = OrderedDict(item for item in self._outlines.items() if not isinstance(item[0], int))
