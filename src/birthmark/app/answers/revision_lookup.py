"""Find entities at a revision, and their identities in the index.

Takes an open session and a revision. The identities are read from the ledger if it knows the commit's files. Otherwise
the commit is paired with the index, which takes longer the more has changed since.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import msgspec

from birthmark.app.answers.refs import read_path_ref
from birthmark.app.indexing.replay import CommitReader
from birthmark.app.workspace.session import Session
from birthmark.comparison.state_comparison import StateComparison
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.extraction.state import RepositoryState
from birthmark.ledger.replay import state_at
from birthmark.ledger.replay_commit import ReplayState
from birthmark.model import Entity
from birthmark.queries.life import find_in
from birthmark.queries.missing import Choice, ambiguous, describe_choice
from birthmark.queries.ref import RefMatch, RefMatches, locate_all
from birthmark.queries.ref_forms import LinesRef
from birthmark.queries.resolve import ResolvedRef


class RevisionLookup:
    """A commit, beside the index."""

    def __init__(self, session: Session, revision: str) -> None:
        self.session, self.state = session, session.repository.revision(revision)

    @cached_property
    def _comparison(self) -> StateComparison:
        return StateComparison(self.state, self._index, self.session.repository.family_of)

    @property
    def _index(self) -> RepositoryState:
        return self.session.repository.index()

    @cached_property
    def _replayed(self) -> ReplayState | None:
        """The commit as the ledger has it, if it was replayed."""
        if self.state.commit not in self.session.store.replayed_commits():
            return None
        return state_at(self.session.store, self.state.commit, CommitReader(self.session.repository))

    def find(self, text: str) -> tuple[Entity, RefMatches] | None:
        """Return the entity and matches of a REF with a path; None for other REFs and for names not in the commit."""
        ref = read_path_ref(self.session.repository, self.state, text)
        if ref is None:
            return None
        try:
            entities = locate_all(self.state, ref)
        except NotFoundError:
            if isinstance(ref, LinesRef):
                raise
            return None
        if len(entities) > 1:
            raise ambiguous(
                text,
                [Choice(one.label, None, describe_choice(one.file.outline.entities, one.ordinal)) for one in entities],
            )
        identity = self.identity_of(entities[0])
        matches = [RefMatch(identity)] if identity is not None else []
        return _placed(entities[0]), RefMatches(matches)

    def identity_of(self, outlined: OutlinedEntity) -> int | None:
        """Return the identity of an entity of the commit; None if the index does not know it."""
        known = self._recorded_identity(outlined)
        if known is not None:
            return known
        successor = self._namesake(outlined, self._index.file(outlined.file.path)) or self._comparison.successor(
            outlined
        )
        file = self.session.view.file(successor.file.path) if successor is not None else None
        return file.version.identities[successor.ordinal] if file is not None and successor is not None else None

    def _recorded_identity(self, outlined: OutlinedEntity) -> int | None:
        """Return the identity that the ledger recorded for the file with this content at this path."""
        path, language = outlined.file.path, self.state.language(outlined.file.path)
        content_id = self.state.content_id(path)
        assert content_id is not None
        assert language is not None
        key = (bytes.fromhex(content_id), language)
        extraction = self.session.repository.extractor.numbers({key}).get(key)
        if extraction is None:
            return None
        versions = self.session.store.versions_at([(path, extraction)]).get((path, extraction), [])
        fitting = [one for one in versions if len(one.identities) > outlined.ordinal]
        return fitting[0].identities[outlined.ordinal] if fitting else None

    def location(self, resolved: ResolvedRef) -> tuple[str, Entity | None]:
        """The commit, and where the entity was in it."""
        if resolved.located is not None:
            return self.state.commit, resolved.located
        if resolved.identity is None:
            return self.state.commit, None
        if self._replayed is not None:
            return self.state.commit, find_in(self.session.view, resolved.identity.identity, self._replayed)
        return self.state.commit, self._predecessor(resolved)

    def _predecessor(self, resolved: ResolvedRef) -> Entity | None:
        indexed = resolved.indexed
        file = self._index.file(indexed.entity.path) if indexed is not None else None
        if indexed is None or file is None:
            raise BirthmarkError(
                f"{resolved.ref}: is deleted; where it was at {self.state.commit[:12]} is known after "
                "`birthmark index --from-history`"
            )
        now = OutlinedEntity(file, indexed.ordinal)
        found = self._namesake(now, self.state.file(file.path)) or self._comparison.predecessor(now)
        return _placed(found) if found is not None else None

    def _namesake(self, outlined: OutlinedEntity, file: OutlinedFile | None) -> OutlinedEntity | None:
        """The only one of its kind and name in the same file of the other state: it is taken for its pair at once."""
        kind, name = outlined.entity.kind, outlined.entity.qualified_name
        found = [_named(one.outline.entities, kind, name) for one in (outlined.file, file) if one is not None]
        if file is None or any(len(ordinals) != 1 for ordinals in found):
            return None
        return OutlinedEntity(file, found[1][0])


def _named(entities: Sequence[Entity], kind: str, name: str) -> list[int]:
    return [i for i, entity in enumerate(entities) if (entity.kind, entity.qualified_name) == (kind, name)]


def _placed(outlined: OutlinedEntity) -> Entity:
    return msgspec.structs.replace(outlined.entity, path=outlined.file.path)
