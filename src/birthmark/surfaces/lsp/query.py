"""A question of an editor: repository, file, the texts that are open, and positions in them.

An editor counts lines from 0, which end at LF, CR or both, and in a line units of the encoding that it has agreed to:
by default those of UTF-16, in which characters beyond the Basic Multilingual Plane take two.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from lsprotocol import types

from birthmark.app.answers.editor import EditorFile, EditorFiles, find_marked, find_targets, marks_of
from birthmark.app.workspace.session import Session
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.model import Entity, Span
from birthmark.queries.snapshot_view import IndexedEntity

_BREAK = re.compile(rb"\r\n|\n|\r")
# How each encoding is called by Python, and how many bytes a unit of it has.
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Positions:
    """The lines of a source. A byte that is no UTF-8 counts as one character."""

    def __init__(self, content: bytes, encoding: str = "utf-16") -> None:
        self.content = content
        self._codec, self._width = _CODECS[encoding]
        breaks = list(_BREAK.finditer(content))
        self._starts = [0, *(found.end() for found in breaks)]
        self._ends = [*(found.start() for found in breaks), len(content)]

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset, which is clamped to the content."""
        offset = min(max(offset, 0), len(self.content))
        line = bisect_right(self._starts, offset) - 1
        text = self.content[self._starts[line] : min(offset, self._ends[line])].decode("utf-8", "surrogateescape")
        return types.Position(line, self._n_units(text))

    def offset(self, position: types.Position) -> int:
        """Return the offset of a position, clamped to the end of its line and to the start of its character."""
        if position.line >= len(self._starts):
            return len(self.content)
        start, end = self._starts[position.line], self._ends[position.line]
        text = self.content[start:end].decode("utf-8", "surrogateescape")
        return start + len(self._within(text, position.character).encode("utf-8", "surrogateescape"))

    def _within(self, text: str, n_units: int) -> str:
        """The characters that end within so many units."""
        if text.isascii():
            return text[:n_units]
        ends = accumulate(self._n_units(character) for character in text)
        return text[: sum(1 for _ in takewhile(lambda end: end <= n_units, ends))]

    def _n_units(self, text: str) -> int:
        return len(text.encode(self._codec, "surrogatepass")) // self._width

    def range(self, span: Span) -> types.Range:
        return types.Range(self.position(span[0]), self.position(span[1]))

    def lines(self, first: int, last: int) -> types.Range:
        """Lines as the index counts them, from 1, each of which ends at LF; without the space before the first."""
        starts = [0, *(found.end() for found in re.finditer(b"\n", self.content))]
        begin = starts[min(max(first, 1), len(starts)) - 1]
        rest = self.content[begin : starts[last] if last < len(starts) else len(self.content)]
        return self.range((begin + len(rest) - len(rest.lstrip()), begin + len(rest.rstrip())))


class CommandTarget(msgspec.Struct, frozen=True, omit_defaults=True):
    """`uri` is a document; `id` one of a subscription or a note."""

    uri: str
    position: types.Position | None = None
    mark: str | None = None
    id: str | None = None
    text: str | None = None

    @classmethod
    def read(cls, argument: object) -> CommandTarget:
        try:
            return msgspec.convert(argument, cls, from_attributes=True)
        except msgspec.ValidationError as error:
            raise BirthmarkError(f"the argument of a command is an object with a uri: {error}") from error

    def as_argument(self) -> Any:
        return msgspec.to_builtins(self)


class EditorQuery:
    """`path` is relative to the root of the repository, and so are those of `texts`."""

    def __init__(self, root: Path, path: str, texts: Mapping[str, str], encoding: str, kinds: tuple[str, ...]) -> None:
        self.root, self.path, self._texts, self.encoding, self.kinds = root, path, texts, encoding, kinds

    @cached_property
    def contents(self) -> dict[str, bytes]:
        """Return the open files in UTF-8. Lone surrogates are replaced by one UTF-16 unit, so that positions hold."""
        return {path: text.encode("utf-8", "replace") for path, text in self._texts.items()}

    def files(self, session: Session) -> EditorFiles:
        return EditorFiles(session, self.contents)

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def positions(self, content: bytes) -> Positions:
        return Positions(content, self.encoding)

    def location(self, file: EditorFile, entity: Entity) -> types.Location:
        """Return the location of the name of a definition."""
        return types.Location(self.uri(file.path), self.positions(file.content).range(name_span(entity)))

    def targets(self, session: Session, position: types.Position) -> list[IndexedEntity]:
        """Return the definitions that the name at a position refers to."""
        file = self.files(session).get(self.path)
        if file is None:
            return []
        identities = find_targets(session, file, self.positions(file.content).offset(position))
        marks = marks_of(session, identities)
        found = [find_marked(session, marks[identity]) for identity in identities]
        return [one for one in found if one is not None]

    def subject(self, session: Session, position: types.Position) -> IndexedEntity:
        """The one definition that the name at a position means, or else the one around it."""
        targets = self.targets(session, position)
        if len(targets) == 1:
            return targets[0]
        file = self.files(session).get(self.path)
        ordinal = file.around(self.positions(file.content).offset(position)) if file is not None else None
        if file is None or ordinal is None:
            raise NotFoundError(f"{self.path}:{position.line + 1}: there is no definition here")
        identity = file.identities[ordinal]
        found = None if identity is None else find_marked(session, marks_of(session, [identity])[identity])
        if found is None:
            name = file.entities[ordinal].qualified_name
            raise BirthmarkError(f"{name}: is not indexed yet; save the file first")
        return found


def name_span(entity: Entity) -> tuple[int, int]:
    """Return the span of the name, or the start of the entity if it has none."""
    return entity.name_span or (entity.start_byte, entity.start_byte)


class Feature(NamedTuple):
    """`nothing` is the answer where there is none: the document is in no repository, or there is no index."""

    method: str
    answer: Callable[[EditorQuery, Session, Any], Any]
    uri_of: Callable[[Any], str | None] = lambda params: str(params.text_document.uri)
    nothing: Callable[[Any], Any] = lambda params: None
    options: Any = None
    needs_index: bool = True
