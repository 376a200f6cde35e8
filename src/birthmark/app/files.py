"""Read bare files, with or without an index."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from birthmark.errors import BirthmarkError
from birthmark.extraction.pool import Limits, Pool
from birthmark.extraction.read import Reading, read_source
from birthmark.extraction.segment_extraction import ReadOptions
from birthmark.languages.registry import LanguageSpec, load_registry
from birthmark.model import Problem
from birthmark.sources.attributes import linguist_language
from birthmark.sources.config import Settings, load_settings
from birthmark.sources.worktree import read_file
from birthmark.vocabulary import Detail


class ReadTask(msgspec.Struct, frozen=True):
    """What a worker needs to read a file; it knows the languages itself."""

    path: str
    content: bytes
    language: str
    options: ReadOptions


_encoder = msgspec.msgpack.Encoder()
_task_decoder = msgspec.msgpack.Decoder(ReadTask)
_reading_decoder = msgspec.msgpack.Decoder(Reading)


def read_one(
    path: Path,
    language: str | None = None,
    detail: Detail = Detail.FULL,
    max_bytes: int | None = None,
) -> Reading:
    """Read a bare file in a worker; `language` overrides what its name says."""
    settings = load_settings(path.parent)
    content = read_file(path, settings.limits.max_bytes if max_bytes is None else max_bytes)
    spec = choose_language(path, content, language)
    options = ReadOptions(detail, settings.chunks)
    task = ReadTask(name_file(path), content, spec.name, options)
    reading = next(iter(read_all([task], settings, 1)))
    if isinstance(reading, Problem):
        raise BirthmarkError(f"{reading.path}: {reading.problem}")
    return reading


def read_all(tasks: Iterable[ReadTask], settings: Settings, n_workers: int) -> Iterator[Reading | Problem]:
    """Read many sources on all workers; a source that cannot be read is a Problem."""
    limits = Limits(settings.limits.seconds, settings.limits.memory_mb << 20)
    paths: dict[int, str] = {}

    def encoded() -> Iterator[bytes]:
        for index, task in enumerate(tasks):
            paths[index] = task.path
            yield _encoder.encode(task)

    load_registry()  # Workers inherit what is loaded before they start.
    with Pool(work, n_workers, limits) as pool:
        for outcome in pool.run(encoded()):
            path = paths.pop(outcome.task)
            if outcome.result is None:
                yield Problem(path, outcome.failure or "failed")
            else:
                yield _reading_decoder.decode(outcome.result)


def choose_jobs(n_tasks: int) -> int:
    """No more workers than cores, nor than there is work."""
    return max(1, min(os.cpu_count() or 1, n_tasks))


def work(payload: bytes) -> bytes:
    """What a worker does with a task."""
    task = _task_decoder.decode(payload)
    registry = load_registry()
    return _encoder.encode(
        read_source(task.path, task.content, registry.languages[task.language], registry, task.options)
    )


def name_file(path: Path) -> str:
    """A path as ids have it: relative to the repository, else to the folder we are in, never absolute.

    A byte of it that is no UTF-8 is written as `\\xe9`.
    """
    path = Path(os.path.abspath(path))
    repositories = (parent for parent in path.parents if (parent / ".git").exists())
    folder = next((folder for folder in (*repositories, Path.cwd()) if path.is_relative_to(folder)), path.parent)
    return os.fsencode(path.relative_to(folder).as_posix()).decode("utf-8", "backslashreplace")


def choose_language(path: Path, content: bytes, named: str | None) -> LanguageSpec:
    registry = load_registry()
    if named:
        spec = registry.named(named)
        if spec is None:
            raise BirthmarkError(f"unknown language {named!r}; `birthmark languages` lists them")
        return spec
    spec = registry.detect(path.name, content, linguist_language(path))
    if spec is None:
        raise BirthmarkError(f"{path}: no language goes by that name; say which with --language")
    return spec
