"""The pairings of commits, made on the workers before the commits are folded.

Takes what commits changed; gives a call for each, whose result a ReadyPairing holds. A pairing is a pure function of
the files on both sides. Which those are is known for certain only when the commit is folded: what was paired beforehand
is used if it was these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from birthmark.comparison.pairing_task import (
    PackedFile,
    PairingTask,
    decode_touched,
    encode_pairing_task,
    pair_packed,
)
from birthmark.comparison.touched_entities import TouchedFiles
from birthmark.extraction.calls import Call
from birthmark.extraction.extractor import Extractor
from birthmark.ledger.prefetch import ChangedExtraction

PathAndExtraction = tuple[str, int]


class ReadyPairing:
    """The files that a commit is expected to change, and their pairing, once it is there."""

    def __init__(self, changes: Sequence[ChangedExtraction]) -> None:
        changed = [change for change in changes if change.is_changed]
        self.old = [(change.path, change.before) for change in changed if change.before is not None]
        self.new = [(change.path, change.extraction) for change in changed if change.extraction is not None]
        self.is_done = not (self.old and self.new)
        self.lost: set[str] = set()  # paths of old files whose outlines are no longer kept
        self._result: bytes | None = None

    def call(self, extractor: Extractor) -> Iterator[Call]:
        """None where there is nothing to pair."""
        if not self.is_done:
            yield Call(pair_packed, lambda: encode_pairing_task(self._task(extractor)), self._finish)

    def _task(self, extractor: Extractor) -> PairingTask:
        """What was lost is missing there, and here."""
        packed = extractor.packed({extraction for _, extraction in (*self.old, *self.new)})
        self.lost = {path for path, extraction in self.old if extraction not in packed}
        self.old = [each for each in self.old if each[1] in packed]
        sides = (
            [PackedFile(path, extraction, *packed[extraction]) for path, extraction in side]
            for side in (self.old, self.new)
        )
        return PairingTask(*sides)

    def _finish(self, result: bytes | None) -> None:
        """What failed on a worker has no result, and is paired without one."""
        self.is_done, self._result = True, result

    def of(self, old: Sequence[PathAndExtraction], new: Sequence[PathAndExtraction]) -> TouchedFiles | None:
        """What the commit touched, if it changed these files."""
        if self._result is None or (old, new) != (self.old, self.new):
            return None
        return decode_touched(self._result)
