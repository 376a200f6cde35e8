"""Notes, the REFs that find their entities, and the changes of the code since a note was written.

A note has the accepted state of an entity, like a subscription; keeping the note replaces it with the present one.
"""

from __future__ import annotations

import msgspec

from birthmark.comparison.changes import Fingerprinted, compare_fingerprints
from birthmark.errors import BirthmarkError
from birthmark.queries.ref_forms import FROM_ROOT, KeyRef, MarkRef, NamedRef, parse_entity_ref
from birthmark.subscriptions.model import Accepted
from birthmark.vocabulary import Aspect, NoteMatch

NOTE_PREFIX = "note-"
LONGEST_NOTE = 4096  # characters
_FORMS = {NoteMatch.MARK: MarkRef, NoteMatch.KEY: KeyRef, NoteMatch.NAME: NamedRef}
_CODE = (Aspect.INTERFACE, Aspect.BODY)


class Note(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A note about an identity."""

    id: str
    text: str
    author: str | None = None
    created_at: str = ""
    updated_at: str = ""
    key: str | None = None  # that the entity had when it was accepted
    accepted: Accepted = Accepted()


def refs_of(note: Note) -> dict[NoteMatch, str]:
    """The REFs of what a note is about, the surest first. An index that was made elsewhere has other marks."""
    accepted = note.accepted
    name = str(NamedRef(FROM_ROOT + accepted.path, accepted.location.qualified_name))
    refs = {NoteMatch.MARK: accepted.mark, NoteMatch.KEY: note.key, NoteMatch.NAME: name if accepted.path else None}
    # A team's file may contain anything, so each REF is checked for its form.
    return {match: ref for match, ref in refs.items() if ref and isinstance(parse_entity_ref(ref), _FORMS[match])}


def change_since(
    accepted: Accepted, now: Fingerprinted, then: Fingerprinted | None = None
) -> tuple[tuple[Aspect, ...], bool]:
    """Return the changed aspects of the code, and whether the note is stale because they may matter to it.

    `then` is what was accepted, if it can be read again: fingerprints of two versions cannot be compared.
    """
    old: Fingerprinted | None = accepted.semantic.fingerprints if accepted.semantic is not None else None
    if old is not None and old.version != now.version and old.text == now.text:
        return (), False
    if old is None or old.version != now.version:
        old = then
    if old is None:
        return (), True
    aspects = compare_fingerprints(old, now)
    return aspects, any(aspect in _CODE for aspect in aspects)


def clean_text(text: str) -> str:
    """The text of a note as it is stored; what cannot be one is an error."""
    cleaned = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not cleaned:
        raise BirthmarkError("the note has no text; write what is to be known")
    if "\0" in cleaned or cleaned.encode("utf-8", "ignore").decode() != cleaned:
        raise BirthmarkError("the note is not UTF-8 text; write it in UTF-8")
    if len(cleaned) > LONGEST_NOTE:
        raise BirthmarkError(f"the note has {len(cleaned):,} characters; write {LONGEST_NOTE:,} at most")
    return cleaned
