"""A state of a repository: paths, contents, languages and outlines.

Takes a listing of files with a function that loads each; `app/workspace/states.py` lists a worktree, a commit or the
index. Languages are detected only here: by `.gitattributes` of the state, then by name, extension and first line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property, lru_cache
from hashlib import sha1
from pathlib import PurePosixPath
from typing import NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import Blob, OutlinedFile
from birthmark.languages.registry import is_minified, load_registry
from birthmark.model import Level, Problem
from birthmark.syntax.encodings import to_utf8

INDEX, WORKTREE, NOTHING = "the index", "the worktree", "nothing"

_ESCAPED = re.compile(rb"\\x([89a-f][0-9a-f])")
_CONTENTS = 256  # held in memory


def content_id_of(content: bytes) -> bytes:
    """Return git's id of the blob, by which contents in git are known without being read."""
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).digest()


def wants_file(name: str) -> bool:
    """Return True if an index keeps the contents of files of that name."""
    return is_source_path(name) or is_manifest(name)


def is_source_path(path: str) -> bool:
    """Return True if a file may be in a supported language; one without an extension may be a script."""
    return "." not in path.rpartition("/")[2] or load_registry().of_path(path) is not None


def is_manifest(path: str) -> bool:
    """Return True for a file that defines packages or modules, in a supported language or not."""
    return load_registry().is_manifest(path)


def detect_language(
    path: str, attribute: str | None, load: Callable[[], bytes | None], *, third_party: bool = False
) -> str | None:
    """Return the language of a file. A minified source has none, unless an attribute or `third_party` asks for it."""
    spec = load_registry().detect(path, attribute, load)
    if spec is None:
        return None
    is_judged = spec.has_minifiers and attribute is None and not third_party
    return None if is_judged and is_minified(load() or b"") else spec.name


def may_be_minified(path: str) -> bool:
    spec = load_registry().of_path(path)
    return spec is not None and spec.has_minifiers


def os_path(path: str) -> bytes:
    """Return the bytes of a path as in ids or from the system; `\\xe9` in a name stands for that byte."""
    return _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), path.encode("utf-8", "surrogateescape"))


class FileEntry(NamedTuple):
    """A file of a state: git's id of its content, and a function that loads it or raises a BirthmarkError."""

    content_id: str
    load: Callable[[], bytes]
    recorded: tuple[str | None] | None = None  # the language, if the index has it


class StateTools(NamedTuple):
    """Tools that all states of a repository share."""

    extractor: Extractor
    max_bytes: int
    problems: list[Problem]
    third_party: bool = False  # Minified sources are read as well.


