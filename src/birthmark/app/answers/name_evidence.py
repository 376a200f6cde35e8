"""Find evidence that definitions without users are used: mentions, and their names elsewhere.

Names are looked for in strings, in files of other languages and in manifests. All sources are read once. For a name
that occurs in many files, only the nearest ones are searched.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from birthmark.app.answers.graph_nodes import network_of
from birthmark.app.workspace.session import Session
from birthmark.errors import BirthmarkError
from birthmark.extraction.codec import unpack_source
from birthmark.graph.edges import Edge
from birthmark.graph.network import NetworkEdge, Node
from birthmark.graph.outer_names import OuterNames
from birthmark.graph.reading.mentions import find_mentions
from birthmark.graph.symbols import Definition
from birthmark.graph.users import KeptMentions, languages_of, mentions_of
from birthmark.languages.registry import load_registry
from birthmark.queries.impact import TimeLimit
from birthmark.queries.test_code import is_test_code
from birthmark.queries.unused import WordGraph, WordIndex, WordSite
from birthmark.vocabulary import EdgeKind, UnusedDoubt

IMPORTS = frozenset({EdgeKind.IMPORTS, EdgeKind.EXPORTS})
_MOST_FILES = 15  # in which a name is looked for
_NO_USE = frozenset({EdgeKind.OVERRIDES, EdgeKind.WRITES})


class DoubtSite(NamedTuple):
    """A reason to assume that something is used, and its place if it has one."""

    doubt: UnusedDoubt
    path: str | None = None
    line: int | None = None
    detail: str = ""


class NameEvidence:
    """A search for the names of some definitions in all sources."""

    def __init__(
        self,
        session: Session,
        names: Collection[str],
        possible: Mapping[Node, Sequence[NetworkEdge]],
        time_limit: TimeLimit,
        *,
        with_tests: bool = True,
    ) -> None:
        self.resolver, self.possible, self.with_tests = session.resolver, possible, with_tests
        self.network = network_of(session, with_tests=with_tests)
        self.manifests = {path for path, _, _ in _manifests(session)}
        self.index = WordIndex(names, time_limit.during(_sources(session)))
        self.graph = WordGraph(session.store, session.view.number, self.index)
        self.graph.load()
        self.outer_names = OuterNames(self.graph, self.resolver.imports)
        self.kept: KeptMentions = {}

    def uses(self, one: Definition) -> Iterator[NetworkEdge]:
        """Yield mentions and possible uses from outside the definition, the likeliest first."""
        is_outer = self.outer_names.is_outer(one)
        mentions = self.possible.get(one.identity, ()) if is_outer else self._found_in_text(one)
        for edge in chain(mentions, self.network.possible_users_of([one.identity])):
            if edge.edge not in _NO_USE and not _is_inside(edge.path, edge.line, one):
                yield edge

    def _found_in_text(self, one: Definition) -> Iterator[NetworkEdge]:
        """The mentions of what is inside of something else are not kept."""
        sources = self.graph.sources_near(one.path, one.name, languages_of(self.resolver, one))
        for edge in mentions_of(self.graph, self.resolver, one, islice(sources, _MOST_FILES), self.kept):
            if self._counts(edge):
                yield _as_network_edge(edge, one)

    def _counts(self, edge: Edge) -> bool:
        language, name = (edge.source.language, edge.source.qualified_name) if edge.source else ("", "")
        return self.with_tests or not is_test_code(edge.source_path, language, name)

    def doubts(self, one: Definition, uses: Sequence[NetworkEdge], imported: NetworkEdge | None) -> Iterator[DoubtSite]:
        """Yield the reasons to assume that it is used, from its uncertain uses and from texts."""
        if imported is not None:
            yield DoubtSite(UnusedDoubt.IMPORTED, imported.path, imported.line)
        named = next((edge for edge in uses if edge.edge not in IMPORTS), None)
        if named is not None:
            yield DoubtSite(UnusedDoubt.NAMED, named.path, named.line)
        elif one.parent is None and (line := self._imported_line(one) or self._written_line(one)):
            yield DoubtSite(UnusedDoubt.NAMED, one.path, line)
        elif one.parent is not None and (site := self._member_site(one)) is not None:
            yield DoubtSite(UnusedDoubt.NAMED, *site)
        elif len(self.index.paths_with(one.name)) > _MOST_FILES:
            others = (path for path in self.index.paths_with(one.name) if path != one.path)
            yield DoubtSite(UnusedDoubt.NAMED, *(self.index.first_in(one.name, others) or ()))
        group = load_registry().resolution_of(one.language)
        sites = (site for site in self.index.quoted(one.name) if self._group_of(site[0]) is group)
        quoted = next((site for site in sites if not _is_inside(*site, one)), None)
        if quoted is not None:
            yield DoubtSite(UnusedDoubt.QUOTED, *quoted)
        paths = [path for path in self.index.paths_with(one.name) if self._group_of(path) is not group]
        other = self.index.first_in(one.name, paths)
        if other is not None:
            is_manifest = other[0] in self.manifests
            yield DoubtSite(UnusedDoubt.ENTRY_POINT if is_manifest else UnusedDoubt.OTHER_FILE, *other)

    def _imported_line(self, one: Definition) -> int | None:
        """Return the line that imports the same name into its file; the definition may be the fallback."""
        declared = self.graph.declared(one.path)
        return next((its.line for its in declared if one.name in (its.name, its.alias, its.receiver)), None)

    def _written_line(self, one: Definition) -> int | None:
        """Return the line in its own file where code has its name but apparently means something else."""
        text = self.index.text(one.path)
        known = [reference for path, _, _, reference in self.graph.references_named([one.name]) if path == one.path]
        lexical = load_registry().lexical_of(one.language)
        mentions = find_mentions(text, one.name, lexical, self.graph.inside(one.path), known, is_type=False)
        lines = (its.line for its in mentions if its.receiver is None and its.edge is not EdgeKind.WRITES)
        return next((line for line in lines if not _is_inside(one.path, line, one)), None)

    def _member_site(self, one: Definition) -> WordSite | None:
        """Return a place that accesses a member of its name, though apparently of something else."""
        group = load_registry().resolution_of(one.language)
        paths = [path for path in self.index.paths_with(one.name) if self._group_of(path) is group]
        sites = (site for path in paths for site in self.index.members(one.name, path))
        return next((site for site in sites if not _is_inside(*site, one)), None)

    def _group_of(self, path: str) -> object:
        language = self.index.texts[path][0]
        return load_registry().resolution_of(language) if language else None


def _as_network_edge(edge: Edge, one: Definition) -> NetworkEdge:
    user = edge.source.identity if edge.source is not None else edge.source_path
    site = edge.source_path, edge.line
    return NetworkEdge(user, one.identity, edge.edge, edge.resolution, *site, 0, edge.n_candidates, edge.may_be_outside)


def _is_inside(path: str, line: int, one: Definition) -> bool:
    return path == one.path and one.start_line <= line <= one.end_line


def _sources(session: Session) -> Iterator[tuple[str, str, bytes]]:
    for path, language, packed in session.store.sources(session.view.number, load_registry().languages.keys()):
        yield path, language, unpack_source(packed)
    yield from _manifests(session)


def _manifests(session: Session) -> Iterator[tuple[str, str, bytes]]:
    """Yield the path and content of each manifest, with an empty language."""
    has_worktree, revision = session.workspace.has_worktree, session.view.snapshot.revision
    state = session.worktree if has_worktree else session.repository.find_revision(revision)
    if state is None:
        return
    names = {name for spec in load_registry().languages.values() for name in spec.implicit_use.manifests}
    for folder in sorted({posixpath.dirname(path) for path in session.view.paths()} | {""}):
        for path in (posixpath.join(folder, name) for name in sorted(names)):
            entry = state.entry(path)
            if entry is not None:
                try:
                    yield path, "", entry.load()
                except BirthmarkError:  # It was deleted meanwhile.
                    continue
