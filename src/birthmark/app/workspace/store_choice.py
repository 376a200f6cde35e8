"""Which store is used: the folder of the workspace, or a database that is named for all commands.

By `--store URL`, else `BIRTHMARK_STORE`, else the user's own settings. A repository cannot name one: it is untrusted,
and its code would go to a server of its choice. Options are put into the environment, which other processes inherit.

In a shared store a repository is called as `--repository` says, else as the file `repository` beside its index does,
which a fleet writes into its mirrors, else by its origin, else by its folder.
"""

from __future__ import annotations

import os
import platform
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from birthmark.errors import BirthmarkError
from birthmark.sources.config import load_user_settings
from birthmark.sources.git.git_settings import origin_name
from birthmark.sources.git.refs import is_bare, is_ref_name
from birthmark.store.model import StoreLocation

STORE, REPOSITORY = "BIRTHMARK_STORE", "BIRTHMARK_REPOSITORY"
NAME_FILE = "repository"  # in the folder of the index of a mirror: its name, and below it the ref that is indexed
_SCHEMES = ("postgresql://", "postgres://")


def choose_store(url: str) -> str:
    """A URL that names a store; what it is not is said without what may be a password."""
    if not url.startswith(_SCHEMES):
        raise BirthmarkError("a store is named as postgresql://HOST/DATABASE; see docs/how-to/use-postgresql.md")
    try:
        assert urlsplit(url).port != 0
    except ValueError:
        raise BirthmarkError("the URL of the store cannot be read; write it as postgresql://HOST/DATABASE") from None
    return url


def store_url() -> str:
    """Empty where the store is in the folder of the workspace."""
    url = os.environ.get(STORE) or load_user_settings().store.url
    return choose_store(url) if url else ""


def find_location(home: Path, url: str | None = None) -> StoreLocation:
    """That of the workspace whose folder of the index this is, or would be; in the store that is chosen, or in one."""
    url = store_url() if url is None else url
    return StoreLocation(home, url, name_repository(home) if url else "")


def name_repository(home: Path) -> str:
    """As it was named for this process, or as a fleet calls it, else after its origin, else after its folder."""
    return os.environ.get(REPOSITORY) or _written_lines(home)[0] or found_name(home.parent)


def written_ref(home: Path) -> str:
    """The ref that a fleet indexes in a mirror; empty where it is that of HEAD."""
    ref = _written_lines(home)[1]
    return ref if is_ref_name(ref) else ""


def _written_lines(home: Path) -> tuple[str, str]:
    """Only in a bare repository: a worktree may have brought the file along."""
    try:
        text = (home / NAME_FILE).read_text("utf-8") if is_bare(home.parent) else ""
    except (OSError, UnicodeDecodeError):
        text = ""
    name, _, ref = text.strip().partition("\n")
    return name, ref


@lru_cache(64)
def found_name(root: Path) -> str:
    """What a repository is called that has no name of its own."""
    return origin_name(root) or name_worktree(root)


def name_worktree(root: Path) -> str:
    """A folder, as machines know it that share a store, whatever links lead to it."""
    return f"{platform.node()}:{root.resolve().as_posix()}"
