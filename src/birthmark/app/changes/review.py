"""A change as a reviewer wants it: what is risky first, what merely moved in one line, and who is affected.

Users and tests are those of the index, which is that of the worktree; the rest is of the two states that are compared.
Nothing is stored and nothing is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from birthmark.app.answers.affected_tests import find_affected
from birthmark.app.changes.diff_arguments import ReviewRange, read_range
from birthmark.app.changes.diffing import ComparedStates, compare_states
from birthmark.app.changes.review_users import (
    Churn,
    FormerUsers,
    edges_to,
    find_nodes,
    find_possible,
    find_review_tests,
    users_of_each,
)
from birthmark.app.changes.risks import list_reasons, rate_risk
from birthmark.app.scans.scanning import ScanOptions, scan
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.comparison.diff_listing import FileChanges, ListedChange, ListingOptions, list_changes, patch_of
from birthmark.comparison.entity_changes import ChangeFilter, ChangePlaces, EntityChange
from birthmark.comparison.file_roles import role_of
from birthmark.comparison.patch import lines_of
from birthmark.comparison.review_parts import (
    InterfaceChange,
    ReviewParts,
    changed_top_levels,
    code_changes,
    find_interface_changes,
    split_changes,
    top_level_lines,
)
from birthmark.documents.document import ProblemDocument, make
from birthmark.documents.parts import location_or_null
from birthmark.documents.reviews import (
    MOST_USERS,
    TOP_LEVEL,
    CollapsedChangeDocument,
    OtherFileDocument,
    ReviewDocument,
    ReviewedChangeDocument,
    ReviewedInterfaceDocument,
    ReviewUserDocument,
    RiskFactsDocument,
    summarize_review,
)
from birthmark.documents.scans import DocLinkDocument, report_document
from birthmark.documents.sentences import PLAIN
from birthmark.extraction.model import EntityKey
from birthmark.graph.network import Node
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Location
from birthmark.queries.reach import NOT_ASKED
from birthmark.queries.test_code import is_test_code
from birthmark.subscriptions.model import DocLink, ScanReport
from birthmark.vocabulary import AnchorStatus, Aspect, Change, EdgeKind, FileRole

_MOST_SKIPPED = 5  # that are named
_STALE = (AnchorStatus.CHANGED, AnchorStatus.MOVED, AnchorStatus.GONE)
_NAMES_ONLY = (EdgeKind.IMPORTS, EdgeKind.EXPORTS)  # uses that another head does not concern


class ReviewedInterface(NamedTuple):
    """An interface that changed, and who uses it; those that did not change with it first."""

    interface: InterfaceChange
    mark: str | None
    users: list[ReviewUserDocument]

    @property
    def unchanged(self) -> list[ReviewUserDocument]:
        """Return the users outside of tests that did not change with it."""
        return _counted(user for user in self.users if not user.changed)


def review(session: Session, words: Sequence[str], *, with_affected: bool = True) -> ReviewDocument:
    """Review a change; with `with_affected`, also find all tests that it may reach."""
    asked = read_range(session.repository, words)
    compared = compare_states(session.repository, asked.base, asked.target, with_derivations=False)
    files, comparison = compared.files, compared.comparison
    top_levels = [*changed_top_levels(*files, comparison.renamed)]
    parts = split_changes(list_changes(comparison, ChangeFilter().passes, *files, ListingOptions()), top_levels)
    churn = Churn(session, asked)
    reviewer = _Reviewer(session, compared, parts, top_levels, asked, churn)
    report = _scan(session, asked)
    affected = find_affected(session, asked.base, asked.target) if with_affected else None
    until = asked.target or session.workspace.head
    is_indexed = asked.target is None or (until == session.view.snapshot.revision and not _is_dirty(session))
    problems = dict.fromkeys([*session.repository.problems, *report.problems])
    document = ReviewDocument(
        *compared.names,
        basis=asked.basis,
        branch=asked.branch,
        summary="",
        notes=[*_notes(is_indexed, reviewer.former.skipped)],
        commits=len(churn.commits),
        files=len(
            {comparison.renamed.get(file.path, file.path) for file in files[0]} | {file.path for file in files[1]}
        ),
        changes=reviewer.ranked(),
        collapsed=[make(CollapsedChangeDocument, one, definitions=one.n_definitions) for one in parts.collapsed],
        interfaces=[_interface_document(one) for one in reviewer.interfaces],
        triggers=report_document(report).triggers,
        docs=[make(DocLinkDocument, link) for link in report.stale_docs if _is_of_range(link, churn.commits, asked)],
        tests=reviewer.near_tests,
        affected=None if affected is None else affected.results,
        all_tests=session.reach_rules.tests.n_tests,
        other_files=[make(OtherFileDocument, one) for one in parts.other_files],
        indexed=is_indexed,
        problems=[make(ProblemDocument, one) for one in problems],
        freshness=freshness_document(session.freshness),
    )
    return replace(document, summary=summarize_review(document))


def _notes(is_indexed: bool, skipped: Sequence[str]) -> Iterator[str]:
    """Yield the limits of the review that its readers should know."""
    if not is_indexed:
        yield "Users and tests are those of the worktree, which is not the state that is reviewed."
    if skipped:
        names = ", ".join(map(PLAIN.text, skipped[:_MOST_SKIPPED]))
        yield f"Users of {names} were not looked for, because too many files have that name."


def _interface_document(one: ReviewedInterface) -> ReviewedInterfaceDocument:
    change = one.interface.change
    return make(
        ReviewedInterfaceDocument,
        one.interface,
        change=change.change,
        kind=change.kind,
        mark=one.mark,
        before=location_or_null(change.before),
        after=location_or_null(change.after),
        gone=one.interface.is_gone,
        n_users=len(one.users),
        n_changed_users=sum(user.changed for user in one.users),
        n_unchanged_users=len(one.unchanged),
        n_unchanged_tests=sum(user.test and not user.changed for user in one.users),
        users=one.users[:MOST_USERS],
    )


def _is_dirty(session: Session) -> bool:
    return session.workspace.has_worktree and bool(session.worktree.dirty())


def _scan(session: Session, asked: ReviewRange) -> ScanReport:
    return scan(session, ScanOptions(asked.base, asked.target, docs=True, record=False, quick=True))


def _is_of_range(link: DocLink, commits: frozenset[str], asked: ReviewRange) -> bool:
    """Return whether what a document names changed in the range; what no commit has, is in the worktree."""
    is_since = link.since in commits if link.since is not None else asked.target is None
    return link.status in _STALE and is_since


class _Reviewer:
    """Facts about the changes between two states, each read once."""

    def __init__(
        self,
        session: Session,
        compared: ComparedStates,
        parts: ReviewParts,
        top_levels: list[str],
        asked: ReviewRange,
        churn: Churn,
    ) -> None:
        self._session, self._compared, self._churn = session, compared, churn
        self._all = compared.comparison.changes
        self._nodes = find_nodes(session, compared, self._all)
        self._by_key = {(one.old, one.new): self._nodes.get(number) for number, one in enumerate(self._all)}
        self._top_levels = top_levels
        changed = code_changes(compared.comparison, *compared.files)
        changed_nodes = {node for one in changed if (node := self._node(one)) is not None}
        self._real, self._deleted_files = parts.real, parts.deleted_files
        self.former = FormerUsers(session, compared, self._changed_keys(changed), asked.target)
        places = ChangePlaces(compared.comparison, self._all, *compared.files)
        interfaces = [*find_interface_changes(compared.comparison, places)]
        asked_for = [one.change for one in interfaces if one.head] + [listed.change for listed in parts.real]
        self._asked_for = {node for one in asked_for if (node := self._node(one)) is not None}
        self._edges = edges_to(session, self._asked_for)
        all_changed: set[Node] = {*changed_nodes, *self._top_levels}
        self._users = users_of_each(session, self._asked_for, self._edges, all_changed)
        self.interfaces = self._with_users(interfaces, places)
        nodes = {node for listed in parts.real if (node := self._node(listed.change)) is not None}
        tests: set[Node] = {path for path in top_levels if role_of(path) is FileRole.TEST}
        tests |= {node for one in changed if (node := self._node(one)) is not None and _is_test(one)}
        self._reached, self.near_tests = find_review_tests(session, nodes, tests)
        self._possible = find_possible(session, nodes)
        churn.prepare(nodes, [_old_path(listed.change) for listed in parts.real])

    def _node(self, change: EntityChange) -> int | None:
        return self._by_key.get((change.old, change.new))

    def _changed_keys(self, changed: Iterable[EntityChange]) -> set[EntityKey]:
        """Return the keys of changed entities in the old state; the top level of a file is entity -1."""
        old, former = self._compared.files[0], {new: old for old, new in self._compared.comparison.renamed.items()}
        keys = {(old[one.old[0]].path, one.old[1]) for one in changed if one.old is not None}
        return keys | {(former.get(path, path), -1) for path in self._top_levels}

    # Interfaces

    def _with_users(self, interfaces: Iterable[InterfaceChange], places: ChangePlaces) -> list[ReviewedInterface]:
        found = [self._interface(one, places) for one in interfaces]
        paths = {file.path for file in self._deleted_files}
        self._deleted = [
            one for one in found if one.interface.change.after is None and _old_path(one.interface.change) in paths
        ]
        worth = [one for one in found if one.interface.head or one.users or _is_callable(one.interface.change)]
        shown = [one for one in worth if one not in self._deleted or not all(user.changed for user in one.users)]
        return sorted(shown, key=_interface_order)

    def _interface(self, interface: InterfaceChange, places: ChangePlaces) -> ReviewedInterface:
        node = self._node(interface.change)
        users = self.former.find(places.before(interface.change)) if interface.is_gone else []
        if interface.head and node is not None:
            known = {(user.path, user.qualified_name) for user in users}
            now = [user for user in self._users[node] if user.edge not in _NAMES_ONLY]
            users += [user for user in now if (user.path, user.qualified_name) not in known]
        return ReviewedInterface(interface, self._mark(node), users)

    # Ranking

    def ranked(self) -> list[ReviewedChangeDocument]:
        """The riskiest first."""
        changes = [*map(self._change, self._real)]
        changes += [self._top_level(path) for path in self._top_levels if role_of(path) is FileRole.SOURCE]
        changes += [self._deleted_file(file) for file in self._deleted_files]
        return sorted((one for one in changes if one.facts.lines), key=_risk_order)

    def _change(self, listed: ListedChange) -> ReviewedChangeDocument:
        change, node = listed.change, self._node(listed.change)
        interface = next((one for one in self.interfaces if one.interface.change is change), None)
        users = self._users[node] if node is not None else []
        users = _counted(interface.users if interface is not None and interface.interface.is_gone else users)
        unchanged = interface.unchanged if interface is not None else []
        patch = patch_of(change, *self._compared.files, is_whole=listed.n_members > 0)
        n_changes, n_commits = self._churn.of(node, _old_path(change))
        possible = self._possible.get(node, (0, 0)) if node is not None else (0, 0)
        reach = self._reached[node] if node is not None else NOT_ASKED
        facts = RiskFactsDocument(
            max(patch.n_added + patch.n_removed, len(listed.together)),
            len(users),
            len({user.path for user in users}),
            len(unchanged),
            *possible,
            reach.n_tests,
            reach.n_steps,
            n_changes,
            n_commits,
            interface is not None and interface.interface.concerns_users,
        )
        about = listed.word, change.kind, self._mark(node), change.before, change.after
        return _reviewed(*about, facts, listed.aspects, listed.n_members, listed.together)

    def _deleted_file(self, file: FileChanges) -> ReviewedChangeDocument:
        """One line for all that was in the file; its users are those of all its definitions."""
        found = [one for one in self._deleted if _old_path(one.interface.change) == file.path]
        users = {(user.path, user.qualified_name): user for one in found for user in _counted(one.users)}
        n_unchanged = sum(not user.changed for user in users.values())
        n_files = len({user.path for user in users.values()})
        lines = next(lines_of(old.source()) for old in self._compared.files[0] if old.path == file.path)
        facts = replace(_NO_FACTS, lines=len(lines), users=len(users), user_files=n_files)
        facts = replace(facts, unchanged_users=n_unchanged, interface=bool(n_unchanged))
        about = Change.DELETED, TOP_LEVEL, None, Location(file.path, "", 1, 1), None
        return _reviewed(*about, facts, n_members=file.counts.get(Change.DELETED, 0))

    def _top_level(self, path: str) -> ReviewedChangeDocument:
        old, new = ({file.path: file for file in files} for files in self._compared.files)
        former = {after: before for before, after in self._compared.comparison.renamed.items()}
        before = old.get(former.get(path, path))
        facts = replace(_NO_FACTS, lines=top_level_lines(before, new[path]))
        place = Location(before.path, "", 1, 1) if before is not None else None
        word = Change.MODIFIED if before is not None else Change.ADDED
        return _reviewed(word, TOP_LEVEL, None, place, Location(path, "", 1, 1), facts, (Aspect.BODY,))

    def _mark(self, node: int | None) -> str | None:
        if node is None:
            return None
        return next((one.mark for one in self._session.store.identities([node])), None)


# Of what has no definition, no tests are asked for.
_NO_FACTS = RiskFactsDocument(0, 0, 0, 0, 0, 0, None, None, None, None, False)


def _reviewed(
    word: Change,
    kind: str,
    mark: str | None,
    before: Location | None,
    after: Location | None,
    facts: RiskFactsDocument,
    aspects: tuple[Aspect, ...] = (),
    n_members: int = 0,
    together: tuple[str, ...] = (),
) -> ReviewedChangeDocument:
    """Return a change with its risk; of a deletion, users that went with it are none."""
    counted = replace(facts, users=0, commits=0, changes=None, lines=0) if _is_settled(word, facts) else facts
    risk, points = rate_risk(counted)
    return ReviewedChangeDocument(
        risk,
        points,
        list_reasons(facts),
        word,
        kind,
        mark,
        location_or_null(before),
        location_or_null(after),
        aspects,
        n_members,
        together,
        facts,
    )


def _is_settled(word: Change, facts: RiskFactsDocument) -> bool:
    return word is Change.DELETED and not facts.unchanged_users


def _counted(users: Iterable[ReviewUserDocument]) -> list[ReviewUserDocument]:
    """Return users without tests, and without imports in files that use the import."""
    found = [user for user in users if not user.test]
    using = {user.path for user in found if user.edge not in _NAMES_ONLY}
    return [user for user in found if user.edge not in _NAMES_ONLY or user.path not in using]


def _is_callable(change: EntityChange) -> bool:
    """Return whether it is worth a line though nothing is known to use it."""
    return change.change is Change.DELETED and change.kind in FUNCTION_LIKE | CLASS_LIKE


def _is_test(change: EntityChange) -> bool:
    return change.after is not None and is_test_code(change.after.path, change.language, change.after.qualified_name)


def _old_path(change: EntityChange) -> str:
    location = change.before or change.after
    assert location is not None
    return location.path


def _interface_order(one: ReviewedInterface) -> tuple[int, int, str, int]:
    location = one.interface.change.after or one.interface.change.before
    assert location is not None
    n_concerned = len(one.unchanged) if one.interface.concerns_users else 0
    return -n_concerned, -len(one.users), location.path, location.start_line


def _risk_order(one: ReviewedChangeDocument) -> tuple[bool, int, int, int, str, int]:
    """The riskiest first; deletions whose users went with them last."""
    location = one.after or one.before
    assert location is not None
    about = _is_settled(one.change, one.facts), -sum(one.points.values()), -one.facts.users, -one.facts.lines
    return *about, location.path, location.start_line
