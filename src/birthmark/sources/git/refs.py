"""Read HEAD and the refs of a repository from its files, without starting git.

Takes the root of a worktree; returns its git folders, its HEAD and its refs. Refs in tables (reftable) are not
supported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from birthmark.sources.worktree import read_start

_ID = re.compile(rb"(?:[0-9a-f]{40}|[0-9a-f]{64})(?=\s|\Z)")
# Git's rules for names, so that none leads out of the folder or breaks a list of refs.
_REF_NAME = re.compile(
    rb"refs/(?!.*(?:\.\.|//|/\.|@\{|\.lock(?:/|\Z)))[^\x00-\x20\x7f~^:?*\[\\]*[^\x00-\x20\x7f~^:?*\[\\/.]"
)
_PER_WORKTREE = (b"refs/bisect/", b"refs/worktree/", b"refs/rewritten/")
_MAX_SHORT = 1 << 13  # bytes of a file with one id, ref or path
_MAX_PACKED = 1 << 28
_MAX_LINKS = 5
HEAD = "HEAD"


class GitFolders(NamedTuple):
    """The folder with a worktree's HEAD, and the one with objects and refs of all worktrees."""

    own: bytes
    common: bytes


class Head(NamedTuple):
    """The ref of HEAD, None if detached, and its commit, None before the first."""

    ref: bytes | None
    commit: bytes | None


def find_root(folder: Path) -> Path | None:
    """Return the nearest repository, upwards from a folder."""
    folder = folder.absolute()
    return next((parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), None)


def main_root(root: Path) -> Path:
    """Return the main worktree of a linked worktree, if it is registered there; else the root itself."""
    folders = find_git_folders(root)
    if folders is None or folders.own == folders.common or os.path.basename(folders.common) != b".git":
        return root
    with suppress(OSError):
        if os.path.samefile(_read(folders.own + b"/gitdir").strip(), os.fsencode(root / ".git")):
            return Path(os.fsdecode(os.path.dirname(folders.common)))
    return root


def _head_of(root: Path) -> Head | None:
    folders = find_git_folders(root)
    return read_head(folders) if folders else None


def current_branch(root: Path) -> str | None:
    head = _head_of(root)
    return branch_name(head) if head else None


def current_head(root: Path) -> str | None:
    head = _head_of(root)
    return head.commit.decode() if head and head.commit else None


def ref_of_head(root: Path) -> str:
    """Return the full name of the ref of HEAD; `HEAD` if it is detached or unreadable."""
    head = _head_of(root)
    return HEAD if head is None or head.ref is None else head.ref.decode("utf-8", "surrogateescape")


def commit_of_ref(root: Path, ref: str) -> str | None:
    """Return the commit of a ref, given its full name."""
    folders = find_git_folders(root)
    if ref == HEAD or folders is None:
        return current_head(root)
    found = resolve_ref(folders, ref.encode("utf-8", "surrogateescape"))
    return found.decode() if found else None


def is_ref_name(text: str) -> bool:
    """Return True if a text may be the full name of a ref."""
    return _REF_NAME.fullmatch(text.encode("utf-8", "surrogateescape")) is not None


def branch_name(head: Head) -> str | None:
    prefix = b"refs/heads/"
    if head.ref is None or not head.ref.startswith(prefix):
        return None
    return head.ref.removeprefix(prefix).decode("utf-8", "backslashreplace")


def is_bare(folder: Path) -> bool:
    """Return True for a repository without a worktree, but not for a folder inside a `.git`."""
    if ".git" in folder.parts or not (folder / "HEAD").is_file():
        return False
    return (folder / "objects").is_dir() and (folder / "refs").is_dir()


def find_git_folders(root: Path) -> GitFolders | None:
    own = os.fsencode(root / ".git")
    if not os.path.lexists(own) and is_bare(root):
        return GitFolders(os.fsencode(root), os.fsencode(root))
    if not os.path.isdir(own):
        link = _read(own)
        if not link.startswith(b"gitdir: "):
            return None
        own = os.path.normpath(os.path.join(os.fsencode(root), link.removeprefix(b"gitdir: ").rstrip(b"\r\n")))
    common = _read(own + b"/commondir").rstrip(b"\r\n")
    return GitFolders(own, os.path.normpath(os.path.join(own, common)) if common else own)


