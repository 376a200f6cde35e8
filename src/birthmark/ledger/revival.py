"""Find in the ledger deleted identities that entities of changed files may revive."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.placement import entity_path
from birthmark.identity.keys import Key, parse_key, place_of
from birthmark.ledger.assign_identities import WEIGHTY, DeletedEntity
from birthmark.store.model import Event, Identity
from birthmark.store.port import Store

ContentsByFile = Mapping[str, Collection[str]]


class LedgerRevivalSource:
    """Reads the store; `replaced` are the versions that leave the snapshot in this update."""

    def __init__(self, store: Store, snapshot: int, replaced: Collection[int]) -> None:
        self.store, self.snapshot, self.replaced = store, snapshot, replaced
        self.is_empty = not store.has_identities()

    def alive(self, identities: Collection[int]) -> Collection[int]:
        found = self.store.versions_with(self.snapshot, identities) if identities else {}
        return [identity for identity, version in found.items() if version not in self.replaced]

    def deleted_like(self, entities: Sequence[OutlinedEntity]) -> Sequence[DeletedEntity]:
        if self.is_empty:
            return ()
        light, weighty = _by_file(entities, is_weighty=False), _by_file(entities, is_weighty=True)
        found = self.store.deletions_with({content for contents in weighty.values() for content in contents})
        wanted = self._by_path(entities) | {event.identity for event in found} | self._beside(light, weighty, found)
        deleted = wanted - self.present(wanted)
        return self._describe(deleted) if deleted else ()

    def present(self, identities: Collection[int]) -> set[int]:
        return set(self.store.versions_with(self.snapshot, identities))

    def knows(self, run: int) -> bool:
        """Tell whether what a run found counts."""
        return True

    def _by_path(self, entities: Sequence[OutlinedEntity]) -> set[int]:
        paths = {entity_path(outlined.entity, place_of(outlined.file.path)) for outlined in entities}
        return {row.identity for row in self.store.keys_at(paths)}

    def _beside(self, light: ContentsByFile, weighty: ContentsByFile, deletions: Sequence[Event]) -> set[int]:
        """What was deleted from the file that most of a new one comes from, for what has too little content itself."""
        found, origins = set[int](), defaultdict[str, list[str]](list)
        for event in deletions:
            origins[event.content].append(event.path)
        for path, contents in light.items():
            counts = Counter(origin for content in weighty.get(path, ()) for origin in origins.get(content, ()))
            for origin, _ in counts.most_common(1):
                deleted = self.store.deletions_from(origin)
                found |= {event.identity for event in deleted if event.content in contents}
        return found

    def _describe(self, identities: Collection[int]) -> list[DeletedEntity]:
        last = {event.identity: event for event in self.store.events_of(identities) if self.knows(event.run)}
        born = {one.identity: one for one in self.store.identities(identities) if self.knows(one.run)}
        keys = defaultdict[int, list[str]](list)
        for row in self.store.keys_of(born):
            keys[row.identity].append(row.text)
        return [self._deleted(born[identity], last.get(identity), keys[identity]) for identity in sorted(born)]

    def _deleted(self, born: Identity, event: Event | None, keys: Sequence[str]) -> DeletedEntity:
        """As its last event left it, or as it was born."""
        issued = [parts for key in (*keys, born.key) if (parts := parse_key(key)) is not None]
        named = (parts for parts in reversed(issued) if event is None or _is_named(parts, event))
        parts, state = next(named, issued[-1]), event or born
        content = event.content if event else ""
        return DeletedEntity(
            born.identity,
            state.path,
            parts.language,
            parts.kind,
            parts.name,
            parts.parent,
            state.start_line,
            state.end_line,
            content,
        )


def _is_named(parts: Key, event: Event) -> bool:
    return event.qualified_name == ".".join(filter(None, (parts.parent, parts.name)))


def _by_file(entities: Sequence[OutlinedEntity], *, is_weighty: bool) -> ContentsByFile:
    """The contents of those that weigh enough to be known by them, or of the others."""
    found = defaultdict[str, set[str]](set)
    for outlined in entities:
        if (outlined.file.outline.weights[outlined.ordinal] >= WEIGHTY) == is_weighty:
            found[outlined.file.path].add(outlined.fingerprint.content)
    return found
