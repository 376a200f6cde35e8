"""Read the files that the command line names, a single one or those of a folder, without an index."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from birthmark.app.workspace.commits import make_extractor
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.workspace import find_workspace, name_path
from birthmark.errors import BirthmarkError
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import Blob, FileNodes
from birthmark.extraction.placement import place_nodes
from birthmark.extraction.state import content_id_of, detect_language
from birthmark.languages.registry import load_registry
from birthmark.model import Problem
from birthmark.sources.attributes import linguist_language
from birthmark.sources.config import Settings, load_settings
from birthmark.sources.discover import is_private
from birthmark.sources.worktree import read_file


class ReadingOptions(NamedTuple):
    """Options for reading files differently from the index."""

    language: str | None = None
    max_bytes: int | None = None


AS_INDEXED = ReadingOptions()


class ReadFile(NamedTuple):
    """All that a file holds, and a way to its bytes."""

    nodes: FileNodes
    source: Callable[[], bytes]


def read_one(path: Path, options: ReadingOptions = AS_INDEXED) -> ReadFile:
    """Read a single file in a worker; `language` overrides what its name says.

    The user of the command line may name any file but those of git and of the index. A link in a repository must not
    lead out of it: the user may not know that it does.
    """
    target = os.path.realpath(path)
    if is_private(os.fsencode(target)):
        raise BirthmarkError(f"{path}: belongs to git or to the index; name a source file")
    root = _repository_of(path)
    if root is not None and not Path(target).is_relative_to(os.path.realpath(root)):
        raise BirthmarkError(f"{path}: is a link out of the repository; name its target")
    settings = _settings(path.parent, options)
    content = read_file(path, settings.limits.max_bytes)
    language = choose_language(path, content, options.language)
    blob = Blob(content_id_of(content), language, lambda: content, name_file(path))
    with make_extractor(settings, 1) as extractor:
        _, file_nodes = next(iter(extractor.nodes([blob])))
    if isinstance(file_nodes, Problem):
        raise BirthmarkError(f"{file_nodes.path}: {file_nodes.problem}")
    return ReadFile(place_nodes(file_nodes, blob.path), blob.load_text)


def read_folder(folder: Path, options: ReadingOptions = AS_INDEXED) -> Iterator[ReadFile | Problem]:
    """The files below a folder that are not ignored, in the order of their paths, and what could not be read."""
    if options.language is not None:
        raise BirthmarkError(f"{folder}: is a folder, whose files may be in several languages; name a file")
    workspace = find_workspace(folder)
    repository = OpenRepository(workspace, settings=_settings(workspace.root, options))
    try:
        yield from _read_below(repository, workspace.current_folder, "" if workspace.has_git else _name_here(folder))
    finally:
        repository.close()


def _read_below(repository: OpenRepository, folder: str, prefix: str) -> Iterator[ReadFile | Problem]:
    found = repository.discover()
    found = found._replace(files=[file for file in found.files if is_below(file.path, folder)])
    state = repository.worktree(found)
    blobs = [blob for path in sorted(state.paths()) if (blob := state.blob(path)) is not None]
    for blob, result in nodes_in_order(repository.extractor, blobs):
        if isinstance(result, FileNodes):
            yield ReadFile(place_nodes(result, prefix + blob.path), blob.load_text)
        else:
            yield Problem(prefix + blob.path, result.problem)
    yield from (problem for problem in (*found.problems, *repository.problems) if is_below(problem.path, folder))


def nodes_in_order(extractor: Extractor, blobs: Sequence[Blob]) -> Iterator[tuple[Blob, FileNodes | Problem]]:
    """Yield results in the requested order, although workers finish in any order."""
    early: dict[str, FileNodes | Problem] = {}
    waiting = iter(blobs)
    blob = next(waiting, None)
    for done, result in extractor.nodes(blobs):
        early[done.path] = result
        while blob is not None and blob.path in early:
            yield blob, early.pop(blob.path)
            blob = next(waiting, None)


def is_below(path: str, folder: str) -> bool:
    """Return whether a path is in a folder; the root has an empty name and contains all paths."""
    return not folder or path.startswith(f"{folder}/")


def name_file(path: Path) -> str:
    """A path as ids have it: relative to the repository, else to the current folder, never absolute."""
    path = Path(os.path.abspath(path))
    here = Path.cwd()
    folder = _repository_of(path) or (here if path.is_relative_to(here) else path.parent)
    return name_path(path.relative_to(folder))


def _repository_of(path: Path) -> Path | None:
    parents = Path(os.path.abspath(path)).parents
    return next((parent for parent in parents if (parent / ".git").exists()), None)


def _name_here(folder: Path) -> str:
    """Return the prefix for paths in a folder outside any repository; it makes ids the same as for a single file."""
    folder, here = Path(os.path.abspath(folder)), Path.cwd()
    return f"{name_path(folder.relative_to(here))}/" if folder != here and folder.is_relative_to(here) else ""


def choose_language(path: Path, content: bytes, named: str | None) -> str:
    if named:
        spec = load_registry().named(named)
        if spec is None:
            raise BirthmarkError(f"unknown language {named!r}; `birthmark languages` lists them")
        return spec.name
    language = detect_language(path.name, linguist_language(path), lambda: content, third_party=True)
    if language is None:
        raise BirthmarkError(f"{path}: no language goes by that name; say which with --language")
    return language


def _settings(folder: Path, options: ReadingOptions) -> Settings:
    settings = load_settings(folder)
    if options.max_bytes is None:
        return settings
    return replace(settings, limits=replace(settings.limits, max_bytes=options.max_bytes))
