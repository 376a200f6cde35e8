"""Replay the history of a repository into its index.

The request for a replay is stored before it begins, its completion with its snapshot: one that was interrupted in
between is continued by the next `index`. A CommitReader gives what each commit changed, with the languages of its own
attributes. Attributes of this clone are not applied, so that every clone replays alike.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from functools import partial

from birthmark.app.indexing.index import IndexOptions, index_worktree, indexing
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.states import TOO_LARGE
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError
from birthmark.extraction.state import detect_language, is_source_path, os_path
from birthmark.ledger.adoption import adopt_issued, has_observed
from birthmark.ledger.file_scan import UpdateTarget
from birthmark.ledger.replay import (
    Replayed,
    begin_replay,
    finish_replay,
    replay_history,
    state_at,
    take_snapshot,
)
from birthmark.ledger.update import is_unfinished
from birthmark.model import Problem
from birthmark.sources.attributes import ATTRIBUTES_FILE, CommittedAttributes
from birthmark.sources.discover import NOT_IN_CLONE
from birthmark.sources.git.log import Link, changes_of, first_parents, log_all, reachable_commits
from birthmark.sources.git.repository import ChangedFile, GitRepository
from birthmark.sources.third_party import is_named_package
from birthmark.store.port import Store
from birthmark.vocabulary import Detail

_UNREAD_SAMPLE = 20  # files of replayed commits that could not be read, which are tried again


def replay_worktree(store: Store, workspace: Workspace, options: IndexOptions | None = None) -> Replayed:
    """Replay all ancestors of HEAD, and make HEAD the snapshot; index the worktree on top of it afterwards."""
    options = options or IndexOptions()
    if not workspace.has_git:
        raise BirthmarkError(f"{workspace.root}: no git repository, so there is no history; index without it")
    options = options._replace(detail=options.detail or Detail.DEFINITIONS)
    snapshot = store.snapshot(workspace.worktree)
    if snapshot is not None and has_observed(store, snapshot):
        # Identities issued to uncommitted code are found again by the present worktree.
        index_worktree(store, workspace, options)
    with indexing(store, workspace, options) as (repository, tools):
        git, source = repository.git, CommitReader(repository)
        head = workspace.head
        links = log_all(git, head) if head is not None else []
        was_unfinished = is_unfinished(store)
        begin_replay(store, tools.extractor.version)
        replayed = replay_history(store, links, source, tools)
        if head is not None:
            kept = partial(_kept_commits, store, git, head, workspace.worktree)
            n_adopted = adopt_issued(store, head, lambda commit: state_at(store, commit, source), tools, kept)
            if replayed.n_new or n_adopted or was_unfinished or store.snapshot(workspace.worktree) is None:
                target = UpdateTarget(workspace.worktree, workspace.branch, head, [])
                shown = _is_shown(repository), repository.commit_state(head).manifests()
                take_snapshot(store, target, state_at(store, head, source), tools, *shown)
        finish_replay(store)
        return replayed._replace(problems=[*_shallow(git), *replayed.problems])


def _kept_commits(store: Store, git: GitRepository, head: str, worktree: str) -> set[str]:
    """The commits to which a ref leads, or the HEAD of this worktree or of another one as it was indexed."""
    others = (snapshot.revision for snapshot in store.snapshots() if snapshot.worktree != worktree)
    return reachable_commits(git, {head, *git.ref_ids(), *filter(None, others)})


def heal_replay(store: Store, workspace: Workspace) -> list[str]:
    """Continue a replay that was interrupted, and repeat one that is wrong. Returns what was done."""
    if not workspace.has_git or workspace.head is None or not (store.replayed_commits() or is_unfinished(store)):
        return []
    trouble = _find_trouble(store, workspace, workspace.head)
    if trouble is None:
        return []
    try:
        replayed = replay_worktree(store, workspace)
    except BirthmarkError as error:
        return [f"{trouble}, and could not be continued: {error}"]
    return [f"{trouble}; {replayed.n_new:,} commits were replayed"]


def _find_trouble(store: Store, workspace: Workspace, head: str) -> str | None:
    if is_unfinished(store):
        return "the replay of history was unfinished"
    if store.is_replay_backwards():
        return "the replay of history had revived what was first seen later"
    with closing(OpenRepository(workspace, store)) as repository:
        if any(_is_readable(repository, *one) for one in store.unread_files(_UNREAD_SAMPLE)):
            with store.writing():
                store.set_replay_aside()
            return "the replay of history lacked files that are there now"
        replayed = store.replayed_commits()
        if any(link.commit not in replayed for link in log_all(repository.git, head)):
            return "the replay of history was behind"
    return None


def _is_readable(repository: OpenRepository, path: str, revision: str) -> bool:
    try:
        return repository.commit_state(revision).file(path) is not None
    except BirthmarkError:
        return False


def _shallow(repository: GitRepository) -> list[Problem]:
    if repository.run("rev-parse", "--is-shallow-repository").strip() != b"true":
        return []
    text = "the clone is shallow: what its first commits hold was born before, and has their times; fetch the rest"
    return [Problem(".", text)]


def _is_shown(repository: OpenRepository) -> Callable[[str], bool]:
    """Return whether a file of HEAD belongs into the index: it does unless it is ignored, and not missing in the
    worktree.
    """
    root = repository.workspace.root
    found = {file.path for file in repository.discover().files}
    if not repository.workspace.has_worktree:
        return found.__contains__
    return lambda path: path in found or not os.path.lexists(root / path)


class CommitReader:
    """The ReplaySource of a repository; keeps the attribute files of the commits that were read."""

    def __init__(self, repository: OpenRepository) -> None:
        self.repository = repository
        self._attributes_of: dict[str, dict[bytes, str]] = {}
        self._attributes = CommittedAttributes(repository.git.read)
        self._shallow = repository.git.shallow()

    def first_parents(self, commit: str) -> list[str]:
        return first_parents(self.repository.git, commit)

    def is_cut_off(self, commit: str) -> bool:
        return commit in self._shallow

    def changes_of(self, links: Sequence[Link]) -> list[list[ChangedFile]]:
        """Return the changes of commits, with the files whose language changed with an attribute."""
        all_changes = changes_of(self.repository.git, links)
        for link, changes in zip(links, all_changes, strict=True):
            self._add_attribute_changes(link, changes)
        return [
            [change for change in changes if self._is_source(link, change.path)]
            for link, changes in zip(links, all_changes, strict=True)
        ]

    def _add_attribute_changes(self, link: Link, changes: list[ChangedFile]) -> None:
        """A commit has the attribute files of its first parent, but for those that it changed."""
        before = self._attribute_files(link.first)
        changed = [change for change in changes if change.path.rpartition("/")[2] == ATTRIBUTES_FILE]
        self._attributes_of[link.commit] = after = dict(before) if changed else before
        for change in changed:
            folder = os_path(change.path[: -len(ATTRIBUTES_FILE)])
            after.pop(folder, None)
            if change.new_blob is not None:
                after[folder] = change.new_blob
        if changed:
            listed = {change.path for change in changes}
            tree = self.repository.commit_state(link.commit).tree
            changes += [
                ChangedFile(path, blob, blob)
                for path, blob in tree.items()
                if path not in listed and self._attribute(before, path) != self._attribute(after, path)
            ]

    def _attribute_files(self, commit: str | None) -> dict[bytes, str]:
        """Return the blobs of attribute files by folder."""
        if commit is None:
            return {}
        if commit not in self._attributes_of:
            state = self.repository.find_revision(commit)
            tree = state.tree if state is not None else {}
            self._attributes_of[commit] = {
                os_path(path[: -len(ATTRIBUTES_FILE)]): blob
                for path, blob in tree.items()
                if path.rpartition("/")[2] == ATTRIBUTES_FILE
            }
        return self._attributes_of[commit]

    def _attribute(self, files: dict[bytes, str], path: str) -> str | None:
        return self._attributes.of_path(os_path(path), files.get)[0] if files else None

    def attribute_in(self, commit: str, path: str) -> str | None:
        return self._attribute(self._attribute_files(commit), path)

    def _is_source(self, link: Link, path: str) -> bool:
        if not self.repository.settings.index.third_party and is_named_package(path):
            return False
        if is_source_path(path):
            return True
        commits = [link.commit, *([link.first] if link.first else [])]
        return any(self.attribute_in(commit, path) for commit in commits)

    def languages_in(self, commit: str, paths: Collection[str]) -> dict[str, str | None]:
        tree = self.repository.commit_state(commit).tree
        return {
            path: detect_language(
                path,
                self.attribute_in(commit, path),
                partial(self.repository.content, tree[path]),
                third_party=self.repository.settings.index.third_party,
            )
            for path in paths
            if path in tree
        }

    def read(self, blobs: Collection[str]) -> Iterator[tuple[str, bytes | str]]:
        sizes, limit = self.repository.git.sizes(blobs), self.repository.settings.limits.max_bytes
        for blob in blobs:
            if blob not in sizes:
                yield blob, NOT_IN_CLONE
            elif sizes[blob] > limit:
                yield blob, TOO_LARGE
        yield from self.repository.git.read_many(blob for blob in blobs if sizes.get(blob, limit + 1) <= limit)
