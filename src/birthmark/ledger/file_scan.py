"""Scan the files that may have changed: read them, hash them, and extract what is not in the cache.

Takes ScannedFiles, which it fills in. Extractions are stored at once, so that an interrupted run loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from birthmark.errors import BirthmarkError
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import Blob, ExhaustedProblem
from birthmark.extraction.state import content_id_of, detect_language, is_manifest
from birthmark.model import Level, Problem
from birthmark.sources.discover import FoundFile
from birthmark.sources.third_party import LeftOut
from birthmark.store.model import ContentKey, SnapshotFile

_PROGRESS_EVERY = 200  # files
_RACY_NS = 50_000_000
_UNSEEN = -1  # a time that no file has: the next run reads it


class IndexTools(NamedTuple):
    """The tools that an update of the index needs besides store and files."""

    extractor: Extractor
    family_of: Callable[[str], str]
    setup: str  # all that may give another index of the same files
    level: Level
    now: Callable[[], int]
    progress: Callable[[str, int, int], None]
    third_party: bool = False  # Minified sources are read as well.
    finish: Callable[[], object] = lambda: None  # called before the transaction of an update ends


class UpdateTarget(NamedTuple):
    """The worktree to bring up to date, its branch and commit, and the paths to scan."""

    worktree: str
    branch: str
    revision: str | None
    problems: list[Problem]  # of files that could not even be listed
    left_out: Sequence[LeftOut] = ()
    scope: frozenset[str] | None = None  # the paths that were scanned; None: all


class FoundFiles(Protocol):
    """The files of a worktree or of a commit, whose contents can be read."""

    @property
    def found(self) -> dict[str, FoundFile]: ...

    def read(self, found: FoundFile) -> bytes: ...

    def is_as_indexed(self, found: FoundFile, row: SnapshotFile) -> bool:
        """Return True if a file is certainly as it was indexed, without reading it."""
        ...


class ScannedFile(msgspec.Struct):
    """A file that may have changed."""

    found: FoundFile
    content_id: bytes = b""
    language: str | None = None
    problem: str | None = None
    is_exhausted: bool = False  # its extraction is to be tried again
    manifest: bytes | None = None  # its content, which is kept even in no language of ours

    @property
    def key(self) -> ContentKey | None:
        return None if self.language is None or self.problem else (self.content_id, self.language)


def extract_missing(state: FoundFiles, scanned: list[ScannedFile], tools: IndexTools) -> int:
    """Read and hash the files, cache missing extractions, and return their number."""
    problems: dict[ContentKey, Problem] = {}
    n_extracted = 0
    for blob, result in tools.extractor.fill_cache(read_blobs(state, scanned, tools), tools.level):
        n_extracted += 1
        if isinstance(result, Problem):
            problems[blob.key] = result
    for file in scanned:
        take_problem(file, problems)
    return n_extracted


def take_problem(file: ScannedFile, problems: Mapping[ContentKey, Problem]) -> ScannedFile:
    """Add the problem of a file's content to the file, if it has one."""
    problem = problems.get(file.key) if file.key is not None else None
    if problem is not None:
        file.problem, file.is_exhausted = problem.problem, isinstance(problem, ExhaustedProblem)
    return file


def read_blobs(state: FoundFiles, scanned: Sequence[ScannedFile], tools: IndexTools) -> Iterator[Blob]:
    """Read and hash the files; yield those in a supported language."""
    for number, file in enumerate(scanned):
        if number % _PROGRESS_EVERY == 0:
            tools.progress("reading", number, len(scanned))
        content = _read(state, file, third_party=tools.third_party)
        if content is not None and file.language is not None:
            yield Blob(file.content_id, file.language, lambda content=content: content, file.found.path)  # type: ignore[misc]
    tools.progress("reading", len(scanned), len(scanned))


def _read(state: FoundFiles, file: ScannedFile, *, third_party: bool) -> bytes | None:
    try:
        content = state.read(file.found)
    except BirthmarkError as error:
        file.problem = str(error)
        return None
    file.content_id = content_id_of(content)
    file.language = detect_language(file.found.path, file.found.language, lambda: content, third_party=third_party)
    file.manifest = content if is_manifest(file.found.path) else None
    return content


def pending_paths(state: FoundFiles, rows: Mapping[str, SnapshotFile]) -> list[str]:
    """Return files that are new, gone or changed; they are read only if their status leaves a doubt."""
    changed = [path for path, found in state.found.items() if not _is_same(state, found, rows.get(path))]
    return sorted([*changed, *(path for path in rows if path not in state.found)])


def _is_same(state: FoundFiles, found: FoundFile, row: SnapshotFile | None) -> bool:
    if row is None or state.is_as_indexed(found, row):
        return row is not None
    if (found.size, found.language) != (row.size, row.attribute):
        return False
    try:
        return content_id_of(state.read(found)) == row.content
    except BirthmarkError:
        return False


def find_differences(
    state: FoundFiles, rows: Iterable[SnapshotFile], *, is_sure: bool
) -> tuple[list[FoundFile], dict[str, SnapshotFile]]:
    """Return the files that may have changed, and the rows of files that differ or are gone.

    Rows with problems are held as well; unless `is_sure`, all rows are.
    """
    different: dict[str, SnapshotFile] = {}
    unchanged: set[str] = set()
    for row in rows:
        found = state.found.get(row.path)
        is_same = is_sure and found is not None and state.is_as_indexed(found, row)
        if is_same:
            unchanged.add(row.path)
        if not is_same or row.problem:
            different[row.path] = row
    return [found for path, found in state.found.items() if path not in unchanged], different


def is_given_up(found: FoundFile, row: SnapshotFile) -> bool:
    """Return True if a file could not be extracted as it is; another try costs another time limit."""
    return bool(row.problem) and (found.size, found.ctime_ns, found.inode) == (row.size, row.ctime_ns, row.inode)


def is_racy(found: FoundFile, started: int) -> bool:
    """Return True if a file was written so recently that another write may have the same time."""
    return max(found.mtime_ns, found.ctime_ns) >= started - _RACY_NS


def snapshot_row(file: ScannedFile, old: SnapshotFile | None, version: int | None, started: int) -> SnapshotFile:
    """Return the row of a file in a snapshot, at a version.

    Content that could not be extracted for lack of resources is not recorded, so that it is tried again.
    """
    found = file.found
    is_taken = file.content_id and not file.is_exhausted
    return SnapshotFile(
        found.path,
        None if found.os_path == found.path else found.os_path.encode("utf-8", "surrogateescape"),
        found.size,
        _UNSEEN if file.is_exhausted or is_racy(found, started) else found.mtime_ns,
        found.ctime_ns,
        found.inode,
        found.language,
        file.content_id if is_taken else old.content if old is not None else b"",
        file.language,
        version,
        file.problem,
    )


def has_same_status(found: FoundFile, row: SnapshotFile) -> bool:
    """Return True if a file's status is as it was when it was indexed."""
    return (found.size, found.mtime_ns, found.ctime_ns, found.inode, found.language) == (
        row.size,
        row.mtime_ns,
        row.ctime_ns,
        row.inode,
        row.attribute,
    )
