"""Complete a word on the command line to a REF, a revision, or the id of a subscription or note.

Reads the existing index, or git, and writes nothing. Without an index there are no names to complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from birthmark.app.scans.subscription_repository import SubscriptionRepository, list_subscriptions
from birthmark.app.workspace.stores import open_index
from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.sources.git.repository import GitRepository
from birthmark.store.port import Store

_MOST = 200
_RECENT_COMMITS = 20
_PARTS = "::"


def complete_ref(folder: Path, prefix: str) -> list[str]:
    """Names, folders with a slash, files as `path::`, and the names in a file as `path::name`."""
    workspace = find_workspace(folder)
    store = open_index(workspace)
    if store is None:
        return []
    try:
        snapshot = store.snapshot(workspace.worktree)
        return [] if snapshot is None else _complete(store, snapshot.snapshot, workspace, prefix)
    finally:
        store.close()


def _complete(store: Store, snapshot: int, workspace: Workspace, prefix: str) -> list[str]:
    path, has_name, name = prefix.partition(_PARTS)
    if has_name:
        rows = store.entities_in(snapshot, [_from_root(workspace, path)])
        names = dict.fromkeys(row.qualified_name for row in rows if row.qualified_name.startswith(name))
        return [f"{path}{_PARTS}{one}" for one in names][:_MOST]
    indexed = [path for path, row in store.files(snapshot).items() if row.version is not None]
    paths = _next_parts(indexed, workspace.current_folder, prefix)
    return [*paths, *(store.names_starting(snapshot, prefix, _MOST) if prefix else [])][:_MOST]


def _from_root(workspace: Workspace, path: str) -> str:
    return (PurePosixPath(workspace.current_folder) / path).as_posix()


def _next_parts(paths: Iterable[str], folder: str, prefix: str) -> list[str]:
    """The files and folders that a path may go on with, as seen from a folder."""
    here = f"{folder}/" if folder else ""
    start, base = here + prefix, prefix.rpartition("/")[0]
    stem = f"{base}/" if base else ""
    found = (path[len(here) + len(stem) :].partition("/") for path in paths if path.startswith(start))
    return sorted({f"{stem}{name}{slash or _PARTS}" for name, slash, _ in found})


def complete_revision(folder: Path, prefix: str) -> list[tuple[str, str]]:
    """Branches, tags, HEAD and its ancestors, and recent commits with their subjects; of a range its second part."""
    workspace = find_workspace(folder)
    if not workspace.has_git:
        return []
    start, dots, last = _split_range(prefix)
    with GitRepository(workspace.root) as git:
        names = [("HEAD", ""), *((name, "") for name in git.ref_names()), *_recent(git)]
    return [(start + dots + name, subject) for name, subject in names if name.startswith(last)][:_MOST]


def _split_range(prefix: str) -> tuple[str, str, str]:
    for dots in ("...", ".."):
        if dots in prefix:
            start, _, last = prefix.rpartition(dots)
            return start, dots, last
    return "", "", prefix


def _recent(git: GitRepository) -> Iterator[tuple[str, str]]:
    """HEAD~1 and further back, then the same commits by their ids."""
    lines = git.run("log", "--first-parent", f"-{_RECENT_COMMITS}", "--format=%h %s", "HEAD").decode("utf-8", "replace")
    commits = [line.partition(" ") for line in lines.splitlines()]
    yield from ((f"HEAD~{number}", subject) for number, (_, _, subject) in enumerate(commits) if number)
    yield from ((commit, subject) for commit, _, subject in commits)


def complete_subscription(folder: Path, prefix: str) -> list[tuple[str, str]]:
    """Return ids of subscriptions, each with its label or REF."""
    stored = [one.subscription for one in list_subscriptions(find_workspace(folder))]
    return [(one.id, one.label or one.ref) for one in stored if one.id.startswith(prefix)][:_MOST]


def complete_note(folder: Path, prefix: str) -> list[tuple[str, str]]:
    """Return ids of notes, each with its text."""
    stored = SubscriptionRepository(find_workspace(folder)).notes()
    return [(note.id, note.text) for note, _ in stored if note.id.startswith(prefix)][:_MOST]
