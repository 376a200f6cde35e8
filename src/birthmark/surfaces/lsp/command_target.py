"""What a command is about, as editors send it: a document, and a position in it, a mark, or what else is named."""

from __future__ import annotations

from typing import Any

import msgspec
from lsprotocol import types

from birthmark.errors import BirthmarkError


class LinePosition(msgspec.Struct, frozen=True):
    """A line and a character in it, from 0."""

    line: int
    character: int


class CommandTarget(msgspec.Struct, frozen=True, omit_defaults=True):
    """`uri` is a document; `id` one of a subscription or a note."""

    uri: str
    position: LinePosition | None = None
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

    @property
    def lsp_position(self) -> types.Position | None:
        return types.Position(self.position.line, self.position.character) if self.position is not None else None
