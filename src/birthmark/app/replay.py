"""Replay the history of a repository into its index."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

import msgspec

from birthmark.app.index import IndexOptions, look_around, make_tools, wants_file
from birthmark.app.session import Session
from birthmark.app.workspace import Workspace
from birthmark.errors import BirthmarkError
from birthmark.extraction.outline import pack_notes, pack_outline, sketch_source
from birthmark.extraction.pool import Limits, Pool
from birthmark.extraction.workers import warm_languages
from birthmark.languages.registry import load_registry
from birthmark.ledger.file_scan import ExtractionTask, IndexTools, PackedExtraction
from birthmark.ledger.replay import Replayed, replay_history, state_at
from birthmark.ledger.snapshot_from_replay import Arrival, arrive
from birthmark.model import Problem
from birthmark.queries.ledger_queries import EntityAtRevision, find_in
from birthmark.sources.config import Settings, load_settings
from birthmark.sources.git import ChangedFile, Repository
from birthmark.sources.log import Link, changes_of, first_parents, log_all
from birthmark.store.port import SKETCHED, Store
from birthmark.vocabulary import Detail

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(PackedExtraction)
_work_decoder = msgspec.msgpack.Decoder(tuple[bytes, str])


def replay_worktree(store: Store, workspace: Workspace, options: IndexOptions | None = None) -> Replayed:
    """Replay all that led to HEAD; the index then stands there, and is to be brought up to date with the worktree."""
    options = options or IndexOptions()
    settings = load_settings(workspace.root)
    if not (workspace.root / ".git").exists():
        raise BirthmarkError(f"{workspace.root}: no git repository, so there is no history; index without it")
    tools = make_tools(workspace.root, settings, options._replace(detail=options.detail or Detail.DEFINITIONS))
    n_workers = options.jobs or os.cpu_count() or 1
    with Repository(workspace.root) as repository, _sketching(tools, settings, n_workers) as sketching:
        head = repository.head()
        past = GitPast(repository, settings)
        links = log_all(repository, head) if head is not None else []
        replayed = replay_history(store, links, past, sketching)
        if head is not None and (replayed.n_new or store.snapshot(workspace.worktree) is None):
            at = Arrival(workspace.worktree, workspace.branch, head, _is_shown(workspace, settings))
            arrive(store, at, state_at(store, head, past), tools)
        return replayed._replace(problems=[*_shallow(repository), *replayed.problems])


def _shallow(repository: Repository) -> list[Problem]:
    if repository.run("rev-parse", "--is-shallow-repository").strip() != b"true":
        return []
    text = "the clone is shallow: what its first commits hold was born before, and has their times; fetch the rest"
    return [Problem(".", text)]


class GitPast:
    """The past as a replay asks for it."""

    def __init__(self, repository: Repository, settings: Settings) -> None:
        self.repository, self.settings = repository, settings
        self.registry = load_registry()
        self.wants = lru_cache(1 << 16)(self._wants)

    def changes_of(self, links: Sequence[Link]) -> list[list[ChangedFile]]:
        return changes_of(self.repository, links)

    def first_parents(self, commit: str) -> list[str]:
        return first_parents(self.repository, commit)

    def tree(self, commit: str) -> dict[str, str]:
        return {path: entry.blob for path, entry in self.repository.tree(commit).items()}

    def _wants(self, path: str) -> bool:
        return wants_file(path.rpartition("/")[2])

    def language_of(self, path: str, content: bytes | None = None) -> str | None:
        spec = self.registry.of_path(path) if content is None else self.registry.detect(path, content)
        return spec.name if spec else None

    def read(self, blobs: Collection[str]) -> Iterator[tuple[str, bytes | str]]:
        sizes, limit = self.repository.sizes(blobs), self.settings.limits.max_bytes
        for blob in blobs:
            if blob not in sizes:
                yield blob, "is not in this clone, left out; fetch it with git, or clone in full"
            elif sizes[blob] > limit:
                yield blob, f"has {sizes[blob]:,} bytes, more than the limit of {limit:,}, left out"
        yield from self.repository.read_many(blob for blob in blobs if sizes.get(blob, limit + 1) <= limit)


@contextmanager
def _sketching(tools: IndexTools, settings: Settings, n_workers: int) -> Iterator[IndexTools]:
    """The tools of an index run, but with workers that stay, and extract no more than entities."""
    limits = Limits(settings.limits.seconds, settings.limits.memory_mb << 20)
    pools: list[Pool] = []

    def extract(tasks: Iterable[ExtractionTask]) -> Iterator[tuple[ExtractionTask, PackedExtraction | Problem]]:
        all_tasks = list(tasks)
        if all_tasks and not pools:
            warm_languages({task.path for task in all_tasks})
            pools.append(Pool(_sketch, n_workers, limits))
        payloads = (_encoder.encode((task.content, task.language)) for task in all_tasks)
        for outcome in pools[0].run(payloads) if all_tasks else ():
            task = all_tasks[outcome.task]
            failure = Problem(task.path, outcome.failure or "failed")
            yield task, failure if outcome.result is None else _decoder.decode(outcome.result)

    try:
        yield tools._replace(extract=extract)
    finally:
        for pool in pools:
            pool.__exit__(None, None, None)


def _sketch(payload: bytes) -> bytes:
    """What a worker does with a source."""
    content, language = _work_decoder.decode(payload)
    registry = load_registry()
    outline = sketch_source(content, registry.languages[language], registry)
    packed, source = pack_outline(outline), zlib.compress(content, 1)
    return _encoder.encode(
        PackedExtraction(packed, source, None, len(outline.entities), 0, SKETCHED, 0, pack_notes(outline))
    )


def _is_shown(workspace: Workspace, settings: Settings) -> Callable[[str], bool]:
    """Whether a file of HEAD belongs into the index: it does unless it is there and passed over."""
    found = {file.path for file in look_around(workspace, settings).files}
    return lambda path: path in found or not os.path.lexists(workspace.root / path)


def find_standing(session: Session, identity: int, revision: str) -> tuple[str, EntityAtRevision | None]:
    """Which commit a revision is, and where an identity stood there."""
    with Repository(session.workspace.root) as repository:
        commit = repository.resolve(revision)
        if commit not in session.store.replayed_commits():
            raise BirthmarkError(f"{revision}: was not replayed yet; run `birthmark index --from-history` at it")
        state = state_at(session.store, commit, GitPast(repository, session.settings))
        return commit, find_in(session.view, identity, commit, state)
