"""Compare the worktree, the index and revisions with one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from birthmark.app.repository import OpenRepository
from birthmark.comparison.chunks import ChunkChange, compare_chunks
from birthmark.comparison.entities import EntityChange, compare_files
from birthmark.comparison.pair_commit import pair_commit
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import EntityRef, OutlinedFile
from birthmark.extraction.placement import place_outline
from birthmark.extraction.state import RepositoryState, content_id_of
from birthmark.model import Level, Problem
from birthmark.store.model import ContentKey


class NamedDiff(NamedTuple):
    """Changes with the mark and key of each that is indexed."""

    changes: list[EntityChange]
    names: list[tuple[str | None, str | None]]
    counts: dict[str, int]
    problems: list[Problem]


def chunks_since(
    repository: OpenRepository, revision: str, path: str | None
) -> tuple[list[OutlinedFile], list[OutlinedFile], list[ChunkChange]]:
    """What became of every chunk since a revision; the files before and after, by which changes count."""
    old_state, new_state = repository.revision(revision), repository.worktree()
    old_paths = old_state.paths() if path is None else {*_differing(old_state, new_state), path}
    new_paths = new_state.paths() if path is None else {*_differing(new_state, old_state), path}
    old, new = old_state.load(old_paths), new_state.load(new_paths)
    successors = pair_commit(old, new, repository.family_of).successors
    old_files, new_files = _placed(old), _placed(new)
    changes = compare_chunks(old_files, new_files, successors)
    if path is not None:
        changes = [change for change in changes if path in _paths_of(change, old_files, new_files)]
    return old_files, new_files, changes


def _placed(files: list[OutlinedFile]) -> list[OutlinedFile]:
    return [file._replace(outline=place_outline(file.outline, file.path)) for file in files]


def _paths_of(change: ChunkChange, old: list[OutlinedFile], new: list[OutlinedFile]) -> set[str]:
    before = {old[change.before[0]].path} if change.before else set()
    return before | ({new[change.after[0]].path} if change.after else set())


def diff_states(repository: OpenRepository, base: str | None, target: str | None) -> tuple[str, str, NamedDiff]:
    """Without a base the index, without a target the worktree; returns what was compared, and how it differs."""
    old_state = _index(repository) if base is None else repository.revision(base)
    new_state = repository.named(target)
    old, new = old_state.load(_differing(old_state, new_state)), new_state.load(_differing(new_state, old_state))
    identities = _identities(repository, old), _identities(repository, new)
    comparison = compare_files(old, new, repository.family_of, _pairs_of(*identities))
    names = _names(repository, identities[0], [change.old for change in comparison.changes])
    new_names = _names(repository, identities[1], [change.new for change in comparison.changes])
    joined = [before if before[0] else after for before, after in zip(names, new_names, strict=True)]
    diff = NamedDiff(comparison.changes, joined, comparison.counts, repository.problems)
    return old_state.name, new_state.name, diff


def _index(repository: OpenRepository) -> RepositoryState:
    if repository.store is None:
        root = repository.workspace.root
        raise BirthmarkError(f"{root}: there is no index; run `birthmark index`, or name a revision")
    return repository.index()


def _differing(state: RepositoryState, other: RepositoryState) -> list[str]:
    """Files whose content or language is not that of the other state."""
    return [
        path
        for path in state.paths()
        if state.content_id(path) != other.content_id(path) or state.language(path) != other.language(path)
    ]


def _identities(repository: OpenRepository, files: Sequence[OutlinedFile]) -> dict[EntityRef, int]:
    """The identities of entities in files that the index has had with the same content."""
    if repository.store is None:
        return {}
    contents = [ContentKey(content_id_of(file.source()), file.outline.language) for file in files]
    extractions = repository.extractor.numbers(contents, Level.OUTLINE)
    keys = [(file.path, extractions.get(content, -1)) for file, content in zip(files, contents, strict=True)]
    versions = repository.store.versions_at([key for key in keys if key[1] >= 0])
    return {
        (f, e): identity
        for f, key in enumerate(keys)
        if key in versions
        for e, identity in enumerate(versions[key][0].identities)
    }


def known_pairs(
    repository: OpenRepository, old: Sequence[OutlinedFile], new: Sequence[OutlinedFile]
) -> dict[EntityRef, EntityRef]:
    """The pairs that follow from identities in the ledger."""
    return _pairs_of(_identities(repository, old), _identities(repository, new))


def _pairs_of(old: dict[EntityRef, int], new: dict[EntityRef, int]) -> dict[EntityRef, EntityRef]:
    """Versions of different times may have an identity twice on a side; then it is not used."""
    counts = Counter(old.values()), Counter(new.values())
    refs = {identity: ref for ref, identity in new.items() if counts[1][identity] == 1}
    return {ref: refs[identity] for ref, identity in old.items() if identity in refs and counts[0][identity] == 1}


def _names(
    repository: OpenRepository, indexed: dict[EntityRef, int], refs: list[EntityRef | None]
) -> list[tuple[str | None, str | None]]:
    """Marks and keys of those that are indexed."""
    identities = [indexed.get(ref) if ref is not None else None for ref in refs]
    wanted = {identity for identity in identities if identity is not None}
    if repository.store is None or not wanted:
        return [(None, None)] * len(refs)
    marks = {found.identity: found.mark for found in repository.store.identities(wanted)}
    last = {row.identity: row.text for row in repository.store.keys_of(wanted)}
    return [(None, None) if identity is None else (marks[identity], last[identity]) for identity in identities]
