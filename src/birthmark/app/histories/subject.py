"""What a history is about: an entity at a commit."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.states import CommitState
from birthmark.extraction.model import OutlinedEntity
from birthmark.history.entity_at_commit import EntityAtCommit, entity_at_commit
from birthmark.history.lineage import F, Lineage
from birthmark.model import Entity, Location
from birthmark.sources.git.log import Commit


class HistorySubject(NamedTuple):
    """An entity at a commit, the blob of its file, and the line at which a REF named it.

    What was deleted is there as it last was, with the commit that deleted it; `was` is where a REF found what has
    another name or path now.
    """

    commit: str
    blob: str
    outlined: OutlinedEntity
    line: int | None = None
    deletion: Commit | None = None
    was: Location | None = None

    @property
    def path(self) -> str:
        return self.outlined.file.path

    @property
    def entity(self) -> Entity:
        return self.outlined.entity

    def asked_as(self, asked: Location | None) -> HistorySubject:
        """With where the REF found it, if it has another name or path."""
        where = self.outlined.location
        if asked is None or (where.path, where.qualified_name) == (asked.path, asked.qualified_name):
            return self
        return self._replace(was=asked)


def subject_of(commit: CommitState, entity: OutlinedEntity, line: int | None = None) -> HistorySubject:
    return HistorySubject(commit.commit, commit.content_id(entity.file.path) or "", entity, line)


def subject_at_commit(repository: OpenRepository, target: HistorySubject) -> EntityAtCommit:
    file, ordinal = target.outlined
    return entity_at_commit(repository, target.commit, file.path, target.blob, file.outline, ordinal)


def start_of(lineage: Lineage[F], target: HistorySubject) -> F:
    file, ordinal = target.outlined
    return lineage.start(target.commit, file.path, target.blob, file.outline, ordinal)
