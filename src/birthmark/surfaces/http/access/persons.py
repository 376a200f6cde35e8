"""Users, their rights and their rate limits: the owner of the token beside the index, or a user with their own.

User tokens are read from the store and cached for a few seconds, after which a removed one is refused. Requests are
limited by a token bucket for each user.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import ceil
from pathlib import Path
from secrets import compare_digest
from typing import NamedTuple
from urllib.parse import quote, unquote

from starlette.types import ASGIApp, Receive, Scope, Send

from birthmark.app.across import ALL_VISIBLE, Visible
from birthmark.app.serving.beside import SharedValue
from birthmark.app.serving.user_tokens import OWNER, UserToken, find_named, find_token, list_tokens
from birthmark.app.workspace.stores import repository_name
from birthmark.app.workspace.workspace import find_workspace
from birthmark.surfaces.http.access.token import derive_secret
from birthmark.surfaces.http.errors import error_response
from birthmark.surfaces.http.observation import PERSON
from birthmark.surfaces.request_error import RequestError

COOKIE = "cookie"  # what a proof in a cookie is for
SECONDS = 5.0  # for which what was read of tokens is used
RIGHTS = "birthmark.rights"  # in the scope
_BURST_SECONDS = 2.0  # of the rate that a bucket holds
_MOST_PERSONS = 10_000


class Rights(NamedTuple):
    """The rights of a user; without repositories they hold for all."""

    person: str
    writes: bool
    repositories: tuple[str, ...] = ()

    def sees(self, repository: str) -> bool:
        return not self.repositories or repository in self.repositories

    @property
    def visible(self) -> Visible:
        return frozenset(self.repositories) or ALL_VISIBLE

    def enter(self, scope: Scope) -> None:
        scope[PERSON], scope[RIGHTS] = self.person, self


OWNERS_RIGHTS = Rights(OWNER, writes=True)


def rights_of(token: UserToken) -> Rights:
    return Rights(token.name, token.writes, token.repositories)


def may_write(scope: Scope) -> bool:
    """Return whether the user may write; unknown users may not."""
    rights: Rights | None = scope.get(RIGHTS)
    return rights is not None and rights.writes


def require_writing(scope: Scope) -> None:
    """Refuse requests that the user has no right to."""
    rights: Rights = scope[RIGHTS]
    if not rights.writes:
        raise RequestError("forbidden", f"the token of {rights.person} is read-only")


def require_repository(scope: Scope, repository: str) -> None:
    """The same for those that exist and those that do not."""
    rights: Rights = scope[RIGHTS]
    if not rights.sees(repository):
        raise RequestError("forbidden", f"the token of {rights.person} is for other repositories")


def visible_to(scope: Scope) -> Visible:
    """The repositories that who asks may see; to a stranger none are visible."""
    rights: Rights | None = scope.get(RIGHTS)
    return rights.visible if rights is not None else frozenset()


def known_persons(folder: Path, owners: bytes) -> Persons:
    """Those of a folder's store."""
    return Persons(owners, lambda: list_tokens(find_workspace(folder)))


def name_of(folder: Path) -> str:
    """The repository that is served, as tokens name it."""
    return repository_name(find_workspace(folder))


class Persons:
    """Those who have tokens, found by what they send. `load` reads all tokens; `owners` is the owner's."""

    def __init__(
        self,
        owners: bytes,
        load: Callable[[], Sequence[UserToken]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._owners = owners
        self._tokens = SharedValue(load, SECONDS, clock)

    def by_token(self, given: bytes) -> Rights | None:
        token = find_token(self._tokens.get(), given)
        return rights_of(token) if token is not None else None

    def cookie_for(self, given: bytes) -> str | None:
        """Return the cookie that replaces a token in a browser."""
        token = find_token(self._tokens.get(), given)
        return self._proof(token, COOKIE) if token is not None else None

    def proof_of(self, person: str, purpose: str) -> str:
        """Return a secret that replaces a user's token for one purpose. It expires with that token or the owner's."""
        if person == OWNER:
            return derive_secret(self._owners, purpose)
        token = find_named(self._tokens.get(), person)
        return self._proof(token, purpose) if token is not None else ""

    def by_proof(self, given: bytes, purpose: str) -> Rights | None:
        """Return the rights of the user of a proof; None for the owner's, or if it is invalid."""
        token = find_named(self._tokens.get(), unquote(given.decode("latin-1").partition(":")[0]))
        is_known = token is not None and compare_digest(given, self._proof(token, purpose).encode())
        return rights_of(token) if token is not None and is_known else None

    def _proof(self, token: UserToken, purpose: str) -> str:
        return f"{quote(token.name, safe='')}:{derive_secret(self._owners, f'{purpose} {token.digest}')}"


class RateLimit:
    """`rate` is in requests a second, in this process. It comes after the guard that identifies the user."""

    def __init__(self, app: ASGIApp, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.app, self.rate, self._clock = app, rate, clock
        self._most = max(1.0, rate * _BURST_SECONDS)
        self._buckets: dict[str | None, tuple[float, float]] = {}  # what is in it, and when

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wait = self._take(scope.get(PERSON)) if scope["type"] == "http" else 0.0
        await (self.app if wait <= 0 else self._refusal(wait))(scope, receive, send)

    def _take(self, person: str | None) -> float:
        """Seconds until there is something to take; 0 where it was taken."""
        now = self._clock()
        held, at = self._buckets.get(person, (self._most, now))
        held = min(self._most, held + (now - at) * self.rate)
        is_taken = held >= 1.0
        if person not in self._buckets and len(self._buckets) >= _MOST_PERSONS:
            self._buckets.clear()
        self._buckets[person] = held - is_taken, now
        return 0.0 if is_taken else (1.0 - held) / self.rate

    def _refusal(self, wait: float) -> ASGIApp:
        message = f"more than {self.rate:g} requests a second; try again later"
        return error_response("too_many_requests", message, {"Retry-After": str(ceil(wait))})
