"""Shorthands for tests that read a source."""

from __future__ import annotations

from birthmark.entities.chunks import ChunkSizes
from birthmark.extraction.model import FileNodes
from birthmark.extraction.read import read_source
from birthmark.languages.registry import LanguageSpec, load_registry
from birthmark.model import Level
from birthmark.syntax.canonical import tokens_of
from birthmark.syntax.parse import read_syntax


def language(name: str) -> LanguageSpec:
    spec = load_registry().named(name)
    assert spec is not None
    return spec


def family_of(name: str) -> str:
    return language(name).family


def read(
    name: str, source: bytes | str, path: str = "a", level: Level = Level.NODES, sizes: ChunkSizes | None = None
) -> FileNodes:
    content = source.encode() if isinstance(source, str) else source
    return read_source(path, content, language(name), load_registry(), sizes, level)


def tokens(name: str, source: str) -> bytes:
    syntax = read_syntax(source.encode(), language(name), Level.ENTITIES)
    return tokens_of(syntax.mask, [(0, len(syntax.mask))])


def names(reading: FileNodes) -> list[str]:
    return [f"{entity.kind} {entity.qualified_name}" for entity in reading.entities]
