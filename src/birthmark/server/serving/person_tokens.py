"""The tokens of persons who ask a server: who may do what, in which repositories, and until when.

A token is shown once and stored as its SHA-256, which is enough for a secret of 32 random bytes. Tokens are documents
of the store: in a database of many repositories they hold for all of them.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from hashlib import sha256
from secrets import compare_digest

import msgspec

from birthmark.app.workspace.stores import common_documents, has_common_documents
from birthmark.app.workspace.workspace import Workspace
from birthmark.decoding import prepared
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.spelling import did_you_mean
from birthmark.store.model import DocumentTable
from birthmark.subscriptions.accept import read_until
from birthmark.subscriptions.model import timestamp

OWNER = "owner"  # who has the token beside the index
_PREFIX = "birthmark_"  # by which secrets are recognized that were published by mistake
_N_BYTES = 32
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}")


class PersonToken(msgspec.Struct, frozen=True):
    """What a person may do; without repositories, in all of them."""

    name: str
    digest: str  # SHA-256 of the token, in hexadecimal digits
    created_at: str
    writes: bool = False
    repositories: tuple[str, ...] = ()
    expires: str | None = None

    def is_good(self, now: str) -> bool:
        return self.expires is None or now < self.expires


def add_token(
    workspace: Workspace, name: str, *, writes: bool, repositories: Iterable[str] = (), expires: str | None = None
) -> str:
    """A new token, which is stored nowhere."""
    if not _NAME.fullmatch(name) or name == OWNER:
        raise BirthmarkError(f"{name!r}: cannot be the name of a person; use up to 64 of A-Z a-z 0-9 . _ @ + -")
    until = read_until(expires) if expires is not None else None
    if until is not None and until <= timestamp():
        raise BirthmarkError(f"{expires}: is past; name a time to come, such as 90d")
    secret = _PREFIX + secrets.token_urlsafe(_N_BYTES)
    token = PersonToken(name, digest_of(secret.encode()), timestamp(), writes, tuple(sorted(set(repositories))), until)
    with common_documents(workspace) as store, store.writing():
        if any(one.name == name for one in _read(store.documents(DocumentTable.TOKENS))):
            raise BirthmarkError(f"{name}: has a token; run `birthmark token remove {name}` first")
        store.put_documents(DocumentTable.TOKENS, {name: msgspec.json.encode(token)})
    return secret


def list_tokens(workspace: Workspace) -> list[PersonToken]:
    """By name; those that have expired, too."""
    if not has_common_documents(workspace):
        return []
    with common_documents(workspace) as store:
        return _read(store.documents(DocumentTable.TOKENS))


def remove_token(workspace: Workspace, name: str) -> PersonToken:
    with common_documents(workspace) as store, store.writing():
        known = {token.name: token for token in _read(store.documents(DocumentTable.TOKENS))}
        if name not in known:
            raise NotFoundError(f"{name}: has no token{did_you_mean(name, known)}")
        store.delete_documents(DocumentTable.TOKENS, [name])
    return known[name]


def find_named(tokens: Iterable[PersonToken], name: str) -> PersonToken | None:
    """The token of a person, if it is good."""
    now = timestamp()
    return next((token for token in tokens if token.name == name and token.is_good(now)), None)


def find_token(tokens: Iterable[PersonToken], secret: bytes) -> PersonToken | None:
    """The one that a secret is, if it is good. All are compared, each in the same time."""
    digest, now = digest_of(secret), timestamp()
    found = [token for token in tokens if compare_digest(token.digest, digest)]
    return found[0] if found and found[0].is_good(now) else None


def digest_of(secret: bytes) -> str:
    return sha256(secret).hexdigest()


def _read(documents: Iterable[bytes]) -> list[PersonToken]:
    return [msgspec.json.decode(document, type=prepared(PersonToken)) for document in documents]
