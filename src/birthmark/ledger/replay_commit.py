"""Replay one commit: its changes against its first parent, their identities, and their events.

Takes the states of its parents; gives the versions that turn the first one's state into its own. Changes that came from
another parent were recorded by the commits that led there. A rebase, a cherry-pick or a rewriting of all paths keeps
the author's time: a new commit may replace a replayed one of the same time that is no longer part of history, and its
files inherit the identities of that one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cache, partial
from posixpath import commonprefix
from typing import NamedTuple

from birthmark.comparison.changes import CONTAINERS, find_changes
from birthmark.comparison.pair_commit import pair_commit
from birthmark.comparison.touched_entities import TouchedFiles, find_touched
from birthmark.extraction.model import NO_OUTLINE, OutlinedEntity, OutlinedFile
from birthmark.ledger.assign_identities import Assignments, IdentifiedFiles, assign_identities
from birthmark.ledger.file_scan import IndexTools
from birthmark.ledger.issue_keys import KeyCache, KeyIssuer
from birthmark.ledger.merge import Merge, link_merge
from birthmark.ledger.prefetch import UNREADABLE, ChangedExtraction, PathAndExtraction, ReadyPairing
from birthmark.ledger.record import Recorder
from birthmark.ledger.revival import CommitRevivalSource
from birthmark.ledger.version_links import VersionLinker
from birthmark.sources.git.log import Link
from birthmark.store.model import CommitNode, Version
from birthmark.store.port import Store
from birthmark.vocabulary import Aspect, Change


class ReplayState(NamedTuple):
    """The files of a commit at their versions, and the identities in them."""

    files: dict[str, Version]
    alive: set[int]

    def copy(self) -> ReplayState:
        return ReplayState(self.files.copy(), self.alive.copy())


class CommitReplay:
    """One commit: its changes, their identities, and the ledger's records of them."""

    def __init__(
        self,
        store: Store,
        tools: IndexTools,
        keys: KeyCache,
        parents: list[ReplayState],
        run: int,
        at: int,
        replay_runs: Collection[int],
        rewritten: Collection[Version] = (),
    ) -> None:
        """`rewritten` are the files of commits that this one may replace."""
        self.store, self.tools, self.keys, self.run, self.at = store, tools, keys, run, at
        self.replay_runs = replay_runs
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
        if self.others:
            self._record_merge(new)
        else:
            self._record_touched(new, ready)

    def _record_touched(self, new: list[PathAndExtraction], ready: ReadyPairing) -> None:
        """Record the touched entities of a commit; the others keep their identities."""
        kept = [version for version in self.old if version.path not in ready.lost]
        touched = ready.of([(version.path, version.extraction) for version in kept], new)
        if touched is None:
            kept, touched = self._touch(new)
        old_files = [OutlinedFile(part.path, part.outline, _no_source) for part in touched.old]
        new_files = [OutlinedFile(part.path, part.outline, _no_source) for part in touched.new]
        whole = [version.identities for version in kept]
        old = [part.pick(identities) for part, identities in zip(touched.old, whole, strict=True)]
        earlier = [part.pick(found) for part, found in zip(touched.new, self._earlier(new), strict=True)]
        before = IdentifiedFiles(old_files, old)
        revivals = CommitRevivalSource(self.store, self._present(kept), old, self.replay_runs)
        family_of = self.tools.family_of
        assigned = assign_identities(lambda: touched.pairing, before, new_files, revivals, family_of, earlier=earlier)
        recorder = self._recorder(
            identities_of=lambda f, recorded: touched.new[f].join(recorded, whole),
            known_derivations=touched.derivations,
        )
        self.new = recorder.record(before, new_files, [extraction for _, extraction in new], assigned)
        now = [part.pick(version.identities) for part, version in zip(touched.new, self.new, strict=True)]
        after = IdentifiedFiles(new_files, now)
        self.store.put_links(VersionLinker(before, after, touched, assigned, recorder.derivations).link(self.new))
        self.changes = recorder.changes

    def _touch(self, new: list[PathAndExtraction]) -> tuple[list[Version], TouchedFiles]:
        """Return the touched files that no worker has found, and the old files that are kept."""
        kept, old_files = self._old_files()
        new_files = [self.extractor.kept_file(*each) for each in new]
        return kept, find_touched(old_files, new_files, self.tools.family_of, _ids(kept, new))

    def _record_merge(self, new: list[PathAndExtraction]) -> None:
        """Record a merge; `ledger/merge.py` tells which parent its entities are from."""
        others = [other.files for other in self.others]
        merge = Merge(self.extractor, self.before.files, self.old, dict(new), others, self.tools.family_of)
        inherited = merge.inherited_alone(self.before.alive)
        if inherited is not None:
            self._record_inherited(new, inherited)
            return
        kept, old_files = self._old_files()
        new_files = [self.extractor.kept_file(*each) for each in new]
        pair = cache(lambda: pair_commit(old_files, new_files, self.tools.family_of, ids=_ids(kept, new)))
        before = IdentifiedFiles(old_files, [version.identities for version in kept])
        replaced = [version.identities for version in self.old]
        revivals = CommitRevivalSource(self.store, self._present(kept), replaced, self.replay_runs)
        assigned = assign_identities(
            pair,
            before,
            new_files,
            revivals,
            self.tools.family_of,
            inherited=merge.inherited(pair(), before, new_files),
            earlier=self._earlier(new),
        )
        recorder = self._recorder(merged_change=self.merged_change)
        self.new = recorder.record(before, new_files, [extraction for _, extraction in new], assigned)
        self.store.put_links(link_merge(merge, self.before.files, new_files, self.new))
        self.changes = recorder.changes

    def _record_inherited(self, new: list[PathAndExtraction], inherited: Sequence[Sequence[int]]) -> None:
        """Record a merge that has all its files from its parents; entities may still be deleted."""
        found = set[int]().union(*inherited)
        reduced = [version for version in self.old if not found.issuperset(version.identities)]
        files = [(version.identities, self.extractor.file(version.path, version.extraction)) for version in reduced]
        old = [(identities, file) for identities, file in files if file is not None]
        deleted = [
            (f, e)
            for f, (identities, _) in enumerate(old)
            for e, identity in enumerate(identities)
            if identity not in found
        ]
        recorder = self._recorder(merged_change=self.merged_change, identities_of=lambda f, _: tuple(inherited[f]))
        new_files = [OutlinedFile(path, NO_OUTLINE, _no_source) for path, _ in new]
        assigned = Assignments([[] for _ in new], deleted)
        extractions = [extraction for _, extraction in new]
        before = IdentifiedFiles([file for _, file in old], [identities for identities, _ in old])
        self.new = recorder.record(before, new_files, extractions, assigned)
        self.changes = recorder.changes

    @property
    def _recorder(self) -> partial[Recorder]:
        issuer = KeyIssuer(self.store, self.at, self.keys)
        return partial(Recorder, self.store, self.run, issuer, self.tools.family_of, is_commit=True)

    def _is_changed(self, change: ChangedExtraction) -> bool:
        """Return True if the file changed; a file that cannot be read is taken to be as it was."""
        version = self.before.files.get(change.path)
        return change.extraction != UNREADABLE and (version.extraction if version else None) != change.extraction

    def _old_files(self) -> tuple[list[Version], list[OutlinedFile]]:
        """Return the old versions and files whose outlines are kept."""
        files = [(version, self.extractor.file(version.path, version.extraction)) for version in self.old]
        kept = [(version, file) for version, file in files if file is not None]
        return [version for version, _ in kept], [file for _, file in kept]

    def _earlier(self, new: list[tuple[str, int]]) -> list[Sequence[int]]:
        """Return the identities of files that had the same content in an earlier or a rewritten commit."""
        found = _rewritten_identities(self.rewritten, new)
        for place, versions in self.store.versions_at(new).items():
            replayed = (version.identities for version in versions if version.run in self.replay_runs)
            found[place] = next(replayed, found.get(place, ()))
        return [found.get(each, ()) for each in new]

    def _present(self, kept: list[Version]) -> set[int]:
        """Return the identities of the first parent without those of lost outlines: keys may revive them."""
        paths = {version.path for version in kept}
        lost = [version for version in self.old if version.path not in paths]
        return self.before.alive.difference(*(version.identities for version in lost)) if lost else self.before.alive

    def merged_change(self, after: OutlinedEntity, identity: int, change: str) -> str | None:
        """Return the change that a merge itself made: one by which the entity differs from all its parents."""
        if change == Change.DELETED:
            return None if self._is_deleted(identity) else change
        differences = []
        for state in (*self.others, self.before):
            if identity in state.alive:
                differences.append(set(self._differences(state, after, identity)))
                if not differences[-1]:
                    return None
        return _name(set.intersection(*differences)) if differences else change

    def _is_deleted(self, identity: int) -> bool:
        """Return True if a commit that led to another parent has deleted it."""
        events = self.store.events_of([identity])
        return bool(events) and events[-1].change == Change.DELETED

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

    def record_node(self, node: CommitNode, changes: Sequence[ChangedExtraction]) -> None:
        """Add the commit to the graph, with the files that are gone or cannot be read."""
        removed = {version.path for version in self.old}.difference(version.path for version in self.new)
        unread = [change.path for change in changes if change.extraction == UNREADABLE]
        self.store.append_commit(node, sorted(removed), unread)

    def apply(self, state: ReplayState) -> None:
        """Turn the state of the first parent into that of this commit."""
        for version in self.old:
            state.files.pop(version.path)
            state.alive.difference_update(version.identities)
        for version in self.new:
            state.files[version.path] = version
            state.alive.update(version.identities)


