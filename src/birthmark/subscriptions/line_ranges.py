"""Say what happened to the lines that a subscription points at.

Takes a StateComparison and subscriptions; gives a Finding each, or None if there is nothing to report.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from birthmark.comparison.state_comparison import StateComparison
from birthmark.extraction.state import RepositoryState
from birthmark.matching.line_hunks import Hunk, hunks_between, lines_of
from birthmark.subscriptions.accepted_state import AcceptedStateReader
from birthmark.subscriptions.lines import Followed, find_text, follow_hunks, is_cosmetic
from birthmark.subscriptions.model import Accepted, Finding, Proposal, Subscription, Trigger
from birthmark.subscriptions.triggers import trigger_of
from birthmark.vocabulary import ChangeType, Confidence, ScanReason


class Ranges:
    """Follows line ranges from the old state to the new one. A file is read and compared once for all its ranges."""

    def __init__(self, comparison: StateComparison, reader: AcceptedStateReader) -> None:
        self.comparison, self.reader = comparison, reader
        self._old = cache(partial(_read_lines, comparison.old))
        self._new = cache(partial(_read_lines, comparison.new))
        self._hunks = cache(self._compare)

    def finding(self, subscription: Subscription) -> Finding | None:
        accepted, comparison = subscription.accepted, self.comparison
        path = (
            accepted.path if comparison.new.content_id(accepted.path) is not None else comparison.path_of(accepted.path)
        )
        new = self._new(path)
        if new is None:
            return Finding(subscription, trigger_of(subscription, ChangeType.MISSING, (ScanReason.FILE_DELETED,)))
        old = self._accepted_lines(accepted)
        if old is None:
            followed = _look_up(accepted, new)
        else:
            followed = follow_hunks(self._hunks(accepted.path, path), accepted.start_line, accepted.end_line)
        trigger = _trigger(subscription, followed, old, new)
        if followed.lines is None:
            return Finding(subscription, trigger)
        proposal = _proposal(subscription, path, followed)
        if trigger is None and proposal is None:
            return None
        return Finding(subscription, trigger, proposal, after=self.reader.lines(path, *followed.lines))

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


def _trigger(
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
