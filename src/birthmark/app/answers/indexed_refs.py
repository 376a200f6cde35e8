"""Find what a REF names in the index: an id that was issued once, a name, or a path of the worktree.

The entities of the worktree are paired with those of the index. What exists now goes before what once had the name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from birthmark.app.answers.refs import is_path, missing_ref, read_ref
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.session import Session
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import RepositoryState
from birthmark.model import CLASS_LIKE, Entity
from birthmark.queries.life import read_lives
from birthmark.queries.missing import MOST_CHOICES, ambiguous
from birthmark.queries.names import pick_exact, pick_named, read_name
from birthmark.queries.ref import (
    FormerEntity,
    RefMatch,
    RefMatches,
    find_former_named,
    find_named,
    find_ref,
    locate_all,
    lookup_in_index,
)
from birthmark.queries.ref import find_former as find_former_entities
from birthmark.queries.ref_forms import LinesRef, NamedRef, NameRef, Ref
from birthmark.queries.resolve import choice_of
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.store.model import SnapshotEntity
from birthmark.store.port import Store


def find_indexed(session: Session, text: str) -> IndexedEntity:
    """The one entity of the index that a REF names now."""
    return _present(session, find_matches(session, text), text)


def find_in_index(
    repository: OpenRepository, store: Store, state: RepositoryState, ref: Ref, text: str, *, suggests: bool
) -> Entity:
    """Return the entity in the current index for a REF that is not a path of the state."""
    session = Session(repository)
    found = _look_up(session, ref, text)
    if found is None:
        raise _missing(session, state, ref, text, suggests=suggests)
    return _present(session, found, text).entity


def find_matches(session: Session, text: str, *, suggests: bool = True) -> RefMatches:
    """Return all matches of a REF in the index; raise an error with suggestions if there are none."""
    ref = read_ref(session.repository, session.state, text)
    found = find_now(session, text)
    if found is None:
        raise _missing(session, session.state, ref, text, suggests=suggests)
    return found


def find_now(session: Session, text: str) -> RefMatches | None:
    """Return the matches of a REF by its current name or any id ever issued; None if nothing has the name."""
    ref = read_ref(session.repository, session.state, text)
    if isinstance(ref, LinesRef | NamedRef):
        for state in _states_with(session, ref):
            entities = _locate(state, ref)
            if entities:
                return RefMatches([_match(session, state, entity) for entity in entities])
    return None if isinstance(ref, LinesRef) else _look_up(session, ref, text)


def find_former(session: Session, text: str, but: Collection[int] = ()) -> list[FormerEntity]:
    """Return the entities that have or had the name or path of a REF, without those of `but`; present ones come first.

    The list is empty for an id, which names one identity forever, and for lines of an existing file.
    """
    ref = read_ref(session.repository, session.state, text)
    is_here = isinstance(ref, LinesRef) and any(True for _ in _states_with(session, ref))
    if is_here or not isinstance(ref, LinesRef | NamedRef | NameRef):
        return []
    found = find_former_entities(session.view, ref, but)
    is_file = isinstance(ref, NamedRef) and is_path(ref.path)
    if found or but or is_file or isinstance(ref, LinesRef):
        return found
    return find_former_named(session.view, ref.name if isinstance(ref, NameRef) else text)


def _look_up(session: Session, ref: Ref, text: str) -> RefMatches | None:
    """A former name that is as it was goes before a present one that is written in another way."""
    name = ref.name if isinstance(ref, NameRef) else text
    found = find_ref(session.view, NameRef(text) if isinstance(ref, NamedRef) else ref, session.read_nodes)
    if found.matches or found.is_external:
        return found
    if not isinstance(ref, NameRef | NamedRef) or find_former_entities(session.view, ref):
        return None
    is_here = isinstance(ref, NamedRef) and session.view.row(ref.path) is not None
    named = [] if is_here else find_named(session.view, name)
    return RefMatches(named) if named else _find_inherited(session, ref if is_here else NameRef(name))


def _find_inherited(session: Session, ref: NamedRef | NameRef) -> RefMatches | None:
    """Return the member of a base, where a name gives a class that inherits it."""
    asked = read_name(ref.qualified_name if isinstance(ref, NamedRef) else ref.name)
    owner_name, _, member = asked.name.rpartition(".")
    owners = [row for row in _rows_named(session, owner_name) if row.kind in CLASS_LIKE]
    if isinstance(ref, NamedRef):
        owners = [row for row in owners if row.path == ref.path]
    if len(owners) != 1 or not member:
        return None
    definition = session.definition(session.view.hold(owners[0]))
    for base in session.resolver.evaluator.hierarchy.line(definition)[1:]:
        rows = session.store.entities_qualified(session.view.number, [f"{base.qualified_name}.{member}"])
        found = [RefMatch(row.identity) for row in rows if row.path == base.path]
        if found:
            return RefMatches(found, inherited_by=owners[0].qualified_name)
    return None


def _rows_named(session: Session, name: str) -> list[SnapshotEntity]:
    lookup = lookup_in_index(session.view)
    return (pick_exact(name, lookup) or pick_named(name, lookup)) if name else []


def _locate(state: RepositoryState, ref: LinesRef | NamedRef) -> list[OutlinedEntity]:
    try:
        return locate_all(state, ref)
    except NotFoundError:
        return []


def _states_with(session: Session, ref: LinesRef | NamedRef) -> Iterator[RepositoryState]:
    """The states that have the path. A name that is gone from the worktree may be found as it was indexed."""
    is_there = session.workspace.has_worktree and session.worktree.entry(ref.path) is not None
    if is_there:
        yield session.worktree
    if isinstance(ref, LinesRef) and is_there:
        return
    if session.repository.index().entry(ref.path) is not None:
        yield session.repository.index()


def _match(session: Session, state: RepositoryState, entity: OutlinedEntity) -> RefMatch:
    """An entity as it was indexed."""
    path = entity.file.path
    row = session.view.row(path)
    is_same = row is not None and (row.content.hex(), row.language) == (state.content_id(path), state.language(path))
    indexed = entity if is_same else session.changes.predecessor(entity)
    identities = session.view.identities_in(indexed.file.path) if indexed is not None else ()
    if indexed is None or not identities:
        raise NotFoundError(f"{entity.label}: {entity.entity.qualified_name} is not indexed yet; run `birthmark index`")
    return RefMatch(identities[indexed.ordinal])


def _missing(session: Session, state: RepositoryState, ref: Ref, text: str, *, suggests: bool) -> BirthmarkError:
    """Return the error for a REF without matches: a former name, or perhaps misspelt."""
    once = find_former(session, text)
    return _former_only(text, once) if once else missing_ref(session.repository, state, ref, text, suggests=suggests)


def _former_only(text: str, once: list[FormerEntity]) -> NotFoundError:
    """Return the error for a former name where only present entities are accepted."""
    present = [one.shown for one in once if one.shown is not None]
    if len(once) == 1 and present:
        now = f"{present[0].path}::{present[0].qualified_name}"
        return NotFoundError(f"{text}: is {now} now; name that")
    if len(once) == 1:
        return NotFoundError(f"{text}: was deleted; `birthmark resolve` shows what became of it")
    return NotFoundError(f"{text}: {len(once)} definitions had that name once; `birthmark resolve` lists them")


def _present(session: Session, found: RefMatches, text: str) -> IndexedEntity:
    lives = read_lives(session.view, found.identities)
    present = [lives[identity] for identity in found.identities if lives[identity].shown is not None]
    if len(present) > 1:
        raise ambiguous(text, [choice_of(session.view, life) for life in present[:MOST_CHOICES]], len(present))
    if not present:
        raise NotFoundError(f"{text}: is deleted; `birthmark resolve` shows what became of it")
    assert present[0].shown is not None
    return session.view.hold(present[0].shown)
