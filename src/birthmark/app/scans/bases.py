"""Find the state to compare a subscription with: the one in which it was accepted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from birthmark.app.across import Visible
from birthmark.app.server_part import across
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.stores import location_of, open_directory
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import NotFoundError
from birthmark.extraction.state import RepositoryState
from birthmark.sources.git.refs import HEAD, is_ref_name
from birthmark.subscriptions.model import Subscription
from birthmark.vocabulary import SubscriptionTarget
from birthmark.words import BORDER

_ONE = (SubscriptionTarget.ENTITY, SubscriptionTarget.LINES)


def split_ref(workspace: Workspace, text: str, visible: Visible) -> tuple[str | None, str]:
    """Split `REPOSITORY//REF` where a database has such a repository; else all of it is a REF."""
    name, border, ref = text.partition(BORDER)
    directory = open_directory(workspace, visible) if border and name and ref else None
    if directory is None or name == location_of(workspace).repository:
        return None, text if directory is None else ref
    return (name, ref) if name in directory.repositories() else (None, text)


@contextmanager
def open_elsewhere(own: OpenRepository, name: str, mirrors: Path | None = None) -> Iterator[OpenRepository]:
    """Open another repository of the database, as it was last indexed."""
    if not location_of(own.workspace).url:
        raise NotFoundError(f"{name}: no database is named (--store), so there is no index of this repository")
    with across().open_elsewhere(own, name, mirrors) as other:
        yield other


def opened_for(own: OpenRepository, subscription: Subscription) -> AbstractContextManager[OpenRepository]:
    """The repository that has what a subscription is about: its own, or another one of the database."""
    return nullcontext(own) if subscription.repository is None else open_elsewhere(own, subscription.repository)


def indexed_state(other: OpenRepository) -> RepositoryState:
    """Return the indexed commit if it is available, else the indexed state of the commit or worktree."""
    assert other.store is not None
    snapshot = other.store.snapshot(other.workspace.worktree)
    assert snapshot is not None
    is_commit = is_ref_name(snapshot.worktree) or snapshot.worktree == HEAD
    return (other.find_revision(snapshot.revision) if is_commit else None) or other.index()


def base_of(repository: OpenRepository, subscription: Subscription) -> RepositoryState:
    """The state in which it was accepted. What HEAD still has so is compared with HEAD, together with all others."""
    accepted, head = subscription.accepted, repository.find_revision("HEAD")
    is_one = subscription.target in _ONE
    if head is not None and is_one and all(head.content_id(path) == id_ for path, id_ in accepted.files.items()):
        return head
    return repository.overlay(accepted.revision, accepted.files, is_whole=not is_one)
