"""Keys that open one feed each.

Feed readers send no headers of one's own, so a feed has an address with a key in it. A key is derived from the token of
the server and from the path: nothing is stored, it gives access to that feed alone, the token cannot be found by it,
and it is good until the token is replaced.
"""

from __future__ import annotations

import re
from secrets import compare_digest
from urllib.parse import parse_qs, quote

from starlette.types import Scope

from birthmark.surfaces.http.access.token import derive_secret
from birthmark.surfaces.http.observing.observation import PREFIX

ALL_FEED = "/v1/feed"
FEED = "/v1/subscriptions/{id}/feed"
_PATHS = re.compile(r"/v1/(?:subscriptions/[^/]+/)?feed")


def feed_address(token: bytes, id_: str | None = None) -> str:
    """Path and query of the feed of a subscription, or of all."""
    path = ALL_FEED if id_ is None else FEED.format(id=quote(id_, safe=""))
    return f"{path}?key={_key(token, path)}"


def has_feed_key(scope: Scope, token: bytes) -> bool:
    """Whether a request has the key of the feed that it asks for."""
    path = scope["path"]
    if scope["method"] not in ("GET", "HEAD") or not _PATHS.fullmatch(path):
        return False
    keys = parse_qs(scope["query_string"].decode("latin-1")).get("key", [])
    expected = _key(token, scope.get(PREFIX, "") + path)  # of one repository
    return len(keys) == 1 and compare_digest(keys[0].encode(), expected.encode())


def _key(token: bytes, path: str) -> str:
    return derive_secret(token, f"feed {path}")
