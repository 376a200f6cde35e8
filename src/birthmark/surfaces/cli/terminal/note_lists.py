"""Print notes: their text, the place of their definition, and the changes of its code since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from birthmark.documents.answers import NoteDocument
from birthmark.documents.wording import plain
from birthmark.surfaces.cli.terminal.commits import patch_lines
from birthmark.surfaces.cli.terminal.derivation_words import describe_descent
from birthmark.surfaces.cli.terminal.lives import describe_deletion
from birthmark.surfaces.formats.event_words import describe_note_change
from birthmark.surfaces.text import fit, paint, screen
from birthmark.vocabulary import NoteMatch, RefStatus, SubscriptionHome
from birthmark.words import lines_of, visible

_INDENT = "    "
_STATES = {
    RefStatus.AMBIGUOUS: "several could be what it is about",
    RefStatus.UNKNOWN: "what it is about is not known here",
    RefStatus.GONE: "deleted",
}


def print_notes(notes: Iterable[NoteDocument], *, with_patch: bool = False) -> None:
    """Print notes below their definitions, each of which is named once."""
    subject = ""
    for note in notes:
        if _subject(note) != subject:
            subject = _subject(note)
            click.echo(paint(fit(subject, screen().columns), "bold"))
        patch = patch_lines(note.patch, f"  {_INDENT}") if with_patch and note.patch is not None else ()
        for line in (*note_lines(note), *patch):
            click.echo(line)


def note_lines(note: NoteDocument, indent: str = "  ") -> Iterator[str]:
    """Yield the author, the date, later changes, and the full text of a note."""
    facts = [note.id, note.updated_at.partition("T")[0], *([plain(note.author)] if note.author else [])]
    if note.stored is SubscriptionHome.TEAM:
        facts.append("team")
    yield indent + "  ".join(facts)
    for remark in _remarks(note):
        yield indent + _INDENT + paint(remark, "yellow")
    yield from (f"{indent}{_INDENT}{visible(line)}".rstrip() for line in note.text.split("\n"))


def _subject(note: NoteDocument) -> str:
    place = note.place or note.accepted
    where = f"{plain(place.path)}:{lines_of(place.start_line, place.end_line)}"
    return f"{note.accepted.kind} {plain(place.qualified_name)}  {where}"


def _remarks(note: NoteDocument) -> Iterator[str]:
    """Yield warnings about the note."""
    if note.place is None:
        yield from _absence(note)
    elif remark := describe_note_change(note):
        yield remark
    if note.matched_by not in (None, NoteMatch.MARK):
        yield f"found by its {note.matched_by}, for this index does not know its mark"


def _absence(note: NoteDocument) -> Iterator[str]:
    if note.deletion is None:
        yield _STATES[note.status]
        return
    yield describe_deletion(note.deletion)
    yield from describe_descent((), (), note.carried_by, note.accepted.path)
