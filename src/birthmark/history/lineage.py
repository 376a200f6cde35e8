"""A Lineage says what an entity was in the parents of a commit; histories are followed along it.

A Lineage answers that, from git (`history.walked_lineage`) or as a replay recorded it (`history.recorded_lineage`),
each with entities in a form of its own; `history.follow` goes back along either, so that both give the same Steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from birthmark.comparison.derivations import DerivationEnd
from birthmark.extraction.model import Outline
from birthmark.model import Location
from birthmark.vocabulary import HistoryChange


class Step(NamedTuple):
    """What a commit did to the entity."""

    commit: str
    parent: str | None
    changes: tuple[HistoryChange, ...]
    before: Location | None
    after: Location
    evidence: str | None = None
    confidence: str | None = None


class FollowedEntity(Protocol):
    """An entity at a commit, in whatever form it is followed."""

    @property
    def commit(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def key(self) -> tuple[str, str, int]:
        """What distinguishes it from all entities of all commits."""


F = TypeVar("F", bound=FollowedEntity)
Touches = Mapping[str, tuple[str, ...]]  # commits that touched a path, the last one first, and those before them


class ParentLink(NamedTuple, Generic[F]):
    """An entity in a parent of a commit, and what the commit changed about it."""

    entity: F
    changes: tuple[HistoryChange, ...]
    evidence: str | None = None
    confidence: str | None = None


class DerivationSource(NamedTuple, Generic[F]):
    """An entity in the parent of a commit whose code is in one that the commit introduced."""

    end: DerivationEnd
    entity: F


class NotRecordedError(Exception):
    """What is asked for was not replayed as it is read now, and has to be walked."""


class Lineage(Protocol[F]):
    """What entities of one repository were in the parents of commits."""

    def start(self, commit: str, path: str, blob: str, outline: Outline, ordinal: int) -> F:
        """An entity of a file at a commit."""

    def prefetch(self, commit: str, path: str) -> None:
        """Make ready what the histories of all entities of a file need."""

    def touches(self, commit: str, path: str) -> Touches: ...
    def parents(self, commit: str) -> tuple[str, ...]: ...
    def links(self, entity: F) -> Sequence[ParentLink[F]]:
        """The entity in the parents in which it is unchanged, or else in all that have it."""

    def location(self, entity: F) -> Location: ...
    def at(self, entity: F, commit: str) -> F:
        """The same state of an entity at another commit."""

    def sources(self, step: Step) -> Sequence[DerivationSource[F]]:
        """Where the code of what a step introduced came from, the likeliest first."""
