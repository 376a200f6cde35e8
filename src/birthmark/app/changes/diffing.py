"""Compare the worktree, the index and revisions with one another.

`read_changes` gives a page of the changes as they are read, with counts of all. A change is quiet if nothing of the
entity differs but its place, in its file or along with it: quiet ones are listed apart, unless changes of some words
are asked for. A server keeps comparisons of two commits for further pages, other filters, a reload: commits do not
change, so one holds as long as the index is the one whose identities it has. All sources of a comparison are in memory,
so that it needs no repository that is open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from msgspec import UNSET

from birthmark.app.changes.diff_arguments import DiffArguments
from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.diff_listing import FileChanges, ListingOptions, list_changes, patch_of
from birthmark.comparison.entity_changes import ChangeFilter, EntityChange, EntityComparison, compare_files, fits_path
from birthmark.comparison.file_roles import READING_ORDER, role_of
from birthmark.documents.changes import DiffDocument, EntityChangeDocument
from birthmark.documents.document import ProblemDocument, make
from birthmark.documents.parts import derivation_documents, patch_document
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.model import EntityRef, OutlinedFile
from birthmark.extraction.state import NOTHING, RepositoryState, content_id_of, is_same_file
from birthmark.model import DerivationEnd, Level
from birthmark.store.model import Snapshot
from birthmark.vocabulary import Change
from birthmark.words import did_you_mean

_MOST = 4  # comparisons
_MOST_BYTES = 100_000_000  # of the sources of one


def diff_states(
    repository: OpenRepository,
    base: str | None,
    target: str | None,
    asked: ChangeFilter = ChangeFilter(),  # noqa: B008 - a frozen value
    *,
    with_patches: bool = False,
    first: int = 0,
    most: int | None = None,
) -> DiffDocument:
    """Return how two states differ; without a base the index, without a target the worktree.

    Of the changes that pass the filter, `most` are described, from the first one on.
    """
    compared = compare_states(repository, base, target, asked.paths)
    found = compared.comparison.filtered(asked.passes)
    changes = found.changes[first : None if most is None else first + most]
    return describe_changes(repository, compared, changes, found.counts, with_patches=with_patches)


def describe_changes(
    repository: OpenRepository,
    compared: ComparedStates,
    changes: list[EntityChange],
    counts: Mapping[str, int],
    *,
    with_patches: bool,
) -> DiffDocument:
    """Return the full description of some changes of a comparison, with the counts of all that pass the filter."""
    names = _names(repository, compared.identities[0], [change.old for change in changes])
    new_names = _names(repository, compared.identities[1], [change.new for change in changes])
    joined = [before if before[0] else after for before, after in zip(names, new_names, strict=True)]
    derived_from, derived_to = compared.comparison.derived_from, compared.comparison.derivatives
    sources = [derived_from.get(change.new, []) if change.new else [] for change in changes]
    derivatives = [derived_to.get(change.old, []) if change.old else [] for change in changes]
    ends = (
        _name_ends(repository, compared.identities[0], sources),
        _name_ends(repository, compared.identities[1], derivatives),
    )
    described = [
        make(
            EntityChangeDocument,
            change,
            mark=mark,
            key=key,
            patch=patch_document(patch_of(change, *compared.files)) if with_patches else UNSET,
            derived_from=derivation_documents(came_from),
            derivatives=derivation_documents(went_to),
        )
        for change, (mark, key), came_from, went_to in zip(changes, joined, *ends, strict=True)
    ]
    base, target = compared.names
    renamed, problems = compared.comparison.renamed, [make(ProblemDocument, one) for one in repository.problems]
    return DiffDocument(base, target, {str(one): n for one, n in counts.items()}, renamed, described, problems)


def list_diff(
    repository: OpenRepository, base: str | None, target: str | None, asked: ChangeFilter, options: ListingOptions
) -> tuple[str, str, list[FileChanges], dict[str, int]]:
    """Return what was compared, its changes as a reader wants them, and the counts of all."""
    compared = compare_states(repository, base, target, asked.paths, with_derivations=not options.with_lines)
    counts = compared.comparison.filtered(asked.passes).counts
    files = list_changes(compared.comparison, asked.passes, *compared.files, options)
    return *compared.names, files, counts


class ComparedStates(NamedTuple):
    """Two states by name, their differing files with identities, and the comparison of their entities."""

    names: tuple[str, str]
    files: tuple[list[OutlinedFile], list[OutlinedFile]]
    identities: tuple[dict[EntityRef, int], dict[EntityRef, int]]
    comparison: EntityComparison


def compare_states(
    repository: OpenRepository,
    base: str | None,
    target: str | None,
    asked: Sequence[str] = (),
    *,
    with_derivations: bool = True,
) -> ComparedStates:
    states = (
        _index(repository) if base is None else _commit(repository, base),
        repository.worktree() if target is None else _commit(repository, target),
    )
    _check_paths(states, asked)
    paths = _differing(*states), _differing(*reversed(states))
    old, new = (_read_once(state.load(ours, Level.ENTITIES)) for state, ours in zip(states, paths, strict=True))
    ids = content_ids(states[0], old), content_ids(states[1], new)
    identities = identities_in(repository, old), identities_in(repository, new)
    comparison = compare_files(old, new, repository.family_of, identities, ids, with_derivations=with_derivations)
    return ComparedStates((states[0].name, states[1].name), (old, new), identities, comparison)


def _read_once(files: list[OutlinedFile]) -> list[OutlinedFile]:
    """Each of its entities may be asked for its text."""
    return [file._replace(source=cache(file.source)) for file in files]


def _check_paths(states: tuple[RepositoryState, RepositoryState], asked: Sequence[str]) -> None:
    known = {path for state in states for path in state.paths()} if asked else set()
    for pattern in asked:
        if not any(fits_path(path, [pattern.removeprefix("!")]) for path in known):
            hint = did_you_mean(pattern, known) or "; name a file, a folder or a pattern like '*.py'"
            raise NotFoundError(f"{pattern}: no source file of the two states is there{hint}")


def content_ids(state: RepositoryState, files: Sequence[OutlinedFile]) -> dict[str, str | None]:
    """Return the content ids of files by path."""
    return {file.path: state.content_id(file.path) for file in files}


def _commit(repository: OpenRepository, revision: str) -> RepositoryState:
    return repository.nothing() if revision == NOTHING else repository.revision(revision)


def _index(repository: OpenRepository) -> RepositoryState:
    if repository.store is None:
        root = repository.workspace.root
        raise BirthmarkError(f"{root}: there is no index; run `birthmark index`, or name a revision")
    return repository.index()


def _differing(state: RepositoryState, other: RepositoryState) -> list[str]:
    """Files whose content or language is not that of the other state."""
    other.paths()  # All are listed at once, not each by itself.
    return [path for path in state.paths() if not is_same_file(path, state, other) and not other.leaves_out(path)]


def identities_in(
    repository: OpenRepository, files: Sequence[OutlinedFile], level: Level = Level.OUTLINE
) -> dict[EntityRef, int]:
    """The identities of entities in files that the index has had with the same content, known at a level."""
    if repository.store is None:
        return {}
    contents = [(content_id_of(file.source()), file.outline.language) for file in files]
    extractions = repository.extractor.numbers(contents, level)
    keys = [(file.path, extractions.get(content, -1)) for file, content in zip(files, contents, strict=True)]
    versions = repository.store.versions_at([key for key in keys if key[1] >= 0])
    return {
        (f, e): identity
        for f, key in enumerate(keys)
        if key in versions
        for e, identity in enumerate(versions[key][0].identities)
    }


def _name_ends(
    repository: OpenRepository, indexed: dict[EntityRef, int], ends: list[list[DerivationEnd]]
) -> list[list[DerivationEnd]]:
    """Return the ends with their marks and keys."""
    names = iter(_names(repository, indexed, [end.ref for some in ends for end in some]))
    return [[end._replace(mark=mark, key=key) for end in some for mark, key in (next(names),)] for some in ends]


def _names(
    repository: OpenRepository, indexed: dict[EntityRef, int], refs: list[EntityRef | None]
) -> list[tuple[str | None, str | None]]:
    """Return the marks and keys of indexed entities."""
    identities = [indexed.get(ref) if ref is not None else None for ref in refs]
    wanted = {identity for identity in identities if identity is not None}
    if repository.store is None or not wanted:
        return [(None, None)] * len(refs)
    marks = {found.identity: found.mark for found in repository.store.identities(wanted)}
    last = {row.identity: row.text for row in repository.store.keys_of(wanted)}
    return [(None, None) if identity is None else (marks[identity], last[identity]) for identity in identities]


class ChangesPage(NamedTuple):
    """A page of described changes; the other fields are about all changes that pass the filter."""

    compared: ComparedStates
    described: DiffDocument
    page: list[EntityChange]
    listed: list[EntityChange]
    quiet: list[EntityChange]
    counts: Mapping[str, Counter[str]]  # by the name of a filter, of what passes the others


def read_changes(
    repository: OpenRepository, asked: DiffArguments, chosen: ChangeFilter, first: int, most: int
) -> ChangesPage:
    compared = keep_comparison(repository, asked.base, asked.target)
    passing = compared.comparison.filtered(chosen.passes)
    renamed = compared.comparison.renamed
    listed, quiet = passing.changes, list[EntityChange]()
    if not chosen.changes:
        listed = [change for change in passing.changes if is_listed(change, renamed)]
        quiet = [change for change in passing.changes if not is_listed(change, renamed)]
    listed = in_reading_order(listed, renamed)
    page = listed[first : first + most]
    described = describe_changes(repository, compared, page, passing.counts, with_patches=True)
    return ChangesPage(compared, described, page, listed, quiet, _count(compared, chosen))


def is_listed(change: EntityChange, renamed: Mapping[str, str]) -> bool:
    before, after = change.before, change.after
    if change.change not in (Change.MOVED, Change.RELOCATED) or before is None or after is None:
        return True
    stays = renamed.get(before.path, before.path) == after.path and before.qualified_name == after.qualified_name
    return bool(change.aspects) or not stays


def in_reading_order(changes: Iterable[EntityChange], renamed: Mapping[str, str]) -> list[EntityChange]:
    """Sources, documentation, tests, generated files; each by path and line."""

    def place(change: EntityChange) -> tuple[int, str, int]:
        location = change.after or change.before
        assert location is not None
        path = path_after(change, renamed)
        return READING_ORDER.index(role_of(path)), path, location.start_line

    return sorted(changes, key=place)


def path_after(change: EntityChange, renamed: Mapping[str, str]) -> str:
    """Return the current path; for a deletion, the current path of its file."""
    if change.after is not None:
        return change.after.path
    assert change.before is not None
    return renamed.get(change.before.path, change.before.path)


def _count(compared: ComparedStates, chosen: ChangeFilter) -> dict[str, Counter[str]]:
    """Count the values of each filter among the changes that pass the other filters."""
    others = {
        "change": chosen._replace(changes=()),
        "kind": chosen._replace(kinds=()),
        "language": chosen._replace(languages=()),
    }
    changes = compared.comparison.changes
    return {name: Counter(getattr(one, name) for one in changes if rest.passes(one)) for name, rest in others.items()}


# All that a comparison depends on: root, base, target and the snapshot of the index.
_Key = tuple[Path, str, str, Snapshot | None]
_kept: dict[_Key, ComparedStates] = {}  # what was used last is at the end
_lock = Lock()


def keep_comparison(repository: OpenRepository, base: str | None, target: str | None) -> ComparedStates:
    """Return the cached result of `compare_states`, or call it."""
    if base is None or target is None:
        return compare_states(repository, base, target)
    store, workspace = repository.store, repository.workspace
    snapshot = store.snapshot(workspace.worktree) if store is not None else None
    key = workspace.root, base, target, snapshot
    with _lock:
        found = _kept.get(key)
    compared = found or compare_states(repository, base, target)
    if found or sum(len(file.source()) for files in compared.files for file in files) <= _MOST_BYTES:
        _keep(key, compared)
    return compared


def _keep(key: _Key, compared: ComparedStates) -> None:
    with _lock:
        _kept.pop(key, None)
        _kept[key] = compared
        for old in list(_kept)[:-_MOST]:
            del _kept[old]
