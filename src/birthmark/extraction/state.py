"""A state of a repository: the worktree, a commit, the index, or one of them with some files replaced.

Gives paths, contents, languages and outlines. Languages are detected here and nowhere else: by `.gitattributes` of the
state, then by name, extension and first line. A commit lists its files only when all of them are asked for.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property, lru_cache, partial
from hashlib import sha1
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import Blob, OutlinedFile
from birthmark.languages.registry import load_registry
from birthmark.model import Level, Problem
from birthmark.sources.attributes import ATTRIBUTES_FILE, CommittedAttributes
from birthmark.sources.discover import Discovery, FoundFile, discover
from birthmark.sources.git import Repository
from birthmark.sources.worktree import read_file
from birthmark.store.model import SnapshotFile, Version

INDEX, WORKTREE = "the index", "the worktree"

_ESCAPED = re.compile(rb"\\x([89a-f][0-9a-f])")
_CONTENTS = 256  # that are held
_RACY_NS = 50_000_000


def content_id_of(content: bytes) -> bytes:
    """Git's id of the blob, so that what git knows by it is known here without reading."""
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).digest()


def wants_file(name: str) -> bool:
    """Whether a file of that name may be in a language of ours; one without an extension may be a script."""
    return "." not in name or load_registry().of_path(name) is not None


def _is_source_path(path: str) -> bool:
    return wants_file(path.rpartition("/")[2])


def detect_language(path: str, attribute: str | None, load: Callable[[], bytes | None]) -> str | None:
    """By the attribute, the name or the extension; only what has none of them is loaded, for its first line."""
    registry = load_registry()
    spec = (registry.named(attribute) if attribute else None) or registry.of_path(path)
    if spec is None and "." not in path.rpartition("/")[2]:
        spec = registry.of_content(load() or b"")
    return spec.name if spec else None


def os_path(path: str) -> bytes:
    """The bytes of a path as ids have it, or as the system gives it; a name with a `\\xe9` in it is read as a byte."""
    return _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), path.encode("utf-8", "surrogateescape"))


class FileEntry(NamedTuple):
    """A file of a state: its content by git's id, and a way to its bytes, which may raise a BirthmarkError."""

    content_id: str
    load: Callable[[], bytes]
    recorded: tuple[str | None] | None = None  # the language, where the index has recorded it


class StateTools(NamedTuple):
    """What all states of a repository share."""

    extractor: Extractor
    max_bytes: int
    problems: list[Problem]


class RepositoryState(ABC):
    """Outlines are there for files in our languages, contents for all. `revision`: the commit it is or is based on."""

    def __init__(self, tools: StateTools, name: str, revision: str | None) -> None:
        self.tools, self.name, self.revision = tools, name, revision
        self._files: dict[str, OutlinedFile | None] = {}
        self._languages: dict[str, str | None] = {}
        self._entries: dict[str, FileEntry | None] = {}
        self.content = lru_cache(_CONTENTS)(self._content)

    @cached_property
    @abstractmethod
    def listing(self) -> Mapping[str, FileEntry]:
        """The files that may be in a language of ours."""

    @abstractmethod
    def attribute(self, path: str) -> str | None:
        """The language that `.gitattributes` names for a file."""

    def holding(self, content: bytes, like: str) -> list[str]:
        """The files, in whatever language, that have a content, and the extension of a path."""
        return []

    def dirty(self) -> Collection[str]:
        """The files that differ from the commit it is based on; all, where there is none."""
        return self.paths()

    def _find(self, path: str) -> FileEntry | None:
        """A file in any language."""
        return self.listing.get(path)

    def paths(self) -> Collection[str]:
        """The files that may be in a language of ours."""
        return self.listing.keys()

    def entry(self, path: str) -> FileEntry | None:
        if path not in self._entries:
            self._entries[path] = self._find(path) if _is_inside(path) else None
        return self._entries[path]

    def content_id(self, path: str) -> str | None:
        """Git's id of what a file holds; None where there is no such file, or it cannot be read."""
        entry = self.entry(path)
        return entry.content_id if entry is not None else None

    def _content(self, path: str) -> bytes | None:
        entry = self.entry(path)
        try:
            return entry.load() if entry is not None else None
        except BirthmarkError as error:
            self._report(path, str(error))
            return None

    def language(self, path: str) -> str | None:
        if path not in self._languages:
            self._languages[path] = self._language(path)
        return self._languages[path]

    def _language(self, path: str) -> str | None:
        entry = self.entry(path)
        if entry is None:
            return None
        if entry.recorded is not None:
            return entry.recorded[0]
        return detect_language(path, self.attribute(path), lambda: self.content(path))

    def blob(self, path: str) -> Blob | None:
        """A file to be extracted; None where it is not there, or in no language of ours."""
        entry, language = self.entry(path), self.language(path)
        if entry is None or language is None:
            return None
        return Blob(bytes.fromhex(entry.content_id), language, entry.load, path)

    def load(self, paths: Iterable[str]) -> list[OutlinedFile]:
        """The files that can be read, all at once."""
        paths = sorted(paths)
        missing = [path for path in paths if path not in self._files]
        self._files |= dict.fromkeys(missing)
        blobs = [blob for path in missing if (blob := self.blob(path)) is not None]
        for blob, outline in self.tools.extractor.outlines(blobs, Level.OUTLINE):
            if isinstance(outline, Problem):
                self._report(blob.path, outline.problem)
            else:
                self._files[blob.path] = OutlinedFile(blob.path, outline, blob.load)
        return [file for path in paths if (file := self._files[path]) is not None]

    def file(self, path: str) -> OutlinedFile | None:
        return next(iter(self.load([path])), None)

    @property
    def problems(self) -> list[Problem]:
        """Of all states of the repository that were looked at."""
        return self.tools.problems

    def problem(self, path: str) -> str | None:
        """Why a file that is there could not be read."""
        return next((problem.problem for problem in self.problems if problem.path == path), None)

    def _report(self, path: str, text: str) -> None:
        problem = Problem(path, text.removeprefix(f"{path}: "))
        if problem not in self.problems:
            self.problems.append(problem)


