"""Review what the `birthmark.toml` of a repository asks for, and trust it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.sources.config import trust_request
from birthmark.sources.trust import ANY, TRUST, digest_of, record_trust


class TrustReview(NamedTuple):
    """A settings file, and the values that it asks for beyond what a repository may set."""

    path: Path
    digest: str
    is_trusted: bool
    requests: dict[str, str]


def review_trust(folder: Path) -> TrustReview:
    found = trust_request(folder)
    return TrustReview(found.path, digest_of(found.text), found.is_trusted, found.requests)


def change_trust(folder: Path, *, is_trusted: bool, digest: str) -> TrustReview:
    """Trust the file that was reviewed, or no longer; one that has changed since is reviewed again."""
    found = trust_request(folder)
    if not is_trusted:
        record_trust(found.path, None)
    elif digest_of(found.text) == digest:
        record_trust(found.path, found.text)
    return review_trust(folder)


def trust_digest(digest: str) -> None:
    """Trust the file with a digest for as long as this process runs."""
    if digest != ANY and not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise BirthmarkError(f"{digest}: is no digest of a file; `birthmark trust` prints it, or say `{ANY}`")
    os.environ[TRUST] = digest
