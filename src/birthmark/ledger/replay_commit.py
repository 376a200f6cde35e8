"""Replay one commit: what it changed against its first parent, the identities of that, and its events.

Takes the states of its parents; gives the versions that make the first one's state its own. What an entity has in
common with another parent was recorded by the commits that led there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from birthmark.comparison.declaration_changes import CONTAINERS, find_changes
from birthmark.comparison.pair_commit import NOTHING_PAIRED, CommitPairing, pair_commit
from birthmark.comparison.pairing_task import PairedFiles
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.ledger.assign_identities import KnownIdentities, assign_identities
from birthmark.ledger.file_scan import IndexTools
from birthmark.ledger.issue_keys import IssuedKey, KeyIssuer, KeyRequest
from birthmark.ledger.merge import Merge
from birthmark.ledger.merge_links import link_merge
from birthmark.ledger.prefetch import UNREADABLE, ChangedExtraction
from birthmark.ledger.ready_pairings import ReadyPairing
from birthmark.ledger.record import Recorder
from birthmark.ledger.revival import LedgerRevivalSource
from birthmark.ledger.rewritten import rewritten_identities
from birthmark.ledger.version_links import FoldedCommit, link_versions
from birthmark.store.model import CommitNode, CommitRecord, Version
from birthmark.store.port import Store
from birthmark.vocabulary import Aspect, Change

Keys = dict[KeyRequest, IssuedKey]  # that were used in this replay, the first ones first
_MOST_KEYS = 100_000


class ReplayState(NamedTuple):
    """The files of a commit at their versions, and the identities in them."""

    files: dict[str, Version]
    alive: set[int]

    def copy(self) -> ReplayState:
        return ReplayState(self.files.copy(), self.alive.copy())


class CommitReplay:
    """One commit: what it changed, the identities of that, and what the ledger records of it."""

    def __init__(
        self,
        store: Store,
        tools: IndexTools,
        keys: Keys,
        parents: list[ReplayState],
        run: int,
        at: int,
        rewritten: Collection[Version] = (),
    ) -> None:
        """`rewritten` are the files of commits that this one may replace."""
        self.store, self.tools, self.keys, self.run, self.at = store, tools, keys, run, at
        self.extractor = tools.extractor
        self.before = parents[0] if parents else ReplayState({}, set())
        self.others, self.rewritten = parents[1:], rewritten
        self.old: list[Version] = []
        self.new: list[Version] = []
        self.changes: dict[str, int] = {}

    def assign_identities(self, changes: list[ChangedExtraction], ready: ReadyPairing) -> None:
        files = self.before.files
        changed = [change for change in changes if self._is_changed(change)]
        self.old = [files[change.path] for change in changed if change.path in files]
        new = [(change.path, change.extraction) for change in changed if change.extraction is not None]
        if not self.old and not new:
            return
        kept, old_files = self._old_files()
        new_files = [self._new_file(path, extraction) for path, extraction in new]
        paired = ready.of([(version.path, version.extraction) for version in kept], new)
        pair: Callable[[], CommitPairing] = cache(
            lambda: paired.pairing if paired is not None else self._pair(kept, old_files, new, new_files)
        )
        old = [version.identities for version in kept]
        inherited: list[Sequence[int]] = [()] * len(new)
        merge = self._merge(changed, dict(new)) if self.others else None
        if merge is not None:
            is_inherited = merge.is_inherited([path for path, _ in new], self._present_elsewhere())
            pair = (lambda: NOTHING_PAIRED) if is_inherited else pair
            inherited = merge.inherited(pair(), old_files, old, new_files)
        known = KnownIdentities(old, inherited, self._earlier(new))
        revivals = _CommitRevivalSource(self.store, self._present(kept), self.old)
        assigned = assign_identities(pair, old_files, new_files, known, revivals, self.tools.family_of)
        recorder = _CommitRecorder(_CommitKeyIssuer(self.store, self.at, self.keys), self, paired)
        extractions = [extraction for _, extraction in new]
        self.new = recorder.record(old_files, known.old, new_files, extractions, assigned)
        if merge is not None:
            self.store.put_links(link_merge(merge, files, new_files, self.new))
        else:
            folded = FoldedCommit(old_files, known.old, new_files, self.new)
            self.store.put_links(link_versions(folded, pair(), assigned, recorder.derivations))
        self.changes = recorder.changes

    def _pair(
        self,
        kept: list[Version],
        old_files: list[OutlinedFile],
        new: list[tuple[str, int]],
        new_files: list[OutlinedFile],
    ) -> CommitPairing:
        old_ids = {version.path: str(version.extraction) for version in kept}
        new_ids = {path: str(extraction) for path, extraction in new}
        return pair_commit(old_files, new_files, self.tools.family_of, ids=(old_ids, new_ids))

    def _is_changed(self, change: ChangedExtraction) -> bool:
        """A file that cannot be read is taken to be as it was."""
        version = self.before.files.get(change.path)
        return change.extraction != UNREADABLE and (version.extraction if version else None) != change.extraction

    def _old_files(self) -> tuple[list[Version], list[OutlinedFile]]:
        """Those whose outlines are kept."""
        files = [(version, self.extractor.file(version.path, version.extraction)) for version in self.old]
        kept = [(version, file) for version, file in files if file is not None]
        return [version for version, _ in kept], [file for _, file in kept]

    def _new_file(self, path: str, extraction: int) -> OutlinedFile:
        file = self.extractor.file(path, extraction)
        assert file is not None, "what was just extracted is kept"
        return file

    def _earlier(self, new: list[tuple[str, int]]) -> list[Sequence[int]]:
        """The identities of files that had the same content earlier, at their path or in a commit before rewriting."""
        versions = self.store.versions_at(new)
        elsewhere = rewritten_identities(self.rewritten, new)
        return [versions[each][0].identities if versions.get(each) else elsewhere.get(each, ()) for each in new]

    def _merge(self, changed: list[ChangedExtraction], new: dict[str, int]) -> Merge:
        same = self.before.files.keys() - {change.path for change in changed}
        merged = {path: self.before.files[path].extraction for path in same} | new
        return Merge(self.extractor, merged, [other.files for other in self.others], self.tools.family_of)

    def _present_elsewhere(self) -> set[int]:
        """The identities in files that the commit did not change."""
        return self.before.alive.difference(*(version.identities for version in self.old))

    def _present(self, kept: list[Version]) -> set[int]:
        """The identities of the first parent, but for those whose outlines are no longer kept: keys may revive them."""
        paths = {version.path for version in kept}
        lost = [version for version in self.old if version.path not in paths]
        return self.before.alive.difference(*(version.identities for version in lost)) if lost else self.before.alive

    def merged_change(self, after: OutlinedEntity, identity: int, change: str) -> str | None:
        """What a merge itself changed: that in which an entity differs from all parents that have it."""
        differences = []
        for state in (*self.others, self.before):
            if identity in state.alive:
                differences.append(set(self._differences(state, after, identity)))
                if not differences[-1]:
                    return None
        return _name(set.intersection(*differences)) if differences else change

    def _differences(self, state: ReplayState, after: OutlinedEntity, identity: int) -> list[str]:
        version = self._version_of(state, after.file.path, identity)
        file = self.extractor.file(version.path, version.extraction) if version is not None else None
        if version is None or file is None:
            return []
        before = OutlinedEntity(file, version.identities.index(identity))
        if file.outline is after.file.outline and before.key == after.key:
            return []
        paths = [Change.RELOCATED] if file.path != after.file.path else []
        names = [Change.RENAMED] if before.entity.name != after.entity.name else []
        is_other = after.entity.kind in CONTAINERS and before.fingerprint.body != after.fingerprint.body
        changes = find_changes(before, after) if before.fingerprint != after.fingerprint else []
        return [*paths, *names, *([Aspect.BODY] if is_other else []), *changes]

    def _version_of(self, state: ReplayState, path: str, identity: int) -> Version | None:
        version = state.files.get(path)
        if version is not None and identity in version.identities:
            return version
        return next((version for version in state.files.values() if identity in version.identities), None)

    def is_deleted(self, identity: int) -> bool:
        """Whether a commit that led to another parent has deleted it."""
        events = self.store.events_of([identity]) if self.others else []
        return bool(events) and events[-1].change == Change.DELETED

    def record_node(self, node: CommitNode, changes: Sequence[ChangedExtraction]) -> None:
        """Add the commit to the graph, with the files that it has no longer, or that cannot be read."""
        removed = {version.path for version in self.old}.difference(version.path for version in self.new)
        unread = [change.path for change in changes if change.extraction == UNREADABLE]
        self.store.append_commit(CommitRecord(node, sorted(removed), unread))

    def apply(self, state: ReplayState) -> None:
        """Make the state of the first parent that of this commit."""
        for version in self.old:
            state.files.pop(version.path)
            state.alive.difference_update(version.identities)
        for version in self.new:
            state.files[version.path] = version
            state.alive.update(version.identities)


def _name(differences: set[str]) -> str | None:
    """The boldest of what differs, in one word."""
    words = [word for word in (Change.RELOCATED, Change.RENAMED) if word in differences]
    return words[0] if words else Change.MODIFIED if differences else None


class _CommitRevivalSource(LedgerRevivalSource):
    """Finds what a commit may revive: identities that its first parent does not have."""

    def __init__(self, store: Store, alive: set[int], replaced: Iterable[Version]) -> None:
        self.store, self.is_empty = store, not store.has_identities()
        self.identities = alive
        self.replaced_identities = {identity for version in replaced for identity in version.identities}

    def alive(self, identities: Iterable[int]) -> list[int]:
        return [
            identity
            for identity in identities
            if identity in self.identities and identity not in self.replaced_identities
        ]

    def present(self, identities: Iterable[int]) -> set[int]:
        return self.identities.intersection(identities)


class _CommitKeyIssuer(KeyIssuer):
    """Caches the keys that were used: most entities of a changed file keep the one they had before."""

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


class _CommitRecorder(Recorder):
    """Leaves out shifts of lines, which would be most of all events, and events on the way to another parent."""

    records_moves = False

    def __init__(self, issuer: KeyIssuer, commit: CommitReplay, paired: PairedFiles | None) -> None:
        super().__init__(commit.store, commit.run, issuer, commit.tools.family_of, paired)
        self.commit, self.is_merge = commit, bool(commit.others)

    def add_event(
        self, outlined: OutlinedEntity, identity: int, change: str, evidence: str | None, confidence: str | None
    ) -> None:
        if change == Change.MOVED:
            return
        if self.commit.others:
            if change == Change.DELETED and self.commit.is_deleted(identity):
                return
            merged = change if change == Change.DELETED else self.commit.merged_change(outlined, identity, change)
            if merged is None:
                return
            change = merged
        super().add_event(outlined, identity, change, evidence, confidence)

    def show(self, *_: object) -> None:
        """No snapshot shows a commit; the last one is shown when all are replayed."""
