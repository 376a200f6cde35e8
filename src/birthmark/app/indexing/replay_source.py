"""The commits of a repository as a replay reads them: what each changed, with the languages of its own attributes.

Takes an OpenRepository. Attributes of this clone are not applied, so that every clone replays alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial

from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.states import TOO_LARGE
from birthmark.extraction.state import detect_language, is_source_path, os_path
from birthmark.sources.attributes import ATTRIBUTES_FILE, CommittedAttributes
from birthmark.sources.discover import NOT_IN_CLONE
from birthmark.sources.git.log import Link, changes_of, first_parents
from birthmark.sources.git.repository import ChangedFile


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
        """What commits changed, with the files whose language changed with an attribute."""
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
        """By their folders."""
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
        return self._attributes.of_path(os_path(path), files.get).language if files else None

    def attribute_in(self, commit: str, path: str) -> str | None:
        return self._attribute(self._attribute_files(commit), path)

    def _is_source(self, link: Link, path: str) -> bool:
        if is_source_path(path):
            return True
        commits = [link.commit, *([link.first] if link.first else [])]
        return any(self.attribute_in(commit, path) is not None for commit in commits)

    def languages_in(self, commit: str, paths: Collection[str]) -> dict[str, str | None]:
        tree = self.repository.commit_state(commit).tree
        return {
            path: detect_language(path, self.attribute_in(commit, path), partial(self.repository.content, tree[path]))
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
