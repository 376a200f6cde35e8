"""The secret that every request must send, and keys that open one feed each.

The secret is stored beside the index, readable by its owner only. Feed readers send no headers of their own, so the
address of a feed has a key in it. A key is derived from the token of the server and from the path, that of the
repository included, and a user's also from their token: nothing is stored, it gives access to that feed alone, no
token can be found by it, and it is good until one of those is replaced.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
import stat
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, quote

from starlette.types import Scope

from birthmark.app.workspace.workspace import make_home
from birthmark.errors import BirthmarkError
from birthmark.surfaces.http.observation import PREFIX, QUESTIONS

TOKEN_FILE = "http-token"  # noqa: S105 - the name of a file
_TOKEN = re.compile(rb"[A-Za-z0-9_-]{32,256}")
_N_BYTES = 32
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # nor pipes without a writer
ALL_FEED = "/v1/feed"
FEED = "/v1/subscriptions/{id}/feed"
_PATHS = re.compile(r"/v1/(?:subscriptions/[^/]+/)?feed")


def load_token(home: Path) -> bytes:
    """The token of an index's folder; made if there is none."""
    make_home(home)
    path = home / TOKEN_FILE
    try:
        return _make(path)
    except FileExistsError:
        return _read(path)
    except OSError as error:
        raise BirthmarkError(f"{path}: {error.strerror}; the token needs a folder that can be written") from error


def derive_secret(token: bytes, purpose: str) -> str:
    """A secret for one purpose, from which neither the token nor other secrets can be found."""
    return hmac.new(token, f"birthmark {purpose}".encode(), sha256).hexdigest()


def _make(path: Path) -> bytes:
    """In one step that fails if the file exists, so that no other user can read or replace it."""
    token = secrets.token_urlsafe(_N_BYTES).encode()
    with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _NO_LINKS, 0o600), "wb") as file:
        file.write(token + b"\n")
    return token


def _read(path: Path) -> bytes:
    try:
        with open(os.open(path, os.O_RDONLY | _NO_LINKS), "rb") as file:
            status = os.fstat(file.fileno())
            _check(path, status)
            token = file.read(1024).strip()
    except OSError as error:
        raise BirthmarkError(f"{path}: {error.strerror}; remove it, and a new token is made") from error
    if not _TOKEN.fullmatch(token):
        raise BirthmarkError(f"{path}: holds no token; remove it, and a new one is made")
    return token


def _check(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise BirthmarkError(f"{path}: is no regular file; remove it, and a new token is made")
    if status.st_uid != os.geteuid():
        raise BirthmarkError(f"{path}: belongs to someone else; remove it, and a new token is made")
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise BirthmarkError(f"{path}: others may read it, so it is no secret; remove it, and a new token is made")


class FeedKey(NamedTuple):
    """The key that a request sent, and the purpose that it must be valid for."""

    key: bytes
    purpose: str


def feed_path(id_: str | None = None) -> str:
    """Return the path of the feed of a subscription, or of all."""
    return ALL_FEED if id_ is None else FEED.format(id=quote(id_, safe=""))


def feed_purpose(path: str) -> str:
    """Return the purpose that a key is derived for. On a server of many repositories the path names the repository."""
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
