"""Entities at commits, and the Lineages along which their histories are followed.

A Lineage gives the predecessors of an entity in the parents of a commit, from git (WalkedLineage of
`history/follow.py`) or as a replay recorded them (`history/recorded_lineage.py`), each with its own form of entities.
`history/follow.py` goes back along either, so that both give the same Steps. `find_verbatim` finds an EntityAtCommit in
another state of its file without extracting that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from birthmark.comparison.certain_pairs import is_heavy
from birthmark.comparison.changes import package_of
from birthmark.extraction.model import Outline
from birthmark.model import FUNCTION_LIKE, DerivationEnd, Entity, Location
from birthmark.sources.git.log import Touches
from birthmark.sources.git.repository import ChangedFile
from birthmark.vocabulary import HistoryChange


class Step(NamedTuple):
    """A commit and its changes of an entity; `after` of a deletion is the place it had."""

    commit: str
    parent: str | None
    changes: tuple[HistoryChange, ...]
    before: Location | None
    after: Location
    evidence: str | None = None
    confidence: str | None = None


class FollowedEntity(Protocol):
    """An entity at a commit, in any form that is followed."""

    @property
    def commit(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def key(self) -> tuple[str, str, int]:
        """Return a key that is unique among all entities of all commits."""


F = TypeVar("F", bound=FollowedEntity)


class ParentLink(NamedTuple, Generic[F]):
    """An entity in a parent of a commit, with the changes of the commit."""

    entity: F
    changes: tuple[HistoryChange, ...]
    evidence: str | None = None
    confidence: str | None = None


class Gap(NamedTuple, Generic[F]):
    """A time in which an entity was gone: the commit that deleted it, and the entity in the parent of that."""

    deletion: str
    entity: F


class DerivationSource(NamedTuple, Generic[F]):
    """An entity in the parent of a commit whose code is in one that the commit introduced."""

    end: DerivationEnd
    entity: F


class NotRecordedError(Exception):
    """The history was not recorded by a replay, or is read differently now, and has to be walked."""


class Lineage(Protocol[F]):
    """The predecessors of entities in the parents of commits of one repository."""

    def start(self, commit: str, path: str, blob: str, outline: Outline, ordinal: int) -> F:
        """Return an entity of a file at a commit."""

    def prefetch(self, commit: str, path: str) -> None:
        """Prepare the histories of all entities of a file."""

    def touches(self, commit: str, path: str) -> Touches: ...
    def parents(self, commit: str) -> tuple[str, ...]: ...
    def links(self, entity: F) -> Sequence[ParentLink[F]]:
        """Return the entity in the parents in which it is unchanged, else in all that have it."""

    def gap(self, entity: F) -> Gap[F] | None:
        """Return the deletion that an entity without links came back from; None if its commit introduced it."""

    def location(self, entity: F) -> Location: ...
    def at(self, entity: F, commit: str) -> F:
        """Return the same state of an entity at another commit."""

    def sources(self, step: Step) -> Sequence[DerivationSource[F]]:
        """Return the sources of the code that a step introduced, the likeliest first."""


_LOOKED_BELOW = 400  # bytes
_MOST_ANCHORS = 6


class HistorySource(Protocol):
    """The commits of a repository."""

    def touches(self, commit: str, path: str) -> Touches: ...
    def parents(self, commit: str) -> tuple[str, ...]: ...
    def blob(self, commit: str, path: str) -> str | None: ...
    def content(self, blob: str) -> bytes: ...
    def contents(self, files: Sequence[tuple[str, str]]) -> Iterator[bytes]:
        """Yield the contents of files by blob and path; nothing for those that cannot be read."""

    def outlines(self, files: Sequence[tuple[str, str]]) -> list[Outline | None]: ...
    def changed(self, old: str, new: str) -> list[ChangedFile]: ...
    def family_of(self, language: str) -> str: ...
    def paths_with_lines(self, commit: str, lines: Sequence[bytes]) -> list[str]:
        """Return the files of a commit that contain each of some texts."""

    def language_of(self, path: str, blob: str | None = None) -> str | None: ...


class EntityAtCommit(NamedTuple):
    """An entity at a commit: the offset of its text, comments above it included, and its surroundings."""

    commit: str
    path: str
    blob: str
    start: int
    text: bytes
    name: str
    qualified_name: str
    headers: tuple[bytes, ...]  # of its containers, the innermost first
    package: tuple[bytes, ...] = ()
    anchors: tuple[bytes, ...] = ()  # texts of heavy entities: where one stays, its file keeps its path

    @property
    def key(self) -> tuple[str, str, int]:
        return self.commit, self.path, self.start


def entity_at_commit(
    repository: HistorySource, commit: str, path: str, blob: str, outline: Outline, index: int
) -> EntityAtCommit:
    content, entities = repository.content(blob), outline.entities
    entity = entities[index]
    headers, container = [], entity.container
    while container >= 0:
        headers.append(_header(content, entities[container]))
        container = entities[container].container
    text = content[entity.lead_start : entity.end_byte]
    return EntityAtCommit(
        commit,
        path,
        blob,
        entity.lead_start,
        text,
        entity.name,
        entity.qualified_name,
        tuple(headers),
        tuple(package_of(content, entity.language)),
        _anchors(content, outline, index),
    )


def _anchors(content: bytes, outline: Outline, index: int) -> tuple[bytes, ...]:
    """Return the text of the entity itself if it is heavy, else of the smallest heavy ones, which change least.

    A field that a function assigns has none: which assignment defines it depends on all the others.
    """
    entity = outline.entities[index]
    if entity.kind == "field" and function_around(outline.entities, index) is not None:
        return ()
    if is_heavy(outline, index):
        return (content[entity.lead_start : entity.end_byte],)
    heavy = [entity for e, entity in enumerate(outline.entities) if is_heavy(outline, e)]
    smallest = sorted(heavy, key=lambda entity: entity.end_byte - entity.start_byte)[:_MOST_ANCHORS]
    return tuple(content[entity.start_byte : entity.end_byte] for entity in smallest)


def function_around(entities: Sequence[Entity], index: int) -> int | None:
    """Return the innermost function that an entity is written in, as its member or not."""
    start, end = entities[index].start_byte, entities[index].end_byte
    around = [i for i, one in enumerate(entities[:index]) if one.kind in FUNCTION_LIKE and one.end_byte >= end]
    return next((i for i in reversed(around) if entities[i].start_byte <= start), None)


def _header(content: bytes, container: Entity) -> bytes:
    return content[container.start_byte : container.body_span[0] if container.body_span else container.end_byte]


def find_verbatim(repository: HistorySource, wanted: EntityAtCommit, blob: str) -> int | None:
    """Return the offset of the text in another state of the file, if each has it just once."""
    old, new = repository.content(blob), repository.content(wanted.blob)
    at = old.find(wanted.text)
    if at < 0 or old.find(wanted.text, at + 1) >= 0 or new.count(wanted.text) != 1:
        return None
    if _has_more_above(old, at) or _has_more_below(old, at, len(wanted.text)):
        return None
    if not any(anchor in old and anchor in new for anchor in wanted.anchors):
        return None
    if not all(package in old for package in wanted.package):
        return None
    if wanted.headers and _indent(old, at) != _indent(new, wanted.start):
        return None
    return at if all(_is_in_container(old, at, header) for header in wanted.headers) else None


def _has_more_above(content: bytes, at: int) -> bool:
    """Return True if the line above a text may belong to it: a comment, an annotation, or the same line."""
    line = content[:at].rstrip().rpartition(b"\n")[2].strip()
    is_on_line = bool(content[:at].rpartition(b"\n")[2].strip())
    return is_on_line or line.startswith((b"@", b"#", b"//", b"--", b"*", b"/*", b"[")) or line.endswith(b"*/")


def _has_more_below(content: bytes, at: int, length: int) -> bool:
    """Return True if a text may go on: on its last line, or in lines that are indented deeper."""
    rest, *below = content[at + length : at + length + _LOOKED_BELOW].split(b"\n")
    if rest.strip(b" \t\r;,"):
        return True
    following = next((line for line in below if line.strip()), b"")
    column = len(_indent(content, at).expandtabs())
    return len(following.expandtabs()) - len(following.expandtabs().lstrip()) > column


def _indent(content: bytes, at: int) -> bytes:
    return content[content.rfind(b"\n", 0, at) + 1 : at]


def _is_in_container(content: bytes, at: int, header: bytes) -> bool:
    """Return True if all lines between a header and an offset are indented deeper than the header."""
    start = content.rfind(header, 0, at)
    if start < 0:
        return False
    deepest = len(_indent(content, start))
    is_left = re.compile(rb"\n[ \t]{0,%d}[^\s{)]" % deepest)
    return is_left.search(content, start + len(header), at - len(_indent(content, at))) is None


def find_ordinal(outline: Outline, wanted: EntityAtCommit) -> int | None:
    """Return the ordinal of an entity in the outline of its file; several may share a declaration."""
    end = wanted.start + len(wanted.text)
    found = [
        i for i, entity in enumerate(outline.entities) if (entity.lead_start, entity.end_byte) == (wanted.start, end)
    ]
    return next((i for i in found if outline.entities[i].name == wanted.name), found[0] if found else None)
