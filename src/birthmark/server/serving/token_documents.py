"""Documents of tokens, without what would open anything."""

from __future__ import annotations

from typing import Annotated

from birthmark.documents.document import Document, doc
from birthmark.server.serving.person_tokens import PersonToken


class TokenDocument(Document, frozen=True):
    """What the token of a person is for."""

    name: str
    write: Annotated[bool, doc("whether requests may change something")]
    repositories: Annotated[list[str], doc("those that it is for; empty: all")]
    created_at: str
    expires: Annotated[str | None, doc("when it stops to be good; null: never")]


def token_document(token: PersonToken) -> TokenDocument:
    return TokenDocument(token.name, token.writes, list(token.repositories), token.created_at, token.expires)
