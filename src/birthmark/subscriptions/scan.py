"""Find out what happened to the target of each subscription.

Takes subscriptions and a StateComparison; gives Findings. What is as it was accepted gives none. The stages are those
of `locate.py`, and for the lines that a subscription points at, Ranges; a change is what differs from the accepted
state, not from the old side of the comparison, so that what was applied is never reported again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property, partial

from birthmark.comparison.patch import Hunk, hunks_between, lines_of
from birthmark.comparison.state_comparison import StateComparison
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import RepositoryState
from birthmark.model import CLASS_LIKE
from birthmark.subscriptions.accept import trigger_of
from birthmark.subscriptions.accepted_state import AcceptedStateReader, MarkOf
from birthmark.subscriptions.aggregates import AggregateChanges, compare_matches, compare_users, member_places
from birthmark.subscriptions.lines import Followed, find_text, follow_hunks, is_cosmetic
from birthmark.subscriptions.locate import ByMark, Located, locate
from birthmark.subscriptions.members import (
    REASONS,
    change_type_of,
    compare_members,
    differing,
    fingerprints_of,
    has_moved_privately,
    renamed_members,
)
from birthmark.subscriptions.model import Accepted, Finding, Proposal, Subscription, Trigger
from birthmark.subscriptions.patterns import read_pattern
from birthmark.subscriptions.state_symbols import TreeSymbols
from birthmark.vocabulary import Aspect, ChangeType, Confidence, ScanReason, SubscriptionTarget


class Scan:
    """A scan of one comparison; what several subscriptions need is made once."""

    def __init__(
        self,
        comparison: StateComparison,
        by_mark: ByMark = lambda mark: None,
        mark_of: MarkOf = lambda state_entity: None,
    ) -> None:
        self.comparison, self.by_mark = comparison, by_mark
        self.reader = AcceptedStateReader(comparison.new, mark_of)
        self.ranges = Ranges(comparison, self.reader)

    @cached_property
    def _old_symbols(self) -> TreeSymbols:
        return TreeSymbols(self.comparison.old)

    def findings(self, subscriptions: Iterable[Subscription]) -> list[Finding]:
        """Return the findings in the order of the subscriptions."""
        open_ = [one for one in subscriptions if not self._is_as_accepted(one)]
        semantic = [one for one in open_ if one.target in (SubscriptionTarget.ENTITY, SubscriptionTarget.USERS)]
        self.comparison.new.load(
            {path for one in semantic for path in one.accepted.files}
        )  # all at once, which is cheap
        located = locate(semantic, self.comparison, self.by_mark)
        found = [
            self._entity(one, located[one.id])
            if one.id in located
            else self.ranges.finding(one)
            if one.target is SubscriptionTarget.LINES
            else self._pattern(one)
            for one in open_
        ]
        return [one for one in found if one is not None]

    def _is_as_accepted(self, subscription: Subscription) -> bool:
        """Return whether all files it was read from are as they were, which most of them are."""
        accepted, tree = subscription.accepted, self.comparison.new
        if subscription.target is SubscriptionTarget.PATTERN:
            return self.reader.digest(read_pattern(subscription.ref)) == accepted.digest
        if (
            subscription.target is SubscriptionTarget.USERS
            and self.comparison.changed_new + self.comparison.changed_old
        ):
            return self.reader.tree_digest == accepted.digest
        return all(tree.content_id(path) == content for path, content in accepted.files.items())

    # Entities

    def _entity(self, subscription: Subscription, located: Located) -> Finding | None:
        if located.entity is None:
            return self._gone(subscription, located)
        state_entity, accepted = located.entity, subscription.accepted
        after = self.reader.entity(subscription, state_entity)
        users = self._users(subscription, located)
        trigger = (
            self._change(subscription, located, after)
            if users is None
            else _aggregate_trigger(subscription, users, "users")
        )
        proposal = self._proposal(subscription, located)
        if trigger is None and proposal is None and not self._is_stale(accepted, after):
            return None
        return Finding(subscription, trigger, proposal, after=after, contents=tuple(users.contents) if users else ())

    def _is_stale(self, accepted: Accepted, after: Accepted) -> bool:
        """Return whether something was accepted that can no longer be compared."""
        assert accepted.semantic is not None
        assert after.semantic is not None
        return accepted.semantic.fingerprints.version != after.semantic.fingerprints.version

    def _change(self, subscription: Subscription, located: Located, after: Accepted) -> Trigger | None:
        state_entity = located.entity
        assert state_entity is not None
        assert subscription.accepted.semantic is not None
        assert after.semantic is not None
        old = subscription.accepted.semantic.fingerprints
        new = after.semantic.fingerprints
        if old.version != new.version and located.origin is not None:
            old = fingerprints_of(located.origin)
        aspects = differing(old, new, subscription.track_decorators)
        if Aspect.BODY in aspects and self._has_moved_privately(located, subscription.accepted):
            aspects = tuple(aspect for aspect in aspects if aspect != Aspect.BODY)
        if not subscription.include_members:
            return _entity_trigger(subscription, aspects, {})
        renamed = renamed_members(self.comparison, located.origin, state_entity) if located.origin is not None else {}
        members = compare_members(subscription, after.members, renamed)
        if members.reasons or members.hidden:
            aspects = tuple(aspect for aspect in aspects if aspect != Aspect.BODY)
        own = _entity_trigger(subscription, aspects, members.details)
        if not members.reasons:
            return own
        places = tuple(member_places(members, located.origin, state_entity, self.comparison.new))
        change_type, reasons = ChangeType.AGGREGATE, tuple[str, ...](members.reasons)
        if own is not None and own.change_type is not ChangeType.COSMETIC:
            change_type, reasons = own.change_type, (*own.reasons, *members.reasons)
        return trigger_of(subscription, change_type, reasons, members.details, places=places)

    def _has_moved_privately(self, located: Located, accepted: Accepted) -> bool:
        """Return whether only the order of private methods differs from what was accepted."""
        old, new = located.origin, located.entity
        if old is None or new is None or accepted.semantic is None or new.entity.kind not in CLASS_LIKE:
            return False
        if fingerprints_of(old).content != accepted.semantic.fingerprints.content:
            return False
        sides = (self.comparison.old, old.file.path), (self.comparison.new, new.file.path)
        before, after = (lines_of(state.content(path) or b"") for state, path in sides)
        return has_moved_privately(old, new, (before, after))

    def _users(self, subscription: Subscription, located: Located) -> AggregateChanges | None:
        if subscription.target is not SubscriptionTarget.USERS:
            return None
        symbols = self._old_symbols, self.reader.symbols
        assert located.entity is not None
        origin = located.origin or self.comparison.predecessor(located.entity)
        return compare_users(self.comparison, origin, located.entity, subscription.accepted, symbols)

    def _proposal(self, subscription: Subscription, located: Located) -> Proposal | None:
        state_entity, accepted = located.entity, subscription.accepted
        assert state_entity is not None
        assert accepted.semantic is not None
        entity, semantic = state_entity.entity, accepted.semantic
        path = state_entity.file.path
        is_renamed = path != accepted.path and self.comparison.renamed.get(accepted.path) == path
        reasons = _moves(accepted, state_entity, is_renamed)
        if not reasons:
            return None
        is_named = entity.qualified_name == semantic.qualname and (path == accepted.path or is_renamed)
        return Proposal(
            subscription.id,
            accepted.path,
            accepted.start_line,
            accepted.end_line,
            path,
            entity.start_line,
            entity.end_line,
            reasons,
            Confidence.HIGH if is_named else _tier(accepted, state_entity),
            entity.qualified_name if entity.qualified_name != semantic.qualname else None,
            entity.kind if entity.kind != semantic.kind else None,
        )

    def _gone(self, subscription: Subscription, located: Located) -> Finding:
        locations = tuple(candidate.label for candidate in located.candidates)
        if not locations:
            return Finding(subscription, trigger_of(subscription, ChangeType.MISSING, (located.missing,), {}))
        if not subscription.trigger_on_duplicate:
            return Finding(subscription, locations=locations)
        details: dict[str, object] = {"locations": list(locations)}
        trigger = trigger_of(subscription, ChangeType.AMBIGUOUS, (ScanReason.DUPLICATE_FOUND,), details)
        return Finding(subscription, trigger, locations=locations)

    # Patterns

    def _pattern(self, subscription: Subscription) -> Finding | None:
        pattern = read_pattern(subscription.ref)
        accepted, tracks = subscription.accepted, subscription.track_decorators
        found = compare_matches(self.comparison, pattern, accepted, tracks)
        trigger = _aggregate_trigger(subscription, found, "matches")
        if trigger is None:
            return None
        after = self.reader.pattern(subscription.ref)
        return Finding(subscription, trigger, after=after, contents=tuple(found.contents))


def _entity_trigger(
    subscription: Subscription, aspects: tuple[Aspect, ...], details: dict[str, object]
) -> Trigger | None:
    change_type, reasons = change_type_of(aspects), tuple(REASONS[one] for one in aspects)
    return None if change_type is None else trigger_of(subscription, change_type, reasons, details)


def _aggregate_trigger(subscription: Subscription, found: AggregateChanges, noun: str) -> Trigger | None:
    reasons, places = found.reasons(noun), tuple(found.places)
    return trigger_of(subscription, ChangeType.AGGREGATE, reasons, found.details, places=places) if reasons else None


def _moves(accepted: Accepted, state_entity: OutlinedEntity, is_renamed: bool) -> tuple[str, ...]:
    """Return the reasons for a new target: in the same file, in a renamed file, or in another one."""
    assert accepted.semantic is not None
    entity = state_entity.entity
    is_other = entity.qualified_name != accepted.semantic.qualname
    if state_entity.file.path != accepted.path:
        moved = (ScanReason.RENAME,) if is_renamed else (ScanReason.MOVED_CROSS_FILE,)
        return (*moved, ScanReason.SEMANTIC_LOCATION) if is_renamed and is_other else moved
    if is_other:
        return (ScanReason.SEMANTIC_LOCATION,)
    is_shifted = (entity.start_line, entity.end_line) != (accepted.start_line, accepted.end_line)
    return (ScanReason.LINE_SHIFT,) if is_shifted else ()


def _tier(accepted: Accepted, state_entity: OutlinedEntity) -> str:
    """Return the confidence: high if interface and body are the same, medium for the same body, else low."""
    assert accepted.semantic is not None
    old, new = accepted.semantic.fingerprints, fingerprints_of(state_entity)
    if old.body != new.body:
        return Confidence.LOW
    return Confidence.HIGH if old.interface == new.interface else Confidence.MEDIUM


class Ranges:
    """Follows line ranges from the old state to the new one. A file is read and compared once for all its ranges."""

    def __init__(self, comparison: StateComparison, reader: AcceptedStateReader) -> None:
        self.comparison, self.reader = comparison, reader
        self._old = cache(partial(_read_lines, comparison.old))
        self._new = cache(partial(_read_lines, comparison.new))
        self._hunks = cache(self._compare)

    def finding(self, subscription: Subscription) -> Finding | None:
        path, followed = self.follow(subscription)
        if followed is None:
            return Finding(subscription, trigger_of(subscription, ChangeType.MISSING, (ScanReason.FILE_DELETED,)))
        old = self._accepted_lines(subscription.accepted)
        trigger = _range_trigger(subscription, followed, old, self._new(path) or [])
        if followed.lines is None:
            return Finding(subscription, trigger)
        proposal = _proposal(subscription, path, followed)
        if trigger is None and proposal is None:
            return None
        return Finding(subscription, trigger, proposal, after=self.reader.lines(path, *followed.lines))

    def follow(self, subscription: Subscription) -> tuple[str, Followed | None]:
        """Return the present path of a range and its place there; None if there is no such file."""
        accepted, comparison = subscription.accepted, self.comparison
        is_there = comparison.new.content_id(accepted.path) is not None
        path = accepted.path if is_there else comparison.path_of(accepted.path)
        new = self._new(path)
        if new is None:
            return path, None
        if self._accepted_lines(accepted) is None:
            return path, _look_up(accepted, new)
        return path, follow_hunks(self._hunks(accepted.path, path), accepted.start_line, accepted.end_line)

    def _accepted_lines(self, accepted: Accepted) -> Sequence[str] | None:
        """The old file, if it has the range just where it was accepted."""
        lines = self._old(accepted.path)
        if lines is None or accepted.anchors is None:
            return None
        if self.comparison.old.content_id(accepted.path) == accepted.files.get(accepted.path):
            return lines
        found = find_text(lines, accepted.anchors, _length(accepted), accepted.start_line)
        return lines if accepted.start_line in found[:1] else None

    def _compare(self, old_path: str, new_path: str) -> list[Hunk]:
        return hunks_between(self._old(old_path) or [], self._new(new_path) or [])


def _read_lines(tree: RepositoryState, path: str) -> list[str] | None:
    content = tree.content(path)
    return None if content is None else lines_of(content)


def _look_up(accepted: Accepted, lines: Sequence[str]) -> Followed:
    """A range by its text, where the file it was accepted in is not known; None if several ranges have that text."""
    assert accepted.anchors is not None
    found = find_text(lines, accepted.anchors, _length(accepted), accepted.start_line)
    if accepted.start_line not in found and len(found) != 1:
        return Followed(None)
    start = accepted.start_line if accepted.start_line in found else found[0]
    return Followed((start, start + _length(accepted) - 1), is_sure=False)


def _length(accepted: Accepted) -> int:
    return accepted.end_line - accepted.start_line + 1


def _range_trigger(
    subscription: Subscription, followed: Followed, old: Sequence[str] | None, new: Sequence[str]
) -> Trigger | None:
    hunks, accepted = followed.hunks, subscription.accepted
    if not hunks:
        is_gone = followed.lines is None
        return trigger_of(subscription, ChangeType.MISSING, (ScanReason.LINES_MISSING,)) if is_gone else None
    reason = ScanReason.OVERLAP if any(hunk.old_count for hunk in hunks) else ScanReason.INSERT_INSIDE
    if followed.lines is None:
        return trigger_of(subscription, ChangeType.MISSING, (reason, ScanReason.LINES_MISSING), hunks=hunks)
    before = (old or [])[accepted.start_line - 1 : accepted.end_line]
    if is_cosmetic(before, new[followed.lines[0] - 1 : followed.lines[1]]):
        return trigger_of(subscription, ChangeType.COSMETIC, (ScanReason.WHITESPACE_CHANGED,), hunks=hunks)
    return trigger_of(subscription, ChangeType.CONTENT, (reason,), hunks=hunks)


def _proposal(subscription: Subscription, path: str, followed: Followed) -> Proposal | None:
    accepted = subscription.accepted
    assert followed.lines is not None
    if (path, *followed.lines) == (accepted.path, accepted.start_line, accepted.end_line):
        return None
    return Proposal(
        subscription.id,
        accepted.path,
        accepted.start_line,
        accepted.end_line,
        path,
        *followed.lines,
        (ScanReason.RENAME,) if path != accepted.path else (ScanReason.LINE_SHIFT,),
        Confidence.HIGH if followed.is_sure and not followed.hunks else Confidence.MEDIUM,
    )
