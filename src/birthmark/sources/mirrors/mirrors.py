"""Bare mirrors of repositories, fetched by git within limits.

Takes the URL of a repository and a folder; gives the refs of the mirror there. What is fetched arrives in a folder of
its own beside the mirror, is checked object by object, and only then moved: first objects, then refs, so that a reader
never sees a ref without its objects, and an interrupted fetch changes nothing. Git gets no configuration but ours, runs
no hook, asks for nothing, and writes no address down.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from birthmark.errors import BirthmarkError
from birthmark.file_lock import file_lock
from birthmark.sources.git.gitdir import GitDir
from birthmark.sources.git.refs import GitFolders, find_git_folders, is_ref_name, read_head, read_ref_files
from birthmark.sources.mirrors.guarded_git import GitLimits, GuardedGit
from birthmark.sources.mirrors.remotes import Remote, read_remote

_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
_REFSPECS = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
_PACK_FILES = (".pack", ".rev", ".mtimes", ".idx")  # A pack is there when its index is, so that comes last.
_FETCH = (
    "fetch",
    "--quiet",
    "--prune",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--no-auto-maintenance",
    "--no-show-forced-updates",
)


class MirrorLimits(NamedTuple):
    """What a fetch may take, and which protocols it may use; `file` and `http` only where they are asked for."""

    max_bytes: int = 4 << 30  # received by one fetch
    seconds: float = 1800.0
    protocols: frozenset[str] = frozenset({"https", "ssh"})
    wait: float = 0.0  # for another fetch of the same mirror


def fetch_mirror(url: str, folder: Path, limits: MirrorLimits = MirrorLimits()) -> dict[str, str]:  # noqa: B008 immutable
    """Make a mirror, or bring it up to date; its branches and tags by their full names, and what they point to."""
    remote = read_remote(url, limits.protocols)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (
        file_lock(folder.parent / f".{folder.name}.lock", limits.wait, str(folder)),
        _incoming(folder) as incoming,
    ):
        git = GuardedGit(remote, incoming, GitLimits(limits.max_bytes, limits.seconds))
        with _address(remote) as address:
            head = _default_branch(git, address)
            git.run(*_FETCH, "--", address, *_REFSPECS)
        _take_over(incoming, folder, head)
    return refs_of(folder)


def refs_of(mirror: Path) -> dict[str, str]:
    """The refs of a mirror by their full names, and the ids that they point to."""
    path = os.fsencode(mirror)
    found = read_ref_files(GitFolders(path, path)).refs
    return {name.decode("utf-8", "surrogateescape"): id_.decode() for name, id_ in sorted(found.items())}


@contextmanager
def _incoming(folder: Path) -> Iterator[Path]:
    """An empty repository beside the mirror that sees the objects and refs of the mirror; deleted afterwards."""
    prefix = f".{folder.name}.incoming-"
    for left in folder.parent.glob(f"{prefix}*"):  # by a run that was killed; the lock says that none is running
        shutil.rmtree(left, ignore_errors=True)
    incoming = Path(tempfile.mkdtemp(prefix=prefix, dir=folder.parent))
    try:
        _initialise(incoming)
        if folder.exists():
            _see_objects(incoming, folder)
        yield incoming
    finally:
        shutil.rmtree(incoming, ignore_errors=True)


def _initialise(folder: Path) -> None:
    (folder / "objects" / "pack").mkdir(parents=True)
    (folder / "objects" / "info").mkdir()
    (folder / "refs").mkdir()
    (folder / "config").write_text(_CONFIG)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")


def _see_objects(incoming: Path, folder: Path) -> None:
    if not (folder / "objects" / "pack").is_dir() or (folder / "HEAD").is_symlink():
        raise BirthmarkError(f"{folder}: is there already and is no mirror; name another folder")
    objects = os.path.abspath(folder / "objects")
    if "\n" in objects or objects.startswith('"'):
        raise BirthmarkError(f"{objects!r}: git cannot borrow objects from a folder of that name; name another")
    (incoming / "objects" / "info" / "alternates").write_text(f"{objects}\n", "utf-8", "surrogateescape")
    (incoming / "packed-refs").write_bytes(_packed(refs_of(folder)))


@contextmanager
def _address(remote: Remote) -> Iterator[str]:
    """Give what git fetches from: for a folder of this machine, a private one without the folder's configuration."""
    if remote.protocol != "file":
        yield remote.url
        return
    root = Path(unquote(urlsplit(remote.url).path))
    folders = find_git_folders(root.parent if root.name == ".git" else root)
    head = read_head(folders) if folders is not None else None
    if folders is None or head is None:
        raise BirthmarkError(f"{remote.url}: was not fetched: there is no repository that can be read")
    with closing(GitDir(folders, head)) as private:
        private.add_refs()
        yield private.path.as_uri()


def _default_branch(git: GuardedGit, address: str) -> str:
    """The branch of the other side's HEAD; `refs/heads/main` where it names none."""
    for line in git.run("ls-remote", "--symref", "--", address, "HEAD").decode("utf-8", "replace").splitlines():
        target, tab, name = line.partition("\t")
        ref = target.removeprefix("ref: ")
        if tab and name == "HEAD" and ref != target and ref.startswith("refs/heads/") and is_ref_name(ref):
            return ref
    return "refs/heads/main"


def _take_over(incoming: Path, folder: Path, head: str) -> None:
    refs = refs_of(incoming)
    (incoming / "HEAD").write_text(f"ref: {head}\n")
    (incoming / "packed-refs").write_bytes(_packed(refs))
    if not folder.exists():
        made = Path(tempfile.mkdtemp(prefix=incoming.name, dir=folder.parent))
        _initialise(made)
        _move_packs(incoming, made)
        _replace_refs(incoming, made)
        made.chmod(0o755)
        made.rename(folder)
        return
    _move_packs(incoming, folder)
    _replace_refs(incoming, folder)


def _move_packs(incoming: Path, folder: Path) -> None:
    """Packs are named by what is in them: one that is there already is the same."""
    packs = incoming / "objects" / "pack"
    for suffix in _PACK_FILES:
        for file in sorted(packs.glob(f"pack-*{suffix}")):
            file.replace(folder / "objects" / "pack" / file.name)


def _replace_refs(incoming: Path, folder: Path) -> None:
    for name in ("packed-refs", "HEAD"):
        (incoming / name).replace(folder / name)


def _packed(refs: dict[str, str]) -> bytes:
    lines = [f"{id_} {name}\n" for name, id_ in sorted(refs.items(), key=lambda one: os.fsencode(one[0]))]
    return "".join(lines).encode("utf-8", "surrogateescape")
