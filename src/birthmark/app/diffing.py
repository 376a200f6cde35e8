"""Compare the worktree, the index and revisions with one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from birthmark.app.files import choose_jobs
from birthmark.app.index import extract_all, extractor_version, file_reader, look_around, wants_file
from birthmark.app.stores import open_index
from birthmark.app.workspace import Workspace, find_workspace
from birthmark.comparison.chunks import ChunkChange, ChunkFile, compare_chunks
from birthmark.comparison.entities import EntityChange, compare_files, pair_files
from birthmark.comparison.match_candidates import EntityRef, OutlinedFile
from birthmark.errors import BirthmarkError
from birthmark.extraction.outline import Outline, place_outline, unpack_outline
from birthmark.extraction.segment_extraction import ReadOptions
from birthmark.extraction.workers import warm_languages
from birthmark.languages.registry import load_registry
from birthmark.ledger.file_scan import ExtractionTask, content_id_of
from birthmark.ledger.outline_cache import source_reader
from birthmark.model import Problem
from birthmark.sources.config import Settings, load_settings
from birthmark.sources.git import Repository
from birthmark.store.model import SnapshotFile

INDEX, WORKTREE = "the index", "the worktree"

Load = Callable[[], bytes]


class Blob(NamedTuple):
    """A file of a tree: its content by id, its language if that is known, and a way to its bytes."""

    content_id: bytes
    language: str | None
    load: Load


Side = dict[str, Blob]


class NamedDiff(NamedTuple):
    """Changes with the mark and key of each, where an index knows them."""

    changes: list[EntityChange]
    names: list[tuple[str | None, str | None]]
    counts: dict[str, int]
    problems: list[Problem]


class Trees:
    """The states of a repository that can be compared; what the index knows of them is used."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.settings: Settings = load_settings(workspace.root)
        self.options = ReadOptions(chunk_sizes=self.settings.chunks)
        self.registry = load_registry()
        self.extractor = extractor_version(self.registry, self.options)
        self.store = open_index(workspace)
        self._repository: Repository | None = None
        self._known: dict[tuple[bytes, str], Outline] = {}
        self.problems: list[Problem] = []

    def close(self) -> None:
        if self.store is not None:
            self.store.close()
        if self._repository is not None:
            self._repository.close()

    @property
    def repository(self) -> Repository:
        if self._repository is None:
            if not (self.workspace.root / ".git").exists():
                raise BirthmarkError(f"{self.workspace.root}: no git repository, so there are no revisions to compare")
            self._repository = Repository(self.workspace.root)
        return self._repository

    def rows(self) -> dict[str, SnapshotFile]:
        snapshot = self.store.snapshot(self.workspace.worktree) if self.store is not None else None
        return self.store.files(snapshot.snapshot) if self.store is not None and snapshot is not None else {}

    def index(self) -> Side:
        if self.store is None:
            raise BirthmarkError(f"{self.workspace.root}: there is no index; run `birthmark index`, or name a revision")
        side: Side = {}
        versions = self.store.versions([row.version for row in self.rows().values() if row.version is not None])
        for path, row in self.rows().items():
            if row.version is not None and row.language is not None:
                extraction = versions[row.version].extraction
                side[path] = Blob(row.content, row.language, source_reader(self.store, extraction))
        return side

    def worktree(self) -> Side:
        """Files whose status is as it was when they were indexed need not be read."""
        read, rows, side = file_reader(self.workspace.root, self.settings), self.rows(), Side()
        for found in look_around(self.workspace, self.settings).files:
            row = rows.get(found.path)
            load = partial(read, found)
            if row is not None and (found.size, found.mtime_ns, found.ctime_ns) == (
                row.size,
                row.mtime_ns,
                row.ctime_ns,
            ):
                side[found.path] = Blob(row.content, row.language, load)
                continue
            try:
                content = read(found)
            except BirthmarkError as error:
                self.problems.append(Problem(found.path, str(error)))
                continue
            side[found.path] = Blob(content_id_of(content), self._language(found.path, content, found.language), load)
        return side

    def revision(self, commit: str) -> Side:
        side: Side = {}
        for path, entry in self.repository.tree(commit).items():
            if wants_file(path.rpartition("/")[2]):
                blob = entry.blob
                side[path] = Blob(bytes.fromhex(blob), None, partial(self.repository.read, blob))
        return side

    def _language(self, path: str, content: bytes, attribute: str | None) -> str | None:
        spec = self.registry.detect(path, content, attribute)
        return spec.name if spec else None

    def states(self, side: Side, paths: Collection[str]) -> list[OutlinedFile]:
        """The outlines of some files; those that no index has are extracted."""
        loaded: dict[str, bytes] = {}
        wanted: dict[str, tuple[bytes, str]] = {}
        sizes = self._oversized(side, paths)
        for path in sorted(paths):
            blob = side[path]
            language = blob.language
            if path in sizes:
                continue
            if language is None:
                loaded[path] = blob.load()
                language = self._language(path, loaded[path], None)
            if language is not None:
                wanted[path] = (content_id_of(loaded[path]) if path in loaded else blob.content_id, language)
        outlines = self._outlines(side, wanted, loaded)
        return [OutlinedFile(path, outlines[key], side[path].load) for path, key in wanted.items() if key in outlines]

    def _oversized(self, side: Side, paths: Collection[str]) -> set[str]:
        blobs = {side[path].content_id.hex(): path for path in paths if side[path].language is None}
        if not blobs or self._repository is None:
            return set()
        sizes = self._repository.sizes(blobs)
        large = {path for path in paths if sizes.get(side[path].content_id.hex(), 0) > self.settings.limits.max_bytes}
        self.problems += [Problem(path, "is larger than limits.max_bytes, left out") for path in sorted(large)]
        return large

    def _outlines(
        self, side: Side, wanted: dict[str, tuple[bytes, str]], loaded: dict[str, bytes]
    ) -> dict[tuple[bytes, str], Outline]:
        outlines = self._known
        fresh = [key for key in wanted.values() if key not in outlines]
        if self.store is not None:
            cached = {number: key for key, number in self.store.extractions(fresh, self.extractor).items()}
            for number, packed in self.store.outlines(list(cached)):
                outlines[cached[number]] = unpack_outline(packed)
        missing = {key: path for path, key in wanted.items() if key not in outlines}
        warm_languages(missing.values())  # Workers inherit it, also those of the next call.
        tasks = (ExtractionTask(*key, loaded.get(path) or side[path].load(), path) for key, path in missing.items())
        for task, result in extract_all(tasks, self.settings, self.options, choose_jobs(len(missing))):
            if isinstance(result, Problem):
                self.problems.append(result)
            else:
                outlines[task.content_id, task.language] = unpack_outline(result.outline)
        return outlines

    def family_of(self, language: str) -> str:
        return self.registry.family_of(language)


