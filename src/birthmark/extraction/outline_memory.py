"""A cache of recently used outlines, by content and language or by the number of the extraction.

By number there may be only the part of an outline that answers show of entities.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TypeVar

from birthmark.extraction.model import Outline, OutlineEntities
from birthmark.model import Level
from birthmark.store.model import ContentKey

Part = TypeVar("Part", bound=OutlineEntities)

_SIZE = 50_000  # entities and references, of about a kilobyte each
_FEWEST = 256  # outlines of any size, so that a question that needs these unpacks each once


class OutlineMemory:
    """A bounded cache that drops the least recently used; open repositories may share one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._outlines: OrderedDict[ContentKey | int, tuple[Level, OutlineEntities]] = OrderedDict()
        self._size = 0

    def put(self, key: ContentKey | int, level: Level, outline: Part) -> Part:
        with self._lock:
            self._drop(key)
            self._outlines[key] = level, outline
            self._size += _size_of(outline)
            while self._size > _SIZE and len(self._outlines) > _FEWEST:
                self._drop(next(iter(self._outlines)))
        return outline

    def _drop(self, key: ContentKey | int) -> None:
        _, dropped = self._outlines.pop(key, (None, None))
        self._size -= _size_of(dropped) if dropped is not None else 0

    def get(self, key: ContentKey | int, level: Level) -> OutlineEntities | None:
        with self._lock:
            found = self._outlines.get(key)
            if found is None or (level is Level.OUTLINE and found[0] is Level.ENTITIES):
                return None
            self._outlines.move_to_end(key)
            return found[1]

    def forget_numbers(self) -> None:
        """Drop outlines kept by number: the store may have a higher level now."""
        with self._lock:
            for key in [key for key in self._outlines if isinstance(key, int)]:
                self._drop(key)

    def forget_partial(self) -> None:
        """Drop outlines kept by number that have only entities, and may be completed now."""
        with self._lock:
            kept = self._outlines.items()
            for key in [key for key, (_, one) in kept if isinstance(key, int) and not all(one.semantic_ids)]:
                self._drop(key)


def _size_of(outline: OutlineEntities) -> int:
    return len(outline.entities) + (len(outline.references) if isinstance(outline, Outline) else 0)
