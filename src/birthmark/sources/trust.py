"""Record the `birthmark.toml` files that the user trusts, by the digest of their text.

A trusted file may name webhooks, mailboxes and higher limits; after a change it is no longer trusted. The records are
in the user's configuration folder, where no repository can write.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path

from birthmark.errors import BirthmarkError

TRUST = "BIRTHMARK_TRUST"  # the variable with digests to trust, or with ANY, as in CI
ANY = "any"  # trusts every file
_RECORDS = "trusted.json"
_MAX_BYTES = 1 << 20


def user_folder() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "birthmark")


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def is_trusted(path: Path, text: str) -> bool:
    digest, given = digest_of(text), os.environ.get(TRUST, "").replace(",", " ").split()
    return ANY in given or digest in given or _read_records().get(os.path.realpath(path)) == digest


def record_trust(path: Path, text: str | None) -> None:
    """Trust a file with this text; without a text, withdraw the trust."""
    records = _read_records()
    records.pop(os.path.realpath(path), None)
    if text is not None:
        records[os.path.realpath(path)] = digest_of(text)
    folder = user_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8") as file:
            json.dump(records, file, indent=1)
        os.replace(file.name, folder / _RECORDS)
    except OSError as error:
        raise BirthmarkError(
            f"{folder / _RECORDS}: {error.strerror}; make the folder writable and try again"
        ) from error


def _read_records() -> dict[str, str]:
    """Read the records; none if the file cannot be read."""
    try:
        with open(user_folder() / _RECORDS, encoding="utf-8") as file:
            records = json.loads(file.read(_MAX_BYTES))
    except (OSError, ValueError):
        return {}
    return {path: digest for path, digest in records.items() if isinstance(digest, str)} if records else {}
