"""Find the changes of commits, and extract and pair them before they are needed.

Takes commits; gives the changed files of each with the numbers of their extractions. Missing extractions are made by
all workers, while the caller does something else between two steps. A pairing is a pure function of the files on both
sides; these are certain only when the commit is folded, so a ReadyPairing is used only if it was made of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from birthmark.comparison.touched_entities import (
    PackedFile,
    PairingTask,
    TouchedFiles,
    decode_touched,
    encode_pairing_task,
    pair_packed,
)
from birthmark.errors import BirthmarkError
from birthmark.extraction.calls import Call
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import Blob
from birthmark.extraction.state import content_id_of, detect_language, may_be_minified
from birthmark.ledger.file_scan import IndexTools
from birthmark.model import Level, Problem
from birthmark.sources.discover import NOT_IN_CLONE
from birthmark.sources.git.log import Link
from birthmark.sources.git.repository import ChangedFile
from birthmark.store.model import ContentKey

UNREADABLE = -1  # instead of an extraction
_SHA1_DIGITS = 40
# A file that is passed over would be taken for unchanged, and its history would stay wrong.
_LACKING = (
    "is not in this clone, so its history cannot be replayed; add `--fetch`, or run `git fetch --refetch --no-filter`"
)

PathAndExtraction = tuple[str, int]


class ReplaySource(Protocol):
    """The commits of a repository."""

    def changes_of(self, links: Sequence[Link]) -> list[list[ChangedFile]]:
        """Return the changes of commits, parents first, in files that may be in a supported language."""

    def first_parents(self, commit: str) -> list[str]: ...
    def is_cut_off(self, commit: str) -> bool:
        """Return True if a shallow clone lacks the parents of a commit."""

    def languages_in(self, commit: str, paths: Collection[str]) -> dict[str, str | None]:
        """Return the languages of the files that a commit has."""

    def attribute_in(self, commit: str, path: str) -> str | None:
        """Return the language that `.gitattributes` of a commit names for a file."""

    def read(self, blobs: Collection[str]) -> Iterator[tuple[str, bytes | str]]:
        """Yield the contents of blobs, or the reason why they cannot be read."""


class ChangedExtraction(NamedTuple):
    """A file that a commit changed, with its extraction; None if it is gone."""

    path: str
    extraction: int | None
    before: int | None = None  # the extraction in the first parent, if the name shows the language

    @property
    def is_changed(self) -> bool:
        """Return True if the file changed; a file that cannot be read is taken to be as it was."""
        return self.extraction not in (UNREADABLE, self.before)


class _ChangedBlob(NamedTuple):
    path: str
    blob: str
    attribute: str | None


class Prefetch:
    """The changes of some commits; all steps have to be taken within one transaction of the store."""

    def __init__(self, source: ReplaySource, tools: IndexTools, links: Sequence[Link]) -> None:
        self.source, self.tools = source, tools
        self.keys: dict[_ChangedBlob, ContentKey] = {}
        self.unreadable: dict[_ChangedBlob, int] = {}
        self.problems: list[Problem] = []
        self.n_extracted = 0
        self._contents: dict[str, bytes] = {}
        changes = source.changes_of(links) if links else []
        self._changed = [
            [self._changed_blob(link.commit, change) for change in changed]
            for link, changed in zip(links, changes, strict=True)
        ]
        self._before = [
            [
                _key_by_name(one._replace(blob=change.old_blob or ""), third_party=True)
                for one, change in zip(ours, changed, strict=True)
            ]
            for ours, changed in zip(self._changed, changes, strict=True)
        ]
        self._find_keys()
        cached = self._cached()
        self._read(changed for changed, key in self.keys.items() if key not in cached)
        self.tasks = list(self._missing(cached))

    def _changed_blob(self, commit: str, change: ChangedFile) -> _ChangedBlob:
        attribute = self.source.attribute_in(commit, change.path) if change.new_blob else None
        return _ChangedBlob(change.path, change.new_blob or "", attribute)

    def steps(self, calls: Sequence[Call] = ()) -> Iterator[None]:
        """Run some calls, then extract missing sources; a step is one call, or one source."""
        for found in self.tools.extractor.fill_cache_beside(self.tasks, Level.ENTITIES, calls):
            if found is not None and isinstance(found[1], Problem):
                self.problems.append(found[1])
            elif found is not None:
                self.n_extracted += 1
            yield

    def changes(self) -> list[list[ChangedExtraction]]:
        """Return the changes of each commit, once all steps were taken."""
        earlier = {key for before in self._before for key in before if key is not None}
        found = self.tools.extractor.numbers({*self.keys.values(), *earlier})
        extractions = {changed: found.get(key, UNREADABLE) for changed, key in self.keys.items()} | self.unreadable
        return [
            [
                ChangedExtraction(one.path, extractions.get(one), found.get(key) if key is not None else None)
                for one, key in zip(changed, before, strict=True)
            ]
            for changed, before in zip(self._changed, self._before, strict=True)
        ]

    def _cached(self) -> dict[ContentKey, int]:
        return self.tools.extractor.numbers(set(self.keys.values()))

    def _find_keys(self) -> None:
        """Find the keys of contents by git's blob ids, unless the repository has longer ones."""
        undecided: list[_ChangedBlob] = []
        for one in dict.fromkeys(one for changed in self._changed for one in changed if one.blob):
            key = _key_by_name(one, third_party=self.tools.third_party)
            if key is not None:
                self.keys[one] = key
            else:
                undecided.append(one)
        self._read(undecided)
        for one in undecided:
            self._decide_by_content(one)

    def _decide_by_content(self, one: _ChangedBlob) -> None:
        content = self._contents.get(one.blob)
        if content is None:
            self.unreadable[one] = UNREADABLE
        elif (language := self._detect(one, content)) is not None:
            self.keys[one] = (content_id_of(content), language)

    def _detect(self, one: _ChangedBlob, content: bytes) -> str | None:
        return detect_language(one.path, one.attribute, lambda: content, third_party=self.tools.third_party)

    def _read(self, changed: Iterable[_ChangedBlob]) -> None:
        paths = {one.blob: one.path for one in changed if one.blob not in self._contents}
        for blob, content in self.source.read(paths):
            if isinstance(content, bytes):
                self._contents[blob] = content
            elif content == NOT_IN_CLONE:
                raise BirthmarkError(f"{paths[blob]}: blob {blob[:12]} {_LACKING}")
            else:
                self.problems.append(Problem(paths[blob], f"blob {blob[:12]} {content}"))

    def _missing(self, cached: Collection[ContentKey]) -> Iterator[Blob]:
        seen, contents = set(cached), self._contents
        for one, key in self.keys.items():
            if key not in seen and one.blob in self._contents:
                seen.add(key)
                yield Blob(*key, lambda blob=one.blob: contents[blob], one.path)  # type: ignore[misc]