def read_head(folders: GitFolders) -> Head | None:
    """Read HEAD; None if it cannot be parsed."""
    text = _read(folders.own + b"/HEAD")
    ref = _read_link(text)
    if ref is not None:
        return Head(ref, resolve_ref(folders, ref))
    commit = _ID.match(text)
    return Head(None, commit[0]) if commit else None


def resolve_ref(folders: GitFolders, name: bytes | None) -> bytes | None:
    """Return the id of a ref, following symbolic refs."""
    for _ in range(_MAX_LINKS):
        if name is None:
            return None
        folder = folders.own if name.startswith(_PER_WORKTREE) else folders.common
        text = _read(folder + b"/" + name)
        if found := _ID.match(text):
            return found[0]
        if not text:
            return _find_packed(_read_packed_refs(folders), name)
        name = _read_link(text)
    return None


def read_ref_files(folders: GitFolders) -> tuple[bytes, dict[bytes, bytes]]:
    """Read the refs of a repository: the list of packed ones, which may be long, and loose ones."""
    return _read_packed_refs(folders), _read_loose(folders)


def merge_refs(packed: bytes, loose: dict[bytes, bytes]) -> dict[bytes, bytes]:
    """Return all refs with their ids."""
    return {name: id_ for id_, name in _read_packed(packed)} | loose


def any_id_of(packed: bytes, loose: dict[bytes, bytes]) -> bytes | None:
    return next(iter(loose.values()), None) or next((id_ for id_, _ in _read_packed(packed)), None)


def _read_packed_refs(folders: GitFolders) -> bytes:
    return _read(folders.common + b"/packed-refs", _MAX_PACKED)


def _read_loose(folders: GitFolders) -> dict[bytes, bytes]:
    names = [name for folder in dict.fromkeys((folders.common, folders.own)) for name in _loose_names(folder)]
    return {name: id_ for name in names if (id_ := resolve_ref(folders, name)) is not None}


def read_git_state(root: Path) -> object:
    """Return a value that changes with refs, attributes and the border of a shallow clone; None without git."""
    folders = find_git_folders(root)
    if folders is None:
        return None
    names = (b"packed-refs", b"shallow", b"config", b"info/attributes")
    return read_head(folders), _read_loose(folders), tuple(_status(folders.common + b"/" + name) for name in names)


def _status(path: bytes) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino


def short_name(ref: bytes) -> str:
    """Return a ref as people write it: `main`, `v1.0`, `origin/main`."""
    name = ref.removeprefix(b"refs/")
    for folder in (b"heads/", b"tags/", b"remotes/"):
        name = name.removeprefix(folder) if ref.startswith(b"refs/" + folder) else name
    return name.decode("utf-8", "backslashreplace")


def read_pseudo_ref(folders: GitFolders, name: str) -> bytes | None:
    """Return the id in a file such as ORIG_HEAD."""
    found = _ID.match(_read(folders.own + b"/" + name.encode()))
    return found[0] if found else None


def _read_link(text: bytes) -> bytes | None:
    name = text.removeprefix(b"ref:").strip()
    is_good = text.startswith(b"ref:") and _REF_NAME.fullmatch(name)
    return name if is_good else None


def _find_packed(text: bytes, name: bytes) -> bytes | None:
    end = text.find(b" " + name + b"\n")
    found = _ID.match(text, text.rfind(b"\n", 0, end) + 1, end) if end >= 0 else None
    return found[0] if found else None


def _read_packed(text: bytes) -> Iterator[tuple[bytes, bytes]]:
    for line in BytesIO(text):  # Splitting a hostile list of short lines at once would take many times its size.
        id_, _, name = line.rstrip(b"\n").partition(b" ")
        if _ID.fullmatch(id_) and _REF_NAME.fullmatch(name):
            yield id_, name


def _loose_names(folder: bytes) -> Iterator[bytes]:
    for parent, _, files in os.walk(folder + b"/refs"):
        for file in files:
            name = os.path.join(parent, file)[len(folder) + 1 :].replace(os.sep.encode(), b"/")
            if _REF_NAME.fullmatch(name):
                yield name


def _read(path: bytes, max_bytes: int = _MAX_SHORT) -> bytes:
    return read_start(path, max_bytes)
