"""`note` and `notes`: what is written down about definitions, and what of it is to be looked at again."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from birthmark.app.notes.finding import FoundNote, find_notes
from birthmark.app.notes.writing import NoteRequest, delete_note, edit_note, keep_note, write_note
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import note_document
from birthmark.errors import BirthmarkError
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.terminal.note_lists import print_notes
from birthmark.surfaces.cli.terminal.output import (
    json_option,
    list_options,
    paging,
    print_documents,
    print_json,
    say,
    warn_if_stale,
)
from birthmark.words import count

# What is done to a note that is named by its id, by the option, with what is said when it is done.
_ACTIONS: dict[str, tuple[Callable[[Session, str], FoundNote], str]] = {
    "keep": (keep_note, "is kept: it is true of the code as it is now"),
    "delete": (delete_note, "is deleted"),
}


@click.command()
@click.argument("ref", metavar="REF|ID")
@click.argument("text", required=False)
@click.option("--edit", "action", flag_value="edit", help="Replace the text of the note ID.")
@click.option("--keep", "action", flag_value="keep", help="The note ID is still true: accept the code as it is now.")
@click.option("--delete", "action", flag_value="delete", help="Delete the note ID.")
@click.option("--team", is_flag=True, help="Store it in birthmark.toml, for all who have the repository.")
@json_option
def note(ref: str, text: str | None, action: str | None, team: bool, as_json: bool) -> None:
    """Write down what is to be known about REF: why it is so, what not to touch.

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
    with asking() as session:
        found, done = _act(session, ref, text, action, team=team)
        warn_if_stale(session.freshness)
    if as_json:
        print_json(note_document(found))
    else:
        print_notes([found])
        if done:
            say(f"{found.note.id} {done}")


def _act(session: Session, ref: str, text: str | None, action: str | None, *, team: bool) -> tuple[FoundNote, str]:
    """The note, and what was done to it."""
    if action in _ACTIONS:
        run, done = _ACTIONS[action]
        if text is not None or team:
            raise BirthmarkError(f"--{action} takes the id of a note and nothing else")
        return run(session, ref), done
    if text is None:
        raise BirthmarkError("the text of the note is missing; write it after what it is about, or - to read it")
    read = sys.stdin.buffer.read().decode("utf-8", "surrogateescape") if text == "-" else text
    if action is None:
        return write_note(session, NoteRequest(ref, read, team)), ""
    if team:
        raise BirthmarkError("--team is for new notes; delete this one, and write it again for the team")
    found = edit_note(session, ref, read)
    advice = f"is stale; run `birthmark note --keep {found.note.id}` if it is true of the code as it is now"
    return found, advice if found.change.is_stale else ""


@click.command()
@click.argument("ref", required=False)
@click.option("--stale", is_flag=True, help="Only those whose code has changed since they were written, or is gone.")
@click.option("-p", "--patch", "with_patch", is_flag=True, help="Show the lines that changed since.")
@list_options
def notes(ref: str | None, stale: bool, with_patch: bool, form: str | None) -> None:
    """List the notes on REF, or all of them, by file.

    A note is stale when the interface or the body of its definition has changed since it was written or kept, and when
    the definition is gone; comments, documentation and formatting alone do not make it stale, but are mentioned.

    \b
    Examples:
      birthmark notes
      birthmark notes App.run
      birthmark notes --stale -p
      birthmark notes --jsonl
    """
    with asking() as session:
        found = find_notes(session, ref, stale_only=stale)
        if form is not None:
            print_documents(form, map(note_document, found))
            return
        warn_if_stale(session.freshness)
    with paging():
        print_notes(found, with_patch=with_patch)
    _summarize(found, ref, is_stale_only=stale)


def _summarize(found: list[FoundNote], ref: str | None, *, is_stale_only: bool) -> None:
    if found:
        n_stale = sum(one.change.is_stale for one in found)
        say(f"{count(len(found), 'note')}, {n_stale} stale")
    elif is_stale_only:
        say("no note is stale")
    else:
        about = f" on {ref}" if ref else ""
        say(f"there are no notes{about}; `birthmark note REF TEXT` writes one")
