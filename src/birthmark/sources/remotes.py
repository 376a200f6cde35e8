"""Parse the addresses of repositories to fetch.

Takes the text of a URL; returns a Remote, or refuses it. Credentials are removed from the URL: they appear in no
message, file or command line.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from birthmark.errors import BirthmarkError

_SCP = re.compile(r"(?P<login>[\w.+~-]+@)?(?P<host>[A-Za-z0-9][\w.-]*):(?P<path>[^-:/\\][^:]*|/.*)")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://[^/-]*(?P<rest>/?.*)", re.I)
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\]")
_WITH_LOGIN = frozenset({"http", "https"})  # protocols with a password in a header


class Remote(NamedTuple):
    """A URL without its password, the protocol, and the header for authorization."""

    url: str
    protocol: str
    authorization: str | None = None
    secrets: tuple[str, ...] = ()  # texts that may not be shown

    def conceal(self, text: str) -> str:
        """Remove secrets and control characters from a text."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            text = text.replace(secret, "***")
        return re.sub(r"[\x00-\x1f\x7f-\x9f]+", " ", text)


def read_remote(text: str, protocols: Collection[str]) -> Remote:
    """Parse an address; refuse options and commands of git, and protocols that are not allowed."""
    if not text or text.startswith("-") or _UNSAFE.search(text) or "::" in text.partition("//")[0]:
        raise BirthmarkError("the address of a repository is not a plain URL; name one such as https://host/owner/name")
    scheme = _SCHEME.fullmatch(text)
    remote = _read_url(text) if scheme is not None else _read_scp(text)
    if remote.protocol not in protocols:
        allowed = ", ".join(sorted(protocols)) or "none"
        raise BirthmarkError(f"{remote.url}: {remote.protocol} is not allowed for fetching; allowed are: {allowed}")
    return remote


def _read_scp(text: str) -> Remote:
    """Parse `git@host:path`; local paths are refused."""
    found = _SCP.fullmatch(text)
    if found is None:
        raise BirthmarkError("the address of a repository is not a URL; a folder is named as file:///path")
    return Remote(text, "ssh")


def _read_url(text: str) -> Remote:
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise BirthmarkError("the address of a repository cannot be parsed; check host and port") from None
    protocol = parts.scheme.lower()
    if host.startswith("-") or (protocol != "file" and not host) or (parts.username or "").startswith("-"):
        raise BirthmarkError("the address of a repository has no plain host; name one such as https://host/owner/name")
    if parts.query or parts.fragment:
        raise BirthmarkError(f"{protocol}://{host}: a query does not belong into the address of a repository")
    place = f"[{host}]" if ":" in host else host
    place += f":{port}" if port is not None else ""
    if protocol not in _WITH_LOGIN:
        login = f"{parts.username}@" if parts.username else ""
        return Remote(f"{protocol}://{login}{place}{parts.path}", protocol, None, _secrets(parts.password))
    return _with_header(f"{protocol}://{place}{parts.path}", protocol, parts.username, parts.password)


def _with_header(url: str, protocol: str, user: str | None, password: str | None) -> Remote:
    if user is None and password is None:
        return Remote(url, protocol)
    login = f"{unquote(user or '')}:{unquote(password or '')}"
    encoded = b64encode(login.encode()).decode()
    # A token may be given as the user, without a password.
    return Remote(url, protocol, f"Authorization: Basic {encoded}", _secrets(user, password, encoded))


def _secrets(*texts: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for text in texts if text for one in (text, unquote(text))))
