"""Documents of the repositories of a server that has many."""

from __future__ import annotations

from typing import Annotated

from birthmark.documents.document import Document, doc
from birthmark.server.serving.served_repositories import ServedRepository


class ServedRepositoryDocument(Document, frozen=True):
    """A repository that a server has."""

    name: str
    address: Annotated[str, doc("the path below which its routes and pages are")]
    indexed: Annotated[str | None, doc("the commit that is indexed; null: none yet")]
    available: Annotated[bool, doc("whether this machine has its mirror; else it cannot be asked here")]


class RepositoriesDocument(Document, frozen=True):
    """All repositories that the token may see, by name."""

    items: list[ServedRepositoryDocument]


class PushDocument(Document, frozen=True):
    """What the event of a forge led to."""

    marked: Annotated[list[str], doc("the repositories that the next refresh looks at first")]


def repositories_document(found: list[tuple[ServedRepository, str]]) -> RepositoriesDocument:
    """Each with its address."""
    return RepositoriesDocument(
        [
            ServedRepositoryDocument(one.name, address, one.indexed or None, one.folder.is_dir())
            for one, address in found
        ]
    )
