"""Collect what a language model needs to work on an entity, within a budget of tokens.

In the order of priority: its definition; the notes on it; the head of what it is in; the heads of what it uses, as
they are used; the lines that use it; the tests that reach it; what its code came from; the heads of its siblings; and,
if there is budget left, the sources of what it uses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from birthmark.app.answers.indexed_refs import find_indexed
from birthmark.app.changes.diffing import compare_states
from birthmark.app.notes import FoundNote, note_document, notes_on
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import ContextDocument, ContextPieceDocument
from birthmark.documents.definitions import indexed_entity_document
from birthmark.documents.document import make
from birthmark.graph.network import NetworkEdge, Node
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, DerivationEnd
from birthmark.queries.context import (
    ChosenPiece,
    ContextPiece,
    choose_pieces,
    estimate_tokens,
    first_sentence,
    head_line,
    note_forms,
    outline_of,
    place_line,
    source_forms,
)
from birthmark.queries.life import read_descents, read_lives
from birthmark.queries.reach import find_reaching, way_from
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.queries.test_code import is_test_code
from birthmark.sources.git.revisions import resolve_revision
from birthmark.store.model import SnapshotEntity
from birthmark.vocabulary import Change, ContextPart, EdgeKind, Resolution

_BREAK = "\n"
_MOST_STEPS = 4  # from a test
_MOST_TESTS, _MOST_USERS = 10, 40  # that are listed
_CERTAINTY = {resolution: rank for rank, resolution in enumerate(Resolution)}


def count_tokens(text: str) -> int:
    """Estimate the number of tokens for a language model."""
    return estimate_tokens(text)


def find_context(session: Session, ref: str, budget: int, since: str | None = None) -> ContextDocument:
    """Return the context of an entity; with `since`, only the parts that changed after that revision."""
    return _choose(session, ref, budget, since, lambda pieces: pieces)


def find_further_context(session: Session, ref: str, budget: int, n_read: int) -> ContextDocument:
    """Return the context after the first `n_read` pieces; none is skipped, so that pages follow each other."""
    return _choose(
        session, ref, budget, None, lambda pieces: [one._replace(may_be_skipped=False) for one in pieces[n_read:]]
    )


def _choose(
    session: Session,
    ref: str,
    budget: int,
    since: str | None,
    select: Callable[[list[ContextPiece]], list[ContextPiece]],
) -> ContextDocument:
    indexed = find_indexed(session, ref)
    base = None if since is None else resolve_revision(session.repository.git, since)
    notes = notes_on(session, indexed.mark)
    pieces = [*_PieceReader(session, indexed, notes).pieces()]
    if base is not None:
        changed = _changed_marks(session, base)
        pieces = [piece for piece in pieces if piece.mark in changed]
    entity = indexed.entity
    title = f"{entity.kind} {entity.qualified_name}" + (f", what changed since {base[:12]}" if base else "")
    context = choose_pieces(title, select(pieces), budget)
    return ContextDocument(
        indexed_entity_document(indexed),
        base,
        budget,
        context.n_tokens,
        [_piece_document(one) for one in context.chosen],
        {str(part): number for part, number in context.left_out.items()},
        context.text,
        [note_document(one) for one in notes],
        freshness_document(session.freshness),
    )


def _piece_document(one: ChosenPiece) -> ContextPieceDocument:
    return make(
        ContextPieceDocument, one.piece, qualified_name=one.piece.name, shortened=one.is_shortened, text=one.text
    )


def _changed_marks(session: Session, base: str) -> Collection[str]:
    """The marks of all entities of the index that were edited or added since."""
    compared = compare_states(session.repository, base, None, with_derivations=False)
    changed = [one for one in compared.comparison.changes if one.change is not Change.MOVED and one.new is not None]
    identities = {compared.identities[1][one.new] for one in changed if one.new in compared.identities[1]}
    return {one.mark for one in session.store.identities(identities)}


class _PieceReader:
    """Reads the pieces about one entity."""

    def __init__(self, session: Session, indexed: IndexedEntity, notes: Sequence[FoundNote]) -> None:
        self.session, self.indexed, self.entity, self.notes = session, indexed, indexed.entity, notes
        inside = session.graph.inside(self.entity.path)
        self.subject = next(one for one in inside if one.identity == indexed.identity)
        start = f"{self.entity.qualified_name}."
        lines = range(self.entity.start_line, self.entity.end_line + 1)
        nested = [one for one in inside if one.qualified_name.startswith(start) and one.start_line in lines]
        self.own = [self.subject, *nested]

    def pieces(self) -> Iterator[ContextPiece]:
        uses = self._uses()
        used = self._held(uses)
        yield self._definition()
        yield from self._notes()
        yield from self._container()
        yield from (self._used(use, used[identity]) for identity, use in uses.items() if identity in used)
        edges = self._user_edges()
        yield from self._users(edges)
        yield from self._tests()
        yield from self._derivations()
        yield from self._siblings({self.indexed.identity, *used})
        yield from (self._source(use, used[identity]) for identity, use in uses.items() if identity in used)

    # Texts

    def _held(self, identities: Collection[int]) -> dict[int, IndexedEntity]:
        rows = self.session.store.entities_of(self.session.view.number, identities)
        return self.session.view.hold_all(rows)

    def _text(self, path: str) -> str:
        return self.session.graph.text(path)

    def _bytes(self, path: str) -> bytes:
        file = self.session.view.file(path)
        return (self.session.view.source(file.version) or b"") if file is not None else b""

    def _code(self, one: IndexedEntity) -> str:
        """Whole lines, with the comments above it."""
        source = self._bytes(one.entity.path)
        start = source.rfind(b"\n", 0, one.entity.lead_start) + 1
        return source[start : one.entity.end_byte].decode("utf-8", "replace")

    def _doc(self, one: IndexedEntity) -> str:
        span = one.entity.documentation_span
        return (
            ""
            if span is None
            else first_sentence(self._bytes(one.entity.path)[slice(*span)].decode("utf-8", "replace"))
        )

    # Pieces

    def _piece(
        self, part: ContextPart, one: IndexedEntity, why: str, forms: tuple[str, ...], *, may_be_skipped: bool = False
    ) -> ContextPiece:
        entity = one.entity
        lines = entity.start_line, entity.end_line
        return ContextPiece(part, one.mark, entity.qualified_name, entity.path, *lines, why, forms, may_be_skipped)

    def _head(self, part: ContextPart, one: IndexedEntity, why: str) -> ContextPiece:
        """Return the head with its documentation; without any, the first line of anything but a function or type."""
        said = self._doc(one)
        if not said and one.entity.kind not in FUNCTION_LIKE | CLASS_LIKE:
            said = f"`{self._code(one).strip().partition(_BREAK)[0]}`"
        with_doc = (head_line(one.entity, one.mark, why, said),) if said else ()
        return self._piece(part, one, why, (*with_doc, head_line(one.entity, one.mark, why, "")))

    def _definition(self) -> ContextPiece:
        why, outline = "what is asked for", None
        if self.entity.kind in CLASS_LIKE:
            members = [one.entity for one in self._members_of(self.entity.qualified_name)]
            outline = outline_of(self.entity, members, self._doc(self.indexed))
        forms = source_forms(self.entity, self.indexed.mark, why, self._code(self.indexed), outline)
        return self._piece(ContextPart.DEFINITION, self.indexed, why, forms)

    def _notes(self) -> Iterator[ContextPiece]:
        for one in self.notes:
            why = "the code has changed since it was written" if one.is_stale else "written down about it"
            by = f"{one.note.id}, {one.note.author or 'unnamed'}, {one.note.updated_at[:10]}"
            yield self._piece(ContextPart.NOTES, self.indexed, why, note_forms(by, why, one.note.text))

    def _members_of(self, name: str) -> list[IndexedEntity]:
        return [one for one in self.session.view.entities_in(self.entity.path) if one.entity.parent == name]

    def _container(self) -> Iterator[ContextPiece]:
        around = [
            one
            for one in self.session.view.entities_in(self.entity.path)
            if one.entity.qualified_name == self.entity.parent and one.entity.start_line <= self.entity.start_line
        ]
        for one in around[-1:]:
            yield self._head(ContextPart.CONTAINER, one, "around it")

    def _used(self, use: NetworkEdge, one: IndexedEntity) -> ContextPiece:
        return self._head(ContextPart.USES, one, f"{use.edge}, {use.resolution}, line {use.line}")

    def _source(self, use: NetworkEdge, one: IndexedEntity) -> ContextPiece:
        why = f"{use.edge}, line {use.line}"
        forms = source_forms(one.entity, one.mark, why, self._code(one))[:1]
        return self._piece(ContextPart.SOURCES, one, why, forms, may_be_skipped=True)

    def _uses(self) -> dict[int, NetworkEdge]:
        """Return what it uses, with the first use of each."""
        own, entity = {one.identity for one in self.own}, self.entity
        around = (edge for edge in self.session.network.used_by(self._around()) if edge.path == entity.path)
        decorators = (edge for edge in around if entity.start_line <= edge.line <= entity.end_line)
        found = [*self.session.network.used_by(own), *decorators]
        edges = sorted(
            (edge for edge in found if isinstance(edge.used, int)), key=lambda edge: (edge.line, edge.ordinal)
        )
        uses: dict[int, NetworkEdge] = {}
        for edge in edges:
            if edge.used not in own:
                uses.setdefault(int(edge.used), edge)
        return uses

    def _around(self) -> list[Node]:
        """Return what is around it, by which its decorators are called."""
        parent = self.entity.parent
        inside = self.session.graph.inside(self.entity.path)
        return [self.entity.path, *(one.identity for one in inside if one.qualified_name == parent)]

    def _user_edges(self) -> list[NetworkEdge]:
        """Return the edges from users."""
        found = self.session.network.users_of([self.indexed.identity])
        edges = [edge for edge in found if edge.edge is not EdgeKind.IMPORTS and edge.user != edge.used]
        return sorted({*edges}, key=lambda edge: (_CERTAINTY[edge.resolution], edge.path, edge.line, str(edge.user)))

    def _users(self, edges: Sequence[NetworkEdge]) -> Iterator[ContextPiece]:
        rows = self._rows([edge.user for edge in edges if isinstance(edge.user, int)])
        for edge in sorted(edges, key=lambda edge: is_test_code(edge.path, self.entity.language))[:_MOST_USERS]:
            row = rows.get(edge.user) if isinstance(edge.user, int) else None
            name, mark = (row.qualified_name, row.mark) if row is not None else ("top level", None)
            why = f"{edge.edge}, {edge.resolution}"
            code = self._text(edge.path).split("\n")[edge.line - 1 : edge.line]
            form = place_line(name, edge.path, edge.line, mark, why, "".join(code))
            yield ContextPiece(ContextPart.USERS, mark, name, edge.path, edge.line, edge.line, why, (form,))

    def _rows(self, identities: Collection[int]) -> dict[int, SnapshotEntity]:
        rows = self.session.store.entities_of(self.session.view.number, identities)
        return {row.identity: row for row in rows}

    def _tests(self) -> Iterator[ContextPiece]:
        """Yield tests that reach it by a few sure steps; `birthmark tests` finds all that may reach it."""
        rules = self.session.reach_rules
        reached = find_reaching([self.indexed.identity], rules.sure_rules, rules.is_test, _MOST_STEPS)
        tests = [node for node in reached if node != self.indexed.identity and rules.is_test(node)]
        rows = self._rows([node for node in tests[:_MOST_TESTS] if isinstance(node, int)])
        for identity, row in ((node, rows[node]) for node in tests if node in rows):
            names = [
                one.qualified_name for one in rules.definitions([step.nearer for step in way_from(reached, identity)])
            ]
            why = "reaches it by " + ", ".join(names[:-1]) if names[:-1] else "uses it"
            form = place_line(row.qualified_name, row.path, row.start_line, row.mark, why, "")
            place = row.path, row.start_line, row.end_line
            yield ContextPiece(ContextPart.TESTS, row.mark, row.qualified_name, *place, why, (form,))

    def _derivations(self) -> Iterator[ContextPiece]:
        lives = read_lives(self.session.view, [self.indexed.identity])
        descent = read_descents(self.session.view, lives.values()).get(self.indexed.identity)
        for end in descent.derived_from if descent is not None else ():
            yield _derivation(end, f"it is {end.kind} this, {end.share:.0%} of its code")
        for end in descent.derivatives if descent is not None else ():
            yield _derivation(end, f"this is {end.kind} it, {end.source_share:.0%} of its code")

    def _siblings(self, listed: Collection[int]) -> Iterator[ContextPiece]:
        parent = self.entity.parent
        for one in self._members_of(parent) if parent is not None else ():
            if one.identity not in listed:
                yield self._head(ContextPart.SIBLINGS, one, "a member of the same")


def _derivation(end: DerivationEnd, why: str) -> ContextPiece:
    place = end.place
    line = place.start_line if end.is_present else 0
    form = place_line(place.qualified_name, place.path, line, end.mark, why, "")
    lines = place.start_line, place.end_line
    return ContextPiece(ContextPart.DERIVATIONS, end.mark, place.qualified_name, place.path, *lines, why, (form,))
