"""What happened to crowds between two states: to all that a pattern matches, and to all who use an entity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from birthmark.comparison.state_comparison import EntityInState, EntityKey, StateComparison
from birthmark.extraction.model import OutlinedFile
from birthmark.subscriptions.accepted_fingerprints import differing, prints_of
from birthmark.subscriptions.accepted_state import SubscriptionPattern
from birthmark.subscriptions.model import Accepted
from birthmark.subscriptions.state_symbols import TreeSymbols
from birthmark.vocabulary import Aspect

TOP_LEVEL = -1  # of a file, as the ordinal of a user


class AggregateChanges(NamedTuple):
    """By `path::name`. `contents` are the fingerprints of those that are there."""

    added: list[str]
    removed: list[str]
    changed: list[dict[str, object]]
    renamed: list[dict[str, str]]
    contents: list[str]

    def reasons(self, noun: str) -> tuple[str, ...]:
        return tuple(f"{noun}_{word}" for word in self.details)

    @property
    def details(self) -> dict[str, object]:
        return {word: found for word, found in self._asdict().items() if found and word != "contents"}


def compare_matches(
    window: StateComparison, pattern: SubscriptionPattern, accepted: Accepted, track_decorators: bool
) -> AggregateChanges:
    """What a pattern matches in files that changed; what was accepted as it is now is left out."""
    told = AggregateChanges([], [], [], [], [])
    old, new = _matching(pattern, window.old_files), _matching(pattern, window.new_files)
    origins = {window.ancestors[spot.place] for spot in new if spot.place in window.ancestors}
    changed: dict[EntityKey, tuple[str, tuple[Aspect, ...]]] = {}
    for spot in map(window.old_spot, sorted({spot.place for spot in old} | origins)):
        heir = window.heir(spot)
        if heir is None:
            if not _is_accepted(window, accepted, spot.file.path):
                told.removed.append(name_of(spot))
        elif not _is_accepted(window, accepted, heir.file.path):
            aspects = differing(prints_of(spot), prints_of(heir), track_decorators)
            if name_of(spot) != name_of(heir):
                told.renamed.append({"from": name_of(spot), "to": name_of(heir)})
            if Aspect.INTERFACE in aspects or Aspect.BODY in aspects:
                changed[heir.place] = (name_of(heir), aspects)
                told.contents.append(prints_of(heir).content)
    for spot in new:
        if spot.place not in window.ancestors and not _is_accepted(window, accepted, spot.file.path):
            told.added.append(name_of(spot))
            told.contents.append(prints_of(spot).content)
    told.changed.extend({"name": name, "aspects": list(aspects)} for name, aspects in _innermost(window, changed))
    return told


def _matching(pattern: SubscriptionPattern, files: Iterable[OutlinedFile]) -> list[EntityInState]:
    return [
        EntityInState(file, ordinal)
        for file in files
        if pattern.has_path(file.path)
        for ordinal, entity in enumerate(file.outline.entities)
        if pattern.has_name(entity.qualified_name)
    ]


def _innermost(
    window: StateComparison, changed: dict[EntityKey, tuple[str, tuple[Aspect, ...]]]
) -> list[tuple[str, tuple[Aspect, ...]]]:
    """A container whose body changed only because of a member that is told of says nothing new."""
    around = {
        (path, window.new_spot((path, ordinal)).entity.container)
        for path, ordinal in changed
        if window.new_spot((path, ordinal)).entity.container >= 0
    }
    return [told for place, told in changed.items() if not (told[1] == (Aspect.BODY,) and place in around)]


def compare_users(
    window: StateComparison,
    old: EntityInState | None,
    new: EntityInState | None,
    accepted: Accepted,
    symbols: tuple[TreeSymbols, TreeSymbols],
) -> AggregateChanges:
    """Who began or ceased to use an entity, and which user changed, in files that changed."""
    told = AggregateChanges([], [], [], [], [])
    before = users_in(symbols[0], window.old_files, old) if old is not None else {}
    after = users_in(symbols[1], window.new_files, new) if new is not None else {}
    heirs = {place: _heir_of(window, place) for place in before}
    for place, name in before.items():
        heir = heirs[place]
        if heir is not None and heir in after:
            aspects = _aspects(window, place, heir)
            if aspects and not _is_accepted(window, accepted, heir[0]):
                told.changed.append({"name": after[heir], "aspects": list(aspects)})
                told.contents.append(_content(window, heir))
        elif not _is_accepted(window, accepted, heir[0] if heir else place[0]):
            told.removed.append(name)
    known = set(heirs.values())
    for place, name in after.items():
        if place not in known and not _is_accepted(window, accepted, place[0]):
            told.added.append(name)
            told.contents.append(_content(window, place))
    return told


def users_in(symbols: TreeSymbols, files: Sequence[OutlinedFile], used: EntityInState) -> dict[EntityKey, str]:
    """The innermost entities in some files that mention an entity, or the files where none does."""
    scope = frozenset({file.path for file in files} | {used.file.path})
    users: dict[EntityKey, str] = {}
    for file in files:
        for reference, spots in symbols.targets(file, symbols.mentions(file, used.entity.name), scope):
            place = (file.path, reference.entity)
            if any(spot.place == used.place for spot in spots) and place != used.place:
                users[place] = file.path if reference.entity < 0 else name_of(EntityInState(file, reference.entity))
    return users


def _content(window: StateComparison, place: EntityKey) -> str:
    return "" if place[1] == TOP_LEVEL else prints_of(window.new_spot(place)).content


def _heir_of(window: StateComparison, place: EntityKey) -> EntityKey | None:
    if place[1] == TOP_LEVEL:
        path = window.renamed.get(place[0], place[0])
        return (path, TOP_LEVEL) if window.new.content_id(path) is not None else None
    heir = window.heir(window.old_spot(place))
    return None if heir is None else heir.place


def _aspects(window: StateComparison, old: EntityKey, new: EntityKey) -> tuple[Aspect, ...]:
    if old[1] == TOP_LEVEL:
        return ()  # What else stands at the top level of a file is not what uses it.
    aspects = differing(prints_of(window.old_spot(old)), prints_of(window.new_spot(new)), True)
    return tuple(aspect for aspect in aspects if aspect in (Aspect.INTERFACE, Aspect.BODY))


def _is_accepted(window: StateComparison, accepted: Accepted, path: str) -> bool:
    """Whether a file is just as it was accepted; one that is gone was accepted as such if it has no content."""
    return path in accepted.files and accepted.files[path] == (window.new.content_id(path) or "")


def name_of(spot: EntityInState) -> str:
    return f"{spot.file.path}::{spot.entity.qualified_name}"
