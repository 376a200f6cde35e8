"""Explain what triggered: by which commits it changed, and which lines differ.

Takes findings, the state that was scanned and the base, if one was named; gives findings whose triggers have an
Explanation. Commits and lines are read for what is reported alone, and of much of that for the first alone.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from msgspec.structs import replace

from birthmark.app.histories.lineages import RecentHistory
from birthmark.app.scans.bases import base_of
from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.patch import (
    CodeLines,
    PatchHunk,
    PatchLine,
    code_of,
    cut_lines,
    hunks_between,
    lines_of,
    make_patch,
)
from birthmark.comparison.state_comparison import StateComparison
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import WORKTREE, RepositoryState
from birthmark.model import Location
from birthmark.queries.ref import find_nearest
from birthmark.subscriptions.lines import find_text, follow_hunks
from birthmark.subscriptions.members import differing, fingerprints_of
from birthmark.subscriptions.model import Accepted, ChangedPlace, Explanation, Finding, Subscription
from birthmark.vocabulary import Aspect, ChangeType, ComparedWith, ScanReason

MOST_EXPLAINED = 50  # triggers of a scan
_MOST_PLACES = 5  # of a trigger
_MOST_COMMITS = 100
_MOST_LINES, _LONGEST_LINE = 40, 500  # of a patch
_GONE = (ScanReason.TARGET_MISSING, ScanReason.FILE_DELETED)


def explain(
    repository: OpenRepository, target: RepositoryState, base: RepositoryState | None, findings: list[Finding]
) -> list[Finding]:
    """Return all findings, the first reported ones with explanations."""
    explainer = _Explainer(repository, target, base)
    reported = [found for found in findings if found.trigger is not None and found.muted is None][:MOST_EXPLAINED]
    chosen = {found.subscription.id for found in reported}
    return [explainer.explain(found) if found.subscription.id in chosen else found for found in findings]


class _Explainer:
    """Explain the findings of one scan, sharing what they look up."""

    def __init__(self, repository: OpenRepository, target: RepositoryState, base: RepositoryState | None) -> None:
        self.repository, self.target, self.base = repository, target, base
        self._since = lru_cache(None)(lambda commit: RecentHistory(repository, commit))

    @cached_property
    def _head(self) -> RepositoryState | None:
        """The commit that was scanned, or on which the worktree is based."""
        return self.repository.find_revision(self.target.revision)

    @cached_property
    def _uncommitted(self) -> StateComparison | None:
        if self._head is None or self.target.name != WORKTREE:
            return None
        return StateComparison(self._head, self.target, self.repository.family_of)

    def explain(self, finding: Finding) -> Finding:
        trigger = finding.trigger
        assert trigger is not None
        try:
            places = tuple([self._place(finding, place) for place in trigger.places[:_MOST_PLACES]])
            explained = replace(
                trigger,
                places=(*places, *trigger.places[_MOST_PLACES:]),
                explanation=_together(places) if trigger.change_type is ChangeType.AGGREGATE else self._own(finding),
            )
        except BirthmarkError:
            return finding  # The clone lacks what it would have to read.
        return replace(finding, trigger=explained)

    def _own(self, finding: Finding) -> Explanation | None:
        """Return the explanation of a change of the target itself."""
        accepted, after, trigger = finding.subscription.accepted, finding.after, finding.trigger
        assert trigger is not None
        if trigger.change_type is ChangeType.MISSING:
            if ScanReason.LINES_MISSING in trigger.reasons:
                return self._lost_lines(finding, accepted)
            is_known = trigger.reasons[0] in _GONE
            return self._deletion(finding, accepted.path, trigger.name) if is_known else None
        if after is None:
            return None
        if after.semantic is None:
            return self._lines(finding, after)
        old = find_nearest(self._before(finding), accepted.location)
        new = find_nearest(self.target, after.location)
        return None if new is None else self._change(finding, old, new, with_code=not trigger.places)

    def _place(self, finding: Finding, place: ChangedPlace) -> ChangedPlace:
        at = Location(place.path, place.name, place.start_line, place.end_line)
        if not place.name:
            return place  # the top level of a file
        new = find_nearest(self.target, at)
        if new is None:
            return replace(place, explanation=self._deletion(finding, place.path, place.name))
        old = None if place.before is None else find_nearest(self._before(finding), place.before)
        return replace(place, explanation=self._change(finding, old, new))

    def _before(self, finding: Finding) -> RepositoryState:
        """The state that the finding compares with."""
        assert finding.trigger is not None
        if self.base is not None and finding.trigger.compared_with is ComparedWith.BASE:
            return self.base
        return base_of(self.repository, finding.subscription)

    def _history(self, finding: Finding) -> RecentHistory | None:
        """The commits since then; None if this clone does not know them."""
        if self._head is None:
            return None
        before = self._before(finding).revision
        known = self.repository.find_revision(before) or (self.base if before is None else None)
        return self._since(known.revision) if known is not None and known.revision is not None else None

    # Entities

    def _change(
        self, finding: Finding, old: OutlinedEntity | None, new: OutlinedEntity, with_code: bool = True
    ) -> Explanation:
        commits, is_uncommitted = self._commits(finding, old, new)
        hunks, n_omitted = _hunks(code_of(old), code_of(new)) if old is not None and with_code else ((), 0)
        signatures = (old.entity.signature, new.entity.signature) if old is not None else ("", "")
        has_other = signatures[0] != signatures[1]
        return Explanation(
            tuple(map(self.repository.commit, commits)),
            is_uncommitted,
            hunks,
            n_omitted,
            *(signatures if has_other else (None, None)),
        )

    def _commits(self, finding: Finding, old: OutlinedEntity | None, new: OutlinedEntity) -> tuple[list[str], bool]:
        """Return the commits, newest first, and whether the worktree has further changes."""
        committed, history = self._committed(new), self._history(finding)
        with_cosmetic = finding.trigger is not None and finding.trigger.change_type is ChangeType.COSMETIC
        is_uncommitted = self._head is not None and (committed is None or _differs(committed, new, with_cosmetic))
        if committed is None or history is None or self._head is None or self._head.revision is None:
            return [], is_uncommitted
        if old is not None and not _differs(old, committed, with_cosmetic):
            return [], is_uncommitted
        is_there = old is None or old.file.path == committed.file.path
        found = self._changing(history, self._head.revision, committed, with_cosmetic, is_there)
        return self._after_accepting(finding.subscription, found)[:_MOST_COMMITS], is_uncommitted

    def _changing(
        self, history: RecentHistory, head: str, entity: OutlinedEntity, with_cosmetic: bool, is_there: bool
    ) -> list[tuple[str, str]]:
        """The commits that changed an entity, each with the path it had then; `is_there` if it always had this one."""
        path, at = entity.file.path, entity.entity
        only = history.only_commit(head, path) if is_there else None
        if only is not None:
            return [(only, path)]
        found = [(step.commit, step.after.path) for step in history.changes(head, entity, with_cosmetic)]
        # A container's history is that of its declaration, so its lines are asked for.
        listed = [] if found else history.line_changes(head, path, (at.start_line, at.end_line), _MOST_COMMITS)
        return found or [(commit, path) for commit in listed]

    def _after_accepting(self, subscription: Subscription, found: list[tuple[str, str]]) -> list[str]:
        """Return the commits after the one with the accepted content."""
        files, commits = subscription.accepted.files, list[str]()
        for commit, path in found:
            if path in files and self.repository.blob(commit, path) == files[path]:
                break
            commits.append(commit)
        return commits

    def _committed(self, entity: OutlinedEntity) -> OutlinedEntity | None:
        """An entity of the worktree as it is in the commit on which that is based."""
        if self._uncommitted is None:
            return entity
        return self._uncommitted.predecessor(entity)

    def _deletion(self, finding: Finding, path: str, name: str | None) -> Explanation:
        history, head = self._history(finding), self._head
        if self._uncommitted is not None and head is not None and _has(head, path, name):
            return Explanation(is_uncommitted=True)
        commit = history.deletion(head.revision, path, name) if history and head and head.revision else None
        return Explanation((self.repository.commit(commit),) if commit is not None else ())

    # Lines

    def _lines(self, finding: Finding, after: Accepted) -> Explanation:
        accepted, history = finding.subscription.accepted, self._history(finding)
        old, new = (_cut(*side) for side in ((self._before(finding), accepted), (self.target, after)))
        hunks, n_omitted = _hunks(old, new) if old is not None and new is not None else ((), 0)
        lines, is_uncommitted = self._committed_lines(after)
        commits: list[str] = []
        if lines is not None and history is not None and self._head is not None and self._head.revision:
            commits = history.line_changes(self._head.revision, after.path, lines, _MOST_COMMITS)
            commits = self._after_accepting(finding.subscription, [(commit, after.path) for commit in commits])
        return Explanation(tuple(map(self.repository.commit, commits)), is_uncommitted, hunks, n_omitted)

    def _lost_lines(self, finding: Finding, accepted: Accepted) -> Explanation:
        """Return the commit that removed a range: that from which on its file has no such text."""
        history, head, path = self._history(finding), self._head, accepted.path
        before = head.content(path) if head is not None else None
        if self._uncommitted is not None and before is not None and _has_text(before, accepted):
            return Explanation(is_uncommitted=True)
        if history is None or head is None or head.revision is None:
            return Explanation()
        commit = history.first_without(head.revision, path, lambda blob: _has_text(history.content(blob), accepted))
        return Explanation((self.repository.commit(commit),) if commit is not None else ())

    def _committed_lines(self, after: Accepted) -> tuple[tuple[int, int] | None, bool]:
        """Return the position in the commit of lines of the worktree, and whether the worktree changed them."""
        lines = after.start_line, after.end_line
        if self._uncommitted is None or self._uncommitted.is_same(after.path):
            return lines, False
        old = self._head.content(after.path) if self._head is not None else None
        if old is None:
            return None, self._head is not None
        hunks = hunks_between(lines_of(self.target.content(after.path) or b""), lines_of(old))
        followed = follow_hunks(hunks, *lines)
        return followed.lines, bool(followed.hunks)


def _has_text(content: bytes, accepted: Accepted) -> bool:
    n_lines, anchors = accepted.end_line - accepted.start_line + 1, accepted.anchors
    return anchors is not None and bool(find_text(lines_of(content), anchors, n_lines, accepted.start_line))


def _has(state: RepositoryState, path: str, name: str | None) -> bool:
    file = state.file(path)
    if name is None or file is None:
        return name is None and state.content_id(path) is not None
    return any(entity.qualified_name == name for entity in file.outline.entities)


def _differs(old: OutlinedEntity, new: OutlinedEntity, with_cosmetic: bool) -> bool:
    aspects = differing(fingerprints_of(old), fingerprints_of(new), True)
    return bool(aspects) and (with_cosmetic or Aspect.INTERFACE in aspects or Aspect.BODY in aspects)


def _cut(state: RepositoryState, lines: Accepted) -> CodeLines | None:
    content = state.content(lines.path)
    return None if content is None else cut_lines(lines.path, "", content, lines.start_line, lines.end_line)


def _hunks(old: CodeLines, new: CodeLines) -> tuple[tuple[PatchHunk, ...], int]:
    """The first lines of a long patch, and how many more there are."""
    kept: list[PatchHunk] = []
    room = _MOST_LINES
    hunks = make_patch(old, new).hunks
    for hunk in hunks:
        if room > 0:
            lines = [PatchLine(sign, text[:_LONGEST_LINE]) for sign, text in hunk.lines[:room]]
            kept.append(hunk._replace(lines=tuple(lines)))
        room -= len(hunk.lines)
    return tuple(kept), max(0, -room)


def _together(places: tuple[ChangedPlace, ...]) -> Explanation | None:
    """The commits of all parts of an aggregate, each once."""
    found = [place.explanation for place in places if place.explanation is not None]
    commits = {commit.id: commit for one in found for commit in one.commits}
    newest = sorted(commits.values(), key=lambda commit: commit.at, reverse=True)
    return Explanation(tuple(newest[:_MOST_COMMITS]), any(one.is_uncommitted for one in found)) if found else None
