"""The commits of a repository, as histories read them: git, and what is extracted from its blobs.

Functions that need git raise an error if there is no repository.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from birthmark.app.workspace.states import (
    TOO_LARGE,
    CommitState,
    git_path,
)
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError
from birthmark.extraction.calls import PoolFactory
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import Blob, Interior, Limits, Outline
from birthmark.extraction.outline_memory import OutlineMemory
from birthmark.extraction.state import (
    StateTools,
    detect_language,
    is_source_path,
)
from birthmark.languages.registry import load_registry
from birthmark.model import Level, Problem
from birthmark.sources.attributes import LOCAL_ATTRIBUTES, CommittedAttributes, local_attributes
from birthmark.sources.config import Settings
from birthmark.sources.git.objects import BlobContents
from birthmark.sources.git.refs import find_git_folders
from birthmark.sources.ignores import Ignores, own_ignores, read_rules
from birthmark.store.port import Store
from birthmark.syntax.encodings import to_utf8

if TYPE_CHECKING:
    from birthmark.sources.git.log import Commit, Touches
    from birthmark.sources.git.repository import GitRepository

_CONTENTS = 4096  # interiors and commits that are held
_SECONDS = 5.0  # for a search of all files of a commit


class CommitHistory:
    """The commits of a repository as histories read them: git, and what is extracted from its blobs."""

    def __init__(self, workspace: Workspace, settings: Settings, extractor: Extractor) -> None:
        self.workspace, self.settings, self.extractor = workspace, settings, extractor
        self.problems: list[Problem] = []
        self._tools = StateTools(
            extractor, settings.limits.max_bytes, self.problems, third_party=settings.index.third_party
        )
        self._git: GitRepository | None = None
        self.kept_contents = BlobContents(self._read_texts)
        self.content = self.kept_contents.get
        self.interior = lru_cache(_CONTENTS)(self._interior)
        self.commit = lru_cache(_CONTENTS)(self._commit)
        self.changed = lru_cache(256)(lambda old, new: self.git.changed(old, new))
        self._language_of_path = lru_cache(1 << 14)(self._detect_by_path)
        self._language_of_blob = lru_cache(1 << 14)(self._detect_by_content)

    def _read_texts(self, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        return ((blob, to_utf8(content)) for blob, content in self.git.read_many(blobs))

    def close(self) -> None:
        self.extractor.close()
        self.kept_contents.clear()
        if self._git is not None:
            self._git.close()

    @property
    def git(self) -> GitRepository:
        if self._git is None:
            if not self.workspace.has_git:
                raise BirthmarkError(f"{self.workspace.root}: no git repository, so there is no history")
            from birthmark.sources.git.repository import GitRepository  # Most questions do without git.

            self._git = GitRepository(self.workspace.root, lambda reason: self._report(Problem(".git", reason)))
        return self._git

    @property
    def git_or_none(self) -> GitRepository | None:
        return self.git if self.workspace.has_git else None

    def family_of(self, language: str) -> str:
        return load_registry().family_of(language)

    def contents(self, files: Sequence[tuple[str, str]]) -> Iterator[bytes]:
        """Yield the contents of files by blob and path; nothing for those that this clone lacks."""
        self.git.fetch_missing(blob for blob, _ in files)
        try:
            return iter([*self.kept_contents.get_many([blob for blob, _ in files])])
        except BirthmarkError:
            return (self._content_or_none(blob, path) or b"" for blob, path in files)

    def _content_or_none(self, blob: str, path: str) -> bytes | None:
        """Return the content of a file; None if this clone lacks it, which becomes a problem."""
        try:
            return self.content(blob)
        except BirthmarkError as error:
            self._report(Problem(path, str(error)))
            return None

    def _report(self, problem: Problem) -> None:
        if problem not in self.problems:
            self.problems.append(problem)

    def find_commit(self, revision: str) -> str:
        """Return the commit of a revision in any form of git, or of a date."""
        from birthmark.sources.git.revisions import resolve_revision

        return resolve_revision(self.git, revision)

    def manifests_at(self, commit: str) -> dict[str, str]:
        """Return the manifests of a commit; nothing else of it is kept."""
        return self._state_of(commit).manifests()

    def _state_of(self, commit: str) -> CommitState:
        return CommitState(self._tools, self.git, commit, self._attributes, self._ignores_in)

    @cached_property
    def _attributes(self) -> CommittedAttributes:
        folders = find_git_folders(self.workspace.root)
        assert folders is not None
        return CommittedAttributes(self.git.read, local_attributes(read_rules(folders.common + LOCAL_ATTRIBUTES)))

    @cached_property
    def _ignores_in(self) -> Callable[[bytes], Ignores]:
        return own_ignores(self.workspace.root)

    @cached_property
    def _shallow(self) -> frozenset[str]:
        return self.git.shallow()

    def touches(self, commit: str, path: str) -> Touches:
        from birthmark.sources.git.log import log_file

        touches = log_file(self.git, commit, git_path(self.git, commit, path))
        self._fetch_changes(touches)
        return touches

    def _fetch_changes(self, commits: Iterable[str]) -> None:
        """Fetch the sources that some commits changed, which are compared with each other, all together."""
        if self.git.can_fetch:
            from birthmark.sources.git.log import Link, changes_of

            links = [Link(commit, self.parents(commit), 0) for commit in commits]
            changes = [change for changed in changes_of(self.git, links) for change in changed]
            blobs = [(change.old_blob, change.new_blob) for change in changes if is_source_path(change.path)]
            self.git.fetch_missing(blob for pair in blobs for blob in pair if blob is not None)

    def paths_with_lines(self, commit: str, lines: Sequence[bytes]) -> list[str]:
        from birthmark.sources.git.log import paths_with_lines

        try:
            return paths_with_lines(self.git, commit, lines, _SECONDS)
        except BirthmarkError as error:
            self._report(Problem(commit[:12], str(error)))
            return []

    def _commit(self, commit: str) -> Commit:
        from birthmark.sources.git.log import read_commit

        return read_commit(self.git, commit)

    def parents(self, commit: str) -> tuple[str, ...]:
        if commit not in self._shallow:
            return self.commit(commit).parents
        text = "the clone is shallow, so what led to this commit is not known; fetch more of it"
        self._report(Problem(commit[:12], text))
        return ()

    def blob(self, commit: str, path: str) -> str | None:
        return self.git.blob_at(commit, git_path(self.git, commit, path))

    def language_of(self, path: str, blob: str | None = None) -> str | None:
        """Return the language by path and the attributes in HEAD, as in git; else by the blob's first line."""
        found = self._language_of_path(path)
        if blob is None or (found is not None and not load_registry().languages[found].has_minifiers):
            return found
        return self._language_of_blob(path, blob)

    def _detect_by_path(self, path: str) -> str | None:
        return detect_language(path, self._attribute_of(path), lambda: None)

    def _detect_by_content(self, path: str, blob: str) -> str | None:
        """Return None for code of others, too, which is no candidate for anything."""
        if self._head is not None and self._head.leaves_out(path, by_name=True):
            return None
        third_party = self.settings.index.third_party
        return detect_language(
            path, self._attribute_of(path), lambda: self._content_or_none(blob, path), third_party=third_party
        )

    def _attribute_of(self, path: str) -> str | None:
        return self._head.attribute(path) if self._head is not None else None

    @cached_property
    def _head(self) -> CommitState | None:
        try:
            return self._state_of(self.find_commit("HEAD")) if self.workspace.has_git else None
        except BirthmarkError:
            return None

    def outlines(self, files: Sequence[tuple[str, str]]) -> list[Outline | None]:
        """Return the outlines of files by blob and path, with at least their entities."""
        blobs = [self._blob_of(blob, path) for blob, path in files]
        wanted = {blob.key: blob for blob in blobs if blob is not None}
        found: dict[object, Outline | None] = {}
        for blob, outline in self.extractor.outlines(wanted.values(), Level.ENTITIES, self._fetch):
            found[blob.key] = None if isinstance(outline, Problem) else outline
            if isinstance(outline, Problem):
                self._report(outline)
        return [None if blob is None else found[blob.key] for blob in blobs]

    def _fetch(self, blobs: Iterable[Blob]) -> None:
        self.git.fetch_missing(blob.content_id.hex() for blob in blobs)

    def _interior(self, blob: str, path: str) -> Interior | None:
        """Return the interior of a file's definitions; None if it cannot be read."""
        task = self._blob_of(blob, path)
        for _, interior in self.extractor.interiors([task] if task is not None else []):
            if isinstance(interior, Interior):
                return interior
            self.problems.append(interior)
        return None

    def _blob_of(self, blob: str, path: str) -> Blob | None:
        language = self.language_of(path, blob)
        if language is None:
            return None
        return Blob(bytes.fromhex(blob), language, partial(self._small_content, blob), path)

    def _small_content(self, blob: str) -> bytes:
        content = self.content(blob)
        if len(content) > self.settings.limits.max_bytes:
            raise BirthmarkError(TOO_LARGE)
        return content


def make_extractor(
    settings: Settings,
    n_workers: int | None = None,
    store: Store | None = None,
    *,
    is_writable: bool = False,
    memory: OutlineMemory | None = None,
    make_pool: PoolFactory | None = None,
) -> Extractor:
    limits = Limits(settings.limits.seconds, settings.limits.memory_mb << 20)
    options = settings.chunks
    return Extractor(options, limits, n_workers, store, is_writable=is_writable, memory=memory, make_pool=make_pool)
