"""What a repository has to report at places: triggered subscriptions, as a scan finds them, and stale notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from birthmark.app.notes.finding import FoundNote, find_notes
from birthmark.app.scans.scanning import ScanOptions, scan
from birthmark.app.workspace.session import Sessions
from birthmark.documents.answers import note_document
from birthmark.documents.wording import LineRange, plain
from birthmark.surfaces.formats.annotations import Annotation, list_annotations
from birthmark.surfaces.formats.event_words import describe_note_change
from birthmark.surfaces.lsp.query import EditorQuery

SOURCE = "birthmark"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


def find_diagnostics(query: EditorQuery, sessions: Sessions) -> dict[str, list[types.Diagnostic]]:
    """By path. A scan compares the worktree itself; for notes the index is brought up to date."""
    with sessions.open(refreshes=False) as session:
        report = scan(session, ScanOptions(record=False, quick=True))
    found = [*_triggers(list_annotations(report))]
    with sessions.open() as session:
        found += [_stale_note(one) for one in find_notes(session, stale_only=True)]
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


def _stale_note(found: FoundNote) -> tuple[LineRange, types.Diagnostic]:
    place = found.indexed.entity if found.indexed is not None else found.note.accepted
    change = (
        describe_note_change(note_document(found))
        if found.indexed is not None
        else f"what it is about is {found.status}"
    )
    text = f"{plain(found.note.text)} ({change})"
    data = {"note": found.note.id} if found.indexed is not None else {}
    return LineRange(place.path, place.start_line), _diagnostic(text, _SEVERITIES["note"], "STALE_NOTE", data)


def _diagnostic(text: str, severity: types.DiagnosticSeverity, code: str, data: object) -> types.Diagnostic:
    """Where it is, is put in when the file is read."""
    nowhere = types.Range(types.Position(0, 0), types.Position(0, 0))
    return types.Diagnostic(nowhere, text, severity, code=code, source=SOURCE, data=data)
