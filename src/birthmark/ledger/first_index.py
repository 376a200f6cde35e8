"""Make a first index: all files are new and all entities are born, so that nothing is compared.

Takes what an update takes; gives the number of extractions and the changes. Files are written in portions while others
are still extracted, each portion in its own transaction, which bounds memory. An interrupted run continues with the
files that it did not write.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice

from birthmark.extraction.codec import ShownOutline, show_outline, unpack_outline, unpack_shown
from birthmark.extraction.kept_texts import keep_texts
from birthmark.identity.keys import place_of
from birthmark.ledger.file_scan import (
    FoundFiles,
    IndexTools,
    ScannedFile,
    UpdateTarget,
    read_blobs,
    snapshot_row,
    take_problem,
)
from birthmark.ledger.issue_keys import BirthIssuer, IssuedKey, make_tuples
from birthmark.ledger.record import version_content
from birthmark.model import Level, Problem
from birthmark.store.model import ContentKey, Identity, LedgerEntries, Run, Version
from birthmark.store.port import Store
from birthmark.vocabulary import Change

_PORTION = 500  # files
_LOOKED_AT = 4 * _PORTION  # waiting files that are checked for being extracted


NewFile = tuple[str, int, ShownOutline]  # with its path and its extraction


def make_first_index(
    store: Store,
    state: FoundFiles,
    target: UpdateTarget,
    tools: IndexTools,
    scanned: Sequence[ScannedFile],
    started: int,
) -> tuple[int, dict[str, int]]:
    portions = _Portions(store, target, tools, scanned, started)
    n_extracted = 0
    for blob, result in tools.extractor.fill_cache(read_blobs(state, scanned, tools), tools.level):
        n_extracted += 1
        if isinstance(result, Problem):
            portions.problems[blob.key] = result
        else:
            portions.shown[blob.key] = result.shown
        if n_extracted % _PORTION == 0:
            portions.write_finished()
    tools.extractor.close()
    keep_texts(store, [(file.content_id, file.manifest) for file in scanned if file.manifest is not None])
    portions.write_all()
    return n_extracted, {Change.BORN: portions.n_born, Change.UNCHANGED: 0}


class _Portions:
    """Files in order, of which the first extracted ones are written."""

    def __init__(
        self, store: Store, target: UpdateTarget, tools: IndexTools, scanned: Sequence[ScannedFile], started: int
    ) -> None:
        self.store, self.target, self.tools, self.started = store, target, tools, started
        self.waiting = deque(scanned)
        self.shown: dict[ContentKey, bytes] = {}  # as workers packed it, until it is written
        self.problems: dict[ContentKey, Problem] = {}
        self.issuer = BirthIssuer(store, tools.now(), (file.found.path for file in scanned))
        self.run: Run | None = None
        self.snapshot = 0
        self.n_born = 0

    def write_finished(self) -> None:
        """Write finished files; none before those in front of it, as names depend on the order of files."""
        first = list(islice(self.waiting, _LOOKED_AT))
        numbers = self._numbers(first)
        n_finished = 0
        for file in first:
            key = file.key
            if not file.problem and (not file.content_id or (key and key not in numbers and key not in self.problems)):
                break
            n_finished += 1
        for start in range(0, n_finished, _PORTION):
            self._write(min(_PORTION, n_finished - start), is_last=False)

    def write_all(self) -> None:
        while len(self.waiting) > _PORTION:
            self._write(_PORTION, is_last=False)
        self._write(len(self.waiting), is_last=True)

    def _write(self, n_files: int, *, is_last: bool) -> None:
        files = [take_problem(self.waiting.popleft(), self.problems) for _ in range(n_files)]
        new_files = self._new_files(files)
        with self.store.writing(is_last=is_last):
            versions = self._record(new_files, self._begin_run())
            rows = [snapshot_row(file, None, versions.get(file.found.path), self.started) for file in files]
            self.store.change_files(self.snapshot, rows, ())

    def _begin_run(self) -> Run:
        if self.run is None:
            target = self.target
            self.run = self.store.begin_run(target.worktree, target.branch or None, target.revision, self.tools.now())
            self.snapshot = self.store.snapshot_for(self.run, self.tools.setup, None)
        return self.run

    def _numbers(self, files: Sequence[ScannedFile]) -> dict[ContentKey, int]:
        return self.tools.extractor.numbers({key for file in files if (key := file.key) is not None}, Level.OUTLINE)

    def _new_files(self, files: Sequence[ScannedFile]) -> list[NewFile]:
        """Return new files; outlines that were cached or are at several paths are unpacked from the store."""
        numbers = self._numbers(files)
        packed = {numbers[key]: self.shown.pop(key) for key in numbers if key in self.shown}
        shown = {number: unpack_shown(one) for number, one in packed.items() if one}
        missing = set(numbers.values()) - shown.keys()
        shown |= {number: show_outline(unpack_outline(one)) for number, one in self.store.outlines(missing)}
        extracted = ((file.found.path, numbers.get(file.key)) for file in files if file.key is not None)
        return [(path, number, shown[number]) for path, number in extracted if number is not None]

    def _record(self, files: Sequence[NewFile], run: Run) -> dict[str, int]:
        """Record files and return their versions by path."""
        issued = iter(self.issuer.issue([scope for file in files for scope in _semantic_paths(file)]))
        keys = [list(islice(issued, len(shown.entities))) for _, _, shown in files]
        born = [one for file, found in zip(files, keys, strict=True) for one in _born(file, found, run)]
        new = [
            Version(0, path, extraction, run.run, tuple([key.identity for key, _ in found]))
            for (path, extraction, _), found in zip(files, keys, strict=True)
        ]
        entries = LedgerEntries(run.run, [key for found in keys for key, _ in found], born, versions=new)
        versions = self.store.append_ledger(entries)
        contents = zip(versions, files, keys, strict=True)
        self.store.show_versions([version_content(version, shown, found) for version, (_, _, shown), found in contents])
        self.n_born += len(born)
        return {version.path: version.version for version in versions}


def _semantic_paths(file: NewFile) -> list[str]:
    path, _, shown = file
    place = place_of(path)
    return [scope + place for scope, *_ in shown.entities]


def _born(file: NewFile, keys: Sequence[IssuedKey], run: Run) -> list[Identity]:
    path, _, shown = file
    rows = [
        (key.identity, mark, f"{key.semantic_path}:T{key.birth}", run.run, path, start_line, end_line)
        for (*_, start_line, end_line, _), (key, mark) in zip(shown.entities, keys, strict=True)
    ]
    return list(make_tuples(Identity, rows))
