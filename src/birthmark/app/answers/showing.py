"""An entity with its source: as it is, or as it was before it was deleted."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.app.answers.former_versions import last_known
from birthmark.app.answers.resolving import ResolvedAt, resolve_at
from birthmark.app.notes.finding import FoundNote, notes_on
from birthmark.app.workspace.session import Session
from birthmark.errors import NotFoundError
from birthmark.queries.snapshot_view import IndexedEntity


class ShownEntity(NamedTuple):
    """An entity, the file it is in, its own text, the notes on it; and what its REF resolves to."""

    indexed: IndexedEntity
    file: bytes
    text: str
    answer: ResolvedAt
    notes: list[FoundNote]

    @property
    def indent(self) -> int:
        """How far the line is indented in which it starts, so that all its lines can line up."""
        start = self.indexed.entity.start_byte
        line = self.file[self.file.rfind(b"\n", 0, start) + 1 : start]
        return len(line.expandtabs()) if not line.strip() else 0


def show_ref(session: Session, ref: str) -> ShownEntity:
    answer = resolve_at(session, ref, None)
    resolved = answer.resolved
    if resolved.life is None:
        raise resolved.problem or NotFoundError(f"{ref}: is in no entity; `birthmark resolve` shows where it is")
    indexed = resolved.indexed or last_known(session, resolved.life)
    if indexed is None:
        raise NotFoundError(f"{ref}: is deleted, and its source is not kept; `birthmark resolve` shows its life")
    file = session.view.at_version(indexed.version)
    source = session.view.source(file.version) or b"" if file is not None else b""
    entity = indexed.entity
    text = source[entity.start_byte : entity.end_byte].decode("utf-8", "replace")
    return ShownEntity(indexed, source, text, answer, notes_on(session, indexed.mark))
