"""`note` and `notes`: write notes on definitions, and list those that need another look."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from inspect import cleandoc

import click

from birthmark.documents.answers import NoteDocument
from birthmark.errors import BirthmarkError
from birthmark.questions.notes import DeleteNote, EditNote, KeepNote, NoteChange, Notes, WriteNote
from birthmark.surfaces.cli.question_command import common_options, open_for_command, options_of, question_command
from birthmark.surfaces.cli.terminal.lives import print_notes
from birthmark.surfaces.cli.terminal.output import print_json, say, warn_if_stale
from birthmark.words import count

_DONE = {KeepNote: "is kept: it is true of the code as it is now", DeleteNote: "is deleted"}


def _note(ref: str, text: str | None, action: str | None, team: bool, form: str | None, no_refresh: bool) -> None:
    """Write a note about REF: the reason for its design, or a warning.

    The note stays with its definition through edits, renames and moves. `show`, `context` and `notes` list it, and say
    when the code has changed since. `-` as TEXT reads standard input.

    REF is a mark, key, semantic id, chunk uid, path:line, path:first-last, path::Qualified.name, or a unique name. An
    ID may be shortened to a beginning that no other one has.

    \b
    Examples:
      birthmark note App.run "Called by cron as well; keep the exit codes."
      birthmark note src/app.py:120 "Slow on purpose, see issue 12." --team
      birthmark note --edit note-7k3q9w2m4x "Slow on purpose: the server limits the rate."
      birthmark note --keep note-7k3q9w2m4x
      birthmark note --delete 7k3q
    """
    change = _change_of(ref, text, action, team=team)
    with open_for_command(refreshes=not no_refresh) as session:
        written = change.answer(session)
        warn_if_stale(session.freshness)
    if form is not None:
        print_json(written)
        return
    print_notes([written])
    if done := _DONE.get(type(change)):
        say(f"{written.id} {done}")
    elif isinstance(change, EditNote) and written.stale:
        advice = f"run `birthmark note --keep {written.id}` if it is true of the code as it is now"
        say(f"{written.id} is stale; {advice}")


def _change_of(ref: str, text: str | None, action: str | None, *, team: bool) -> NoteChange:
    if action in ("keep", "delete"):
        if text is not None or team:
            raise BirthmarkError(f"--{action} takes the id of a note and nothing else")
        return KeepNote(id=ref) if action == "keep" else DeleteNote(id=ref)
    if text is None:
        raise BirthmarkError("the text of the note is missing; write it after what it is about, or - to read it")
    read = sys.stdin.buffer.read().decode("utf-8", "surrogateescape") if text == "-" else text
    if action is None:
        return WriteNote(ref=ref, text=read, team=team)
    if team:
        raise BirthmarkError("--team is for new notes; delete this one, and write it again for the team")
    return EditNote(id=ref, text=read)


def _print_notes(asked: Notes, rows: Iterable[NoteDocument], *, with_patch: bool) -> None:
    found = list(rows)
    print_notes(found, with_patch=with_patch)
    say(_summary_of(found, asked))


def _summary_of(found: list[NoteDocument], asked: Notes) -> str:
    if found:
        return f"{count(len(found), 'note')}, {sum(one.stale for one in found)} stale"
    if asked.stale:
        return "no note is stale"
    about = f" on {asked.ref}" if asked.ref else ""
    return f"there are no notes{about}; `birthmark note REF TEXT` writes one"


_ACTIONS = {
    "edit": "Replace the text of the note ID.",
    "keep": "The note ID is still true: accept the code as it is now.",
    "delete": "Delete the note ID.",
}
note = click.Command(
    None,
    callback=_note,
    help=cleandoc(_note.__doc__ or ""),
    params=[
        click.Argument(["ref"], metavar="REF|ID"),
        click.Argument(["text"], required=False),
        *(click.Option([f"--{one}", "action"], flag_value=one, help=text) for one, text in _ACTIONS.items()),
        *(option for option in options_of(WriteNote) if option.name == "team"),
        *common_options(WriteNote),
    ],
)
_PATCH = click.Option(["-p", "--patch", "with_patch"], is_flag=True, help="Show the lines that changed since.")
notes = question_command(Notes, _print_notes, options=[_PATCH])
