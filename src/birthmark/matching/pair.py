"""Pair the entities of an old snapshot with those of a new one.

Takes two sequences of MatchCandidate, of all files that changed together; returns a Pairing. `match_entities` and
`match_file` return it from the view of each new entity or of a file.
Passes run from surest to boldest. A pair once made is kept, each entity is in at most one, and ties are reported. After
every bold pass, places in files and containers that were paired are compared again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from birthmark.matching.model import MatchCandidate, Pairing
from birthmark.matching.pairing_state import ContentIds, PairingState
from birthmark.matching.passes.dependents import pair_dependents, retry_in_place
from birthmark.matching.passes.files import find_renames, pair_files
from birthmark.matching.passes.leftovers import pair_leftovers
from birthmark.matching.passes.moved import pair_bodies, pair_contents, pair_light_followers, pair_lone
from birthmark.matching.passes.renames import pair_displaced, pair_named_bodies, pair_renamed_words
from birthmark.matching.passes.same_place import pair_by_name, pair_places, pair_same_content, pair_unchanged
from birthmark.matching.similarity import Tokens

TOLERANCE = 10  # lines
Candidates = Sequence[MatchCandidate]


def pair_entities(
    old: Candidates,
    new: Candidates,
    tolerance: int = TOLERANCE,
    known: Mapping[int, int] | None = None,
    files: tuple[ContentIds, ContentIds] | None = None,
    tokens: tuple[Tokens, Tokens] | None = None,
) -> Pairing:
    """Pair old and new entities; `known` pairs come first.

    `files` are all files of both sides, by default those with an entity. Without `tokens`, which are read only where
    nothing surer was found, nothing is paired by similarity.
    """
    state = PairingState(old, new, tolerance, known or {}, files, tokens)
    for step in SURE if tokens is None else SURE + BOLD:
        if not state.is_settled:
            step(state)
    return state.pairing(find_renames(state))


def pair_scope(old: Candidates, new: Candidates, tokens: tuple[Tokens, Tokens]) -> Pairing:
    """Pair the entities of one scope of one file by the passes that look at nothing else."""
    state = PairingState(old, new, TOLERANCE, {}, None, tokens)
    for step in IN_SCOPE:
        if not state.is_settled:
            step(state)
    return state.pairing({})


IN_SCOPE: tuple[Callable[[PairingState], None], ...] = (pair_same_content, pair_displaced, pair_by_name)
SURE: tuple[Callable[[PairingState], None], ...] = (
    pair_files,
    pair_unchanged,
    pair_displaced,
    pair_places,
    pair_contents,
    retry_in_place,
    pair_dependents,
    pair_bodies,
    pair_dependents,
    pair_light_followers,
    pair_lone,
    pair_named_bodies,
)

BOLD: tuple[Callable[[PairingState], None], ...] = (
    pair_renamed_words,
    pair_dependents,
    pair_leftovers,
    pair_light_followers,
    pair_dependents,
)


class ContentMatch(msgspec.Struct, frozen=True, tag=True):
    """The code of the entity is unchanged: it keeps its key."""

    old_key: str


class PositionMatch(msgspec.Struct, frozen=True, tag=True):
    """The code of the entity changed in its place: it keeps its key."""

    old_key: str


class NewEntity(msgspec.Struct, frozen=True, tag=True):
    """The entity is born."""


EntityMatch = ContentMatch | PositionMatch | NewEntity


class FileMatch(msgspec.Struct, frozen=True):
    """Ids of old entities that are unchanged, modified and deleted, and of new ones that are added."""

    unchanged: tuple[str, ...]
    modified: tuple[str, ...]
    added: tuple[str, ...]
    deleted: tuple[str, ...]


def match_entities(
    new: Sequence[MatchCandidate], old: Sequence[MatchCandidate], tolerance: int = TOLERANCE
) -> list[EntityMatch]:
    """Return the match of each new entity, in order. No two get the same old key."""
    matches: list[EntityMatch] = [NewEntity()] * len(new)
    for pair in pair_entities(old, new, tolerance).pairs:
        before, after = old[pair.old], new[pair.new]
        matches[pair.new] = (ContentMatch if before.content == after.content else PositionMatch)(before.id)
    return matches


def match_file(new: Sequence[MatchCandidate], old: Sequence[MatchCandidate], tolerance: int = TOLERANCE) -> FileMatch:
    pairing = pair_entities(old, new, tolerance)
    unchanged = [pair for pair in pairing.pairs if old[pair.old].content == new[pair.new].content]
    modified = [pair for pair in pairing.pairs if old[pair.old].content != new[pair.new].content]
    return FileMatch(
        tuple(old[pair.old].id for pair in unchanged),
        tuple(old[pair.old].id for pair in modified),
        tuple(new[index].id for index in pairing.born),
        tuple(old[index].id for index in pairing.deleted),
    )
