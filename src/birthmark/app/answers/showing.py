"""Show an entity with its source: as it is, or as the last version of its file had it before it was deleted."""

from __future__ import annotations

from birthmark.app.answers.resolving import resolve_at
from birthmark.app.notes import note_document, notes_on
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import ShownDocument, former_location, former_owners
from birthmark.documents.definitions import extended_entity_document
from birthmark.documents.parts import carrier_documents, deletion_or_null, derivation_documents
from birthmark.errors import NotFoundError
from birthmark.extraction.model import Outline
from birthmark.extraction.placement import place_outline
from birthmark.identity.keys import parse_key, place_of
from birthmark.model import Entity, Level
from birthmark.queries.life import Life
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile
from birthmark.vocabulary import RefStatus


def show_ref(session: Session, ref: str) -> ShownDocument:
    """Return what a REF names."""
    answer = resolve_at(session, ref, None, tells=False)
    resolved = answer.resolved
    if resolved.past is not None and resolved.indexed is None:
        raise NotFoundError(f"{ref}: is deleted; `birthmark resolve` shows what became of it")
    if resolved.life is None:
        raise resolved.problem or NotFoundError(f"{ref}: is in no entity; `birthmark resolve` shows where it is")
    indexed = resolved.indexed or last_known(session, resolved.life)
    if indexed is None:
        raise NotFoundError(f"{ref}: is deleted, and its source is not kept; `birthmark resolve` shows its life")
    source = session.repository.extractor.source_of(session.view.extraction_of(indexed.version))()
    entity = indexed.entity
    text = source[entity.start_byte : entity.end_byte].decode("utf-8", "replace")
    return extended_entity_document(
        ShownDocument,
        indexed,
        status=RefStatus.GONE if resolved.indexed is None else RefStatus.PRESENT,
        source=text,
        indent=_indent(source, entity.start_byte),
        was=former_location(resolved),
        deletion=deletion_or_null(resolved.deletion, answer.commits),
        derived_from=derivation_documents(resolved.descent.derived_from),
        derivatives=derivation_documents(resolved.descent.derivatives),
        carried_by=carrier_documents(resolved.descent.carriers),
        notes=[note_document(one) for one in notes_on(session, indexed.mark)],
        freshness=freshness_document(session.freshness),
        former_owners=former_owners(resolved),
        inherited_by=resolved.inherited_by,
    )


def _indent(source: bytes, start: int) -> int:
    """Return the indentation of a line, to align those after it."""
    line = source[source.rfind(b"\n", 0, start) + 1 : start]
    return len(line.expandtabs()) if not line.strip() else 0


def last_known(session: Session, life: Life) -> IndexedEntity | None:
    """Return a deleted entity from the last version of its file that contained it."""
    identity, path = life.identity.identity, (life.deletion or life.last).event.path
    for version in session.store.versions_of(path):
        if identity in version.identities:
            file = session.view.at_version(version.version)
            outline = _outline(session, file) if file is not None else None
            return None if file is None or outline is None else _indexed(session, life, file, outline)
    return None


def first_content(session: Session, life: Life) -> str | None:
    """The hash of its content at its birth; None where that is no longer kept."""
    identity, path = life.identity.identity, life.identity.path
    for version in reversed(session.store.versions_of(path)):
        if identity in version.identities:
            file = session.view.at_version(version.version)
            return file and file.outline.fingerprints[version.identities.index(identity)].content
    return None


def _outline(session: Session, file: IndexedFile) -> Outline | None:
    """Return the full outline of a file; a replay stores only entities."""
    if all(file.outline.semantic_ids):
        return file.outline
    blob = session.view.blob(file)
    for _, outline in session.repository.extractor.outlines([blob] if blob is not None else [], Level.OUTLINE):
        if isinstance(outline, Outline):
            return place_outline(outline, file.path)
    return None


def _indexed(session: Session, life: Life, file: IndexedFile, outline: Outline) -> IndexedEntity:
    ordinal = file.version.identities.index(life.identity.identity)
    entity = outline.entities[ordinal]
    return IndexedEntity(
        entity,
        outline.fingerprints[ordinal],
        life.identity.mark,
        _key(session, life, entity),
        outline.semantic_ids[ordinal],
        life.identity.identity,
        file.version.version,
        ordinal,
    )


def _key(session: Session, life: Life, entity: Entity) -> str:
    """The last that it had under this name at this path."""
    texts = [key.text for key in session.store.keys_of([life.identity.identity])]
    place, name = place_of(entity.path), entity.qualified_name
    fitting = [text for text in texts if (key := parse_key(text)) and (key.place, key.qualified_name) == (place, name)]
    return (fitting or texts)[-1]
