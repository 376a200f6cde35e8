"""A definition for a terminal: its declaration and place, its former names, its events and notes.

Nothing in them is obeyed by a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import click

from birthmark.documents.answers import CandidateDocument, LedgerEventDocument, NoteDocument
from birthmark.documents.definitions import EntityDocument, NodeDocument
from birthmark.documents.parts import DeletionDocument, LocationDocument
from birthmark.documents.wording import plain
from birthmark.model import Entity, one_line, qualify_declaration
from birthmark.surfaces.cli.terminal.commits import patch_lines
from birthmark.surfaces.cli.terminal.derivation_words import describe_descent
from birthmark.surfaces.cli.terminal.tables import Cell
from birthmark.surfaces.formats.event_words import describe_event, describe_note_change, write_time
from birthmark.surfaces.text import fit, paint, screen
from birthmark.vocabulary import COSMETIC, NoteMatch, RefStatus, SubscriptionHome
from birthmark.words import lines_of, short, visible

_TO_THE_MINUTE = "%Y-%m-%d %H:%M"


Placed = EntityDocument | LocationDocument | CandidateDocument | NodeDocument


def place_of(where: Placed) -> str:
    return f"{plain(where.path)}:{lines_of(where.start_line, where.end_line)}"


def life_rows(events: Sequence[LedgerEventDocument], *, has_commits: bool) -> Iterator[tuple[Cell | str, ...]]:
    """Yield the date, the commit and the change of each event, under the commit's subject if a commit made it.

    A run of the index finds what was done by any commit before it, or by none yet, so that no subject belongs to it.
    """
    label = "not committed" if has_commits else "no commit"
    for event in events:
        if event.revision is None:
            yield write_time(event.at, _TO_THE_MINUTE), Cell(label, "yellow"), describe_event(event)
        elif event.subject is None or not event.by_commit:
            when = write_time(event.at, "%Y-%m-%d" if event.by_commit else _TO_THE_MINUTE)
            yield when, Cell(short(event.revision), "yellow"), describe_event(event)
        else:
            when = event.date[:10] if event.date is not None else write_time(event.at, "%Y-%m-%d")
            yield when, Cell(short(event.revision), "yellow"), Cell(plain(event.subject), "dim")
            yield "", "", describe_event(event)


def is_cosmetic(event: LedgerEventDocument) -> bool:
    """Return whether it changed only comments or formatting."""
    return bool(event.changes) and set(event.changes) <= COSMETIC


def describe_former(was: LocationDocument, now: EntityDocument) -> str:
    """`alpha was renamed to beta and moved to lib/b.py`."""
    renamed = [f"renamed to {plain(now.qualified_name)}"] if was.qualified_name != now.qualified_name else []
    moved = [f"moved to {plain(now.path)}"] if was.path != now.path else []
    done = " and ".join([*renamed, *moved]) or "found again"
    return f"{plain(was.qualified_name)} was {done}"


def describe_origin(was: LocationDocument, now: EntityDocument) -> str:
    """The same, from where it is now: `was renamed from alpha and moved from a.py`."""
    renamed = [f"renamed from {plain(was.qualified_name)}"] if was.qualified_name != now.qualified_name else []
    moved = [f"moved from {plain(was.path)}"] if was.path != now.path else []
    return f"was {' and '.join([*renamed, *moved]) or 'here before'}"


def describe_deletion(deletion: DeletionDocument) -> str:
    """`deleted in 3f2a1b9c0d1e (Remove the old parser)`."""
    if deletion.commit is None:
        return "deleted, not committed"
    subject = f" ({plain(deletion.subject)})" if deletion.subject is not None else ""
    return f"{'deleted in' if deletion.by_commit else 'found deleted at'} {short(deletion.commit)}{subject}"


def describe_former_owners(ref: str, owners: Sequence[CandidateDocument]) -> str | None:
    """One remark about what else had the name once."""
    if not owners:
        return None
    first, *rest = owners
    now = f"now {place_of(first)}" if first.status is RefStatus.PRESENT else "deleted since"
    more = f", and {len(rest):,} more" if rest else ""
    return f"{plain(ref)} was also the name of {first.mark} ({now}){more}"


def declaration(entity: Entity | EntityDocument, overload: str | None = None) -> str:
    """Return the declaration by the qualified name: `def Flask.url_for(self, endpoint: str) -> str`.

    The name of an overload, by which it can be asked for, goes before it.
    """
    overload = entity.overload if isinstance(entity, EntityDocument) else overload
    if overload is not None:
        return f"{plain(overload)}  {local_declaration(entity)}"
    written = one_line(entity.signature) or entity.name
    return plain(qualify_declaration(written, entity.name, entity.qualified_name))


def local_declaration(entity: Entity | EntityDocument) -> str:
    """Return the declaration as it is written inside of what contains it."""
    return plain(one_line(entity.signature) or entity.name)


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
