"""Get outlines of blobs: from memory, else from the store's cache, else from workers.

Takes Blobs; yields an Outline, FileNodes or Interior for each, or the Problem that prevented it. Results are put into
the store's cache at once, if it is writable, so that an interrupted run loses nothing. Workers start on demand, with
the languages compiled, and end with the extractor; they are local processes, unless a factory of another pool is given.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from itertools import chain, count, islice
from math import ceil
from typing import TYPE_CHECKING, Self, TypeVar

from birthmark.entities.chunks import ChunkSizes
from birthmark.errors import BirthmarkError
from birthmark.extraction.calls import Call, CallPool, PoolFactory, encode_call, run_call
from birthmark.extraction.codec import (
    Task,
    decode_extraction,
    decode_interior,
    encode_task,
    extractor_version,
    pack_source,
    unpack_entities,
    unpack_nodes,
    unpack_outline,
    unpack_source,
)
from birthmark.extraction.kept_texts import find_texts, put_texts
from birthmark.extraction.model import (
    Blob,
    ExhaustedProblem,
    FileNodes,
    Interior,
    Limits,
    Outline,
    OutlinedFile,
    OutlineEntities,
)
from birthmark.extraction.outline_memory import OutlineMemory
from birthmark.languages.registry import load_registry
from birthmark.model import Level, Problem
from birthmark.store.model import ContentKey, PackedExtraction
from birthmark.store.port import ExtractionStore

if TYPE_CHECKING:
    from birthmark.extraction.pool import Pool

_BATCH = 200  # blobs looked up in the cache together
_FLUSH_SECONDS = 2.0
_FLUSH_ROWS = 500
_WORTH_A_WORKER = 8  # tasks; starting a worker takes as long as some of them

Packed = tuple[Blob, PackedExtraction | Problem]
Part = TypeVar("Part", bound=OutlineEntities)


class Extractor:
    """Extract within some limits; use it as a context manager."""

    def __init__(
        self,
        sizes: ChunkSizes | None = None,
        limits: Limits | None = None,
        n_workers: int | None = None,
        store: ExtractionStore | None = None,
        *,
        is_writable: bool = False,
        memory: OutlineMemory | None = None,
        make_pool: PoolFactory | None = None,
    ) -> None:
        self.sizes, self.limits, self.store, self._is_writable = sizes or ChunkSizes(), limits, store, is_writable
        self.n_workers = n_workers or os.cpu_count() or 1
        self._make_pool = make_pool
        self._pool: CallPool | None = None
        self._memory = memory or OutlineMemory()

    @cached_property
    def version(self) -> str:
        return extractor_version(load_registry(), self.sizes)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers, and free the memory."""
        self._memory = OutlineMemory()
        self.end_workers()

    def end_workers(self) -> None:
        """End the workers; cached outlines stay, and workers start again on demand."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def outlines(
        self, blobs: Iterable[Blob], level: Level = Level.OUTLINE, fetch: Callable[[list[Blob]], None] = lambda _: None
    ) -> Iterator[tuple[Blob, Outline | Problem]]:
        """Yield the outlines of all blobs, cached ones first; `fetch` is told which others will be read."""
        missing: dict[ContentKey, list[Blob]] = {}
        for batch in _batches(blobs):
            self._load_cached({blob.key for blob in batch}, level)
            for blob in batch:
                outline = self._memory.get(blob.key, level)
                if isinstance(outline, Outline):
                    yield blob, outline
                else:
                    missing.setdefault(blob.key, []).append(blob)
        tasks = [same[0] for same in missing.values()]
        fetch(tasks)
        for blob, packed in filter(None, self._extract(tasks, level)):
            result = packed if isinstance(packed, Problem) else unpack_outline(packed.outline)
            if isinstance(result, Outline):
                self._memory.put(blob.key, level, result)
            yield from ((same, result) for same in missing[blob.key])

    def nodes(self, blobs: Iterable[Blob]) -> Iterator[tuple[Blob, FileNodes | Problem]]:
        """Yield files with all their nodes, which only an index run puts into the cache."""
        missing = []
        for batch in _batches(blobs):
            cached = self.numbers({blob.key for blob in batch}, Level.NODES)
            for blob in batch:
                packed = self.store.nodes(cached[blob.key]) if self.store and blob.key in cached else None
                if packed is None:
                    missing.append(blob)
                else:
                    yield blob, unpack_nodes(packed)
        for blob, result in filter(None, self._run(missing, Level.NODES)):
            if isinstance(result, Problem):
                yield blob, result
            else:
                yield blob, unpack_nodes(decode_extraction(result).nodes or b"")

    def interiors(self, blobs: Iterable[Blob]) -> Iterator[tuple[Blob, Interior | Problem]]:
        for blob, result in filter(None, self._run(blobs, Level.INTERIOR)):
            yield blob, result if isinstance(result, Problem) else decode_interior(result)

    def fill_cache(self, blobs: Iterable[Blob], level: Level) -> Iterator[Packed]:
        """Extract the blobs that the store's cache lacks, and yield only those."""
        return filter(None, self._extract(self._missing(blobs, level), level))

    def fill_cache_beside(self, blobs: Iterable[Blob], level: Level, calls: Iterable[Call]) -> Iterator[Packed | None]:
        """Extract missing blobs after other calls on the same workers; yield None for each call."""
        return self._extract(self._missing(blobs, level), level, calls)

    # Extractions by number

    def numbers(self, keys: Collection[ContentKey], level: Level = Level.ENTITIES) -> dict[ContentKey, int]:
        """Return the numbers of the extractions in the store's cache."""
        return self.store.extractions(keys, self.version, level) if self.store is not None and keys else {}

    def outline(self, extraction: int) -> Outline | None:
        """Return the outline of an extraction at any level; None if it is no longer kept."""
        found = self._memory.get(extraction, Level.ENTITIES)
        return found if isinstance(found, Outline) else self._remember(extraction, unpack_outline)

    def entities(self, extraction: int) -> OutlineEntities | None:
        """Return the part of an outline that answers show of entities; None if it is no longer kept."""
        return self._memory.get(extraction, Level.ENTITIES) or self._remember(extraction, unpack_entities)

    def _remember(self, extraction: int, unpack: Callable[[bytes], Part]) -> Part | None:
        for _, packed in self.store.outlines([extraction]) if self.store is not None else ():
            return self._memory.put(extraction, Level.ENTITIES, unpack(packed))
        return None

    def file(self, path: str, extraction: int) -> OutlinedFile | None:
        """Return a file at an extraction; None if its outline is no longer kept, or has another format."""
        outline = self.outline(extraction)
        return None if outline is None else OutlinedFile(path, outline, self.source_of(extraction))

    def kept_file(self, path: str, extraction: int) -> OutlinedFile:
        """Return a file at an extraction that was just made."""
        file = self.file(path, extraction)
        assert file is not None
        return file

    def source_of(self, extraction: int) -> Callable[[], bytes]:
        """Return a function that loads the extracted bytes, which are empty if no longer kept."""
        return lambda: unpack_source(self._packed_source(extraction))

    def packed(self, extractions: Collection[int]) -> dict[int, tuple[bytes, bytes]]:
        """Return packed outlines and sources, of extractions whose outlines are kept."""
        outlines = self.store.outlines(extractions) if self.store is not None else ()
        return {number: (outline, self._packed_source(number)) for number, outline in list(outlines)}

    def _packed_source(self, extraction: int) -> bytes:
        packed = self.store.source(extraction) if self.store is not None else None
        return packed or pack_source(b"")

    # The memory and the store's cache

    def _load_cached(self, keys: Collection[ContentKey], level: Level) -> None:
        """Load outlines from the store's cache into memory."""
        cached = self.numbers([key for key in keys if self._memory.get(key, level) is None], level)
        by_number = {number: key for key, number in cached.items()}
        for number, packed in self.store.outlines(by_number) if self.store is not None and by_number else ():
            self._memory.put(by_number[number], level, unpack_outline(packed))

    def _missing(self, blobs: Iterable[Blob], level: Level) -> Iterator[Blob]:
        seen: set[ContentKey] = set()
        for batch in _batches(blobs):
            fresh: dict[ContentKey, Blob] = {}
            for blob in batch:
                if blob.key not in seen:
                    fresh.setdefault(blob.key, blob)
            cached = self.numbers(fresh.keys(), level)
            yield from (blob for key, blob in fresh.items() if key not in cached)
            seen |= fresh.keys()

    # The workers

    def _extract(self, blobs: Iterable[Blob], level: Level, calls: Iterable[Call] = ()) -> Iterator[Packed | None]:
        """Extract on all workers, putting the results into the store's cache."""
        waiting: list[tuple[ContentKey, PackedExtraction]] = []
        flushed = time.monotonic()
        for found in self._run(blobs, level, calls):
            if found is None:
                yield None
                continue
            blob, result = found
            packed = result if isinstance(result, Problem) else decode_extraction(result)
            if self._is_writable and isinstance(packed, PackedExtraction):
                waiting.append((blob.key, packed))
            if len(waiting) >= _FLUSH_ROWS or time.monotonic() - flushed > _FLUSH_SECONDS:
                self._flush(waiting, level)
                flushed = time.monotonic()
            yield blob, packed
        self._flush(waiting, level)

    def _flush(self, waiting: list[tuple[ContentKey, PackedExtraction]], level: Level) -> None:
        if not waiting or self.store is None:
            return
        self.store.put_extractions(self.version, waiting)
        waiting.clear()
        if level is not Level.ENTITIES:
            self._memory.forget_numbers()

    def _run(
        self, blobs: Iterable[Blob], level: Level, calls: Iterable[Call] = ()
    ) -> Iterator[tuple[Blob, bytes | Problem] | None]:
        """Run calls, then extractions; yield None for each call, whose `done` gets the result."""
        unread: list[tuple[Blob, Problem]] = []
        tasks: Iterator[Call | Blob] = chain(calls, self._without_failed(blobs, level, unread))
        first = list(islice(tasks, _BATCH))
        if not first:
            yield from unread
            return
        running, numbers = dict[int, Call | Blob](), count()

        def payloads() -> Iterator[bytes]:
            for task in chain(first, tasks):
                try:
                    payload = self._payload(task, level)
                except BirthmarkError as error:
                    if isinstance(task, Call):
                        raise
                    unread.append((task, Problem(task.path, str(error))))
                    continue
                running[next(numbers)] = task
                yield payload

        for outcome in self._workers(first, level).run(payloads()):
            task = running.pop(outcome.task)
            if isinstance(task, Call):
                task.done(outcome.result)
                yield None
            elif outcome.result is not None:
                yield task, outcome.result
            else:
                problem = ExhaustedProblem if outcome.is_exhausted else Problem
                if outcome.fails_again:
                    self._remember_failure(task, level, outcome.failure or "failed")
                yield task, problem(task.path, outcome.failure or "failed")
        yield from unread

    # Failures that will repeat are kept as texts in the store's cache, under the name of an extractor with these
    # limits. So they are tried again when the content, the limits or the extractor have changed.

    def _without_failed(
        self, blobs: Iterable[Blob], level: Level, failed: list[tuple[Blob, Problem]]
    ) -> Iterator[Blob]:
        """Yield the blobs that may succeed; append the others to the list, with their problems."""
        for batch in _batches(blobs):
            known = find_texts(self.store, {blob.key for blob in batch}, self._failing(level)) if self.store else {}
            failed += [(blob, ExhaustedProblem(blob.path, known[blob.key])) for blob in batch if blob.key in known]
            yield from (blob for blob in batch if blob.key not in known)

    def _remember_failure(self, blob: Blob, level: Level, failure: str) -> None:
        if self._is_writable and self.store is not None:
            put_texts(self.store, [(blob.key, failure.encode())], self._failing(level))

    def _failing(self, level: Level) -> str:
        limits = self.limits or Limits()
        return f"{self.version} failed at {level} in {limits.seconds} s, {limits.memory_bytes} bytes"

    def _payload(self, task: Call | Blob, level: Level) -> bytes:
        if isinstance(task, Call):
            return encode_call(task.function, task.load())
        from birthmark.extraction.read import run_task  # Most commands import nothing that extracts.

        argument = Task(task.load_text(), task.language, level, self.sizes, self._is_writable)
        return encode_call(run_task, encode_task(argument))

    def _workers(self, tasks: list[Call | Blob], level: Level) -> CallPool:
        if self._make_pool is None:
            return self._own_workers(tasks, level)
        self._pool = self._pool or self._make_pool(self.limits or Limits())
        return self._pool

    def _own_workers(self, tasks: list[Call | Blob], level: Level) -> Pool:
        """Start no more workers than the work needs, after compiling the languages in this process."""
        from birthmark.extraction.pool import Pool
        from birthmark.extraction.warm_up import warm_languages

        n_workers, pool = min(self.n_workers, ceil(len(tasks) / _WORTH_A_WORKER)), self._pool
        assert pool is None or isinstance(pool, Pool)
        if pool is None or len(pool.workers) < n_workers:
            languages = {task.language for task in tasks if isinstance(task, Blob)}
            warm_languages(languages, level, self.store, is_writable=self._is_writable)
        self._pool = pool = pool or Pool(run_call, n_workers, self.limits)
        pool.grow(n_workers)
        return pool


def _batches(blobs: Iterable[Blob]) -> Iterator[list[Blob]]:
    remaining = iter(blobs)
    while batch := list(islice(remaining, _BATCH)):
        yield batch
