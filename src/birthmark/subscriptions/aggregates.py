"""Changes of aggregates between two states: of all entities that a pattern matches, and of all users of an entity.

Takes the accepted state and a StateComparison; gives AggregateChanges. `_place_of` and `member_places` say where the
parts of an aggregate are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from birthmark.comparison.state_comparison import StateComparison
from birthmark.extraction.model import EntityKey, OutlinedEntity, OutlinedFile
from birthmark.extraction.state import RepositoryState
from birthmark.subscriptions.members import MemberChanges, differing, fingerprints_of, members_of
from birthmark.subscriptions.model import Accepted, ChangedPlace
from birthmark.subscriptions.patterns import SubscriptionPattern
from birthmark.subscriptions.state_symbols import TreeSymbols
from birthmark.vocabulary import Aspect, ScanReason

TOP_LEVEL = -1  # of a file, as the ordinal of a user
CodeUser = tuple[str, int]  # `path::name`, or a path for the top level of a file; and the first line that uses it
_NO_DETAILS = ("contents", "places")


class AggregateChanges(NamedTuple):
    """Changes by `path::name`, with the fingerprints of present entities in `contents`, and the places of all."""

    added: list[str]
    removed: list[str]
    changed: list[dict[str, object]]
    renamed: list[dict[str, str]]
    contents: list[str]
    places: list[ChangedPlace]

    def reasons(self, noun: str) -> tuple[ScanReason, ...]:
        return tuple(ScanReason(f"{noun}_{word}") for word in self.details)

    @property
    def details(self) -> dict[str, object]:
        return {word: found for word, found in self._asdict().items() if found and word not in _NO_DETAILS}


def compare_matches(
    comparison: StateComparison, pattern: SubscriptionPattern, accepted: Accepted, track_decorators: bool
) -> AggregateChanges:
    """Return the changes of what a pattern matches in changed files, except files accepted in their present state."""
    changes = AggregateChanges([], [], [], [], [], [])
    old, new = _matching(pattern, comparison.old_files), _matching(pattern, comparison.new_files)
    origins = {comparison.predecessors[one.key] for one in new if one.key in comparison.predecessors}
    changed: dict[EntityKey, tuple[str, tuple[Aspect, ...]]] = {}
    for state_entity in map(comparison.old_entity, sorted({one.key for one in old} | origins)):
        successor = comparison.successor(state_entity)
        if successor is None:
            if not _is_accepted(comparison, accepted, state_entity.file.path):
                changes.removed.append(name_of(state_entity))
                changes.places.append(_place_of("removed", state_entity))
        elif not _is_accepted(comparison, accepted, successor.file.path):
            aspects = differing(fingerprints_of(state_entity), fingerprints_of(successor), track_decorators)
            if name_of(state_entity) != name_of(successor):
                changes.renamed.append({"from": name_of(state_entity), "to": name_of(successor)})
                changes.places.append(_place_of("renamed", successor, state_entity))
            if Aspect.INTERFACE in aspects or Aspect.BODY in aspects:
                changed[successor.key] = (name_of(successor), aspects)
                changes.contents.append(fingerprints_of(successor).content)
    for state_entity in new:
        is_new = state_entity.key not in comparison.predecessors
        if is_new and not _is_accepted(comparison, accepted, state_entity.file.path):
            changes.added.append(name_of(state_entity))
            changes.places.append(_place_of("added", state_entity))
            changes.contents.append(fingerprints_of(state_entity).content)
    for key, (name, aspects) in _innermost(comparison, changed).items():
        successor = comparison.new_entity(key)
        changes.changed.append({"name": name, "aspects": list(aspects)})
        changes.places.append(_place_of("changed", successor, comparison.predecessor(successor)))
    return changes


def _matching(pattern: SubscriptionPattern, files: Iterable[OutlinedFile]) -> list[OutlinedEntity]:
    return [
        OutlinedEntity(file, ordinal)
        for file in files
        if pattern.has_path(file.path)
        for ordinal, entity in enumerate(file.outline.entities)
        if pattern.has_name(entity.qualified_name)
    ]


def _innermost(
    comparison: StateComparison, changed: dict[EntityKey, tuple[str, tuple[Aspect, ...]]]
) -> dict[EntityKey, tuple[str, tuple[Aspect, ...]]]:
    """Return the changes without containers whose body changed only because of a reported member."""
    around = {
        (path, comparison.new_entity((path, ordinal)).entity.container)
        for path, ordinal in changed
        if comparison.new_entity((path, ordinal)).entity.container >= 0
    }
    return {key: change for key, change in changed.items() if not (change[1] == (Aspect.BODY,) and key in around)}


def compare_users(
    comparison: StateComparison,
    old: OutlinedEntity | None,
    new: OutlinedEntity | None,
    accepted: Accepted,
    symbols: tuple[TreeSymbols, TreeSymbols],
) -> AggregateChanges:
    """Return the users of an entity that were added, removed or changed, in changed files."""
    changes = AggregateChanges([], [], [], [], [], [])
    before = users_in(symbols[0], comparison.old_files, old) if old is not None else {}
    after = users_in(symbols[1], comparison.new_files, new) if new is not None else {}
    successors = {key: _successor_of(comparison, key) for key in before}
    for key, user in before.items():
        successor = successors[key]
        if successor is not None and successor in after:
            aspects = _aspects(comparison, key, successor)
            if aspects and not _is_accepted(comparison, accepted, successor[0]):
                changes.changed.append({"name": after[successor][0], "aspects": list(aspects)})
                changes.contents.append(_content(comparison, successor))
                changes.places.append(_user_place("changed", comparison, after[successor], successor, key))
        elif not _is_accepted(comparison, accepted, successor[0] if successor else key[0]):
            changes.removed.append(user[0])
            changes.places.append(_former_user(comparison, user, key, successor))
    known = set(successors.values())
    for key, user in after.items():
        if key not in known and not _is_accepted(comparison, accepted, key[0]):
            changes.added.append(user[0])
            changes.contents.append(_content(comparison, key))
            changes.places.append(_user_place("added", comparison, user, key))
    return changes


def _user_place(
    change: str, comparison: StateComparison, user: CodeUser, key: EntityKey, before: EntityKey | None = None
) -> ChangedPlace:
    """A user of the new state. One at the top level of a file is at its line."""
    if key[1] == TOP_LEVEL:
        return ChangedPlace(change, "", key[0], user[1], user[1])
    entity = comparison.new_entity(key)
    old = comparison.old_entity(before) if before is not None else comparison.predecessor(entity)
    return _place_of(change, entity, old)


def _former_user(
    comparison: StateComparison, user: CodeUser, key: EntityKey, successor: EntityKey | None
) -> ChangedPlace:
    """Return the place of a former user: the current one, or the last one if it is gone."""
    if successor is not None and successor[1] != TOP_LEVEL:
        return _place_of("removed", comparison.new_entity(successor), comparison.old_entity(key))
    if key[1] == TOP_LEVEL:
        return ChangedPlace("removed", "", key[0], user[1], user[1])
    return _place_of("removed", comparison.old_entity(key))


def users_in(symbols: TreeSymbols, files: Sequence[OutlinedFile], used: OutlinedEntity) -> dict[EntityKey, CodeUser]:
    """Return the innermost entities in some files that mention an entity, or the files where none does."""
    scope = frozenset({file.path for file in files} | {used.file.path})
    users: dict[EntityKey, CodeUser] = {}
    for file in files:
        for reference, state_entities in symbols.targets(file, symbols.mentions(file, used.entity.name), scope):
            key = (file.path, reference.entity)
            if any(one.key == used.key for one in state_entities) and key != used.key:
                name = file.path if reference.entity < 0 else name_of(OutlinedEntity(file, reference.entity))
                users.setdefault(key, (name, reference.line))
    return users


def _content(comparison: StateComparison, key: EntityKey) -> str:
    return "" if key[1] == TOP_LEVEL else fingerprints_of(comparison.new_entity(key)).content


def _successor_of(comparison: StateComparison, key: EntityKey) -> EntityKey | None:
    if key[1] == TOP_LEVEL:
        path = comparison.renamed.get(key[0], key[0])
        return (path, TOP_LEVEL) if comparison.new.content_id(path) is not None else None
    successor = comparison.successor(comparison.old_entity(key))
    return None if successor is None else successor.key


def _aspects(comparison: StateComparison, old: EntityKey, new: EntityKey) -> tuple[Aspect, ...]:
    if old[1] == TOP_LEVEL:
        return ()  # Other changes at the top level of a file do not concern the use.
    aspects = differing(fingerprints_of(comparison.old_entity(old)), fingerprints_of(comparison.new_entity(new)), True)
    return tuple(aspect for aspect in aspects if aspect in (Aspect.INTERFACE, Aspect.BODY))


def _is_accepted(comparison: StateComparison, accepted: Accepted, path: str) -> bool:
    """Return whether a file is just as it was accepted; one that is gone was accepted as such if it has no content."""
    return path in accepted.files and accepted.files[path] == (comparison.new.content_id(path) or "")


def name_of(state_entity: OutlinedEntity) -> str:
    return f"{state_entity.file.path}::{state_entity.entity.qualified_name}"


def _place_of(change: str, entity: OutlinedEntity, before: OutlinedEntity | None = None) -> ChangedPlace:
    at, old = entity.location, before.location if before is not None else None
    return ChangedPlace(change, at.qualified_name, at.path, at.start_line, at.end_line, old)


def member_places(
    changes: MemberChanges, old: OutlinedEntity | None, new: OutlinedEntity, state: RepositoryState
) -> list[ChangedPlace]:
    """Return the places of the reported members; an inherited one is where it is defined."""
    before, after = ({} if one is None else _by_name(members_of(one)) for one in (old, new))
    own = [("added", name, name) for name in changes.added]
    own += [("changed", str(item["name"]), str(item["name"])) for item in changes.changed]
    own += [("renamed", item["from"], item["to"]) for item in changes.renamed]
    places = [_place_of(word, after[name], before.get(was)) for word, was, name in own if name in after]
    places += [_place_of("inherited", one) for item in changes.inherited for one in _inherited(item, state)]
    return places + [_place_of("removed", before[name]) for name in changes.removed if name in before]


def _by_name(members: Iterable[OutlinedEntity]) -> dict[str, OutlinedEntity]:
    """Map names to members; the first of several with the same name counts."""
    found: dict[str, OutlinedEntity] = {}
    for member in members:
        found.setdefault(member.entity.name, member)
    return found


def _inherited(item: dict[str, object], state: RepositoryState) -> list[OutlinedEntity]:
    path, _, container = str(item["origin"]).partition("::")
    file = state.file(path)
    entities = file.outline.entities if file is not None else ()
    name = f"{container}.{item['name']}"
    return [OutlinedEntity(file, i) for i, one in enumerate(entities) if file and one.qualified_name == name][:1]
