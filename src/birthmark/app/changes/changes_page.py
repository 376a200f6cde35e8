"""A page of the changes between two states, as they are read, and what all of them are counted in.

A change is quiet if nothing of the entity differs but where it is, in its file or along with it: quiet ones have no
place of their own in the list, unless changes of some words are asked for. A server keeps comparisons of two commits
for further pages, other filters, a reload: commits do not change, so one holds as long as the index is the one whose
identities it has. All sources of a comparison are in memory, so that it needs no repository that is open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from birthmark.app.changes.diff_arguments import DiffArguments
from birthmark.app.changes.diffing import ComparedStates, NamedDiff, compare_states, describe_changes
from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.entity_changes import ChangeFilter, EntityChange
from birthmark.comparison.file_roles import READING_ORDER, role_of
from birthmark.store.model import Snapshot
from birthmark.vocabulary import Change

_MOST = 4  # comparisons
_MOST_BYTES = 100_000_000  # of the sources of one


class ChangesPage(NamedTuple):
    """What is described is the page; the rest is of all that was asked for."""

    compared: ComparedStates
    described: NamedDiff
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
    described = describe_changes(repository, compared, listed[first : first + most], with_patches=True)
    return ChangesPage(compared, described._replace(counts=passing.counts), listed, quiet, _count(compared, chosen))


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
    """Where it is; of what was deleted, where its file is now."""
    if change.after is not None:
        return change.after.path
    assert change.before is not None
    return renamed.get(change.before.path, change.before.path)


def _count(compared: ComparedStates, chosen: ChangeFilter) -> dict[str, Counter[str]]:
    """Of each filter its values, among what passes all others."""
    others = {
        "change": chosen._replace(changes=()),
        "kind": chosen._replace(kinds=()),
        "language": chosen._replace(languages=()),
    }
    changes = compared.comparison.changes
    return {name: Counter(getattr(one, name) for one in changes if rest.passes(one)) for name, rest in others.items()}


class _ComparisonKey(NamedTuple):
    """Identify a comparison by all that it depends on."""

    root: Path
    base: str
    target: str
    snapshot: Snapshot | None


_kept: dict[_ComparisonKey, ComparedStates] = {}  # what was used last is at the end
_lock = Lock()


def keep_comparison(repository: OpenRepository, base: str | None, target: str | None) -> ComparedStates:
    """As `compare_states` answers, which is asked if it is not kept."""
    if base is None or target is None:
        return compare_states(repository, base, target)
    store, workspace = repository.store, repository.workspace
    snapshot = store.snapshot(workspace.worktree) if store is not None else None
    key = _ComparisonKey(workspace.root, base, target, snapshot)
    with _lock:
        found = _kept.get(key)
    compared = found or compare_states(repository, base, target)
    if found or sum(len(file.source()) for files in compared.files for file in files) <= _MOST_BYTES:
        _keep(key, compared)
    return compared


def _keep(key: _ComparisonKey, compared: ComparedStates) -> None:
    with _lock:
        _kept.pop(key, None)
        _kept[key] = compared
        for old in list(_kept)[:-_MOST]:
            del _kept[old]
