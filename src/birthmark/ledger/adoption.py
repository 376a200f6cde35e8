"""Adopt identities that were issued before a replay.

An index by the clock and a replay find the same entities under two names: a replay is a pure function of history and
does not look at identities that were observed in a worktree. After it, each of those is merged into the replayed
identity of the same entity: entity by entity if a worktree held the content of a replayed commit, otherwise by pairing
it with the commit. Identities of rewritten commits that a worktree held in between are merged as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property

from birthmark.comparison.pair_commit import pair_commit
from birthmark.extraction.model import OutlinedFile
from birthmark.ledger.file_scan import IndexTools
from birthmark.ledger.replay_commit import ReplayState
from birthmark.store.model import Snapshot, Version
from birthmark.store.port import Store

Pairs = Iterator[tuple[int, int]]  # an identity that was observed, and one that was replayed
StateAt = Callable[[str], ReplayState]


def adopt_issued(
    store: Store, head: str, state_at: StateAt, tools: IndexTools, kept_commits: Callable[[], Collection[str]]
) -> int:
    """Merge issued identities into replayed ones and return their number.

    `kept_commits` returns the commits that a ref still leads to.
    """
    adoption = _Adoption(store, head, state_at, kept_commits)
    with store.writing():
        successors = adoption.find_successors(store.born_again(), {})
        successors |= adoption.find_successors(_same_contents(store), successors)
        for snapshot in store.snapshots():
            # What was added to the commit of a snapshot may be committed since.
            for commit in dict.fromkeys((snapshot.revision, head)):
                if commit in adoption.replayed:
                    pairs = adoption.pair_snapshot(snapshot, commit, tools, successors)
                    successors |= adoption.find_successors(pairs, successors)
        if successors:
            store.merge_identities(successors, max(adoption.replayed.values()))
    return len(successors)


def has_observed(store: Store, snapshot: Snapshot) -> bool:
    """Return True if a snapshot has identities that no replay knows."""
    identities = _identities_in(_versions_of(store, snapshot).values())
    return len(store.born_in_replay(identities)) < len(identities)


class _Adoption:
    """Decides which pairs of identities are one."""

    def __init__(self, store: Store, head: str, state_at: StateAt, kept_commits: Callable[[], Collection[str]]) -> None:
        self.store, self.head, self._state_at, self._kept_commits = store, head, state_at, kept_commits
        self.replayed = store.replayed_commits()

    def find_successors(self, pairs: Pairs, known: dict[int, int]) -> dict[int, int]:
        """Return successors of identities that no commit has, among those of commits; the first pair counts."""
        found: dict[int, int] = {}
        for observed, replayed in pairs:
            if observed != replayed and observed not in known:
                found.setdefault(observed, replayed)
        committed = self._committed({*found, *found.values()})
        return {one: successor for one, successor in found.items() if one not in committed and successor in committed}

    def pair_snapshot(self, snapshot: Snapshot, commit: str, tools: IndexTools, known: Mapping[int, int]) -> Pairs:
        """Pair entities of a worktree that no commit has with those of a commit."""
        held = _versions_of(self.store, snapshot)
        identities = _identities_in(held.values()) - known.keys()
        if self._committed(identities) != identities:
            yield from _pair_versions(held, self._state_at(commit).files, tools)

    def _committed(self, identities: Collection[int]) -> set[int]:
        """Return the identities that commits have, without commits that were rewritten."""
        committed = self.store.born_in_replay(identities)
        return committed - self._rewritten(committed)

    def _rewritten(self, identities: Collection[int]) -> set[int]:
        """Return the identities born in rewritten commits that the history of HEAD does not have."""
        born = {one.identity for one in self.store.identities(identities) if one.run in self._rewritten_runs}
        return born - self._living if born else born

    @cached_property
    def _rewritten_runs(self) -> set[int]:
        kept = self._kept_commits()
        return {run for commit, run in self.replayed.items() if commit not in kept}

    @cached_property
    def _living(self) -> set[int]:
        return self._state_at(self.head).alive


def _same_contents(store: Store) -> Pairs:
    for observed, replayed in store.observed_as_replayed():
        yield from zip(observed, replayed, strict=True)


def _pair_versions(held: Mapping[str, Version], committed: Mapping[str, Version], tools: IndexTools) -> Pairs:
    """Pair the entities of versions of files that differ."""
    same = {path for path, version in held.items() if path in committed and _is_same(version, committed[path])}
    old, old_versions = _outlined(tools, [one for path, one in committed.items() if path not in same])
    new, new_versions = _outlined(tools, [one for path, one in held.items() if path not in same])
    pairing = pair_commit(old, new, tools.family_of, ids=(_ids(old_versions), _ids(new_versions)))
    for (f, e), predecessor in pairing.predecessors.items():
        old_f, old_e = predecessor.ref
        yield new_versions[f].identities[e], old_versions[old_f].identities[old_e]


def _versions_of(store: Store, snapshot: Snapshot) -> dict[str, Version]:
    rows = store.files(snapshot.snapshot)
    versions = store.versions({row.version for row in rows.values() if row.version is not None})
    return {path: versions[row.version] for path, row in rows.items() if row.version is not None}


def _identities_in(versions: Iterable[Version]) -> set[int]:
    return {identity for version in versions for identity in version.identities}


def _is_same(one: Version, other: Version) -> bool:
    return one.extraction == other.extraction


def _outlined(tools: IndexTools, versions: list[Version]) -> tuple[list[OutlinedFile], list[Version]]:
    """Return the files whose outlines are kept, with their versions."""
    files = [(tools.extractor.file(version.path, version.extraction), version) for version in versions]
    return [file for file, _ in files if file is not None], [version for file, version in files if file is not None]


def _ids(versions: list[Version]) -> dict[str, str]:
    return {version.path: str(version.extraction) for version in versions}
