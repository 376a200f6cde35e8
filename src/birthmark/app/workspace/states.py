"""The states of a repository that are read from a disk: a commit, the worktree and the index.

A commit lists its files only when all of them are asked for; a file of the worktree that is as it was when it was
indexed is not read for its id. Git may lack the contents that subscriptions were accepted with: the store keeps these
by their ids, and `kept_content` reads them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError
from birthmark.extraction.kept_texts import kept_manifests
from birthmark.extraction.model import Blob
from birthmark.extraction.state import (
    INDEX,
    WORKTREE,
    FileEntry,
    RepositoryState,
    StateTools,
    content_id_of,
    differing_paths,
    is_manifest,
    is_source_path,
    os_path,
)
from birthmark.ledger.file_scan import has_same_status
from birthmark.sources.attributes import ATTRIBUTES_FILE, CommittedAttributes, Traits
from birthmark.sources.discover import (
    NOT_IN_CLONE,
    Discovery,
    FoundFile,
    discover,
    is_private,
    keeps_path,
    reason_of_file,
    write_path,
)
from birthmark.sources.git.git_files import is_tracked
from birthmark.sources.git.refs import find_root
from birthmark.sources.ignores import Ignores
from birthmark.sources.third_party import PackageFolders, package_folders
from birthmark.sources.worktree import read_file
from birthmark.store.model import SnapshotFile, Version
from birthmark.vocabulary import LeftOutReason

if TYPE_CHECKING:
    from birthmark.sources.git.repository import GitRepository


TOO_LARGE = "is larger than limits.max_bytes, left out"
_NAMED_PACKAGES = package_folders(())
OUTSIDE = "is ignored, or belongs to git or to the index, so it cannot be named; name a file that is not ignored"


def git_path(git: GitRepository, commit: str, path: str) -> bytes:
    """Return the bytes of a path in a commit, where `\\xe9` may be a byte, or four characters of the name."""
    as_byte, as_named = os_path(path), path.encode("utf-8", "surrogateescape")
    if as_byte == as_named or git.blob_at(commit, as_byte) is not None or git.blob_at(commit, as_named) is None:
        return as_byte
    return as_named


class CommitState(RepositoryState):
    """The files of a commit; a single one is looked up without listing the others."""

    def __init__(
        self,
        tools: StateTools,
        git: GitRepository,
        commit: str,
        attributes: CommittedAttributes,
        ignores_in: Callable[[bytes], Ignores],
    ) -> None:
        """`ignores_in` returns the present ignore rules of a folder, by which code of others may be included."""
        super().__init__(tools, commit, commit)
        self._ignores_in = ignores_in
        self.git, self.commit, self._attributes = git, commit, attributes
        self._attribute_blob = lru_cache(None)(self._find_attribute_blob)
        self._folder_attributes = lru_cache(None)(lambda folder: attributes.of_folder(folder, self._attribute_blob))

    @cached_property
    def tree(self) -> dict[str, str]:
        """The blobs of all files."""
        return {path: entry.blob for path, entry in self.git.tree(self.commit).items()}

    @cached_property
    def listing(self) -> Mapping[str, FileEntry]:
        is_wanted = self._is_wanted if self._has_attributes else is_source_path
        return {
            path: self._entry(path, blob)
            for path, blob in self.tree.items()
            if is_wanted(path) and not self.leaves_out(path)
        }

    def leaves_out(self, path: str, *, by_name: bool = False) -> bool:
        """Return True for code of others, by the rules of `discover.py`; or only by what its path says."""
        if self.tools.third_party:
            return False
        packages = _NAMED_PACKAGES if by_name else self._packages
        return self._reason_of(path) is not None or any(map(self._is_closed, packages(path)))

    @cached_property
    def _packages(self) -> PackageFolders:
        return package_folders(self.tree)

    def _is_closed(self, folder: str) -> bool:
        path = os_path(folder)
        above, slash, name = path.rpartition(b"/")
        if self._ignores_in(above + slash).include(name, path, True):
            return False
        return not (self._has_attributes and self._traits(folder + "/package") == ("", False))

    def _reason_of(self, path: str) -> LeftOutReason | None:
        language, is_foreign = self._traits(path) if self._has_attributes else (None, False)
        if not is_foreign and "min." not in path:
            return None
        above, slash, name = os_path(path).rpartition(b"/")
        reason = reason_of_file(name, language, is_foreign)
        is_included = reason is not None and self._ignores_in(above + slash).include(name, above + slash + name, False)
        return None if is_included else reason

    @cached_property
    def _has_attributes(self) -> bool:
        return any(path.endswith(ATTRIBUTES_FILE) for path in self.tree) or self._attributes.are_local

    def _is_wanted(self, path: str) -> bool:
        language, _ = self._traits(path)
        return bool(language) or is_source_path(path)

    def manifest_paths(self) -> Collection[str]:
        return [path for path in self.tree if is_manifest(path) and not self.leaves_out(path)]

    def attribute(self, path: str) -> str | None:
        return self._traits(path)[0]

    def _traits(self, path: str) -> Traits:
        folder, slash, name = os_path(path).rpartition(b"/")
        return self._folder_attributes(folder + slash).of_file(name, folder + slash + name)

    def _find_attribute_blob(self, folder: bytes) -> str | None:
        is_listed = "tree" in self.__dict__
        if not is_listed and not self.git.may_have(self.commit, folder, ATTRIBUTES_FILE.encode()):
            return None
        return self._blob_at(folder.decode("utf-8", "backslashreplace") + ATTRIBUTES_FILE)

    def _blob_at(self, path: str) -> str | None:
        if "tree" in self.__dict__:
            return self.tree.get(path)
        return self.git.blob_at(self.commit, git_path(self.git, self.commit, path))

    def _find(self, path: str) -> FileEntry | None:
        blob = self._blob_at(path)
        return None if blob is None else self._entry(path, blob)

    def _fetch(self, blobs: list[Blob]) -> None:
        self.git.fetch_missing(blob.content_id.hex() for blob in blobs)

    def _entry(self, path: str, blob: str) -> FileEntry:
        return FileEntry(blob, partial(read_blob, self.git, blob, self.tools.max_bytes))

    def holding(self, content: bytes, like: str) -> list[str]:
        content_id, suffix = content_id_of(content).hex(), PurePosixPath(like).suffix
        return [path for path, blob in self.tree.items() if blob == content_id and path.endswith(suffix)]

    def dirty(self) -> Collection[str]:
        return ()


class CommitFiles:
    """The files of a commit that are indexed where there is no worktree. One has changed when its blob has."""

    def __init__(self, state: CommitState | None, discovery: Discovery) -> None:
        """Before the first commit there is no state."""
        self._state, self._blobs = state, state.tree if state is not None else {}
        self.found = {file.path: file for file in discovery.files}

    def read(self, found: FoundFile) -> bytes:
        assert self._state is not None, "what was found is in a commit"
        return self._state.git.read(self._blobs[found.path])

    def is_as_indexed(self, found: FoundFile, row: SnapshotFile) -> bool:
        known = (row.size, row.mtime_ns, row.attribute, row.content.hex())
        return known == (found.size, found.mtime_ns, found.language, self._blobs[found.path])


class WorktreeState(RepositoryState):
    """The current worktree. The content id of a file that is unchanged since indexing is taken from the index."""

    def __init__(
        self,
        tools: StateTools,
        root: Path,
        discovery: Discovery,
        rows: Callable[[], Mapping[str, SnapshotFile]],
        head: str | None,
        commit_state: Callable[[str], CommitState],
    ) -> None:
        super().__init__(tools, WORKTREE, head)
        self.root, self._rows, self._commit_state = root, cache(rows), commit_state
        self._discovery, self._skipped = discovery, discovery.skipped
        self.may_name = lru_cache(None)(self._may_name)

    @cached_property
    def found(self) -> dict[str, FoundFile]:
        return {file.path: file for file in self._discovery.files}

    @cached_property
    def listing(self) -> Mapping[str, FileEntry]:
        rows = self._rows()
        sources = {path: found for path, found in self.found.items() if found.language or is_source_path(path)}
        entries = {path: self._entry(found, rows.get(path)) for path, found in sources.items()}
        return {path: entry for path, entry in entries.items() if entry is not None}

    def _skipped_blob(self, found: FoundFile) -> str | None:
        """Return the blob of a file that a sparse checkout has not written."""
        if self._skipped is None or found.mtime_ns or found.inode:
            return None
        return self._skipped.blobs.get(os.fsencode(found.os_path))

    def _entry(self, found: FoundFile, row: SnapshotFile | None) -> FileEntry | None:
        load = partial(self.read, found)
        if row is not None and row.content and self.is_as_indexed(found, row):
            return FileEntry(row.content.hex(), load, (row.language,))
        try:
            return FileEntry(content_id_of(load()).hex(), load)
        except BirthmarkError as error:
            self._report(found.path, str(error))
            return None

    def read(self, found: FoundFile) -> bytes:
        blob = self._skipped_blob(found)
        if blob is not None and self._skipped is not None:
            return self._skipped.read(blob)
        return read_file(self.root / found.os_path, self.tools.max_bytes)

    def is_as_indexed(self, found: FoundFile, row: SnapshotFile) -> bool:
        blob = self._skipped_blob(found)
        return has_same_status(found, row) and (blob is None or row.content.hex() == blob)

    def attribute(self, path: str) -> str | None:
        found = self.found.get(path)
        return found.language if found is not None else None

    def blob(self, path: str) -> Blob | None:
        """Return the blob of a file; None for ignored and foreign files."""
        return super().blob(path) if path in self.found else None

    def _find(self, path: str) -> FileEntry | None:
        found = self.found.get(path)
        if found is None:
            return self._find_other(path)
        is_listed = "listing" in self.__dict__ and not is_manifest(path)
        return self.listing.get(path) if is_listed else self._entry(found, self._rows().get(path))

    def manifest_paths(self) -> Collection[str]:
        return [path for path in self.found if is_manifest(path)]

    def leaves_out(self, path: str) -> bool:
        name = os_path(path)
        is_skipped = self._skipped is not None and name in self._skipped.blobs
        return path not in self.found and (is_skipped or os.path.lexists(self.root / os.fsdecode(name)))

    def _may_name(self, path: str) -> bool:
        """Return whether a path may name content, here or as it was accepted once: tracked by git, or not ignored.

        What cannot be named is not read, be it asked for by a REF of a client, a document or a team's file.
        """
        if path in self.found:
            return True
        name = os_path(PurePosixPath(path).as_posix())
        return not is_private(name) and (keeps_path(self.root, name) or self._is_tracked(name))

    def _is_tracked(self, name: bytes) -> bool:
        """Return whether git tracks a file of this repository, not of one inside it."""
        file = self.root / os.fsdecode(name)
        return find_root(file.parent) == self.root and is_tracked(file)

    def problem(self, path: str) -> str | None:
        return super().problem(path) or (None if self.may_name(path) else OUTSIDE)

    def _find_other(self, path: str) -> FileEntry | None:
        file = self.root / os.fsdecode(os_path(path))
        if not os.path.isfile(file) or not self._is_inside(file):
            return None
        load = partial(read_file, file, self.tools.max_bytes)
        try:
            return FileEntry(content_id_of(load()).hex(), load)
        except BirthmarkError:
            is_large = file.stat().st_size > self.tools.max_bytes
            self._report(path, TOO_LARGE if is_large else "cannot be read")
            return None

    def _is_inside(self, file: Path) -> bool:
        """Return whether a file, links followed, may be named, and is listed under that very name.

        A file system that ignores case finds `.env` as `.ENV`, which no ignore rule matches.
        """
        real, root = file.resolve(), self.root.resolve()
        if not real.is_relative_to(root):
            return False
        places = [root, *(root / parent for parent in reversed(real.relative_to(root).parents[:-1]))]
        names = real.relative_to(root).parts
        is_listed = all(name in os.listdir(place) for place, name in zip(places, names, strict=True))
        return is_listed and self.may_name(write_path(os.fsencode("/".join(names))))

    def holding(self, content: bytes, like: str) -> list[str]:
        content_id, suffix = content_id_of(content).hex(), PurePosixPath(like).suffix
        found = discover(self.root, lambda name: name.endswith(suffix), self.tools.max_bytes).files
        return [one.path for one in found if one.size == len(content) and self.content_id(one.path) == content_id]

    def dirty(self) -> Collection[str]:
        """Git is opened only for this: most questions about a worktree need nothing of it."""
        return self.paths() if self.revision is None else differing_paths(self, self._commit_state(self.revision))


class IndexState(RepositoryState):
    """The indexed state; it is empty without an index."""

    def __init__(self, tools: StateTools, rows: Mapping[str, SnapshotFile], versions: Mapping[int, Version]) -> None:
        super().__init__(tools, INDEX, None)
        self._rows, self._versions = rows, versions

    @cached_property
    def listing(self) -> Mapping[str, FileEntry]:
        source_of = self.tools.extractor.source_of
        return {
            path: FileEntry(row.content.hex(), source_of(self._versions[row.version].extraction), (row.language,))
            for path, row in self._rows.items()
            if row.version is not None and row.language is not None
        }

    def manifests(self) -> dict[str, str]:
        store = self.tools.extractor.store
        return {} if store is None else kept_manifests(store, self._rows)

    def attribute(self, path: str) -> str | None:
        row = self._rows.get(path)
        return row.attribute if row is not None else None


def read_blob(git: GitRepository, blob: str, max_bytes: int) -> bytes:
    size = git.sizes([blob]).get(blob)
    if size is None:
        raise BirthmarkError(f"blob {blob[:12]} {NOT_IN_CLONE}")
    if size > max_bytes:
        raise BirthmarkError(TOO_LARGE)
    return git.read(blob)


def kept_content(workspace: Workspace, git: GitRepository | None, content_id: str) -> bytes | None:
    """A content that the subscriptions have kept, or git has."""
    from birthmark.app.workspace.stores import has_subscriptions, subscription_store  # Other states need no store.

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
