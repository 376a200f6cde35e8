"""The marks of entities in a state, where the index has them at the same content."""

from __future__ import annotations

from contextlib import suppress

from birthmark.app.workspace.repository import OpenRepository
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import RepositoryState
from birthmark.queries.snapshot_view import SnapshotView


class Marks:
    """Looks up files of a state in the index."""

    def __init__(self, repository: OpenRepository, state: RepositoryState) -> None:
        self.state = state
        self._view: SnapshotView | None = None
        if repository.store is not None:
            with suppress(BirthmarkError):  # This worktree is not indexed, or by another version of this program.
                self._view = SnapshotView(repository.store, repository.workspace.worktree, repository.extractor)
        self._identities: dict[str, tuple[int, ...]] = {}
        self._marks: dict[int, str] = {}

    def mark_of(self, outlined: OutlinedEntity) -> str | None:
        identities = self._identities_in(outlined.file.path)
        return self._marks[identities[outlined.ordinal]] if identities else None

    def entity_of(self, mark: str) -> OutlinedEntity | None:
        """Where the ledger says that a mark is now."""
        held = self._view.entities_marked(mark) if self._view is not None else []
        file = self.state.file(held[0].entity.path) if held else None
        if not held or file is None or not self._identities_in(file.path):
            return None
        return OutlinedEntity(file, held[0].ordinal)

    def _identities_in(self, path: str) -> tuple[int, ...]:
        """Empty where the file is not as it was indexed."""
        if path not in self._identities:
            self._identities[path] = self._look_up(path)
        return self._identities[path]

    def _look_up(self, path: str) -> tuple[int, ...]:
        row = self._view.row(path) if self._view is not None else None
        if self._view is None or row is None or row.version is None or row.problem:
            return ()
        if row.content.hex() != self.state.content_id(path):
            return ()
        identities = self._view.store.versions([row.version])[row.version].identities
        self._marks |= {one.identity: one.mark for one in self._view.store.identities(identities)}
        return identities
