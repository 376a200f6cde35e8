"""Notes for a terminal: what they say, where what they are about is, and whether its code has changed since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from birthmark.app.notes.finding import FoundNote
from birthmark.documents.wording import plain
from birthmark.surfaces.cli.terminal.derivation_words import describe_descent
from birthmark.surfaces.cli.terminal.lives import describe_deletion, place_of
from birthmark.surfaces.cli.terminal.patches import patch_lines
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


def print_notes(found: Iterable[FoundNote], *, with_patch: bool = False) -> None:
    """Under what they are about, which is named once."""
    subject = ""
    for one in found:
        if _subject(one) != subject:
            subject = _subject(one)
            click.echo(paint(fit(subject, screen().columns), "bold"))
        for line in note_lines(one, with_patch=with_patch):
            click.echo(line)


def note_lines(found: FoundNote, indent: str = "  ", *, with_patch: bool = False) -> Iterator[str]:
    """Who wrote it and when, what has changed since, and all that it says."""
    note = found.note
    facts = [note.id, note.updated_at.partition("T")[0], *([plain(note.author)] if note.author else [])]
    if found.home is SubscriptionHome.TEAM:
        facts.append("team")
    yield indent + "  ".join(facts)
    for remark in _remarks(found):
        yield indent + _INDENT + paint(remark, "yellow")
    yield from (f"{indent}{_INDENT}{visible(line)}".rstrip() for line in note.text.split("\n"))
    if with_patch and found.patch is not None:
        yield from patch_lines(found.patch, indent + _INDENT)


def _subject(found: FoundNote) -> str:
    accepted = found.note.accepted
    if found.indexed is not None:
        entity = found.indexed.entity
        return f"{entity.kind} {plain(entity.qualified_name)}  {place_of(entity)}"
    kind = accepted.semantic.kind if accepted.semantic is not None else ""
    where = f"{plain(accepted.path)}:{lines_of(accepted.start_line, accepted.end_line)}"
    return f"{kind} {plain(accepted.location.qualified_name)}  {where}"


def _remarks(found: FoundNote) -> Iterator[str]:
    """What a reader should know before believing it."""
    if found.indexed is None:
        yield from _absence(found)
    elif remark := describe_note_change(found):
        yield remark
    if found.matched_by not in (None, NoteMatch.MARK):
        yield f"found by its {found.matched_by}, for this index does not know its mark"


def _absence(found: FoundNote) -> Iterator[str]:
    answer = found.answer
    if answer is None or answer.resolved.deletion is None:
        yield _STATES[found.status]
        return
    yield describe_deletion(answer.resolved.deletion, answer.commits)
    yield from describe_descent(answer.resolved.descent, found.note.accepted.path)