@contextmanager
def comparing(folder: Path | None = None) -> Iterator[Trees]:
    trees = Trees(find_workspace(folder or Path.cwd()))
    try:
        yield trees
    finally:
        trees.close()


def chunks_since(
    trees: Trees, revision: str, path: str | None
) -> tuple[list[ChunkFile], list[ChunkFile], list[ChunkChange]]:
    """What became of every chunk since a revision; the files before and after, by which changes count."""
    old_side, new_side = trees.revision(trees.repository.resolve(revision)), trees.worktree()
    old_paths = {p for p, blob in old_side.items() if path is None or _differs(blob, new_side.get(p)) or p == path}
    new_paths = {p for p, blob in new_side.items() if path is None or _differs(blob, old_side.get(p)) or p == path}
    old, new = trees.states(old_side, old_paths), trees.states(new_side, new_paths)
    old_places, new_places, pairing = pair_files(old, new, trees.family_of)
    heirs = {old_places[pair.old]: new_places[pair.new] for pair in pairing.pairs}
    old_files, new_files = _placed(old), _placed(new)
    changes = compare_chunks(old_files, new_files, heirs)
    if path is not None:
        changes = [change for change in changes if path in _paths_of(change, old_files, new_files)]
    return old_files, new_files, changes


def _placed(files: list[OutlinedFile]) -> list[ChunkFile]:
    return [ChunkFile(file.path, place_outline(file.outline, file.path)) for file in files]