class RepositoryState:
    """Files with contents and, in supported languages, outlines; this class has none, as before the first commit.

    `revision` is its commit or base.
    """

    def __init__(self, tools: StateTools, name: str, revision: str | None) -> None:
        self.tools, self.name, self.revision = tools, name, revision
        self._files: dict[tuple[str, Level], OutlinedFile | None] = {}
        self._languages: dict[str, str | None] = {}
        self._entries: dict[str, FileEntry | None] = {}
        self.content = lru_cache(_CONTENTS)(self._content)

    @cached_property
    def listing(self) -> Mapping[str, FileEntry]:
        """Return the files that may be in a supported language."""
        return {}

    def attribute(self, path: str) -> str | None:
        """Return the language that `.gitattributes` names for a file."""
        return None

    def holding(self, content: bytes, like: str) -> list[str]:
        """Return the files with a content and the extension of a path, in any language."""
        return []

    def leaves_out(self, path: str) -> bool:
        """Return True for a file that is there, but is not listed."""
        return False

    def dirty(self) -> Collection[str]:
        """Return the files that differ from the commit it is based on; all without one."""
        return self.paths()

    def _find(self, path: str) -> FileEntry | None:
        """Return a file in any language."""
        return self.listing.get(path)

    def paths(self) -> Collection[str]:
        """Return the files that may be in a supported language."""
        return self.listing.keys()

    def manifest_paths(self) -> Collection[str]:
        """Return the files that define packages or modules."""
        return [path for path in self.paths() if is_manifest(path)]

    def manifests(self) -> dict[str, str]:
        """Return the texts of manifests by path."""
        contents = {path: self.content(path) for path in self.manifest_paths()}
        return {path: content.decode("utf-8", "replace") for path, content in contents.items() if content is not None}

    def entry(self, path: str) -> FileEntry | None:
        if path not in self._entries:
            self._entries[path] = self._find(path) if _is_inside(path) else None
        return self._entries[path]

    def content_id(self, path: str) -> str | None:
        """Return git's id of a file's content; None if there is no such file or it cannot be read."""
        entry = self.entry(path)
        return entry.content_id if entry is not None else None

    def _content(self, path: str) -> bytes | None:
        entry = self.entry(path)
        try:
            return to_utf8(entry.load()) if entry is not None else None
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
        return detect_language(
            path, self.attribute(path), lambda: self.content(path), third_party=self.tools.third_party
        )

    def blob(self, path: str) -> Blob | None:
        """Return a file to extract; None if it does not exist or is in no supported language."""
        entry, language = self.entry(path), self.language(path)
        if entry is None or language is None:
            return None
        return Blob(bytes.fromhex(entry.content_id), language, entry.load, path)

    def load(self, paths: Iterable[str], level: Level = Level.OUTLINE) -> list[OutlinedFile]:
        """Load the readable files together; entities alone cost half."""
        paths = sorted(paths)
        missing = [path for path in paths if (path, level) not in self._files]
        self._files |= {(path, level): None for path in missing}
        blobs = [blob for path in missing if (blob := self.blob(path)) is not None]
        for blob, outline in self.tools.extractor.outlines(blobs, level, self._fetch):
            if isinstance(outline, Problem):
                self._report(blob.path, outline.problem)
            else:
                self._files[blob.path, level] = OutlinedFile(blob.path, outline, blob.load_text)
        return [file for path in paths if (file := self._files[path, level]) is not None]

    def _fetch(self, blobs: list[Blob]) -> None:
        """Bring files here that are about to be read."""

    def file(self, path: str, level: Level = Level.OUTLINE) -> OutlinedFile | None:
        return next(iter(self.load([path], level)), None)

    @property
    def problems(self) -> list[Problem]:
        """Return the problems of all states of the repository so far."""
        return self.tools.problems

    def problem(self, path: str) -> str | None:
        """Return the reason that an existing file could not be read."""
        return next((problem.problem for problem in self.problems if problem.path == path), None)

    def _report(self, path: str, text: str) -> None:
        problem = Problem(path, text.removeprefix(f"{path}: "))
        if problem not in self.problems:
            self.problems.append(problem)


class OverlayState(RepositoryState):
    """Another state with some files replaced or removed."""

    def __init__(self, base: RepositoryState, entries: Mapping[str, FileEntry | None], *, is_whole: bool) -> None:
        """Lay entries over a state; with `is_whole` they are all its files."""
        super().__init__(base.tools, base.name, None if is_whole else base.revision)
        self.base, self._replaced, self._is_whole = base, entries, is_whole

    @cached_property
    def listing(self) -> Mapping[str, FileEntry]:
        listed = {} if self._is_whole else self.base.listing
        merged = {**listed, **self._replaced}
        return {path: entry for path, entry in merged.items() if entry is not None}

    def attribute(self, path: str) -> str | None:
        return self.base.attribute(path)

    def manifests(self) -> dict[str, str]:
        kept = {} if self._is_whole else self.base.manifests()
        return {path: text for path, text in kept.items() if path not in self._replaced} | super().manifests()

    def dirty(self) -> Collection[str]:
        return self.paths() if self.revision is None else differing_paths(self, self.base)


def differing_paths(state: RepositoryState, base: RepositoryState) -> list[str]:
    paths = sorted({*state.paths(), *base.paths()})
    return [path for path in paths if state.content_id(path) != base.content_id(path) and not state.leaves_out(path)]


def is_same_file(path: str, state: RepositoryState, other: RepositoryState) -> bool:
    """Return True if a file has the same content and language in two states; without a new attribute none is loaded."""
    if state.content_id(path) != other.content_id(path):
        return False
    return state.attribute(path) == other.attribute(path) or state.language(path) == other.language(path)


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not PurePosixPath(path).is_absolute() and ".." not in parts
