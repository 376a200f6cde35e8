"""What a repository is called: by the URL that it was cloned from, as all its clones know it."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from birthmark.sources.git.refs import find_git_folders
from birthmark.sources.worktree import read_start

_MAX_CONFIG = 1 << 20  # bytes
_SECTION = re.compile(r"^\s*\[\s*remote\s+\"origin\"\s*\]", re.IGNORECASE)
_URL = re.compile(r"^\s*url\s*=\s*\"?([^\"\s]+)", re.IGNORECASE)
_SHORT = re.compile(r"^(?:[^/@:]+@)?([^/:@]+):(?!//)(.+)$")  # git@host:owner/name


def origin_name(root: Path) -> str | None:
    """`host/owner/name` of the remote `origin`, without user and password; None where there is none."""
    folders = find_git_folders(root)
    if folders is None:
        return None
    lines = read_start(folders.common + b"/config", _MAX_CONFIG).decode("utf-8", "replace").splitlines()
    is_origin = False
    for line in lines:
        if line.lstrip().startswith("["):
            is_origin = bool(_SECTION.match(line))
        elif is_origin and (found := _URL.match(line)):
            return normalize_url(found[1])
    return None


def normalize_url(url: str) -> str:
    """The same for every way to write where a repository is."""
    short = _SHORT.match(url)
    parts = urlsplit(f"ssh://{short[1]}/{short[2]}" if short else url)
    host = (parts.hostname or "").lower() + (f":{parts.port}" if parts.port else "")
    return (host + parts.path).rstrip("/").removesuffix(".git") or url
