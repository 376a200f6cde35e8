"""Contents of files that git may not have: those that subscriptions were accepted with, by git's ids of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from birthmark.app.workspace.stores import has_subscriptions, subscription_store
from birthmark.app.workspace.workspace import Workspace
from birthmark.extraction.state import RepositoryState

if TYPE_CHECKING:
    from birthmark.sources.git.repository import GitRepository


def kept_content(workspace: Workspace, git: GitRepository | None, content_id: str) -> bytes | None:
    """A content that the subscriptions have kept, or git has."""
    if has_subscriptions(workspace):
        with subscription_store(workspace) as store:
            content = store.content(content_id)
        if content is not None:
            return content
    return git.read(content_id) if git is not None and git.sizes([content_id]) else None


def contents_to_keep(
    git: GitRepository | None, state: RepositoryState, files: Iterable[Mapping[str, str]]
) -> dict[str, bytes]:
    """The contents of files that git does not have, by their ids."""
    wanted = {content_id: path for one in files for path, content_id in one.items() if content_id}
    in_git = git.sizes(wanted) if git is not None else {}
    found = {content_id: state.content(path) for content_id, path in wanted.items() if content_id not in in_git}
    return {content_id: content for content_id, content in found.items() if content is not None}
