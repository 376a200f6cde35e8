"""Read single files, with or without an index."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from birthmark.app.repository import make_extractor
from birthmark.app.workspace import name_path
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import Blob, FileNodes, Outline
from birthmark.extraction.placement import place_nodes
from birthmark.extraction.provisional_names import EntityNames, name_entities
from birthmark.extraction.read import span_of
from birthmark.extraction.state import content_id_of, detect_language
from birthmark.identity.fingerprints import Fingerprint
from birthmark.identity.uids import chunk_id
from birthmark.languages.registry import load_registry
from birthmark.model import Entity, Problem
from birthmark.sources.attributes import linguist_language
from birthmark.sources.config import load_settings
from birthmark.sources.worktree import read_file


def read_one(path: Path, language: str | None = None, max_bytes: int | None = None) -> FileNodes:
    """Read a single file in a worker; `language` overrides what its name says."""
    settings = load_settings(path.parent)
    content = read_file(path, settings.limits.max_bytes if max_bytes is None else max_bytes)
    blob = Blob(content_id_of(content), choose_language(path, content, language), lambda: content, name_file(path))
    with make_extractor(settings, 1) as extractor:
        _, file_nodes = next(iter(extractor.nodes([blob])))
    if isinstance(file_nodes, Problem):
        raise BirthmarkError(f"{file_nodes.path}: {file_nodes.problem}")
    return place_nodes(file_nodes, blob.path)


def named_entities(reading: FileNodes) -> Iterator[tuple[Entity, EntityNames, Fingerprint]]:
    """The entities of a file without an index; their births are provisional."""
    return zip(reading.entities, name_entities(reading), reading.fingerprints, strict=True)


def chunk_id_of(path: str, source: FileNodes | Outline, index: int) -> str:
    return chunk_id(span_of(source.chunks[index], path, source.segments))


def name_file(path: Path) -> str:
    """A path as ids have it: relative to the repository, else to the current folder, never absolute."""
    path = Path(os.path.abspath(path))
    repositories = (parent for parent in path.parents if (parent / ".git").exists())
    folder = next((folder for folder in (*repositories, Path.cwd()) if path.is_relative_to(folder)), path.parent)
    return name_path(path.relative_to(folder))


def choose_language(path: Path, content: bytes, named: str | None) -> str:
    if named:
        spec = load_registry().named(named)
        if spec is None:
            raise BirthmarkError(f"unknown language {named!r}; `birthmark languages` lists them")
        return spec.name
    language = detect_language(path.name, linguist_language(path), lambda: content)
    if language is None:
        raise BirthmarkError(f"{path}: no language goes by that name; say which with --language")
    return language
