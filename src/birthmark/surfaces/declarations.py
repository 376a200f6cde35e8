"""The declaration of a definition on one line, with nothing in it that a terminal would obey."""

from __future__ import annotations

from birthmark.documents.definitions import EntityDocument
from birthmark.documents.wording import plain
from birthmark.model import Entity, one_line, qualify_declaration


def declaration(entity: Entity | EntityDocument) -> str:
    """Return the declaration by the qualified name: `def Flask.url_for(self, endpoint: str) -> str`."""
    written = one_line(entity.signature) or entity.name
    return plain(qualify_declaration(written, entity.name, entity.qualified_name))


def local_declaration(entity: Entity | EntityDocument) -> str:
    """Return the declaration as it is written inside of what contains it."""
    return plain(one_line(entity.signature) or entity.name)
