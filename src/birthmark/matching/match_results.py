"""A pairing as each new entity sees it, and as a file does."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from birthmark.matching.model import MatchCandidate
from birthmark.matching.pair import TOLERANCE, pair_entities


class ContentMatch(msgspec.Struct, frozen=True, tag=True):
    """The entity's code is unchanged: it keeps its key."""

    old_key: str


class PositionMatch(msgspec.Struct, frozen=True, tag=True):
    """The entity's code changed in its place: it keeps its key."""

    old_key: str


class NewEntity(msgspec.Struct, frozen=True, tag=True):
    """Nothing old is this entity: it is born."""


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
    """What each new entity is, in order. No two get the same old key."""
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
