"""Adopt what was issued before a replay: an index by the clock and a replay find the same things under two names.

A replay is a pure function of history, so it does not look at identities that were observed in a worktree. When it
has ended, each of those is merged into the identity that the replay found for the same thing: where a worktree held
the content of a replayed commit, entity by entity; where it held something else, by pairing it with the commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from birthmark.comparison.pair_commit import pair_commit
from birthmark.extraction.model import OutlinedFile
from birthmark.ledger.file_scan import IndexTools
from birthmark.ledger.replay_commit import ReplayState
from birthmark.store.model import Snapshot, Version
from birthmark.store.port import Store

Pairs = Iterator[tuple[int, int]]  # an identity that was observed, and one that was replayed
StateAt = Callable[[str], ReplayState]


def adopt_issued(store: Store, head: str, state_at: StateAt, tools: IndexTools) -> int:
    """Merge what was issued into what was replayed. Returns how many identities were merged."""
    replayed = store.replayed_commits()
    with store.writing():
        heirs = _find_heirs(store, _same_contents(store), {})
        for snapshot in store.snapshots():
            # What was added to the commit of a snapshot may be committed since.
            for commit in dict.fromkeys((snapshot.revision, head)):
                if commit in replayed:
                    heirs |= _find_heirs(store, _uncommitted(store, snapshot, commit, state_at, tools, heirs), heirs)
        if heirs:
            store.merge_identities(heirs, max(replayed.values()))
    return len(heirs)


def has_observed(store: Store, snapshot: Snapshot) -> bool:
    """Tell whether a snapshot has identities that no replay knows."""
    return _unknown(store, _versions_of(store, snapshot).values(), {})


def _find_heirs(store: Store, pairs: Iterable[tuple[int, int]], known: dict[int, int]) -> dict[int, int]:
    """Only what was observed is merged, and only into what was replayed; the first pair of an identity counts."""
    heirs: dict[int, int] = {}
    for observed, replayed in pairs:
        if observed != replayed and observed not in known:
            heirs.setdefault(observed, replayed)
    of_replay = store.born_in_replay({*heirs, *heirs.values()})
    return {one: heir for one, heir in heirs.items() if one not in of_replay and heir in of_replay}


def _same_contents(store: Store) -> Pairs:
    for observed, replayed in store.observed_as_replayed():
        yield from zip(observed, replayed, strict=True)


def _uncommitted(
    store: Store, snapshot: Snapshot, commit: str, state_at: StateAt, tools: IndexTools, known: dict[int, int]
) -> Pairs:
    """What a worktree held that no commit has, paired with a commit."""
    held = _versions_of(store, snapshot)
    if not _unknown(store, held.values(), known):
        return
    committed = state_at(commit).files
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


def _unknown(store: Store, versions: Iterable[Version], known: dict[int, int]) -> bool:
    """Tell whether something was observed for which no heir is known yet."""
    identities = {identity for version in versions for identity in version.identities} - known.keys()
    return len(store.born_in_replay(identities)) < len(identities)


def _is_same(one: Version, other: Version) -> bool:
    return one.extraction == other.extraction


def _outlined(tools: IndexTools, versions: list[Version]) -> tuple[list[OutlinedFile], list[Version]]:
    """The files whose outlines are kept, with their versions."""
    files = [(tools.extractor.file(version.path, version.extraction), version) for version in versions]
    return [file for file, _ in files if file is not None], [version for file, version in files if file is not None]


def _ids(versions: list[Version]) -> dict[str, str]:
    return {version.path: str(version.extraction) for version in versions}