class CommitState(RepositoryState):
    """The files of a commit; a single one is looked up without listing the others."""

    def __init__(self, tools: StateTools, git: Repository, commit: str, attributes: CommittedAttributes) -> None:
        super().__init__(tools, commit, commit)
        self.git, self.commit, self._attributes = git, commit, attributes
        self._attribute_blob = lru_cache(None)(self._find_attribute_blob)

    @cached_property
    def tree(self) -> dict[str, str]:
        """The blobs of all files."""
        return {path: entry.blob for path, entry in self.git.tree(self.commit).items()}

    @cached_property
    def listing(self) -> Mapping[str, FileEntry]:
        has_attributes = any(path.endswith(ATTRIBUTES_FILE) for path in self.tree) or self._attributes.are_local
        is_wanted = self._is_wanted if has_attributes else _is_source_path
        return {path: self._entry(path, blob) for path, blob in self.tree.items() if is_wanted(path)}

    def _is_wanted(self, path: str) -> bool:
        traits = self._attributes.of_path(os_path(path), self._attribute_blob)
        return not traits.is_foreign and (traits.language is not None or _is_source_path(path))

    def attribute(self, path: str) -> str | None:
        return self._attributes.of_path(os_path(path), self._attribute_blob).language

    def _find_attribute_blob(self, folder: bytes) -> str | None:
        return self._blob_at(folder.decode("utf-8", "backslashreplace") + ATTRIBUTES_FILE)

    def _blob_at(self, path: str) -> str | None:
        if "tree" in self.__dict__:
            return self.tree.get(path)
        return self.git.blob_at(self.commit, os_path(path))

    def _find(self, path: str) -> FileEntry | None:
        blob = self._blob_at(path)
        return None if blob is None else self._entry(path, blob)

    def _entry(self, path: str, blob: str) -> FileEntry:
        return FileEntry(blob, partial(read_blob, self.git, blob, self.tools.max_bytes))

    def holding(self, content: bytes, like: str) -> list[str]:
        content_id, suffix = content_id_of(content).hex(), PurePosixPath(like).suffix
        return [path for path, blob in self.tree.items() if blob == content_id and path.endswith(suffix)]

    def dirty(self) -> Collection[str]:
        return ()


