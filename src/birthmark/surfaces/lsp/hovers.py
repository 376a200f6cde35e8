"""What is known of the definition that a name means: its mark, what happened to it last, and the notes on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from birthmark.app.answers.editing.definition_counts import count_definition
from birthmark.app.answers.showing import ShownEntity, show_ref
from birthmark.app.notes.finding import FoundNote
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import LedgerEventDocument, event_document, note_document
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.surfaces.formats.event_words import describe_event, describe_note_change, write_day
from birthmark.surfaces.formats.markdown import code, escape
from birthmark.surfaces.lsp.lenses import write_counts
from birthmark.surfaces.lsp.query import EditorQuery
from birthmark.words import count, short

_LAST_EVENTS = 5
_MOST_TARGETS = 3


def hover(query: EditorQuery, session: Session, params: types.HoverParams) -> types.Hover | None:
    """Nothing where the position is at no name that is known."""
    targets = query.targets(session, params.position)
    if not targets:
        return None
    written = [write_life(session, one, _LAST_EVENTS) for one in targets[:_MOST_TARGETS]]
    rest = len(targets) - _MOST_TARGETS
    more = [f"and {count(rest, 'more definition')}"] if rest > 0 else []
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join([*written, *more])))


def write_life(session: Session, indexed: IndexedEntity, most_events: int | None = None) -> str:
    """As Markdown, the newest event first."""
    shown = show_ref(session, indexed.mark)
    entity = indexed.entity
    heading = f"**{escape(entity.kind)}** {code(entity.qualified_name)} {code(indexed.mark)}"
    parts = [heading, write_counts(count_definition(session, indexed)), *_events(shown, most_events)]
    return "\n\n".join([*parts, *map(_note, shown.notes)])


def _events(shown: ShownEntity, most: int | None) -> Iterator[str]:
    newest = list(reversed(shown.answer.resolved.events))
    lines = [f"- {_event(event_document(one, shown.answer.commits))}" for one in newest[:most]]
    if most is not None and len(newest) > most:
        lines.append(f"- and {count(len(newest) - most, 'earlier event')}")
    if lines:
        yield "\n".join(lines)


def _event(event: LedgerEventDocument) -> str:
    """An event; where a commit did it, with the subject of the commit."""
    subject = f": {escape(event.subject)}" if event.subject is not None and event.by_commit else ""
    revision = f" {code(short(event.revision))}" if event.revision else ""
    return f"{write_day(event.at)}{revision} {escape(describe_event(event))}{subject}"


def _note(found: FoundNote) -> str:
    note, change = found.note, describe_note_change(note_document(found))
    facts: Sequence[str] = [note.updated_at.partition("T")[0], *([escape(note.author)] if note.author else [])]
    stale = f" — **{escape(change)}**" if change else ""
    lines = "\n".join(f"> {escape(line)}  " for line in note.text.split("\n"))
    return f"Note, {', '.join(facts)}{stale}\n\n{lines}"
