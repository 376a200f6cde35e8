"""Find where an index is: the folder of the workspace, or a database that is named for all commands.

The index is in `.birthmark/` at the root of the repository, or of the folder that was indexed. Linked worktrees share
the one of their main worktree; each has its own snapshot in it. A folder that a repository may have brought along is
refused before anything in it is read: it could hold a crafted database.

`--index-dir DIR`, else `BIRTHMARK_INDEX_DIR`, names a folder for the indexes of all repositories, as of those that are
read-only; each is in `.birthmark/` below the path of its repository. A repository cannot name it.

A database is named by `--store URL`, else `BIRTHMARK_STORE`, else the user's own settings. A repository cannot name
one: it is untrusted, and its code would go to a server of its choice. Options are put into the environment, which other
processes inherit.
"""

from __future__ import annotations

import os
import platform
import stat
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from birthmark.errors import BirthmarkError
from birthmark.sources.config import load_user_settings
from birthmark.sources.git.git_files import is_tracked, origin_name
from birthmark.sources.git.refs import (
    HEAD,
    commit_of_ref,
    current_branch,
    current_head,
    find_git_folders,
    is_bare,
    is_ref_name,
    main_root,
    ref_of_head,
)
from birthmark.store.model import StoreLocation

FOLDER = ".birthmark"
_BRANCHES = "refs/heads/"
_DATABASES = ("index.db", "subscriptions.db")
STORE, REPOSITORY, INDEX_DIR = "BIRTHMARK_STORE", "BIRTHMARK_REPOSITORY", "BIRTHMARK_INDEX_DIR"
NAME_FILE = "repository"  # in the folder of the index of a mirror: its name, and below it the ref that is indexed
_SCHEMES = ("postgresql://", "postgres://")


class Workspace(NamedTuple):
    """A worktree, or a ref of a repository, and the folder of its index.

    A bare repository has no worktree: what is indexed is the commit of a ref, such as `refs/heads/main` or `HEAD`.
    """

    root: Path
    home: Path
    ref: str | None = None
    current_folder: str = ""  # from the root; paths that users name are relative to it

    @property
    def has_worktree(self) -> bool:
        return self.ref is None

    @property
    def worktree(self) -> str:
        """The worktree as the index knows it: relative to the index, so that both can be moved together; or the ref.

        In a store that machines share, a worktree is named for all of them.
        """
        if self.ref is not None:
            return self.ref
        if store_url():
            return name_worktree(self.root)
        root = self.root if self.home.parent == main_of(self.home) else os.path.realpath(self.root)
        return Path(os.path.relpath(root, main_of(self.home))).as_posix()

    def may_have_worktree(self, name: str) -> bool:
        """Return False for a worktree of this repository that is no longer there."""
        return bool(self.ref or store_url()) or (main_of(self.home) / name).is_dir()

    @property
    def branch(self) -> str:
        if self.ref is not None:
            return self.ref.removeprefix(_BRANCHES) if self.ref.startswith(_BRANCHES) else ""
        return current_branch(self.root) or ""

    @property
    def head(self) -> str | None:
        """The commit of the ref, or the one that is checked out."""
        return current_head(self.root) if self.ref is None else commit_of_ref(self.root, self.ref)

    def at(self, ref: str) -> Workspace:
        """The same repository at a ref by its full name, without a worktree."""
        if ref != HEAD and not is_ref_name(ref):
            raise BirthmarkError(f"{ref!r} is not the full name of a ref; name one such as refs/heads/main")
        return self._replace(ref=ref, current_folder="")

    @property
    def has_git(self) -> bool:
        return find_git_folders(self.root) is not None

    def require_worktree(self, advice: str) -> None:
        """Raise an error with advice if there is no worktree."""
        if not self.has_worktree:
            what = "a bare repository" if is_bare(self.root) else f"asked about at {self.ref}"
            raise BirthmarkError(f"{self.root}: is {what}, which has no worktree; {advice}")


def find_workspace(folder: Path) -> Workspace:
    """The nearest folder upwards that is a repository, or has an index or subscriptions; else the folder itself.

    Every command comes here first, so that no command uses an index folder that check_home() refuses.
    """
    folder = Path(os.path.abspath(folder))
    if not os.path.isdir(folder):
        raise BirthmarkError(f"{folder}: no such folder; name the root of a repository")
    found = (_workspace_at(parent) for parent in (folder, *folder.parents))
    workspace = next((one for one in found if one is not None), Workspace(folder, home_of(folder)))
    check_home(workspace.home)
    is_root = not workspace.has_worktree or folder == workspace.root
    return workspace if is_root else workspace._replace(current_folder=name_path(folder.relative_to(workspace.root)))


