"""The declaration of an entity on one line, with nothing in it that a terminal would obey."""

from __future__ import annotations

from birthmark.documents.wording import plain
from birthmark.model import Entity


def declaration(entity: Entity) -> str:
    """By its qualified name: `def Flask.url_for(self, endpoint: str) -> str`."""
    return plain(entity.qualified_declaration)


def local_declaration(entity: Entity) -> str:
    """As it is written inside of what contains it."""
    return plain(entity.declaration)
