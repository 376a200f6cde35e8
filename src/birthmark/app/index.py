"""Bring the index of a worktree up to date."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import msgspec

from birthmark import __version__
from birthmark.app.workspace import Workspace
from birthmark.extraction.outline import FORMAT, outline_of, pack_nodes, pack_notes, pack_outline
from birthmark.extraction.pool import Limits, Pool
from birthmark.extraction.read import read_source
from birthmark.extraction.segment_extraction import ReadOptions
from birthmark.identity.fingerprints import VERSION
from birthmark.languages.registry import Registry, load_registry
from birthmark.ledger.file_scan import ExtractionTask, IndexTools, PackedExtraction
from birthmark.ledger.update import Summary, WorktreeFiles, find_base, update_index
from birthmark.model import Problem
from birthmark.sources.config import Settings, load_settings
from birthmark.sources.discover import FoundFile, discover
from birthmark.sources.worktree import read_file
from birthmark.store.model import Snapshot
from birthmark.store.port import Store
from birthmark.vocabulary import Detail

Progress = Callable[[str, int, int], None]

_EXTRACTION = 1  # raised when the same source gives another outline


class _Work(msgspec.Struct, frozen=True, array_like=True):
    content: bytes
    language: str
    options: ReadOptions
    wants_nodes: bool


_encoder = msgspec.msgpack.Encoder()
_work_decoder = msgspec.msgpack.Decoder(_Work)
_extracted_decoder = msgspec.msgpack.Decoder(PackedExtraction)


class IndexOptions(NamedTuple):
    """How an index is made. Without a detail it stays as it is."""

    jobs: int | None = None
    detail: Detail | None = None
    progress: Progress = lambda stage, done, total: None


def index_worktree(store: Store, workspace: Workspace, options: IndexOptions | None = None) -> Summary:
    options = options or IndexOptions()
    settings = load_settings(workspace.root)
    tree = look_around(workspace, settings)
    if options.detail is None:
        options = options._replace(detail=detail_of(find_base(store, workspace.worktree)))
    return update_index(store, tree, make_tools(workspace.root, settings, options))


def detail_of(base: Snapshot | None) -> Detail:
    """The detail a snapshot was made with, which stays until another is asked for."""
    return Detail.FULL if base is not None and base.extractor.endswith(Detail.FULL) else Detail.DEFINITIONS


def look_around(workspace: Workspace, settings: Settings) -> WorktreeFiles:
    """What stands in the worktree now."""
    workspace.require_worktree("name the revisions to read")
    found = discover(workspace.root, wants_file, settings.limits.max_bytes)
    return WorktreeFiles(workspace.worktree, workspace.branch, workspace.head, found.files, found.problems)


def wants_file(name: str) -> bool:
    """Whether a file of that name may be in a language of ours; one without an extension may be a script."""
    return "." not in name or load_registry().of_path(name) is not None


def make_tools(root: Path, settings: Settings, options: IndexOptions) -> IndexTools:
    registry = load_registry()
    read_options = ReadOptions(chunk_sizes=settings.chunks)
    wants_nodes = options.detail is Detail.FULL
    extractor = extractor_version(registry, read_options)

    def detect(found: FoundFile, content: bytes) -> str | None:
        spec = registry.detect(found.path, content, found.language)
        return spec.name if spec else None

    def extract(tasks: Iterable[ExtractionTask]) -> Iterator[tuple[ExtractionTask, PackedExtraction | Problem]]:
        return extract_all(tasks, settings, read_options, options.jobs or os.cpu_count() or 1, wants_nodes)

    return IndexTools(
        file_reader(root, settings),
        detect,
        extract,
        registry.family_of,
        extractor,
        f"{extractor} {settings.limits} {options.detail}",
        wants_nodes,
        lambda: int(time.time()),
        options.progress,
    )


def file_reader(root: Path, settings: Settings) -> Callable[[FoundFile], bytes]:
    return lambda found: read_file(root / found.os_path, settings.limits.max_bytes)


def extract_all(
    tasks: Iterable[ExtractionTask], settings: Settings, options: ReadOptions, n_workers: int, wants_nodes: bool = False
) -> Iterator[tuple[ExtractionTask, PackedExtraction | Problem]]:
    """Extract sources on all workers; no worker is started for nothing."""
    tasks = iter(tasks)
    first = next(tasks, None)
    if first is None:
        return
    open_tasks: dict[int, ExtractionTask] = {}

    def encoded() -> Iterator[bytes]:
        for number, task in enumerate(_chain(first, tasks)):
            open_tasks[number] = task
            yield _encoder.encode(_Work(task.content, task.language, options, wants_nodes))

    limits = Limits(settings.limits.seconds, settings.limits.memory_mb << 20)
    with Pool(work, n_workers, limits) as pool:
        for outcome in pool.run(encoded()):
            task = open_tasks.pop(outcome.task)
            if outcome.result is None:
                yield task, Problem(task.path, outcome.failure or "failed")
            else:
                yield task, _extracted_decoder.decode(outcome.result)


def _chain(first: ExtractionTask, rest: Iterator[ExtractionTask]) -> Iterator[ExtractionTask]:
    yield first
    yield from rest


def work(payload: bytes) -> bytes:
    """What a worker does with a source."""
    task = _work_decoder.decode(payload)
    registry = load_registry()
    reading = read_source("", task.content, registry.languages[task.language], registry, task.options)
    outline = outline_of(reading)
    return _encoder.encode(
        PackedExtraction(
            pack_outline(outline),
            zlib.compress(task.content, 1),
            pack_nodes(reading) if task.wants_nodes else None,
            len(outline.entities),
            outline.n_nodes,
            len(outline.chunks),
            len(outline.references),
            pack_notes(outline),
        )
    )


def extractor_version(registry: Registry, options: ReadOptions) -> str:
    """Changes with all that an outline depends on besides the source: our code, the languages, the grammars."""
    parts = [__version__, str(_EXTRACTION), str(FORMAT), str(VERSION), repr(options)]
    for spec in registry.languages.values():
        parts += [repr(spec), _package_version(spec.grammar)]
    return sha256("\0".join(parts).encode()).hexdigest()[:16]


@cache
def _package_version(module: str) -> str:
    try:
        return version(module.replace("_", "-"))
    except PackageNotFoundError:
        return ""
