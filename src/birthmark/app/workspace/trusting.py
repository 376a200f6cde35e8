"""Review what the `birthmark.toml` of a repository asks for, and trust it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from birthmark.errors import BirthmarkError
from birthmark.sources.config import TrustRequest, trust_request
from birthmark.sources.trust import ANY, TRUST, record_trust

__all__ = ["TrustRequest", "change_trust", "trust_digest", "trust_request"]


def change_trust(folder: Path, *, is_trusted: bool, digest: str) -> TrustRequest:
    """Trust the file that was reviewed, or no longer; one that has changed since is reviewed again."""
    found = trust_request(folder)
    if not is_trusted:
        record_trust(found.path, None)
    elif found.digest == digest:
        record_trust(found.path, found.text)
    return trust_request(folder)


def trust_digest(digest: str) -> None:
    """Trust the file with a digest for as long as this process runs."""
    if digest != ANY and not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise BirthmarkError(f"{digest}: is no digest of a file; `birthmark trust` prints it, or say `{ANY}`")
    os.environ[TRUST] = digest
