"""See what commits have changed, and have extracted what they brought before anyone needs it.

Takes commits; gives for each the changed files with the numbers of their extractions. Whatever is not in the cache is
read and extracted on all workers, while whoever asked does something else between two steps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec

from birthmark.ledger.file_scan import ExtractionTask, IndexTools, PackedExtraction, content_id_of
from birthmark.model import Problem
from birthmark.sources.git import ChangedFile
from birthmark.sources.log import Link
from birthmark.store.port import Store, Value

UNREADABLE = -1  # instead of an extraction
_SHA1_DIGITS = 40
_KEPT_BACK = 500  # extractions that are put into the cache together


class ReplaySource(Protocol):
    """What is asked of a repository."""

    def changes_of(self, links: Sequence[Link]) -> list[list[ChangedFile]]: ...
    def first_parents(self, commit: str) -> list[str]: ...
    def tree(self, commit: str) -> dict[str, str]:
        """The blobs of a commit by their paths."""

    def wants(self, path: str) -> bool:
        """Whether a file of that path may be in a language of ours."""

    def language_of(self, path: str, content: bytes | None = None) -> str | None:
        """By the path alone, or by the content, too."""

    def read(self, blobs: Collection[str]) -> Iterator[tuple[str, bytes | str]]:
        """The contents of blobs, or why they cannot be had."""


class ChangedExtraction(NamedTuple):
    """A file that a commit changed: its extraction; None if nothing of ours is there any more."""

    path: str
    extraction: int | None


Key = tuple[bytes, str]  # the id of a content, and its language
Place = tuple[str, str]  # a path and the blob that stands there


class Prefetch:
    """What some commits changed. To be used, and its steps taken to the end, within one transaction of the store."""

    def __init__(self, store: Store, past: ReplaySource, tools: IndexTools, links: Sequence[Link]) -> None:
        self.store, self.past, self.tools = store, past, tools
        self.keys: dict[Place, Key] = {}
        self.unreadable: dict[Place, int] = {}
        self.problems: list[Problem] = []
        self.n_extracted = 0
        self._contents: dict[str, bytes] = {}
        all_changes = past.changes_of(links) if links else []
        self._changed = [[change for change in changes if past.wants(change.path)] for changes in all_changes]
        self._find_keys()
        cached = self._cached()
        self._read(place for place, key in self.keys.items() if key not in cached)
        self.tasks = list(self._missing(cached))

    def steps(self) -> Iterator[None]:
        """Extract what is missing; a step is one source."""
        waiting: list[tuple[Value, ...]] = []
        for task, result in self.tools.extract(self.tasks):
            if isinstance(result, Problem):
                self.problems.append(result)
            else:
                self.n_extracted += 1
                waiting.append(_row(self.tools, task, result))
            if len(waiting) >= _KEPT_BACK:
                self.store.keep_extractions(waiting)
                waiting.clear()
            yield
        self.store.keep_extractions(waiting)

    def changes(self) -> list[list[ChangedExtraction]]:
        """For each commit, once all steps were taken."""
        found = self._cached()
        known = {place: found.get(key, UNREADABLE) for place, key in self.keys.items()} | self.unreadable
        return [
            [ChangedExtraction(c.path, known.get((c.path, c.new_blob or ""))) for c in changes]
            for changes in self._changed
        ]

    def _cached(self) -> dict[Key, int]:
        extractor = self.tools.extractor
        return self.store.extractions(set(self.keys.values()), extractor, or_sketched=True) if self.keys else {}

    def _find_keys(self) -> None:
        """Git's id of a blob is the one we go by, unless the repository has longer ones."""
        undecided: list[Place] = []
        for path, blob in dict.fromkeys((c.path, c.new_blob) for changes in self._changed for c in changes):
            language = self.past.language_of(path)
            if blob is not None and language is not None and len(blob) == _SHA1_DIGITS:
                self.keys[path, blob] = bytes.fromhex(blob), language
            elif blob is not None:
                undecided.append((path, blob))
        self._read(undecided)
        for path, blob in undecided:
            self._decide_by_content(path, blob)

    def _decide_by_content(self, path: str, blob: str) -> None:
        content = self._contents.get(blob)
        if content is None:
            self.unreadable[path, blob] = UNREADABLE
        elif (language := self.past.language_of(path, content)) is not None:
            self.keys[path, blob] = content_id_of(content), language

    def _read(self, places: Iterable[Place]) -> None:
        paths = {blob: path for path, blob in places if blob not in self._contents}
        for blob, content in self.past.read(paths):
            if isinstance(content, bytes):
                self._contents[blob] = content
            else:
                self.problems.append(Problem(paths[blob], f"blob {blob[:12]} {content}"))

    def _missing(self, cached: Collection[Key]) -> Iterator[ExtractionTask]:
        seen = set(cached)
        for (path, blob), key in self.keys.items():
            if key not in seen and blob in self._contents:
                seen.add(key)
                yield ExtractionTask(*key, self._contents[blob], path)


def extract_again(store: Store, past: ReplaySource, tools: IndexTools, extractions: Collection[int]) -> None:
    """Outlines that were lost with a database, of files from which a replay goes on; git still has the sources."""
    lost = {number: key for number, key in store.forgotten(tools.extractor).items() if number in extractions}
    contents = dict(past.read({content.hex() for content, _ in lost.values()})) if lost else {}
    tasks = [
        ExtractionTask(content, language, text, "")
        for content, language in lost.values()
        if isinstance(text := contents[content.hex()], bytes)
    ]
    rows = [_row(tools, task, result) for task, result in tools.extract(tasks) if not isinstance(result, Problem)]
    with store.writing():
        store.keep_extractions(rows)


def _row(tools: IndexTools, task: ExtractionTask, result: PackedExtraction) -> tuple[Value, ...]:
    return task.content_id, task.language, tools.extractor, *msgspec.structs.astuple(result)
