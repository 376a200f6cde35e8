"""Passwords for fetching, from a file as git's own store has them: a line is https://USER:PASSWORD@HOST.

They are never stored elsewhere. A fetch gets the address with them, and takes them out before anything is shown.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from birthmark.errors import BirthmarkError


def read_credentials(path: Path | None) -> dict[str, str]:
    """Return the credentials by protocol and host."""
    if path is None:
        return {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BirthmarkError(f"{path}: {getattr(error, 'strerror', None) or 'is no text in UTF-8'}") from None
    found = [_split(line.strip()) for line in lines if line.strip() and not line.startswith("#")]
    if any(not login for _, login in found):
        raise BirthmarkError(f"{path}: a line of it is not of the form https://USER:PASSWORD@HOST")
    return dict(found)


def with_login(address: str, credentials: dict[str, str]) -> str:
    """The address with the password for its host, if there is one."""
    host, own = _split(address)
    login = "" if own else credentials.get(host, "")
    return address.replace("://", f"://{login}@", 1) if login else address


def _split(address: str) -> tuple[str, str]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return "", ""
    login, _, host = parts.netloc.rpartition("@")
    return f"{parts.scheme}://{host}", login