def _paths_of(change: ChunkChange, old: list[ChunkFile], new: list[ChunkFile]) -> set[str]:
    before = {old[change.before[0]].path} if change.before else set()
    return before | ({new[change.after[0]].path} if change.after else set())


def diff_trees(trees: Trees, base: str | None, target: str | None) -> tuple[str, str, NamedDiff]:
    """Without a base the index, without a target the worktree; returns what was compared, and how it differs."""
    base_name, old_side = _side(trees, base, trees.index, INDEX)
    target_name, new_side = _side(trees, target, trees.worktree, WORKTREE)
    old_paths = [path for path, blob in old_side.items() if _differs(blob, new_side.get(path))]
    new_paths = [path for path, blob in new_side.items() if _differs(blob, old_side.get(path))]
    old, new = trees.states(old_side, old_paths), trees.states(new_side, new_paths)
    identities = _identities(trees, old), _identities(trees, new)
    comparison = compare_files(old, new, trees.family_of, _pairs_of(*identities))
    names = _names(trees, identities[0], [change.old for change in comparison.changes])
    new_names = _names(trees, identities[1], [change.new for change in comparison.changes])
    joined = [before if before[0] else after for before, after in zip(names, new_names, strict=True)]
    return base_name, target_name, NamedDiff(comparison.changes, joined, comparison.counts, trees.problems)


def _side(trees: Trees, revision: str | None, default: Callable[[], Side], name: str) -> tuple[str, Side]:
    if revision is None:
        return name, default()
    commit = trees.repository.resolve(revision)
    return commit, trees.revision(commit)


def _differs(blob: Blob, other: Blob | None) -> bool:
    return other is None or blob.content_id != other.content_id


def _identities(trees: Trees, files: Sequence[OutlinedFile]) -> dict[EntityRef, int]:
    """Who the entities of files are that the index has seen just so."""
    if trees.store is None:
        return {}
    contents = [(content_id_of(file.source()), file.outline.language) for file in files]
    extractions = trees.store.extractions(contents, trees.extractor)
    keys = [(file.path, extractions.get(content, -1)) for file, content in zip(files, contents, strict=True)]
    versions = trees.store.versions_at([key for key in keys if key[1] >= 0])
    return {
        (f, e): identity
        for f, key in enumerate(keys)
        if key in versions
        for e, identity in enumerate(versions[key][0].identities)
    }


def known_pairs(trees: Trees, old: Sequence[OutlinedFile], new: Sequence[OutlinedFile]) -> dict[EntityRef, EntityRef]:
    """Who is who, as far as the ledger knows."""
    return _pairs_of(_identities(trees, old), _identities(trees, new))


def _pairs_of(old: dict[EntityRef, int], new: dict[EntityRef, int]) -> dict[EntityRef, EntityRef]:
    """Versions of different times may know an identity in two places of a side; then it is known in none."""
    counts = Counter(old.values()), Counter(new.values())
    places = {identity: place for place, identity in new.items() if counts[1][identity] == 1}
    return {place: places[i] for place, i in old.items() if i in places and counts[0][i] == 1}


def _names(
    trees: Trees, known: dict[EntityRef, int], places: list[EntityRef | None]
) -> list[tuple[str | None, str | None]]:
    """Marks and keys, where they are known."""
    identities = [known.get(place) if place is not None else None for place in places]
    wanted = {identity for identity in identities if identity is not None}
    if trees.store is None or not wanted:
        return [(None, None)] * len(places)
    marks = {found.identity: found.mark for found in trees.store.identities(wanted)}
    last = {row.identity: row.text for row in trees.store.keys_of(wanted)}
    return [(None, None) if identity is None else (marks[identity], last[identity]) for identity in identities]
