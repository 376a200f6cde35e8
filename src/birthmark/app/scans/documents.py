"""Check the marks and REFs that Markdown files name in comments, and rewrite those whose definition has moved.

A paragraph is about the code as it was when the paragraph was last changed; the rest of the document does not matter.
Its definitions are followed through git from there: unchanged, changed, gone elsewhere, or gone. Rewriting changes
nothing but the REFs: line ends and encoding of a document stay.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from birthmark.app.answers.refs import find_entity
from birthmark.app.histories.histories import read_history
from birthmark.app.histories.subjects import subject_of
from birthmark.app.workspace.file_writing import replace_file
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.workspace import Workspace
from birthmark.comparison.changes import find_changes
from birthmark.comparison.patch import hunks_between, lines_of
from birthmark.comparison.state_comparison import StateComparison
from birthmark.errors import AmbiguousError, BirthmarkError
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import RepositoryState, os_path
from birthmark.model import Problem
from birthmark.queries.ref import find_nearest
from birthmark.queries.ref_forms import LinesRef, NamedRef, parse_entity_ref
from birthmark.sources.git.log import log_lines
from birthmark.subscriptions.aggregates import name_of
from birthmark.subscriptions.doc_anchors import DocAnchor, Lines, find_anchors, is_document, replace_refs
from birthmark.subscriptions.lines import follow_hunks
from birthmark.subscriptions.model import NOT_INDEXED, DocLink, ScanReport
from birthmark.vocabulary import COSMETIC, AnchorStatus, HistoryChange

_MOST_MOVES = 20  # that are followed one after the other
_CHANGED = "the document was changed meanwhile"
_LINK = "the document is a link to another file"
_MOVES = (HistoryChange.RENAME, HistoryChange.MOVED, HistoryChange.CONTAINER)


def check_documents(repository: OpenRepository, target: RepositoryState) -> tuple[DocLink, ...]:
    """All links of all documents of a state, in their order."""
    checker = _Checker(repository, target)
    return tuple(
        checker.check(path, anchor)
        for path in sorted(filter(is_document, target.paths()))
        for anchor in find_anchors((target.content(path) or b"").decode("utf-8", "surrogateescape"))
    )


class _Checker:
    """Check links of one state, sharing what they look up."""

    def __init__(self, repository: OpenRepository, target: RepositoryState) -> None:
        self.repository, self.target = repository, target
        self._history = repository if repository.workspace.has_git and target.revision else None
        self._written_at = lru_cache(None)(self._last_touch)
        self._since: dict[str, set[str]] = {}

    def check(self, path: str, anchor: DocAnchor) -> DocLink:
        written = self._written_at(path, anchor.paragraph)
        ref = anchor.ref.encode("utf-8", "replace").decode()
        link = DocLink(path, anchor.line, ref, AnchorStatus.CURRENT, written_at=written)
        try:
            entity = find_entity(self.repository, self.target, ref, "", suggests=False)
        except AmbiguousError:
            return _replace(link, AnchorStatus.AMBIGUOUS)
        except BirthmarkError:
            return self._lost(link, anchor)
        reasons, since = self._changes(entity, written) if written is not None else ((), None)
        return _replace(link, AnchorStatus.CHANGED if reasons else AnchorStatus.CURRENT, reasons, since, entity)

    def _last_touch(self, path: str, lines: Lines) -> str | None:
        """The commit that touched some lines of a document last; none for lines that are being written."""
        head = self.repository.find_revision(self.target.revision)
        committed = self._committed_lines(path, lines)
        if self._history is None or head is None or committed is None:
            return None
        git = self._history.git
        try:
            found = log_lines(git, head.commit, os_path(path), committed)
        except BirthmarkError:
            found = []  # The clone lacks a state of it.
        touched = found or [*self._history.touches(head.commit, path)][:1]
        if touched and touched[0] in git.shallow():
            self._report_shallow()
        return touched[0] if touched else None

    def _committed_lines(self, path: str, lines: Lines) -> Lines | None:
        """Return the position of lines in the commit; None if they differ there."""
        head = self.repository.find_revision(self.target.revision)
        if head is None or head.content_id(path) is None:
            return None
        if head.content_id(path) == self.target.content_id(path):
            return lines
        new, old = (lines_of(state.content(path) or b"") for state in (self.target, head))
        followed = follow_hunks(hunks_between(new, old), *lines)
        return None if followed.hunks else followed.lines

    def _report_shallow(self) -> None:
        """Report that the clone is shallow: at its border every file seems to be new."""
        border = Problem(".git", "the clone is shallow, so when paragraphs were touched is not known; fetch more of it")
        if border not in self.target.problems:
            self.target.problems.append(border)

    def _changes(self, entity: OutlinedEntity, written: str) -> tuple[tuple[str, ...], str | None]:
        """Return the changes of an entity since a commit, and the first commit among them."""
        found: dict[str, None] = {}
        since = None
        for commit, changes in self._steps(entity):
            if commit in self._later(written):
                since = commit
                found |= dict.fromkeys(changes)
        found |= dict.fromkeys(self._uncommitted(entity))
        return tuple(found), since

    def _steps(self, entity: OutlinedEntity) -> list[tuple[str, list[HistoryChange]]]:
        """Return the changes of an entity, newest first, without cosmetic ones; none if it is not committed."""
        assert self._history is not None
        committed, head = self._committed(entity), self.repository.find_revision(self.target.revision)
        if committed is None or head is None:
            return []
        found = read_history(self._history, subject_of(head, committed))
        changed = [event.step for event in found.events if not event.is_cosmetic]
        return [(step.commit, [word for word in step.changes if word not in COSMETIC]) for step in changed]

    def _committed(self, outlined: OutlinedEntity) -> OutlinedEntity | None:
        """An entity of the worktree as it is in the commit that is checked out."""
        head = self.repository.find_revision(self.target.revision)
        return find_nearest(head, outlined.location) if head is not None else None

    def _uncommitted(self, entity: OutlinedEntity) -> list[str]:
        committed = self._committed(entity)
        if committed is None:
            return []
        return [word for word in find_changes(committed, entity) if word not in COSMETIC]

    def _later(self, written: str) -> set[str]:
        """The commits that came after one."""
        if written not in self._since:
            assert self._history is not None
            output = self._history.git.run("rev-list", f"{written}..{self.target.revision}", "--")
            self._since[written] = set(output.decode().split())
        return self._since[written]

    def _lost(self, link: DocLink, anchor: DocAnchor) -> DocLink:
        """Return the link with its status if the name does not exist: moved, gone, ambiguous or unknown.

        The anchor may be older than its paragraph, if that was edited without it.
        """
        named = self._written_at(link.path, (anchor.line, anchor.line))
        known = [(at, self._named_at(at, link.ref)) for at in (link.written_at, named) if at is not None]
        since, origin = next(((at, origin) for at, origin in known if origin is not None), ("", None))
        if origin is None:
            return _replace(link, AnchorStatus.UNKNOWN, () if self._is_lookup_possible(link.ref) else (NOT_INDEXED,))
        first = self._vanished(origin, since)
        for _ in range(_MOST_MOVES):
            left = self._vanished(origin, since)
            comparison = self._comparison_of(left)
            successor = comparison.successor(
                origin if left is None else self._named_at(self._before(left), name_of(origin)) or origin
            )
            if successor is None:
                rivals = comparison.rivals(origin)
                return _replace(link, AnchorStatus.AMBIGUOUS if len(rivals) > 1 else AnchorStatus.GONE, since=first)
            now = successor if left is None else self._named_at(None, name_of(successor))
            if now is not None:
                return self._moved(link, now, first)
            origin, since = successor, left or since
        return _replace(link, AnchorStatus.GONE, since=first)

    def _is_lookup_possible(self, ref: str) -> bool:
        """Return whether it names a path, which every state has, or there is an index that may know it."""
        store = self.repository.store
        is_indexed = store is not None and store.snapshot(self.repository.workspace.worktree) is not None
        return is_indexed or isinstance(parse_entity_ref(ref), LinesRef | NamedRef)

    def _moved(self, link: DocLink, entity: OutlinedEntity, since: str | None) -> DocLink:
        changes = self._changes(entity, link.written_at)[0] if link.written_at is not None else ()
        moved = _replace(link, AnchorStatus.MOVED, changes, since, entity)
        replacement, others = name_of(entity), [word for word in changes if word not in _MOVES]
        same = self._named_at(None, replacement)
        if others:
            return replace(moved, kept_because=f"it has changed, too ({', '.join(others)}): read the paragraph first")
        if same is None or same.key != entity.key:
            return replace(moved, kept_because="several definitions have its new name")
        return replace(moved, replacement=replacement)

    def _named_at(self, commit: str | None, ref: str) -> OutlinedEntity | None:
        """Return the entity of a REF at a commit, or in the target state."""
        state = self.target if commit is None else self.repository.find_revision(commit)
        try:
            return None if state is None else find_entity(self.repository, state, ref, "", suggests=False)
        except BirthmarkError:
            return None

    def _comparison_of(self, commit: str | None) -> StateComparison:
        """Compare a commit with its parent, or the target state with HEAD."""
        family_of = self.repository.family_of
        if commit is None:
            return StateComparison(self.repository.revision(self.target.revision or "HEAD"), self.target, family_of)
        return StateComparison(
            self.repository.revision(self._before(commit)), self.repository.revision(commit), family_of
        )

    def _before(self, commit: str) -> str:
        assert self._history is not None
        return self._history.parents(commit)[0]

    def _vanished(self, origin: OutlinedEntity, written: str) -> str | None:
        """The commit that left a file without an entity it had."""
        assert self._history is not None
        assert self.target.revision is not None
        path, name = origin.file.path, origin.entity.qualified_name
        touches = self._history.touches(self.target.revision, path)
        for touch in reversed([touch for touch in touches if touch in self._later(written)]):
            blob = self._history.blob(touch, path)
            outline = self._history.outlines([(blob, path)])[0] if blob is not None else None
            if outline is None or all(entity.qualified_name != name for entity in outline.entities):
                return touch
        return None


def _replace(
    link: DocLink,
    status: AnchorStatus,
    reasons: tuple[str, ...] = (),
    since: str | None = None,
    outlined: OutlinedEntity | None = None,
) -> DocLink:
    now = None if outlined is None else f"{name_of(outlined)}:{outlined.entity.start_line}"
    return DocLink(link.path, link.line, link.ref, status, reasons, link.written_at, since, now)


def fix_documents(workspace: Workspace, report: ScanReport) -> ScanReport:
    """Write the replacements of anchors that have moved; a document is written wholly or not at all."""
    paths = dict.fromkeys(link.path for link in report.docs if link.replacement)
    fixed = {path: _fix(workspace.root / os.fsdecode(os_path(path)), path, report.docs) for path in paths}
    links = [fixed.get(link.path, {}).get((link.line, link.ref), link) for link in report.docs]
    return replace(report, docs=tuple(links))


def _fix(file: Path, path: str, links: Iterable[DocLink]) -> dict[tuple[int, str], DocLink]:
    """The links of one document that were to be replaced, by their lines and REFs."""
    mine = {(link.line, link.ref): link for link in links if link.path == path and link.replacement}
    if file.is_symlink():
        return {key: replace(link, kept_because=_LINK) for key, link in mine.items()}
    try:
        text = file.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise BirthmarkError(f"{path}: {error.strerror}; nothing was changed in it") from error
    found = [anchor for anchor in find_anchors(text) if (anchor.line, anchor.ref) in mine]
    known = {(anchor.line, anchor.ref) for anchor in found}
    replacements = [(anchor, mine[anchor.line, anchor.ref].replacement or "") for anchor in found]
    if replacements:
        replace_file(file, replace_refs(text, replacements).encode("utf-8", "surrogateescape"))
    return {
        key: replace(link, fixed=True) if key in known else replace(link, kept_because=_CHANGED)
        for key, link in mine.items()
    }
