"""See what commits have changed, and have extracted what they brought before anyone needs it.

Takes commits; gives for each the changed files with the numbers of their extractions. Whatever is not in the cache is
read and extracted on all workers.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec

from birthmark.model import Problem
from birthmark.operations.look import Task, Tools, content_id_of
from birthmark.sources.git import ChangedFile
from birthmark.sources.log import Link
from birthmark.store.port import Store, Value

UNREADABLE = -1  # instead of an extraction
_FLUSH_SECONDS = 2.0
_SHA1_DIGITS = 40


class Past(Protocol):
    """What is asked of a repository."""

    def changes_of(self, links: Sequence[Link]) -> list[list[ChangedFile]]: ...
    def first_parents(self, commit: str) -> list[str]: ...
    def paths(self, commit: str) -> Collection[str]: ...
    def wants(self, path: str) -> bool:
        """Whether a file of that path may be in a language of ours."""

    def language_of(self, path: str, content: bytes | None = None) -> str | None:
        """By the path alone, or by the content, too."""

    def read(self, blobs: Collection[str]) -> Iterator[tuple[str, bytes | str]]:
        """The contents of blobs, or why they cannot be had."""


class Change(NamedTuple):
    """A file that a commit changed: its extraction; None if nothing of ours is there any more."""

    path: str
    extraction: int | None


Key = tuple[bytes, str]  # the id of a content, and its language


class Foresight:
    """Keeps count of what was extracted, and of what could not be."""

    def __init__(self, store: Store, past: Past, tools: Tools) -> None:
        self.store, self.past, self.tools = store, past, tools
        self.n_extracted = 0
        self.problems: list[Problem] = []

    def look_at(self, links: Sequence[Link]) -> list[list[Change]]:
        changed = [
            [change for change in changes if self.past.wants(change.path)] for changes in self.past.changes_of(links)
        ]
        files = {(c.path, c.new_blob): None for changes in changed for c in changes if c.new_blob is not None}
        extractions = self._extractions(list(files))
        return [[Change(c.path, extractions.get((c.path, c.new_blob or ""))) for c in changes] for changes in changed]

    def _extractions(self, files: Sequence[tuple[str, str]]) -> dict[tuple[str, str], int]:
        chunk = _Chunk(self.past, files)
        cached = self.store.extractions(set(chunk.keys.values()), self.tools.extractor)
        chunk.read([blob for (_, blob), key in chunk.keys.items() if key not in cached])
        self._extract(chunk, cached)
        found = self.store.extractions(set(chunk.keys.values()), self.tools.extractor)
        self.problems += chunk.problems
        known = {place: found.get(key, UNREADABLE) for place, key in chunk.keys.items()}
        return {**dict.fromkeys(chunk.unreadable, UNREADABLE), **known}

    def _extract(self, chunk: _Chunk, cached: Collection[Key]) -> None:
        waiting: list[tuple[Value, ...]] = []
        flushed = time.monotonic()
        for task, result in self.tools.extract(chunk.tasks(cached)):
            if isinstance(result, Problem):
                chunk.problems.append(result)
                continue
            self.n_extracted += 1
            waiting.append((task.content_id, task.language, self.tools.extractor, *msgspec.structs.astuple(result)))
            if time.monotonic() - flushed > _FLUSH_SECONDS:
                self._flush(waiting)
                flushed = time.monotonic()
        self._flush(waiting)

    def _flush(self, waiting: list[tuple[Value, ...]]) -> None:
        if waiting:
            with self.store.writing():
                self.store.keep_extractions(waiting)
            waiting.clear()


class _Chunk:
    """The files of some commits, by path and blob, and under which key each is extracted."""

    def __init__(self, past: Past, files: Iterable[tuple[str, str]]) -> None:
        self.past = past
        self.keys: dict[tuple[str, str], Key] = {}
        self.contents: dict[str, bytes] = {}
        self.unreadable: list[tuple[str, str]] = []
        self.problems: list[Problem] = []
        undecided = [place for place in files if not self._decide(*place)]
        self.read([blob for _, blob in undecided])
        for path, blob in undecided:
            self._decide_by_content(path, blob)

    def _decide(self, path: str, blob: str) -> bool:
        """Git's id of a blob is the one we go by, unless the repository has longer ones."""
        language = self.past.language_of(path)
        if language is None or len(blob) != _SHA1_DIGITS:
            return False
        self.keys[path, blob] = bytes.fromhex(blob), language
        return True

    def _decide_by_content(self, path: str, blob: str) -> None:
        content = self.contents.get(blob)
        if content is None:
            self.unreadable.append((path, blob))
        elif (language := self.past.language_of(path, content)) is not None:
            self.keys[path, blob] = content_id_of(content), language

    def read(self, blobs: Collection[str]) -> None:
        for blob, content in self.past.read([blob for blob in dict.fromkeys(blobs) if blob not in self.contents]):
            if isinstance(content, bytes):
                self.contents[blob] = content
            else:
                self.problems.append(Problem(blob[:12], content))

    def tasks(self, cached: Collection[Key]) -> Iterator[Task]:
        seen = set(cached)
        for (path, blob), key in self.keys.items():
            if key not in seen and blob in self.contents:
                seen.add(key)
                yield Task(*key, self.contents[blob], path)
