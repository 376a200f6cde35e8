"""Documents of where an entity is, or was."""

from __future__ import annotations

from typing import Annotated

from birthmark.documents.document import Document, doc, make
from birthmark.model import Entity, Location
from birthmark.store.model import Event


class LocationDocument(Document, frozen=True):
    """Where an entity is, or was."""

    path: str
    qualified_name: str
    start_line: int
    end_line: int


RepositoryField = Annotated[
    str | None, doc("the other repository of the database in which it is; null in the one that is asked")
]
FormerField = Annotated[
    LocationDocument | None, doc("the former name or place that the REF gave, null if it is the present one")
]


def location_document(location: Event | Location | Entity) -> LocationDocument:
    return make(LocationDocument, location)


def location_or_null(location: Event | Location | Entity | None) -> LocationDocument | None:
    return None if location is None else location_document(location)