class WorktreeState(RepositoryState):
    """What is in the worktree now. A file that is as it was when it was indexed is not read for its id."""

    def __init__(
        self,
        tools: StateTools,
        root: Path,
        discovery: Discovery,
        rows: Callable[[], Mapping[str, SnapshotFile]] = dict,
        base: CommitState | None = None,
    ) -> None:
        super().__init__(tools, WORKTREE, base.commit if base is not None else None)
        self.root, self.base, self._rows = root, base, rows
        self.found = {file.path: file for file in discovery.files}

    @cached_property
    def listing(self) -> Mapping[str, FileEntry]:
        rows = self._rows()
        entries = {path: self._entry(found, rows.get(path)) for path, found in self.found.items()}
        return {path: entry for path, entry in entries.items() if entry is not None}

    def _entry(self, found: FoundFile, row: SnapshotFile | None) -> FileEntry | None:
        load = partial(self.read, found)
        if row is not None and row.content and is_as_known(found, row):
            return FileEntry(row.content.hex(), load, (row.language,))
        try:
            return FileEntry(content_id_of(load()).hex(), load)
        except BirthmarkError as error:
            self._report(found.path, str(error))
            return None

    def read(self, found: FoundFile) -> bytes:
        return read_file(self.root / found.os_path, self.tools.max_bytes)

    def attribute(self, path: str) -> str | None:
        found = self.found.get(path)
        return found.language if found is not None else None

    def blob(self, path: str) -> Blob | None:
        """Files that are ignored or foreign are not extracted."""
        return super().blob(path) if path in self.found else None

    def _find(self, path: str) -> FileEntry | None:
        found = self.found.get(path)
        if found is None:
            return self._find_other(path)
        return self.listing.get(path) if "listing" in self.__dict__ else self._entry(found, self._rows().get(path))

    def _find_other(self, path: str) -> FileEntry | None:
        file = self.root / os.fsdecode(os_path(path))
        if not os.path.isfile(file) or not file.resolve().is_relative_to(self.root.resolve()):
            return None
        load = partial(read_file, file, self.tools.max_bytes)
        try:
            return FileEntry(content_id_of(load()).hex(), load)
        except BirthmarkError:
            is_large = file.stat().st_size > self.tools.max_bytes
            self._report(path, "is larger than limits.max_bytes, left out" if is_large else "cannot be read")
            return None

    def holding(self, content: bytes, like: str) -> list[str]:
        content_id, suffix = content_id_of(content).hex(), PurePosixPath(like).suffix
        found = discover(self.root, lambda name: name.endswith(suffix), self.tools.max_bytes).files
        return [one.path for one in found if one.size == len(content) and self.content_id(one.path) == content_id]

    def dirty(self) -> Collection[str]:
        return self.paths() if self.base is None else _differing(self, self.base)


class IndexState(RepositoryState):
    """What was indexed; nothing, where nothing was."""

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

    def attribute(self, path: str) -> str | None:
        row = self._rows.get(path)
        return row.attribute if row is not None else None


class OverlayState(RepositoryState):
    """Another state with some files replaced or removed, which is nowhere any more."""

    def __init__(self, base: RepositoryState, entries: Mapping[str, FileEntry | None], *, is_whole: bool) -> None:
        """`is_whole`: the entries are all there was."""
        super().__init__(base.tools, base.name, None if is_whole else base.revision)
        self.base, self._replaced, self._is_whole = base, entries, is_whole

    @cached_property
    def listing(self) -> Mapping[str, FileEntry]:
        listed = {} if self._is_whole else self.base.listing
        merged = {**listed, **self._replaced}
        return {path: entry for path, entry in merged.items() if entry is not None}

    def attribute(self, path: str) -> str | None:
        return self.base.attribute(path)

    def dirty(self) -> Collection[str]:
        return self.paths() if self.revision is None else _differing(self, self.base)


def read_blob(git: Repository, blob: str, max_bytes: int) -> bytes:
    size = git.sizes([blob]).get(blob)
    if size is None:
        raise BirthmarkError(f"blob {blob[:12]} is not in this clone, left out; fetch it with git, or clone in full")
    if size > max_bytes:
        raise BirthmarkError("is larger than limits.max_bytes, left out")
    return git.read(blob)


def is_racy(found: FoundFile, started: int) -> bool:
    """Whether a file was written so shortly before it was looked at that it may be written again unseen."""
    return max(found.mtime_ns, found.ctime_ns) >= started - _RACY_NS


def is_as_known(found: FoundFile, row: SnapshotFile) -> bool:
    """Whether a file's status is as it was when it was indexed."""
    return (found.size, found.mtime_ns, found.ctime_ns, found.inode, found.language) == (
        row.size,
        row.mtime_ns,
        row.ctime_ns,
        row.inode,
        row.attribute,
    )


def _differing(state: RepositoryState, base: RepositoryState) -> list[str]:
    paths = sorted({*state.paths(), *base.paths()})
    return [path for path in paths if state.content_id(path) != base.content_id(path)]


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not PurePosixPath(path).is_absolute() and ".." not in parts