def _ids(kept: Sequence[Version], new: Sequence[PathAndExtraction]) -> tuple[dict[str, str], dict[str, str]]:
    return {version.path: str(version.extraction) for version in kept}, {path: str(number) for path, number in new}


def _no_source() -> bytes:
    """Fail: sources were only needed when the commit was paired."""
    raise AssertionError


def _name(differences: set[str]) -> str | None:
    """Return the boldest difference as one word."""
    words = [word for word in (Change.RELOCATED, Change.RENAMED) if word in differences]
    return words[0] if words else Change.MODIFIED if differences else None


def find_rewritten(store: Store, links: Iterable[Link]) -> dict[int, list[int]]:
    """Return the runs of replayed commits that are no longer part of history, by their author's time."""
    commits = {link.commit for link in links}
    gone = [run for commit, run in store.replayed_commits().items() if commit not in commits]
    found: defaultdict[int, list[int]] = defaultdict(list)
    for number, run in sorted(store.runs(gone).items()) if gone else ():
        found[run.at].append(number)
    return dict(found)


def _rewritten_identities(
    versions: Collection[Version], new: Sequence[PathAndExtraction]
) -> dict[PathAndExtraction, Sequence[int]]:
    """Return identities from other paths; of several of one content, those where the path ends most alike."""
    by_extraction: defaultdict[int, list[Version]] = defaultdict(list)
    for version in versions:
        by_extraction[version.extraction].append(version)
    found: dict[PathAndExtraction, Sequence[int]] = {}
    for path, extraction in new if versions else ():
        if like := by_extraction.get(extraction):
            found[path, extraction] = max(like, key=lambda version: _common_end(version.path, path)).identities
    return found


def _common_end(one: str, other: str) -> int:
    return len(commonprefix((one[::-1], other[::-1])))
