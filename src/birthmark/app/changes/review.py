"""A change as a reviewer wants it: what is risky first, what merely moved in one line, and who is affected.

Users and tests are those of the index, which is that of the worktree; the rest is of the two states that are compared.
Nothing is stored and nothing is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from birthmark.app.answers.affected_tests import TestsToRun, find_affected
from birthmark.app.changes.diff_arguments import ReviewRange, read_range
from birthmark.app.changes.diffing import ComparedStates, compare_states
from birthmark.app.changes.review_users import (
    NO_POSSIBLE,
    Churn,
    FormerUsers,
    ReviewTests,
    ReviewUser,
    edges_to,
    find_nodes,
    find_possible,
    find_review_tests,
    users_of_each,
)
from birthmark.app.scans.scanning import ScanOptions, scan
from birthmark.app.workspace.session import Session
from birthmark.comparison.diff_listing import FileChanges, ListedChange, ListingOptions, list_changes, patch_of
from birthmark.comparison.entity_changes import ChangeFilter, ChangePlaces, EntityChange
from birthmark.comparison.file_roles import role_of
from birthmark.comparison.patch import lines_of
from birthmark.comparison.review_parts import (
    CollapsedChange,
    InterfaceChange,
    ReviewParts,
    changed_top_levels,
    code_changes,
    find_interface_changes,
    split_changes,
    top_level_lines,
)
from birthmark.extraction.model import EntityKey
from birthmark.graph.network import Node
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Location, Problem
from birthmark.queries.hotspots import RiskFacts, RiskScore, rate_risk
from birthmark.queries.reach import NOT_ASKED
from birthmark.queries.test_code import is_test_code
from birthmark.subscriptions.model import DocLink, ScanReport
from birthmark.vocabulary import AnchorStatus, Aspect, Change, EdgeKind, FileRole

TOP_LEVEL = "file"  # instead of a kind, of what is outside of definitions
_STALE = (AnchorStatus.CHANGED, AnchorStatus.MOVED, AnchorStatus.GONE)
_NAMES_ONLY = (EdgeKind.IMPORTS, EdgeKind.EXPORTS)  # uses that another head does not concern


class ReviewedChange(NamedTuple):
    """A change that is to be read; `together` are the names of several of one scope."""

    change: Change
    kind: str
    before: Location | None
    after: Location | None
    aspects: tuple[Aspect, ...]
    n_members: int
    together: tuple[str, ...]
    mark: str | None
    facts: RiskFacts
    score: RiskScore


class ReviewedInterface(NamedTuple):
    """An interface that changed, and who uses it; those that did not change with it first."""

    interface: InterfaceChange
    mark: str | None
    users: list[ReviewUser]

    @property
    def unchanged(self) -> list[ReviewUser]:
        """Return the users outside of tests that did not change with it."""
        return _counted(user for user in self.users if not user.is_changed)


class Review(NamedTuple):
    """A complete review. `is_indexed`: whether users and tests are those of the reviewed state."""

    range: ReviewRange
    names: tuple[str, str]
    n_commits: int
    n_files: int
    changes: list[ReviewedChange]
    collapsed: list[CollapsedChange]
    interfaces: list[ReviewedInterface]
    other_files: list[FileChanges]
    tests: ReviewTests
    affected: TestsToRun | None
    report: ScanReport
    stale_docs: list[DocLink]
    is_indexed: bool
    skipped: list[str]
    problems: list[Problem]


def review(session: Session, words: Sequence[str], *, with_affected: bool = True) -> Review:
    """Review a change; with `with_affected`, also find all tests that it may reach."""
    asked = read_range(session.repository, words)
    compared = compare_states(session.repository, asked.base, asked.target, with_derivations=False)
    files, comparison = compared.files, compared.comparison
    top_levels = [*changed_top_levels(*files, comparison.renamed)]
    parts = split_changes(list_changes(comparison, ChangeFilter().passes, *files, ListingOptions()), top_levels)
    churn = Churn(session, asked)
    reviewer = _Reviewer(session, compared, parts, top_levels, asked, churn)
    report = _scan(session, asked)
    until = asked.target or session.workspace.head
    return Review(
        asked,
        compared.names,
        len(churn.commits),
        len({comparison.renamed.get(file.path, file.path) for file in files[0]} | {file.path for file in files[1]}),
        reviewer.ranked(),
        parts.collapsed,
        reviewer.interfaces,
        parts.other_files,
        reviewer.tests,
        find_affected(session, asked.base, asked.target) if with_affected else None,
        report,
        [link for link in report.stale_docs if _is_of_range(link, churn.commits, asked)],
        asked.target is None or (until == session.view.snapshot.revision and not _is_dirty(session)),
        reviewer.former.skipped,
        [*dict.fromkeys([*session.repository.problems, *report.problems])],
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
        self.tests = find_review_tests(session, nodes, tests)
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
        shown = [one for one in worth if one not in self._deleted or not all(user.is_changed for user in one.users)]
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

    def ranked(self) -> list[ReviewedChange]:
        """The riskiest first."""
        changes = [*map(self._change, self._real)]
        changes += [self._top_level(path) for path in self._top_levels if role_of(path) is FileRole.SOURCE]
        changes += [self._deleted_file(file) for file in self._deleted_files]
        return sorted((one for one in changes if one.facts.n_lines), key=_risk_order)

    def _change(self, listed: ListedChange) -> ReviewedChange:
        change, node = listed.change, self._node(listed.change)
        interface = next((one for one in self.interfaces if one.interface.change is change), None)
        users = self._users[node] if node is not None else []
        users = _counted(interface.users if interface is not None and interface.interface.is_gone else users)
        unchanged = interface.unchanged if interface is not None else []
        patch = patch_of(change, *self._compared.files, is_whole=listed.n_members > 0)
        n_changes, n_commits = self._churn.of(node, _old_path(change))
        possible = self._possible.get(node, NO_POSSIBLE) if node is not None else NO_POSSIBLE
        reach = self.tests.of_each[node] if node is not None else NOT_ASKED
        facts = RiskFacts(
            max(patch.n_added + patch.n_removed, len(listed.together)),
            len(users),
            len({user.path for user in users}),
            len(unchanged),
            possible.n_users,
            possible.n_tests,
            reach.n_tests,
            reach.n_steps,
            n_changes,
            n_commits,
            is_interface=interface is not None and interface.interface.concerns_users,
        )
        about = listed.word, change.kind, change.before, change.after, listed.aspects, listed.n_members, listed.together
        return ReviewedChange(*about, self._mark(node), facts, _rate(listed.word, facts))

    def _deleted_file(self, file: FileChanges) -> ReviewedChange:
        """One line for all that was in the file; its users are those of all its definitions."""
        found = [one for one in self._deleted if _old_path(one.interface.change) == file.path]
        users = {(user.path, user.qualified_name): user for one in found for user in _counted(one.users)}
        n_unchanged = sum(not user.is_changed for user in users.values())
        n_files = len({user.path for user in users.values()})
        lines = next(lines_of(old.source()) for old in self._compared.files[0] if old.path == file.path)
        facts = RiskFacts(len(lines), len(users), n_files, n_unchanged, is_interface=bool(n_unchanged))
        about = Change.DELETED, TOP_LEVEL, Location(file.path, "", 1, 1), None, (), file.counts.get(Change.DELETED, 0)
        return ReviewedChange(*about, (), None, facts, _rate(Change.DELETED, facts))

    def _top_level(self, path: str) -> ReviewedChange:
        old, new = ({file.path: file for file in files} for files in self._compared.files)
        former = {after: before for before, after in self._compared.comparison.renamed.items()}
        before = old.get(former.get(path, path))
        facts = RiskFacts(top_level_lines(before, new[path]))
        place = Location(before.path, "", 1, 1) if before is not None else None
        about = Change.MODIFIED if before is not None else Change.ADDED, TOP_LEVEL, place, Location(path, "", 1, 1)
        return ReviewedChange(*about, (Aspect.BODY,), 0, (), None, facts, rate_risk(facts))

    def _mark(self, node: int | None) -> str | None:
        if node is None:
            return None
        return next((one.mark for one in self._session.store.identities([node])), None)


def _rate(word: Change, facts: RiskFacts) -> RiskScore:
    """Return the risk; of a deletion, users that went with it are none."""
    is_settled = word is Change.DELETED and not facts.n_unchanged_users
    return rate_risk(facts._replace(n_users=0, n_commits=0, n_changes=None, n_lines=0) if is_settled else facts)


def _counted(users: Iterable[ReviewUser]) -> list[ReviewUser]:
    """Return users without tests, and without imports in files that use the import."""
    found = [user for user in users if not user.is_test]
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


def _risk_order(one: ReviewedChange) -> tuple[bool, int, int, int, str, int]:
    """The riskiest first; deletions whose users went with them last."""
    location = one.after or one.before
    assert location is not None
    is_settled = one.change is Change.DELETED and not one.facts.n_unchanged_users
    return is_settled, -one.score.total, -one.facts.n_users, -one.facts.n_lines, location.path, location.start_line
