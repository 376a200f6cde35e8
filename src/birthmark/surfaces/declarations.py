"""The declaration of a definition on one line, with nothing in it that a terminal would obey."""

from __future__ import annotations

from birthmark.documents.definitions import EntityDocument
from birthmark.documents.wording import plain
from birthmark.model import Entity, one_line, qualify_declaration


def declaration(entity: Entity | EntityDocument, overload: str | None = None) -> str:
    """Return the declaration by the qualified name: `def Flask.url_for(self, endpoint: str) -> str`.

    The name of an overload, by which it can be asked for, goes before it.
    """
    overload = entity.overload if isinstance(entity, EntityDocument) else overload
    if overload is not None:
        return f"{plain(overload)}  {local_declaration(entity)}"
    written = one_line(entity.signature) or entity.name
    return plain(qualify_declaration(written, entity.name, entity.qualified_name))


def local_declaration(entity: Entity | EntityDocument) -> str:
    """Return the declaration as it is written inside of what contains it."""
    return plain(one_line(entity.signature) or entity.name)
