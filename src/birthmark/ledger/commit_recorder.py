"""Record a replayed commit: without shifts of lines, and with what is known of it beforehand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice

from birthmark.comparison.match_candidates import FamilyOf
from birthmark.comparison.touched_entities import TouchedFiles
from birthmark.extraction.model import OutlinedEntity
from birthmark.ledger.assign_identities import LedgerRevivalSource
from birthmark.ledger.issue_keys import IssuedKey, KeyIssuer, KeyRequest
from birthmark.ledger.record import Recorder
from birthmark.store.port import Store
from birthmark.vocabulary import Change

Keys = dict[KeyRequest, IssuedKey]  # that were used in this replay, the first ones first
_MOST_KEYS = 100_000


class CommitRevivalSource(LedgerRevivalSource):
    """Finds what a commit may revive: identities of other commits that its first parent does not have.

    What was observed in a worktree is adopted when the replay has ended (`ledger.adoption`): every clone replays alike.
    """

    def __init__(
        self, store: Store, alive: set[int], replaced: Iterable[Collection[int]], replay_runs: Collection[int]
    ) -> None:
        """`replaced` are the identities of what the commit touched, file by file."""
        self.store, self.is_empty, self.replay_runs = store, not store.has_identities(), replay_runs
        self.identities = alive
        self.replaced_identities = set[int]().union(*replaced)

    def alive(self, identities: Iterable[int]) -> list[int]:
        return [
            identity
            for identity in identities
            if identity in self.identities and identity not in self.replaced_identities
        ]

    def knows(self, run: int) -> bool:
        return run in self.replay_runs

    def present(self, identities: Iterable[int]) -> set[int]:
        return self.identities.intersection(identities)


class CommitKeyIssuer(KeyIssuer):
    """Caches the keys that were used: what is edited once is often edited again."""

    def __init__(self, store: Store, now: int, keys: Keys) -> None:
        super().__init__(store, now)
        self.keys = keys

    def issue(self, requests: Sequence[KeyRequest]) -> list[IssuedKey]:
        if len(self.keys) > _MOST_KEYS:  # The older half is of earlier commits: the ledger has it.
            for request in list(islice(self.keys, len(self.keys) // 2)):
                del self.keys[request]
        rest = [request for request in requests if request not in self.keys]
        issued = super().issue(rest) if rest else []
        new = iter(issued)
        found = [self.keys.get(request) or next(new) for request in requests]
        for key, _ in issued:
            self.keys[KeyRequest(key.semantic_path, key.identity)] = IssuedKey(key)
        return found


class CommitRecorder(Recorder):
    """Leaves out shifts of lines, which would be most of all events."""

    records_moves = False

    def add_event(
        self, outlined: OutlinedEntity, identity: int, change: str, evidence: str | None, confidence: str | None
    ) -> None:
        if change != Change.MOVED:
            super().add_event(outlined, identity, change, evidence, confidence)

    def show(self, *_: object) -> None:
        """No snapshot shows a commit; the last one is shown when all are replayed."""


class TouchedRecorder(CommitRecorder):
    """Records what a commit with one parent touched; all else has the identities of the old files."""

    def __init__(
        self,
        store: Store,
        run: int,
        issuer: KeyIssuer,
        family_of: FamilyOf,
        touched: TouchedFiles,
        before: Sequence[Sequence[int]],
    ) -> None:
        super().__init__(store, run, issuer, family_of)
        self.touched, self.before, self.known_derivations = touched, before, touched.derivations

    def identities(self, f: int, recorded: Sequence[int]) -> tuple[int, ...]:
        return self.touched.new[f].join(recorded, self.before)


class MergeRecorder(CommitRecorder):
    """Leaves out what happened on the way to another parent; `merged_change` says what the merge itself did."""

    is_merge = True

    def __init__(
        self,
        store: Store,
        run: int,
        issuer: KeyIssuer,
        family_of: FamilyOf,
        merged_change: Callable[[OutlinedEntity, int, str], str | None],
    ) -> None:
        super().__init__(store, run, issuer, family_of)
        self.merged_change = merged_change

    def add_event(
        self, outlined: OutlinedEntity, identity: int, change: str, evidence: str | None, confidence: str | None
    ) -> None:
        merged = self.merged_change(outlined, identity, change) if change != Change.MOVED else None
        if merged is not None:
            super().add_event(outlined, identity, merged, evidence, confidence)


class InheritedRecorder(MergeRecorder):
    """Records a merge whose files are those of its parents, with the identities that they have there."""

    inherited: Sequence[Sequence[int]] = ()

    def identities(self, f: int, recorded: Sequence[int]) -> tuple[int, ...]:
        return tuple(self.inherited[f])
