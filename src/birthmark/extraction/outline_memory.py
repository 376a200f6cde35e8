"""The outlines that were used last, by content and language or by the number of their extraction."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from birthmark.extraction.model import Outline
from birthmark.model import Level
from birthmark.store.model import ContentKey

_SIZE = 50_000  # entities and references, of about a kilobyte each
_FEWEST = 256  # outlines: a question that needs these, however large, unpacks each once


class OutlineMemory:
    """A bounded cache, least recently used first out. Repositories that are open at the same time may share it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._outlines: OrderedDict[ContentKey | int, tuple[Level, Outline]] = OrderedDict()
        self._size = 0

    def put(self, key: ContentKey | int, level: Level, outline: Outline) -> Outline:
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

    def get(self, key: ContentKey | int, level: Level) -> Outline | None:
        with self._lock:
            found = self._outlines.get(key)
            if found is None or (level is Level.OUTLINE and found[0] is Level.ENTITIES):
                return None
            self._outlines.move_to_end(key)
            return found[1]

    def forget_numbers(self) -> None:
        """What was kept by number may be of a lower level than the store has now."""
        with self._lock:
            for key in [key for key in self._outlines if isinstance(key, int)]:
                self._drop(key)

    def forget_partial(self) -> None:
        """The same for those that have entities alone: others cannot be of a higher level."""
        with self._lock:
            kept = self._outlines.items()
            for key in [key for key, (_, one) in kept if isinstance(key, int) and not all(one.semantic_ids)]:
                self._drop(key)


def _size_of(outline: Outline) -> int:
    return len(outline.entities) + len(outline.references)