def _key_by_name(one: _ChangedBlob, *, third_party: bool) -> ContentKey | None:
    """Return the key; None if only the content tells the language, or git has another kind of id."""
    if len(one.blob) != _SHA1_DIGITS:
        return None
    if not third_party and one.attribute is None and may_be_minified(one.path):
        return None
    language = detect_language(one.path, one.attribute, lambda: None)
    return (bytes.fromhex(one.blob), language) if language is not None else None


def restore_outlines(source: ReplaySource, tools: IndexTools, lost: Collection[ContentKey]) -> None:
    """Extract outlines that were lost with a database again; git still has their sources."""
    contents = dict(source.read({content_id.hex() for content_id, _ in lost})) if lost else {}
    blobs = [
        Blob(*key, lambda content=content: content)  # type: ignore[misc]
        for key in lost
        if isinstance(content := contents[key[0].hex()], bytes)
    ]
    for _ in tools.extractor.fill_cache(blobs, Level.ENTITIES):
        pass


class ReadyPairing:
    """The files that a commit is expected to change, and their pairing once it is ready."""

    def __init__(self, changes: Sequence[ChangedExtraction]) -> None:
        changed = [change for change in changes if change.is_changed]
        self.old = [(change.path, change.before) for change in changed if change.before is not None]
        self.new = [(change.path, change.extraction) for change in changed if change.extraction is not None]
        self.is_done = not (self.old and self.new)
        self.lost: set[str] = set()  # paths of old files whose outlines are no longer kept
        self._result: bytes | None = None

    def call(self, extractor: Extractor) -> Iterator[Call]:
        """Yield a call, if there is something to pair."""
        if not self.is_done:
            yield Call(pair_packed, lambda: encode_pairing_task(self._task(extractor)), self._finish)

    def _task(self, extractor: Extractor) -> PairingTask:
        """Return the packed files; lost contents are left out, here as in the commit."""
        packed = extractor.packed({extraction for _, extraction in (*self.old, *self.new)})
        self.lost = {path for path, extraction in self.old if extraction not in packed}
        self.old = [each for each in self.old if each[1] in packed]
        old = [PackedFile(path, extraction, *packed[extraction]) for path, extraction in self.old]
        return old, [PackedFile(path, extraction, *packed[extraction]) for path, extraction in self.new]

    def _finish(self, result: bytes | None) -> None:
        """Store the result of a worker; without one the pairing is made later."""
        self.is_done, self._result = True, result

    def of(self, old: Sequence[PathAndExtraction], new: Sequence[PathAndExtraction]) -> TouchedFiles | None:
        """Return the files that the commit touched, if it changed these files."""
        if self._result is None or (old, new) != (self.old, self.new):
            return None
        return decode_touched(self._result)
