"""The tokens of users who ask a server: who may do what, in which repositories, and until when.

A token is shown once and stored as its SHA-256, which is enough for a secret of 32 random bytes. Tokens are documents
of the store: in a database of many repositories they hold for all of them. The server part adds and removes them.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from secrets import compare_digest

import msgspec

from birthmark.app.workspace.stores import common_documents, has_common_documents
from birthmark.app.workspace.workspace import Workspace
from birthmark.decoding import prepared
from birthmark.store.model import DocumentTable
from birthmark.store.port import SubscriptionStore
from birthmark.subscriptions.model import timestamp

OWNER = "owner"  # who has the token beside the index


class UserToken(msgspec.Struct, frozen=True):
    """The rights of a user; without repositories, in all of them."""

    name: str
    digest: str  # SHA-256 of the token, in hexadecimal digits
    created_at: str
    writes: bool = False
    repositories: tuple[str, ...] = ()
    expires: str | None = None

    def is_good(self, now: str) -> bool:
        return self.expires is None or now < self.expires


def list_tokens(workspace: Workspace) -> list[UserToken]:
    """Return all tokens by name, expired ones too."""
    if not has_common_documents(workspace):
        return []
    with common_documents(workspace) as store:
        return read_tokens(store)


def find_named(tokens: Iterable[UserToken], name: str) -> UserToken | None:
    """Return the token of a user, if it is good."""
    now = timestamp()
    return next((token for token in tokens if token.name == name and token.is_good(now)), None)


def find_token(tokens: Iterable[UserToken], secret: bytes) -> UserToken | None:
    """Return the token that a secret is, if it is good. All are compared, each in the same time."""
    digest, now = digest_of(secret), timestamp()
    found = [token for token in tokens if compare_digest(token.digest, digest)]
    return found[0] if found and found[0].is_good(now) else None


def digest_of(secret: bytes) -> str:
    return sha256(secret).hexdigest()


def read_tokens(store: SubscriptionStore) -> list[UserToken]:
    return [msgspec.json.decode(one, type=prepared(UserToken)) for one in store.documents(DocumentTable.TOKENS)]
