"""Find evidence that definitions without users are used: possible uses by name, and their names elsewhere.

Names are looked for in strings, in files of other languages and in manifests. All sources are read once.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from birthmark.app.answers.graph_nodes import network_of
from birthmark.app.workspace.session import Session
from birthmark.documents.parts import SiteDocument
from birthmark.documents.whole_graph import DoubtDocument
from birthmark.errors import BirthmarkError
from birthmark.extraction.codec import unpack_source
from birthmark.graph.candidates import MENTIONS
from birthmark.graph.network import NetworkEdge, Node
from birthmark.graph.reading.references import Reference
from birthmark.graph.symbols import Definition
from birthmark.languages.registry import load_registry
from birthmark.queries.impact import TimeLimit
from birthmark.queries.unused import WordIndex, WordSite
from birthmark.vocabulary import EdgeKind, UnusedDoubt

IMPORTS = frozenset({EdgeKind.IMPORTS, EdgeKind.EXPORTS})
_NAMED = MENTIONS - {EdgeKind.WRITES} | {EdgeKind.CALLS}
_NO_USE = frozenset({EdgeKind.OVERRIDES, EdgeKind.WRITES})


class NameEvidence:
    """A search for the names of some definitions in all sources."""

    def __init__(
        self, session: Session, candidates: Collection[Definition], time_limit: TimeLimit, *, with_tests: bool = True
    ) -> None:
        self.graph = session.graph
        self.manifests = {path for path, _, _ in _manifests(session)}
        names = {one.name for one in candidates}
        self.index = WordIndex(names, time_limit.during(_sources(session)))
        network = network_of(session, with_tests=with_tests)
        self._uses = defaultdict[Node, list[NetworkEdge]](list)
        for edge in time_limit.during(network.possible_users_of([one.identity for one in candidates])):
            self._uses[edge.used].append(edge)
        self._members = defaultdict[str, list[WordSite]](list)  # where a member of that name is mentioned
        for path in time_limit.during(sorted(self.graph.paths())):
            for reference in self.graph.outline_references(path):
                if reference.receiver is not None and reference.name in names and reference.edge != EdgeKind.WRITES:
                    self._members[reference.name].append((path, reference.line))

    def uses(self, one: Definition) -> Iterator[NetworkEdge]:
        """Yield possible uses from outside the definition."""
        for edge in self._uses.get(one.identity, ()):
            if edge.edge not in _NO_USE and not _is_inside(edge.path, edge.line, one):
                yield edge

    def doubts(
        self, one: Definition, uses: Sequence[NetworkEdge], imported: NetworkEdge | None
    ) -> Iterator[DoubtDocument]:
        """Yield the reasons to assume that it is used, from its uncertain uses and from texts."""
        if imported is not None:
            yield _doubt(UnusedDoubt.IMPORTED, imported.path, imported.line)
        named = next((edge for edge in uses if edge.edge not in IMPORTS), None)
        if named is not None:
            yield _doubt(UnusedDoubt.NAMED, named.path, named.line)
        elif one.parent is None and (line := self._imported_line(one) or self._written_line(one)):
            yield _doubt(UnusedDoubt.NAMED, one.path, line)
        elif one.parent is not None and (site := self._member_site(one)) is not None:
            yield _doubt(UnusedDoubt.NAMED, *site)
        group = load_registry().resolution_of(one.language)
        sites = (site for site in self.index.quoted(one.name) if self._group_of(site[0]) is group)
        quoted = next((site for site in sites if not _is_inside(*site, one)), None)
        if quoted is not None:
            yield _doubt(UnusedDoubt.QUOTED, *quoted)
        paths = [path for path in self.index.paths_with(one.name) if self._group_of(path) is not group]
        other = self.index.first_in(one.name, paths)
        if other is not None:
            is_manifest = other[0] in self.manifests
            yield _doubt(UnusedDoubt.ENTRY_POINT if is_manifest else UnusedDoubt.OTHER_FILE, *other)

    def _imported_line(self, one: Definition) -> int | None:
        """Return the line that imports the same name into its file; the definition may be the fallback."""
        declared = self.graph.declared(one.path)
        return next((its.line for its in declared if one.name in (its.name, its.alias, its.receiver)), None)

    def _written_line(self, one: Definition) -> int | None:
        """Return the line in its own file where code has its name but apparently means something else."""
        lines = (its.line for its in self.graph.outline_references(one.path) if _is_bare(its, one.name))
        return next((line for line in lines if not _is_inside(one.path, line, one)), None)

    def _member_site(self, one: Definition) -> WordSite | None:
        """Return a place that mentions a member of its name, though apparently of something else."""
        group = load_registry().resolution_of(one.language)
        sites = (site for site in self._members.get(one.name, ()) if self._group_of(site[0]) is group)
        return next((site for site in sites if not _is_inside(*site, one)), None)

    def _group_of(self, path: str) -> object:
        language, _ = self.index.texts.get(path, ("", b""))
        return load_registry().resolution_of(language) if language else None


def _doubt(doubt: UnusedDoubt, path: str, line: int) -> DoubtDocument:
    return DoubtDocument(doubt, SiteDocument(path, line), None)


def _is_bare(reference: Reference, name: str) -> bool:
    return reference.name == name and reference.receiver is None and reference.edge in _NAMED


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
