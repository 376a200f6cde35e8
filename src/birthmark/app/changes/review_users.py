"""Find the users of what changed, the tests that reach it, and how often it was changed before.

Takes changes; the index is asked where they are still there, the state before where they are gone. A user is flagged if
it did not change with what it uses. Users of what is gone are those whose reference led to it before, and leads nowhere
now. Tests reach a change by its uses: of each change their number, and of all changes the nearest. `affected` lists
more: all that a change may reach in any way, which may be most of the tests and take its time. Churn is counted by the
ledger where the history was replayed, else by git.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from birthmark.app.answers.reaching_tests import find_reaching_tests
from birthmark.app.changes.diff_arguments import ReviewRange
from birthmark.app.changes.diffing import ComparedStates
from birthmark.app.workspace.session import Session
from birthmark.comparison.entity_changes import EntityChange
from birthmark.comparison.file_roles import role_of
from birthmark.documents.reviews import ReviewUserDocument
from birthmark.documents.uses import ReachingTestDocument
from birthmark.extraction.model import EntityKey, OutlinedEntity, OutlinedFile
from birthmark.extraction.state import RepositoryState, os_path
from birthmark.graph.network import NetworkEdge, Node, users_of
from birthmark.graph.reading.references import Reference
from birthmark.queries.life import find_changes
from birthmark.queries.reach import ReachCount, Rule, reach_of, record_steps
from birthmark.queries.test_code import is_test_code
from birthmark.sources.git.log import count_commits
from birthmark.subscriptions.state_symbols import TreeSymbols
from birthmark.vocabulary import EdgeKind, FileRole, Resolution

_MOST_FILES = 300  # with the name of something that is gone, beyond which its users are not looked for
_YEAR = 365 * 24 * 3600  # seconds before the base in which commits are counted
_NEAR = 3  # steps from a test that is listed


# Users of present entities


def edges_to(session: Session, nodes: Collection[int]) -> list[NetworkEdge]:
    """Return all uses of nodes; uses come before the imports they need."""
    return sorted(users_of(session.network, session.graph.definitions, nodes), key=_edge_order)


def users_of_each(
    session: Session, nodes: Collection[int], all_edges: Iterable[NetworkEdge], changed: Collection[Node]
) -> dict[Node, list[ReviewUserDocument]]:
    """Each user once; those that did not change first."""
    edges: dict[tuple[Node, Node], NetworkEdge] = {}
    for edge in all_edges:
        if edge.user != edge.used:
            edges.setdefault((edge.used, edge.user), edge)
    identities = {user for _, user in edges if isinstance(user, int)}
    rows = {row.identity: row for row in session.store.entities_of(session.view.number, identities)}
    found: dict[Node, list[ReviewUserDocument]] = {node: [] for node in nodes}
    for (used, user), edge in edges.items():
        row = rows.get(user) if isinstance(user, int) else None
        name, language = (row.qualified_name, row.language) if row is not None else ("", "")
        about = edge.path, name, edge.line, row.mark if row is not None else None, edge.edge, edge.resolution
        is_test = is_test_code(edge.path, language, name)
        found[used].append(ReviewUserDocument(*about, user in changed, is_test))
    return {node: sorted(users, key=_user_order) for node, users in found.items()}


def find_possible(session: Session, nodes: Collection[int]) -> dict[Node, tuple[int, int]]:
    """Return the numbers of further users and tests that are possible by name only."""
    users: dict[Node, dict[Node, bool]] = {}
    for edge in session.network.possible_users_of(nodes) if nodes else ():
        users.setdefault(edge.used, {})[edge.user] = role_of(edge.path) is FileRole.TEST
    return {node: (len(some) - sum(some.values()), sum(some.values())) for node, some in users.items()}


def _edge_order(edge: NetworkEdge) -> tuple[bool, str, int, int]:
    return edge.edge is EdgeKind.IMPORTS, edge.path, edge.line, edge.ordinal


def _user_order(user: ReviewUserDocument) -> tuple[bool, bool, str, int]:
    return user.changed, user.test, user.path, user.line


# Former users


class FormerUsers:
    """A search for users of old entities that the new state no longer has in their place."""

    def __init__(self, session: Session, compared: ComparedStates, changed: set[EntityKey], target: str | None) -> None:
        base = session.repository.revision(compared.names[0])
        self._session, self._compared, self._changed = session, compared, changed
        self._states: tuple[RepositoryState, RepositoryState] = base, session.repository.named(target)
        self._symbols = TreeSymbols(base), TreeSymbols(self._states[1])
        self.skipped: list[str] = []  # names that too many files have

    def find(self, old: OutlinedEntity) -> list[ReviewUserDocument]:
        name = old.entity.name
        paths = self._paths(name)
        if len(paths) > _MOST_FILES:
            self.skipped.append(old.entity.qualified_name)
            return []
        scope = frozenset({*paths, old.file.path})
        users: dict[EntityKey, ReviewUserDocument] = {}
        for file in self._states[0].load(sorted(paths)):
            for reference in self._symbols[0].mentions(file, name):
                key = file.path, reference.entity
                is_known = key in users or key == old.key or not self._leads_to(file, reference, scope, old)
                if not is_known and (self._is_changed(key) or not self._leads_anywhere(file, reference, scope)):
                    users[key] = self._user(file, reference)
        return sorted(users.values(), key=_user_order)

    def _paths(self, name: str) -> set[str]:
        store, snapshot = self._session.store, self._session.view.number
        named = self._session.graph.references_named([name])
        here = {path for path, _, _, reference in named if reference.name == name}
        here |= {row.path for row in store.entities_named(snapshot, [name])}
        changed = {file.path for file in self._compared.files[0] if name.encode() in file.source()}
        return {path for path in here | changed if self._states[0].content_id(path) is not None}

    def _leads_to(self, file: OutlinedFile, reference: Reference, scope: frozenset[str], old: OutlinedEntity) -> bool:
        found = self._symbols[0].resolve(file, reference, scope)
        entities = (self._symbols[0].entity(one) for one in found.claimed)
        return any(one is not None and one.key == old.key for one in entities)

    def _is_changed(self, key: EntityKey) -> bool:
        return key in self._changed or (key[0], -1) in self._changed

    def _leads_anywhere(self, file: OutlinedFile, reference: Reference, scope: frozenset[str]) -> bool:
        """Return whether the same reference has a target in the new state, which may be another one."""
        now = self._states[1].file(file.path)
        if now is None:
            return True
        here = [*self._same(now, file, reference)]
        present = frozenset(path for path in scope if self._states[1].content_id(path) is not None)
        return not here or any(self._symbols[1].resolve(now, one, present).targets for one in here)

    def _same(self, now: OutlinedFile, file: OutlinedFile, reference: Reference) -> Iterator[Reference]:
        """The references of the new file that say the same in an entity of the same name."""
        said = _said(file, reference)
        return (one for one in self._symbols[1].mentions(now, reference.name) if _said(now, one) == said)

    def _user(self, file: OutlinedFile, reference: Reference) -> ReviewUserDocument:
        name, language = _name_of(file, reference), file.outline.language
        resolution = Resolution.EXACT if reference.edge != EdgeKind.IMPORTS else Resolution.IMPORT
        is_changed = self._is_changed((file.path, reference.entity))
        about = file.path, name, reference.line, None, EdgeKind(reference.edge), resolution
        return ReviewUserDocument(*about, is_changed, is_test_code(file.path, language, name))


def _said(file: OutlinedFile, reference: Reference) -> tuple[str, str, str, str | None]:
    return _name_of(file, reference), reference.edge, reference.name, reference.receiver


def _name_of(file: OutlinedFile, reference: Reference) -> str:
    return file.outline.entities[reference.entity].qualified_name if reference.entity >= 0 else ""


def find_review_tests(
    session: Session, nodes: Collection[Node], changed_tests: Collection[Node]
) -> tuple[Mapping[Node, ReachCount], list[ReachingTestDocument]]:
    """Return how many tests reach each change; and the near tests, nearest first, with those that changed."""
    rules = session.reach_rules
    steps = record_steps(nodes, rules.use_rules, rules.is_test) if nodes else {}
    recorded: Rule = lambda frontier: (step for node in frontier for step in steps.get(node, ()))  # noqa: E731
    tests = find_reaching_tests(session, {*nodes, *changed_tests}, [recorded])
    of_each = {node: reach_of(node, steps, rules.is_test) for node in nodes}
    return of_each, [test for test in tests if test.distance <= _NEAR]


def find_nodes(session: Session, compared: ComparedStates, changes: Iterable[EntityChange]) -> dict[int, int]:
    """Map positions of changes to identities in the index; by path and name if another state was compared."""
    identities, changes = compared.identities[1], [*changes]
    rows = session.store.entities_in(session.view.number, sorted({one.after.path for one in changes if one.after}))
    shown = {(row.path, row.qualified_name): row.identity for row in rows}
    known = {row.identity for row in rows}
    nodes: dict[int, int] = {}
    for position, change in enumerate(changes):
        if change.new is not None and change.after is not None:
            identity = identities.get(change.new)
            found = identity if identity in known else shown.get((change.after.path, change.after.qualified_name))
            if found is not None:
                nodes[position] = found
    return nodes


class Churn:
    """Count earlier changes, prepared for all that is needed at once and then asked for each."""

    def __init__(self, session: Session, asked: ReviewRange) -> None:
        self._session, self._asked = session, asked
        self._changes: Counter[int] = Counter()
        self._commits: Counter[str] = Counter()

    @cached_property
    def commits(self) -> frozenset[str]:
        """Return the commits of the range."""
        until = self._asked.target or self._session.workspace.head
        found = self._session.repository.git.run("rev-list", str(until), f"^{self._asked.base}", "--")
        return frozenset(found.decode().split())

    @cached_property
    def is_replayed(self) -> bool:
        return self._asked.base in self._session.store.replayed_commits()

    def prepare(self, nodes: Collection[int], paths: Iterable[str]) -> None:
        if self.is_replayed:
            replayed = self._session.store.replayed_commits()
            earlier = {run for commit, run in replayed.items() if commit not in self.commits}
            changes = find_changes(self._session.store.events_of(nodes), earlier)
            self._changes = Counter({identity: len(runs) for identity, runs in changes.items()})
        else:
            repository = self._session.repository
            since = repository.commit(self._asked.base).committed_at - _YEAR
            wanted = sorted({os_path(path) for path in paths})
            self._commits = count_commits(repository.git, self._asked.base, wanted, since)

    def of(self, node: int | None, path: str) -> tuple[int | None, int | None]:
        """Return the number of changes of the definition, or of commits to its file; the other is None."""
        if self.is_replayed:
            return (self._changes[node] if node is not None else None), None
        return None, self._commits[path]
