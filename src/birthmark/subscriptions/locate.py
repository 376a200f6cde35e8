"""Find what subscriptions point at in the new state of a tree.

First where it was accepted, then where the pairing of the two states leads, which looks in the file and then in all
files that changed. What the old state does not have is paired by what was accepted of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from birthmark.comparison.match_candidates import match_candidates, token_reader
from birthmark.comparison.state_comparison import EntityInState, StateComparison
from birthmark.extraction.model import OutlinedFile
from birthmark.extraction.state import RepositoryState
from birthmark.matching.model import MatchCandidate
from birthmark.matching.pair import pair_entities
from birthmark.subscriptions.model import Semantic, Subscription

ByMark = Callable[[str], EntityInState | None]


class Located(NamedTuple):
    """Where it is now; or the several places that could be it; or why it is nowhere."""

    spot: EntityInState | None = None
    origin: EntityInState | None = None  # where it was in the old state
    rivals: tuple[EntityInState, ...] = ()
    missing: str = ""

    @property
    def is_gone(self) -> bool:
        return self.spot is None and not self.rivals


def locate(subscriptions: Iterable[Subscription], window: StateComparison, by_mark: ByMark) -> dict[str, Located]:
    """By the ids of subscriptions to entities."""
    found: dict[str, Located] = {}
    lost: list[Subscription] = []
    for subscription in subscriptions:
        located = _locate(subscription, window, by_mark)
        if located is None:
            lost.append(subscription)
        else:
            found[subscription.id] = located
    return found | _Ghosts(window, lost).located() if lost else found


def _locate(subscription: Subscription, window: StateComparison, by_mark: ByMark) -> Located | None:
    """None if neither state has it where it was accepted."""
    accepted, semantic = subscription.accepted, subscription.accepted.semantic
    assert semantic is not None
    path, content = accepted.path, accepted.files.get(accepted.path)
    is_known = window.old.content_id(path) == content or _stands(subscription, window.old)
    if content is not None and window.new.content_id(path) == content:
        spot = _accepted_spot(subscription, window.new)
        if spot is not None:
            return Located(spot, window.ancestor(spot))
    if not is_known:
        spot = _standing(subscription, window.new) or (by_mark(accepted.mark) if accepted.mark else None)
        if spot is not None:
            return Located(spot)
    origin = _accepted_spot(subscription, window.old)
    located = None if origin is None else _follow(window, origin)
    # What the old state has by that name may not be what was accepted, and that may be somewhere else.
    return None if located is None or (located.is_gone and not is_known) else located


def _follow(window: StateComparison, origin: EntityInState) -> Located:
    heir = window.heir(origin)
    if heir is not None and (heir.file.path == origin.file.path or window.is_text(heir.file.path)):
        return Located(heir, origin)
    rivals = [rival for rival in window.rivals(origin) if window.is_text(rival.file.path)]
    if len(rivals) == 1:
        rivals = []  # Several old ones could be it: this one is gone, and who the new one is, nobody can tell.
    return Located(None, origin, tuple(rivals), _why_missing(window.new, origin.file.path))


def _why_missing(tree: RepositoryState, path: str) -> str:
    if tree.content_id(path) is None:
        return "file_deleted"
    return "file_not_found" if tree.problem(path) else "semantic_target_missing"


def _accepted_spot(subscription: Subscription, tree: RepositoryState) -> EntityInState | None:
    """By its name; of namesakes the one with the most of what was accepted, or the nearest."""
    accepted, semantic = subscription.accepted, subscription.accepted.semantic
    file = tree.file(accepted.path)
    if file is None or semantic is None:
        return None
    named = _named(file, semantic)
    if not named:
        named = [s for s in _all(file) if _content(s) == semantic.prints.content and s.entity.kind == semantic.kind]
    return min(named, key=lambda spot: _strangeness(spot, subscription), default=None)


def _standing(subscription: Subscription, tree: RepositoryState) -> EntityInState | None:
    """Where it was accepted, by its name and with its content."""
    semantic = subscription.accepted.semantic
    file = tree.file(subscription.accepted.path)
    if file is None or semantic is None:
        return None
    same = [spot for spot in _named(file, semantic) if _content(spot) == semantic.prints.content]
    return min(same, key=lambda spot: _strangeness(spot, subscription), default=None)


def _stands(subscription: Subscription, tree: RepositoryState) -> bool:
    """Whether it is where and as it was accepted, though its file may be another; then the pairing knows it best."""
    spot = _standing(subscription, tree)
    return spot is not None and spot.entity.start_line == subscription.accepted.start_line


def _named(file: OutlinedFile, semantic: Semantic) -> list[EntityInState]:
    entities = file.outline.entities
    named = [EntityInState(file, i) for i, entity in enumerate(entities) if entity.qualified_name == semantic.qualname]
    return [spot for spot in named if spot.entity.kind == semantic.kind] or named


def _all(file: OutlinedFile) -> list[EntityInState]:
    return [EntityInState(file, ordinal) for ordinal in range(len(file.outline.entities))]


def _content(spot: EntityInState) -> str:
    return spot.file.outline.fingerprints[spot.ordinal].content


def _strangeness(spot: EntityInState, subscription: Subscription) -> tuple[bool, bool, int]:
    semantic = subscription.accepted.semantic
    assert semantic is not None
    found = spot.file.outline.fingerprints[spot.ordinal]
    return (
        found.content != semantic.prints.content,
        found.interface != semantic.prints.interface,
        abs(spot.entity.start_line - subscription.accepted.start_line),
    )


class _Ghosts:
    """What was accepted and stands in neither state: looked for as if it had stood where it was accepted."""

    def __init__(self, window: StateComparison, subscriptions: Sequence[Subscription]) -> None:
        self.window, self.subscriptions = window, subscriptions
        self._ghosts: dict[tuple[str, Semantic | None], Subscription] = {}  # Many may subscribe to one thing.
        for subscription in subscriptions:
            self._ghosts.setdefault(_accepted_as(subscription), subscription)

    def located(self) -> dict[str, Located]:
        files = self._files
        places = [at for at in self._places if (files[at[0]].path, at[1]) not in self.window.ancestors]
        new = match_candidates(files, places, self.window.family_of)
        old = [self._subject(subscription) for subscription in self._ghosts.values()]
        pairing = pair_entities(old, new, old_tokens=lambda _: (), new_tokens=token_reader(files))
        spots = [EntityInState(files[f], ordinal) for f, ordinal in places]
        rivals: dict[int, list[EntityInState]] = {}
        for ambiguity in pairing.ambiguous:
            for candidate in ambiguity.candidates:
                rivals.setdefault(candidate, []).append(spots[ambiguity.new])
        found = {pair.old: Located(spots[pair.new]) for pair in pairing.pairs}
        numbers = {ghost: number for number, ghost in enumerate(self._ghosts)}
        return {
            one.id: found.get(number) or self._gone(one, rivals.get(number, []))
            for one, number in ((one, numbers[_accepted_as(one)]) for one in self.subscriptions)
        }

    def _gone(self, subscription: Subscription, rivals: list[EntityInState]) -> Located:
        missing = _why_missing(self.window.new, subscription.accepted.path)
        return Located(rivals=tuple(rivals) if len(rivals) > 1 else (), missing=missing)

    @cached_property
    def _files(self) -> list[OutlinedFile]:
        """Where they were accepted, and all that changed."""
        own = {subscription.accepted.path for subscription in self.subscriptions} - set(self.window.changed_new)
        own = {path for path in own if self.window.new.content_id(path) is not None}
        return [*self.window.new_files, *self.window.new.load(own)]

    @property
    def _places(self) -> list[tuple[int, int]]:
        return [(f, ordinal) for f, file in enumerate(self._files) for ordinal in range(len(file.outline.entities))]

    def _subject(self, subscription: Subscription) -> MatchCandidate:
        accepted, semantic = subscription.accepted, subscription.accepted.semantic
        assert semantic is not None
        parent, _, name = semantic.qualname.rpartition(".")
        prints = semantic.prints
        return MatchCandidate(
            subscription.id,
            accepted.path,
            semantic.kind,
            name,
            parent or None,
            accepted.start_line,
            accepted.end_line,
            prints.content,
            prints.interface,
            prints.body,
            self.window.family_of(semantic.language),
            semantic.weight,
        )


def _accepted_as(subscription: Subscription) -> tuple[str, Semantic | None]:
    return subscription.accepted.path, subscription.accepted.semantic
