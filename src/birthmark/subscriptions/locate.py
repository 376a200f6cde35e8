"""Find what subscriptions point at in the new state of a tree.

First where it was accepted, then where the pairing of the two states leads, which looks in the file and then in all
files that changed. What the old state does not have is paired by what was accepted of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from birthmark.comparison.match_candidates import FamilyOf, all_entities, match_candidates, token_reader
from birthmark.comparison.state_comparison import StateComparison
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.extraction.state import RepositoryState
from birthmark.matching.model import MatchCandidate
from birthmark.matching.pair import pair_entities
from birthmark.subscriptions.model import Semantic, Subscription
from birthmark.vocabulary import ScanReason

ByMark = Callable[[str], OutlinedEntity | None]


class Located(NamedTuple):
    """An entity in the new state; or several candidates for it; or why it is missing."""

    entity: OutlinedEntity | None = None
    origin: OutlinedEntity | None = None  # what it was in the old state
    candidates: tuple[OutlinedEntity, ...] = ()
    missing: str = ""

    @property
    def is_gone(self) -> bool:
        return self.entity is None and not self.candidates


def locate(subscriptions: Iterable[Subscription], comparison: StateComparison, by_mark: ByMark) -> dict[str, Located]:
    """Map ids of subscriptions to their located entities."""
    found: dict[str, Located] = {}
    missing: list[Subscription] = []
    for subscription in subscriptions:
        located = _locate(subscription, comparison, by_mark)
        if located is None:
            missing.append(subscription)
        else:
            found[subscription.id] = located
    return found | _pair_accepted(missing, comparison) if missing else found


def _locate(subscription: Subscription, comparison: StateComparison, by_mark: ByMark) -> Located | None:
    """Return the located entity; None if neither state has it in its accepted place."""
    accepted, semantic = subscription.accepted, subscription.accepted.semantic
    assert semantic is not None
    path, content = accepted.path, accepted.files.get(accepted.path)
    is_known = comparison.old.content_id(path) == content or _is_unchanged(subscription, comparison.old)
    if content is not None and comparison.new.content_id(path) == content:
        state_entity = _find_accepted(subscription, comparison.new)
        if state_entity is not None:
            return Located(state_entity, comparison.predecessor(state_entity))
    if not is_known:
        state_entity = find_unchanged(subscription, comparison.new) or (
            by_mark(accepted.mark) if accepted.mark else None
        )
        if state_entity is not None:
            return Located(state_entity)
    origin = _find_accepted(subscription, comparison.old)
    located = None if origin is None else _follow(comparison, origin)
    if located is not None and located.is_gone and accepted.mark:
        # Where there is no commit, the old state has the other files as they were indexed last: also that to which it
        # went, so that nothing in there is new. The ledger has followed it.
        followed = by_mark(accepted.mark)
        located = located if followed is None else Located(followed, origin)
    # The entity with that name in the old state may not be the accepted one, which may be somewhere else.
    return None if located is None or (located.is_gone and not is_known) else located


def _follow(comparison: StateComparison, origin: OutlinedEntity) -> Located:
    successor = comparison.successor(origin)
    if successor is not None and (successor.file.path == origin.file.path or comparison.is_text(successor.file.path)):
        return Located(successor, origin)
    candidates = [one for one in comparison.rivals(origin) if comparison.is_text(one.file.path)]
    if len(candidates) == 1:
        candidates = []  # Several old entities could be this one, so it is nothing to propose.
    return Located(None, origin, tuple(candidates), _why_missing(comparison.new, origin.file.path))


def _why_missing(tree: RepositoryState, path: str) -> ScanReason:
    if tree.content_id(path) is None:
        return ScanReason.FILE_DELETED
    return ScanReason.FILE_NOT_FOUND if tree.problem(path) else ScanReason.TARGET_MISSING


def _find_accepted(subscription: Subscription, tree: RepositoryState) -> OutlinedEntity | None:
    """Return the entity with the accepted name or, failing that, content; the most similar or nearest of several."""
    accepted, semantic = subscription.accepted, subscription.accepted.semantic
    file = tree.file(accepted.path)
    if file is None or semantic is None:
        return None
    named = _named(file, semantic)
    if not named:
        named = [one for one in file.outlined if _has_content(one, semantic) and one.entity.kind == semantic.kind]
    return min(named, key=lambda one: _difference(one, subscription), default=None)


def find_unchanged(subscription: Subscription, tree: RepositoryState) -> OutlinedEntity | None:
    """Return the entity with the accepted path, name and content; None if there is none."""
    semantic = subscription.accepted.semantic
    file = tree.file(subscription.accepted.path)
    if file is None or semantic is None:
        return None
    same = [one for one in _named(file, semantic) if _has_content(one, semantic)]
    return min(same, key=lambda one: _difference(one, subscription), default=None)


def _is_unchanged(subscription: Subscription, tree: RepositoryState) -> bool:
    """Return whether path, name, content and line are as accepted.

    Even if the rest of the file differs, the pairing then knows the entity best.
    """
    state_entity = find_unchanged(subscription, tree)
    return state_entity is not None and state_entity.entity.start_line == subscription.accepted.start_line


def _named(file: OutlinedFile, semantic: Semantic) -> list[OutlinedEntity]:
    named = [one for one in file.outlined if one.entity.qualified_name == semantic.qualname]
    return [one for one in named if one.entity.kind == semantic.kind] or named


def _has_content(state_entity: OutlinedEntity, semantic: Semantic) -> bool:
    return state_entity.fingerprint.content == semantic.fingerprints.content


def _difference(state_entity: OutlinedEntity, subscription: Subscription) -> tuple[bool, bool, int]:
    semantic = subscription.accepted.semantic
    assert semantic is not None
    found = state_entity.fingerprint
    return (
        found.content != semantic.fingerprints.content,
        found.interface != semantic.fingerprints.interface,
        abs(state_entity.entity.start_line - subscription.accepted.start_line),
    )


def _pair_accepted(subscriptions: Sequence[Subscription], comparison: StateComparison) -> dict[str, Located]:
    """Pair accepted entities that neither state has, as if they had been where they were accepted."""
    files = _files_with(subscriptions, comparison)
    refs = [ref for ref in all_entities(files) if (files[ref[0]].path, ref[1]) not in comparison.predecessors]
    distinct: dict[tuple[str, Semantic | None], Subscription] = {}  # Many may subscribe to one entity.
    for subscription in subscriptions:
        distinct.setdefault(_accepted_as(subscription), subscription)
    old = [_match_candidate(one, comparison.family_of) for one in distinct.values()]
    new = match_candidates(files, refs, comparison.family_of)
    pairing = pair_entities(old, new, tokens=(lambda _: (), token_reader(files)))
    state_entities = [OutlinedEntity(files[f], ordinal) for f, ordinal in refs]
    candidates: dict[int, list[OutlinedEntity]] = {}
    for new_index, old_indexes in pairing.ambiguous.items():
        for old_index in old_indexes:
            candidates.setdefault(old_index, []).append(state_entities[new_index])
    found = {pair.old: Located(state_entities[pair.new]) for pair in pairing.pairs}
    numbers = {accepted: number for number, accepted in enumerate(distinct)}
    return {
        one.id: found.get(number) or _gone(one, comparison, candidates.get(number, []))
        for one, number in ((one, numbers[_accepted_as(one)]) for one in subscriptions)
    }


def _gone(subscription: Subscription, comparison: StateComparison, candidates: list[OutlinedEntity]) -> Located:
    missing = _why_missing(comparison.new, subscription.accepted.path)
    return Located(candidates=tuple(candidates) if len(candidates) > 1 else (), missing=missing)


def _files_with(subscriptions: Iterable[Subscription], comparison: StateComparison) -> list[OutlinedFile]:
    """Return the files in which subscriptions were accepted, and all changed files."""
    own = {subscription.accepted.path for subscription in subscriptions} - set(comparison.changed_new)
    there = [path for path in own if comparison.new.content_id(path) is not None]
    return [*comparison.new_files, *comparison.new.load(there)]


def _match_candidate(subscription: Subscription, family_of: FamilyOf) -> MatchCandidate:
    accepted, semantic = subscription.accepted, subscription.accepted.semantic
    assert semantic is not None
    parent, _, name = semantic.qualname.rpartition(".")
    fingerprints = semantic.fingerprints
    return MatchCandidate(
        subscription.id,
        accepted.path,
        semantic.kind,
        name,
        parent or None,
        accepted.start_line,
        accepted.end_line,
        fingerprints.content,
        fingerprints.interface,
        fingerprints.body,
        family_of(semantic.language),
        semantic.weight,
    )


def _accepted_as(subscription: Subscription) -> tuple[str, Semantic | None]:
    return subscription.accepted.path, subscription.accepted.semantic
