"""The contents of blobs that were used last; where many are asked for, those that are missing are read together.

Takes a function that reads many blobs; gives contents in the order of their ids, and reads few more than are taken.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from threading import Lock

_MOST_BYTES = 1 << 28
_FIRST, _BATCH = 8, 64  # Blobs that are read together: the first ones may be enough.

ReadMany = Callable[[Iterable[str]], Iterator[tuple[str, bytes]]]


class BlobContents:
    """A cache that is bounded by bytes, least recently used first out."""

    def __init__(self, read_many: ReadMany, most_bytes: int = _MOST_BYTES) -> None:
        self._read_many, self._most_bytes = read_many, most_bytes
        self._contents: OrderedDict[str, bytes] = OrderedDict()
        self._n_bytes, self._lock = 0, Lock()

    def get(self, blob: str) -> bytes:
        found = self._find(blob)
        return next(self.get_many([blob])) if found is None else found

    def get_many(self, blobs: Sequence[str]) -> Iterator[bytes]:
        remaining, size = iter(blobs), _FIRST
        while batch := list(islice(remaining, size)):
            known = {blob: content for blob in batch if (content := self._find(blob)) is not None}
            for blob, content in self._read_many(dict.fromkeys(blob for blob in batch if blob not in known)):
                known[blob] = content
                self._put(blob, content)
            yield from (known[blob] for blob in batch)
            size = _BATCH

    def clear(self) -> None:
        with self._lock:
            self._contents.clear()
            self._n_bytes = 0

    def _find(self, blob: str) -> bytes | None:
        with self._lock:
            if blob in self._contents:
                self._contents.move_to_end(blob)
            return self._contents.get(blob)

    def _put(self, blob: str, content: bytes) -> None:
        with self._lock:
            self._n_bytes += len(content) - len(self._contents.get(blob, b""))
            self._contents[blob] = content
            while self._n_bytes > self._most_bytes and len(self._contents) > 1:
                self._n_bytes -= len(self._contents.popitem(last=False)[1])
