"""Keys that open one feed each.

Feed readers send no headers of one's own, so a feed has an address with a key in it. A key is derived from the token of
the server and from the path, that of the repository included, and a person's also from their token: nothing is stored,
it gives access to that feed alone, no token can be found by it, and it is good until one of those is replaced.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qs, quote

from starlette.types import Scope

from birthmark.surfaces.http.access.token import derive_secret
from birthmark.surfaces.http.observing.observation import PREFIX, QUESTIONS

ALL_FEED = "/v1/feed"
FEED = "/v1/subscriptions/{id}/feed"
_PATHS = re.compile(r"/v1/(?:subscriptions/[^/]+/)?feed")


class FeedKey(NamedTuple):
    """What a request has sent, and what it must be good for."""

    key: bytes
    purpose: str


def feed_path(id_: str | None = None) -> str:
    """Of a subscription, or of all."""
    return ALL_FEED if id_ is None else FEED.format(id=quote(id_, safe=""))


def feed_purpose(path: str) -> str:
    """What a key is derived for; at a server of many, the path of the repository is part of it."""
    return f"feed {path}"


def feed_address(token: bytes, id_: str | None = None, prefix: str = "") -> str:
    """Path and query, with the key of the owner of the token."""
    path = prefix + feed_path(id_)
    return f"{path}?key={derive_secret(token, feed_purpose(path))}"


def read_feed_key(scope: Scope) -> FeedKey | None:
    """The key that a request for a feed has."""
    if scope["method"] not in QUESTIONS or not _PATHS.fullmatch(scope["path"]):
        return None
    keys = parse_qs(scope["query_string"].decode("latin-1")).get("key", [])
    purpose = feed_purpose(scope.get(PREFIX, "") + scope["path"])
    return FeedKey(keys[0].encode(), purpose) if len(keys) == 1 else None
