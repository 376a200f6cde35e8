"""Overlays in an editor: lenses, hovers, actions and diagnostics.

A lens is a line over each definition: "born 2019 · 14 changes · 6 users · 2 watchers". Their places are answered at
once; their texts are looked up for those that an editor shows, one at a time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types

from birthmark.app.answers.editor import DefinitionCounts, count_definition, find_marked, marks_of, subscriptions_to
from birthmark.app.answers.resolving import ResolvedAt, resolve_at
from birthmark.app.notes import find_notes, note_document, notes_on
from birthmark.app.scans.scanning import ScanOptions, scan
from birthmark.app.workspace.session import Session, Sessions
from birthmark.documents.answers import LedgerEventDocument, NoteDocument, event_document
from birthmark.documents.wording import LineRange, plain
from birthmark.errors import BirthmarkError
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.surfaces.formats.annotations import Annotation, list_annotations
from birthmark.surfaces.formats.event_words import describe_event, describe_note_change, write_day
from birthmark.surfaces.formats.markdown import code, escape
from birthmark.surfaces.lsp.query import CommandTarget, EditorQuery, name_span
from birthmark.words import count, short

SHOW_LIFE = "birthmark.showLife"
_LAST_EVENTS = 5
_NOT_COMMITTED = "not committed"
_MOST_TARGETS = 3
# By the code of a diagnostic's data: the title, and the command.
_FIXES = {
    "subscription": ("Accept the change", "birthmark.accept"),
    "note": ("The note is still true", "birthmark.keepNote"),
}
SOURCE = "birthmark"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


def list_lenses(query: EditorQuery, session: Session, params: types.CodeLensParams) -> list[types.CodeLens]:
    file = query.files(session).get(query.path)
    if file is None:
        return []
    marks, positions = marks_of(session, file.identities), query.positions(file.content)
    return [
        types.CodeLens(
            positions.range(name_span(entity)), data={"uri": params.text_document.uri, "mark": marks[identity]}
        )
        for entity, identity in zip(file.entities, file.identities, strict=True)
        if identity is not None and (not query.kinds or entity.kind in query.kinds)
    ]


def resolve_lens(query: EditorQuery, session: Session, lens: types.CodeLens) -> types.CodeLens:
    target = CommandTarget.read(lens.data)
    found = find_marked(session, target.mark or "")
    title = "not in the index any more" if found is None else write_counts(count_definition(session, found))
    command = types.Command(title, SHOW_LIFE, arguments=[target.as_argument()])
    return types.CodeLens(lens.range, command, lens.data)


def write_counts(counts: DefinitionCounts) -> str:
    return " · ".join(_parts(counts)) or "in the index"


def _parts(counts: DefinitionCounts) -> Iterator[str]:
    """Leave out what is not known: users before edges are resolved, a birth if no history was replayed."""
    if counts.born_at is not None:
        yield f"born {time.gmtime(counts.born_at).tm_year}"
        yield count(counts.n_changes, "change")
    elif counts.n_changes:
        yield f"{count(counts.n_changes, 'change')} since indexed"
    if not counts.is_committed:
        yield _NOT_COMMITTED
    if counts.n_users is not None:
        yield count(counts.n_users, "user")
    if counts.n_subscriptions:
        yield count(counts.n_subscriptions, "watcher")
    if counts.n_notes:
        stale = f" ({counts.n_stale_notes:,} stale)" if counts.n_stale_notes else ""
        yield count(counts.n_notes, "note") + stale


def hover(query: EditorQuery, session: Session, params: types.HoverParams) -> types.Hover | None:
    """Return nothing if there is no known name at the position."""
    targets = query.targets(session, params.position)
    if not targets:
        return None
    written = [write_life(session, one, _LAST_EVENTS) for one in targets[:_MOST_TARGETS]]
    rest = len(targets) - _MOST_TARGETS
    more = [f"and {count(rest, 'more definition')}"] if rest > 0 else []
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join([*written, *more])))


def write_life(session: Session, indexed: IndexedEntity, most_events: int | None = None) -> str:
    """Write the life of a definition as Markdown, the newest event first."""
    answer, notes = resolve_at(session, indexed.mark, None), notes_on(session, indexed.mark)
    entity = indexed.entity
    heading = f"**{escape(entity.kind)}** {code(entity.qualified_name)} {code(indexed.mark)}"
    parts = [heading, write_counts(count_definition(session, indexed)), *_events(session, answer, most_events)]
    return "\n\n".join([*parts, *map(_note, map(note_document, notes))])


def _events(session: Session, answer: ResolvedAt, most: int | None) -> Iterator[str]:
    newest = list(reversed(answer.resolved.events))
    written = [event_document(one, answer.commits) for one in newest[:most]]
    lines = [f"- {_event(one, session.workspace.has_git)}" for one in written]
    if most is not None and len(newest) > most:
        lines.append(f"- and {count(len(newest) - most, 'earlier event')}")
    if lines:
        yield "\n".join(lines)


def _event(event: LedgerEventDocument, has_git: bool) -> str:
    """Write an event, with the commit that did it and its subject."""
    subject = f": {escape(event.subject)}" if event.subject is not None and event.by_commit else ""
    revision = f" {code(short(event.revision))}" if event.revision else f" {_NOT_COMMITTED}," if has_git else ""
    return f"{write_day(event.at)}{revision} {escape(describe_event(event))}{subject}"


def _note(note: NoteDocument) -> str:
    change = describe_note_change(note)
    facts: Sequence[str] = [note.updated_at.partition("T")[0], *([escape(note.author)] if note.author else [])]
    stale = f" — **{escape(change)}**" if change else ""
    lines = "\n".join(f"> {escape(line)}  " for line in note.text.split("\n"))
    return f"Note, {', '.join(facts)}{stale}\n\n{lines}"


def list_actions(query: EditorQuery, session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    uri = params.text_document.uri
    fixes = [action for one in params.context.diagnostics for action in _fixes(uri, one)]
    try:
        return [*fixes, *_offers(query, session, params)]
    except BirthmarkError:  # There is no definition here, or none that is indexed.
        return fixes


def _fixes(uri: str, diagnostic: types.Diagnostic) -> Iterator[types.CodeAction]:
    data = diagnostic.data if isinstance(diagnostic.data, dict) else {}
    for word, (title, command) in _FIXES.items():
        if isinstance(data.get(word), str):
            action = _action(f"{title} ({data[word]})", command, CommandTarget(uri, id=data[word]))
            action.kind, action.diagnostics = types.CodeActionKind.QuickFix, [diagnostic]
            yield action


def _offers(query: EditorQuery, session: Session, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    uri = params.text_document.uri
    subject = query.subject(session, params.range.start)
    is_subscribed = bool(subscriptions_to(session, subject))
    name, target = plain(subject.entity.qualified_name), CommandTarget(uri, mark=subject.mark)
    yield _action(f"Show the life of {name}", SHOW_LIFE, target)
    yield _action(f"Go to the former place of {name}", "birthmark.showFormerPlace", target)
    if not is_subscribed:
        yield _action(f"Subscribe to {name}", "birthmark.subscribe", target)
    if text := _selected(query, params.range):
        noted = CommandTarget(uri, mark=subject.mark, text=text)
        yield _action(f"Write the selection as a note on {name}", "birthmark.writeNote", noted)


def _selected(query: EditorQuery, chosen: types.Range) -> str:
    """An editor cannot be asked for a text, so that of a note is selected where it is."""
    content = query.contents.get(query.path, b"")
    positions = query.positions(content)
    return content[positions.offset(chosen.start) : positions.offset(chosen.end)].decode("utf-8", "replace").strip()


def _action(title: str, command: str, target: CommandTarget) -> types.CodeAction:
    return types.CodeAction(
        title, types.CodeActionKind.Empty, command=types.Command(title, command, None, [target.as_argument()])
    )


def find_diagnostics(query: EditorQuery, sessions: Sessions) -> dict[str, list[types.Diagnostic]]:
    """Return diagnostics by path. A scan compares the worktree itself; for notes the index is brought up to date."""
    with sessions.open(refreshes=False) as session:
        report = scan(session, ScanOptions(record=False, quick=True))
    found = [*_triggers(list_annotations(report))]
    with sessions.open() as session:
        found += [_stale_note(note_document(one)) for one in find_notes(session, stale_only=True)]
        files = query.files(session)
        by_path: dict[str, list[types.Diagnostic]] = {}
        for where, diagnostic in found:
            file = files.get(where.path)
            if file is not None:
                diagnostic.range = query.positions(file.content).lines(where.start, where.start)
                by_path.setdefault(where.path, []).append(diagnostic)
    return by_path


def _triggers(annotations: Iterable[Annotation]) -> Iterator[tuple[LineRange, types.Diagnostic]]:
    for one in annotations:
        yield one.location, _diagnostic(one.text, _SEVERITIES[one.level], one.rule, {"subscription": one.subscription})


def _stale_note(note: NoteDocument) -> tuple[LineRange, types.Diagnostic]:
    place = note.place or note.accepted
    change = describe_note_change(note) if note.place is not None else f"what it is about is {note.status}"
    text = f"{plain(note.text)} ({change})"
    data = {"note": note.id} if note.place is not None else {}
    return LineRange(place.path, place.start_line), _diagnostic(text, _SEVERITIES["note"], "STALE_NOTE", data)


def _diagnostic(text: str, severity: types.DiagnosticSeverity, code: str, data: object) -> types.Diagnostic:
    """Its place is filled in when the file is read."""
    nowhere = types.Range(types.Position(0, 0), types.Position(0, 0))
    return types.Diagnostic(nowhere, text, severity, code=code, source=SOURCE, data=data)
