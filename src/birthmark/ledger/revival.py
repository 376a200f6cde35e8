"""Find deleted identities that new entities may revive.

Takes new entities; gives MatchCandidates of deleted ones that had their semantic path or their content. Light entities
are not known by their content, unless they were deleted from the file that most of a new file comes from.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from birthmark.comparison.match_candidates import WEIGHTY, FamilyOf
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.placement import entity_path
from birthmark.identity.keys import Key, parse_key, place_of
from birthmark.matching.model import MatchCandidate
from birthmark.store.model import Event, Identity
from birthmark.store.port import Store

ContentsByFile = Mapping[str, Collection[str]]


class LedgerRevivalSource:
    """Deleted identities that a snapshot may revive; `replaced` versions leave the snapshot in this update."""

    def __init__(self, store: Store, snapshot: int, replaced: Collection[int]) -> None:
        self.store, self.snapshot, self.replaced = store, snapshot, replaced
        self.is_empty = not store.has_identities()

    def alive(self, identities: Collection[int]) -> Collection[int]:
        """Return those that are in files that did not change."""
        found = self.store.versions_with(self.snapshot, identities) if identities else {}
        return [identity for identity, version in found.items() if version not in self.replaced]

    def deleted_like(self, entities: Sequence[OutlinedEntity], family_of: FamilyOf) -> Sequence[MatchCandidate]:
        """Return deleted identities that had the semantic path or the content of one of these entities.

        The id of a candidate is the number of the identity.
        """
        if self.is_empty:
            return ()
        light, weighty = _by_file(entities, is_weighty=False), _by_file(entities, is_weighty=True)
        found = self.store.deletions_with({content for contents in weighty.values() for content in contents})
        wanted = self._by_path(entities) | {event.identity for event in found} | self._beside(light, weighty, found)
        deleted = wanted - self.present(wanted)
        return self._describe(deleted, family_of) if deleted else ()

    def present(self, identities: Collection[int]) -> set[int]:
        return set(self.store.versions_with(self.snapshot, identities))

    def knows(self, run: int) -> bool:
        """Return True if this source uses what the run found."""
        return True

    def _by_path(self, entities: Sequence[OutlinedEntity]) -> set[int]:
        paths = {entity_path(outlined.entity, place_of(outlined.file.path)) for outlined in entities}
        return {row.identity for row in self.store.keys_at(paths)}

    def _beside(self, light: ContentsByFile, weighty: ContentsByFile, deletions: Sequence[Event]) -> set[int]:
        """Return light entities that were deleted from the file that most of a new file comes from."""
        found, origins = set[int](), defaultdict[str, list[str]](list)
        for event in deletions:
            origins[event.content].append(event.path)
        for path, contents in light.items():
            counts = Counter(origin for content in weighty.get(path, ()) for origin in origins.get(content, ()))
            for origin, _ in counts.most_common(1):
                deleted = self.store.deletions_from(origin)
                found |= {event.identity for event in deleted if event.content in contents}
        return found

    def _describe(self, identities: Collection[int], family_of: FamilyOf) -> list[MatchCandidate]:
        last = {event.identity: event for event in self.store.events_of(identities) if self.knows(event.run)}
        born = {one.identity: one for one in self.store.identities(identities) if self.knows(one.run)}
        keys = defaultdict[int, list[str]](list)
        for row in self.store.keys_of(born):
            keys[row.identity].append(row.text)
        return [_candidate(born[one], last.get(one), [*keys[one], born[one].key], family_of) for one in sorted(born)]


def _candidate(born: Identity, event: Event | None, keys: Sequence[str], family_of: FamilyOf) -> MatchCandidate:
    """Describe an identity as its last event left it, or as it was born."""
    issued = [parts for key in keys if (parts := parse_key(key)) is not None]
    named = (parts for parts in reversed(issued) if event is None or _is_named(parts, event))
    parts, state = next(named, issued[-1]), event or born
    return MatchCandidate(
        str(born.identity),
        state.path,
        parts.kind,
        parts.name,
        parts.parent,
        state.start_line,
        state.end_line,
        event.content if event else "",
        family=family_of(parts.language),
        weight=WEIGHTY,
    )


def _is_named(parts: Key, event: Event) -> bool:
    return event.qualified_name == ".".join(filter(None, (parts.parent, parts.name)))


def _by_file(entities: Sequence[OutlinedEntity], *, is_weighty: bool) -> ContentsByFile:
    """Return the contents of entities that are heavy enough to be known by them, or of the others."""
    found = defaultdict[str, set[str]](set)
    for outlined in entities:
        if (outlined.weight >= WEIGHTY) == is_weighty:
            found[outlined.file.path].add(outlined.fingerprint.content)
    return found


class CommitRevivalSource(LedgerRevivalSource):
    """Deleted identities that a commit may revive: those of other commits that its first parent does not have.

    Identities from worktrees are adopted after the replay (`ledger/adoption.py`), so that every clone replays alike.
    """

    def __init__(
        self, store: Store, alive: set[int], replaced: Iterable[Collection[int]], replay_runs: Collection[int]
    ) -> None:
        """`replaced` are the identities that the commit touched, by file."""
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
