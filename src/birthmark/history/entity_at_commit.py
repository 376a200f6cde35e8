"""Where an entity stood at a commit, and how to find it again in another state of its file without reading that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from birthmark.extraction.model import Outline
from birthmark.languages.registry import load_registry
from birthmark.model import Entity
from birthmark.sources.git import ChangedFile
from birthmark.sources.log import Touch


class HistorySource(Protocol):
    """What is asked of a repository."""

    def touches(self, commit: str, path: str) -> list[Touch]: ...
    def parents(self, commit: str) -> tuple[str, ...]: ...
    def blob(self, commit: str, path: str) -> str | None: ...
    def content(self, blob: str) -> bytes: ...
    def outlines(self, files: Sequence[tuple[str, str]]) -> list[Outline | None]: ...
    def changed(self, old: str, new: str) -> list[ChangedFile]: ...
    def family_of(self, language: str) -> str: ...
    def language_of(self, path: str) -> str | None: ...


class EntityAtCommit(NamedTuple):
    """An entity at a commit: where its text starts in the file, comments above it included, and what is around it."""

    commit: str
    path: str
    blob: str
    start: int
    text: bytes
    name: str
    qualified_name: str
    headers: tuple[bytes, ...]  # of its containers
    above: bytes = b""  # the last header of any container that stands before it
    others: tuple[bytes, ...] = ()  # headers of the file's other containers


def entity_at_commit(
    past: HistorySource, commit: str, path: str, blob: str, outline: Outline, index: int
) -> EntityAtCommit:
    content, entities = past.content(blob), outline.entities
    entity = entities[index]
    headers, container = [], entity.container
    while container >= 0:
        headers.append(_header(content, entities[container]))
        container = entities[container].container
    headers += package_of(content, entity.language)
    text = content[entity.lead_start : entity.end_byte]
    spot = EntityAtCommit(
        commit, path, blob, entity.lead_start, text, entity.name, entity.qualified_name, tuple(headers)
    )
    if entity.container < 0:
        return spot
    containers = {member.container for member in entities} - {-1}
    all_ = {entities[around].start_byte: _header(content, entities[around]) for around in containers}
    above = max(start for start in all_ if start < entity.start_byte)
    return spot._replace(above=all_[above], others=tuple(set(all_.values()) - {all_[above]}))


def _header(content: bytes, container: Entity) -> bytes:
    return content[container.start_byte : container.body_span[0] if container.body_span else container.end_byte]


def package_of(content: bytes, language: str) -> list[bytes]:
    """The package or namespace that a file declares, which is a container, too."""
    spec = load_registry().languages.get(language)
    keyword = spec.package_keyword.encode() if spec else b""
    found = re.search(rb"^[ \t]*%s[ \t]+[\w.\\]+" % keyword, content, re.M) if keyword else None
    return [found[0].strip()] if found else []


def find_verbatim(past: HistorySource, here: EntityAtCommit, blob: str) -> int | None:
    """Where the text stands in another state of the file, if there is just one such place in both."""
    old, new = past.content(blob), past.content(here.blob)
    at = old.find(here.text)
    if at < 0 or old.find(here.text, at + 1) >= 0 or new.count(here.text) != 1:
        return None
    if _has_more_above(old, at) or not all(header in old for header in here.headers):
        return None
    is_there = not here.above or (_indent(old, at) == _indent(new, here.start) and _stands_below(old, at, here))
    return at if is_there else None


def _has_more_above(content: bytes, at: int) -> bool:
    """Whether what stands right above a text may belong to it: a comment, an annotation, or the same line."""
    line = content[:at].rstrip().rpartition(b"\n")[2].strip()
    is_on_line = bool(content[:at].rpartition(b"\n")[2].strip())
    return is_on_line or line.startswith((b"@", b"#", b"//", b"--", b"*", b"/*", b"[")) or line.endswith(b"*/")


def _indent(content: bytes, at: int) -> bytes:
    return content[content.rfind(b"\n", 0, at) + 1 : at]


def _stands_below(content: bytes, at: int, here: EntityAtCommit) -> bool:
    """Whether the last header above a place is the one above the spot, so that they are in the same container."""
    start = content.rfind(here.above, 0, at)
    return start >= 0 and not any(content.find(other, start + len(here.above), at) >= 0 for other in here.others)


def find_ordinal(outline: Outline, spot: EntityAtCommit) -> int | None:
    """The entity at a spot; several may share a declaration."""
    end = spot.start + len(spot.text)
    there = [
        i for i, entity in enumerate(outline.entities) if (entity.lead_start, entity.end_byte) == (spot.start, end)
    ]
    return next((i for i in there if outline.entities[i].name == spot.name), there[0] if there else None)