def name_path(path: Path) -> str:
    """A path as ids have it: a byte that is no UTF-8 is written as `\\xe9`."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def _workspace_at(folder: Path) -> Workspace | None:
    if (folder / ".git").exists():
        return Workspace(folder, home_of(main_root(folder)))
    home = home_of(folder)
    if is_bare(folder):
        return Workspace(folder, home, written_ref(home) or ref_of_head(folder))
    if any((home / name).exists() for name in _DATABASES):
        return Workspace(folder, home)
    return None


def home_of(root: Path) -> Path:
    """Return the folder of the index of a repository, or of a folder without one."""
    folder = index_folder()
    return root / FOLDER if folder is None else folder / Path(os.path.realpath(root)).relative_to(root.anchor) / FOLDER


def main_of(home: Path) -> Path:
    """Return the repository of an index folder."""
    folder = index_folder()
    is_elsewhere = folder is not None and home.is_relative_to(folder)
    return Path(home.anchor) / home.relative_to(folder).parent if is_elsewhere and folder else home.parent


def index_folder() -> Path | None:
    """Return the folder for the indexes of all repositories; None if each is in its repository."""
    name = os.environ.get(INDEX_DIR)
    return choose_index_folder(name) if name else None


def choose_index_folder(name: str) -> Path:
    if not os.path.isabs(name):
        raise BirthmarkError(f"{INDEX_DIR} is {name!r}; write an absolute path")
    return Path(os.path.realpath(name))


def allow_fetching() -> None:
    """Let this process and those that it starts fetch what a partial clone lacks."""
    from birthmark.sources.git.fetching import FETCH  # Most commands do without git.

    os.environ[FETCH] = "1"


def check_home(home: Path) -> None:
    """Refuse an index folder that is not the user's own, or is tracked by git; and one that has links in it."""
    try:
        is_folder = stat.S_ISDIR(home.lstat().st_mode)
        names = os.listdir(home) if is_folder else []
    except FileNotFoundError:
        return
    except OSError as error:
        raise BirthmarkError(f"{home}: {error.strerror}; the index needs a folder it may read") from error
    for name in ("", *names):
        with suppress(FileNotFoundError):  # SQLite's own files come and go.
            _refuse_foreign(home / name)
    if is_tracked(home):
        raise BirthmarkError(
            f"{home}: is tracked by git, so it is not used as the index; `git rm -r {FOLDER}` removes it"
        )


def _refuse_foreign(path: Path) -> None:
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        raise BirthmarkError(f"{path}: is a symbolic link, so it is not used as the index; remove it")
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        raise BirthmarkError(f"{path}: belongs to another user, so it is not used as the index; remove it")


def make_home(home: Path) -> None:
    """The index's folder, which ignores itself; checked again, as a checkout may have replaced it meanwhile."""
    check_home(home)
    try:
        if index_folder() is not None:
            home.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        home.mkdir(exist_ok=True)
        ignore = home / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", "utf-8")
    except OSError as error:
        raise BirthmarkError(
            f"{home}: {error.strerror}; name a folder for the index with --index-dir, or make this one writable"
        ) from error


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
    """Return the URL of the store; empty if it is in the folder of the workspace."""
    url = os.environ.get(STORE) or load_user_settings().store.url
    return choose_store(url) if url else ""


def find_location(home: Path, url: str | None = None) -> StoreLocation:
    """Return the location for a workspace's index folder, in the chosen store or the one of `url`."""
    url = store_url() if url is None else url
    return StoreLocation(home, url, name_repository(home) if url else "")


def name_repository(home: Path) -> str:
    """Return the name given to this process, or by a fleet, else that of the origin, else of the folder."""
    return os.environ.get(REPOSITORY) or _written_lines(home)[0] or found_name(main_of(home))


def written_ref(home: Path) -> str:
    """The ref that a fleet indexes in a mirror; empty where it is that of HEAD."""
    ref = _written_lines(home)[1]
    return ref if is_ref_name(ref) else ""


def _written_lines(home: Path) -> tuple[str, str]:
    """Return the name and ref written by a fleet; only in bare repositories, as a worktree may contain the file."""
    try:
        root = main_of(home)
        text = (root / FOLDER / NAME_FILE).read_text("utf-8") if is_bare(root) else ""
    except (OSError, UnicodeDecodeError):
        text = ""
    name, _, ref = text.strip().partition("\n")
    return name, ref


@lru_cache(64)
def found_name(root: Path) -> str:
    """Return the name of a repository that has none of its own."""
    return origin_name(root) or name_worktree(root)


def name_worktree(root: Path) -> str:
    """A folder, as machines know it that share a store, whatever links lead to it."""
    return f"{platform.node()}:{root.resolve().as_posix()}"
