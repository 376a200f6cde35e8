"""A repository's past, as histories ask for it: blobs are read and extracted once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from birthmark.app.index import extractor_version
from birthmark.app.jobs import INTERIOR, SKETCH
from birthmark.app.stores import open_index
from birthmark.app.workspace import Workspace, find_workspace
from birthmark.errors import BirthmarkError
from birthmark.extraction.outline import Outline, unpack_outline
from birthmark.extraction.pool import Limits, Pool
from birthmark.extraction.segment_extraction import ReadOptions
from birthmark.history.blocks import Interior
from birthmark.languages.registry import load_registry
from birthmark.model import Problem
from birthmark.sources.config import load_settings
from birthmark.sources.git import ChangedFile, Repository
from birthmark.sources.log import Commit, Touch, log_path, read_commit

_ESCAPED = re.compile(rb"\\x([89a-f][0-9a-f])")
_KEPT = 4096  # outlines and contents that are held


class RepositoryPast:
    """Reads through git's plumbing and a pool of parsers; what an index has extracted is taken from there."""

    def __init__(self, workspace: Workspace, n_workers: int = 2) -> None:
        self.workspace = workspace
        self.repository = Repository(workspace.root)
        self.settings = load_settings(workspace.root)
        self.options = ReadOptions(chunk_sizes=self.settings.chunks)
        self.registry = load_registry()
        self.extractor = extractor_version(self.registry, self.options)
        self.store = open_index(workspace)
        self.n_workers = n_workers
        self._shallow = self.repository.shallow()
        self._pool: Pool | None = None
        self._interior_pool: Pool | None = None
        self._outlines: dict[tuple[str, str], Outline | None] = {}
        self.problems: list[Problem] = []
        self.content = lru_cache(_KEPT)(self.repository.read)
        self.interior = lru_cache(_KEPT)(self._read_interior)
        self.commit = lru_cache(_KEPT)(self._read_commit)
        self.changed = lru_cache(256)(self._changed)
        self.language_of = lru_cache(1 << 14)(self._language_of)

    def close(self) -> None:
        for pool in (self._pool, self._interior_pool):
            if pool is not None:
                pool.__exit__(None, None, None)
        if self.store is not None:
            self.store.close()
        self.repository.close()

    def touches(self, commit: str, path: str) -> list[Touch]:
        return log_path(self.repository, commit, os_path(path))

    def _read_commit(self, commit: str) -> Commit:
        return read_commit(self.repository, commit)

    def parents(self, commit: str) -> tuple[str, ...]:
        if commit in self._shallow:
            self._tell_end(commit)
            return ()
        return self.commit(commit).parents

    def _tell_end(self, commit: str) -> None:
        unknown = Problem(
            commit[:12], "the clone is shallow, so what led to this commit is not known; fetch more of it"
        )
        if unknown not in self.problems:
            self.problems.append(unknown)

    def blob(self, commit: str, path: str) -> str | None:
        return self.repository.blob_at(commit, os_path(path))

    def _changed(self, old: str, new: str) -> list[ChangedFile]:
        return self.repository.changed(old, new)

    def family_of(self, language: str) -> str:
        return self.registry.family_of(language)

    def _language_of(self, path: str) -> str | None:
        spec = self.registry.of_path(path)
        return spec.name if spec else None

    def outlines(self, files: Sequence[tuple[str, str]]) -> list[Outline | None]:
        keys = [(blob, language) for blob, path in files if (language := self.language_of(path))]
        missing = [key for key in dict.fromkeys(keys) if key not in self._outlines]
        if missing:
            self._take_from_index(missing)
            self._extract([key for key in missing if key not in self._outlines])
        return [self._outlines.get((blob, self.language_of(path) or "")) for blob, path in files]

    def _take_from_index(self, keys: list[tuple[str, str]]) -> None:
        if self.store is None:
            return
        contents = [(bytes.fromhex(blob), language) for blob, language in keys]
        found = self.store.extractions(contents, self.extractor, or_sketched=True)
        numbers = {number: (content.hex(), language) for (content, language), number in found.items()}
        for number, packed in self.store.outlines(list(numbers)):
            self._outlines[numbers[number]] = unpack_outline(packed)

    def _extract(self, keys: list[tuple[str, str]]) -> None:
        if not keys:
            return
        if self._pool is None:
            limits = Limits(self.settings.limits.seconds, self.settings.limits.memory_mb << 20)
            self._pool = Pool(SKETCH.work, self.n_workers, limits)
        small = [key for key in keys if len(self.content(key[0])) <= self.settings.limits.max_bytes]
        self._outlines |= dict.fromkeys(key for key in keys if key not in small)
        tasks = (SKETCH.encode(self.content(blob), language) for blob, language in small)
        for outcome in self._pool.run(tasks):
            key = small[outcome.task]
            if outcome.result is None:
                self.problems.append(Problem(key[0], outcome.failure or "failed"))
                self._outlines[key] = None
            else:
                self._outlines[key] = SKETCH.decode(outcome.result)

    def _read_interior(self, blob: str, path: str) -> Interior | None:
        """What stands inside the definitions of a file, if it can be read."""
        language, content = self.language_of(path), self.content(blob)
        if language is None or len(content) > self.settings.limits.max_bytes:
            return None
        if self._interior_pool is None:
            limits = Limits(self.settings.limits.seconds, self.settings.limits.memory_mb << 20)
            self._interior_pool = Pool(INTERIOR.work, 1, limits)
        outcome = next(iter(self._interior_pool.run([INTERIOR.encode(content, language)])))
        if outcome.result is None:
            self.problems.append(Problem(path, outcome.failure or "failed"))
            return None
        return INTERIOR.decode(outcome.result)


def os_path(path: str) -> bytes:
    """The bytes of a path as ids have it, or as the system gives it; a name with a `\\xe9` in it is read as a byte."""
    return _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), path.encode("utf-8", "surrogateescape"))


@contextmanager
def past_of(folder: Path | None = None) -> Iterator[RepositoryPast]:
    workspace = find_workspace(folder or Path.cwd())
    if not (workspace.root / ".git").exists():
        raise BirthmarkError(f"{workspace.root}: no git repository, so there is no history")
    past = RepositoryPast(workspace)
    try:
        yield past
    finally:
        past.close()
