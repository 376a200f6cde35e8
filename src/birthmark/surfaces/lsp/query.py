"""A question of an editor: the repository it is about, the file, and the texts that the editor has open there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from lsprotocol import types

from birthmark.app.answers.editing.editor_files import EditorFile, EditorFiles, find_marked, marks_of
from birthmark.app.answers.editing.editor_targets import find_targets
from birthmark.app.workspace.session import Session
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.model import Entity
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.surfaces.lsp.positions import Positions


class EditorQuery:
    """`path` is relative to the root of the repository, and so are those of `texts`."""

    def __init__(self, root: Path, path: str, texts: Mapping[str, str], encoding: str, kinds: tuple[str, ...]) -> None:
        self.root, self.path, self._texts, self.encoding, self.kinds = root, path, texts, encoding, kinds

    @cached_property
    def contents(self) -> dict[str, bytes]:
        """What is no character is replaced by one that takes as many units of UTF-16."""
        return {path: text.encode("utf-8", "replace") for path, text in self._texts.items()}

    def files(self, session: Session) -> EditorFiles:
        return EditorFiles(session, self.contents)

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def positions(self, content: bytes) -> Positions:
        return Positions(content, self.encoding)

    def location(self, file: EditorFile, entity: Entity) -> types.Location:
        """Of the name of a definition."""
        return types.Location(self.uri(file.path), self.positions(file.content).range(name_span(entity)))

    def targets(self, session: Session, position: types.Position) -> list[IndexedEntity]:
        """What the name at a position means."""
        file = self.files(session).get(self.path)
        if file is None:
            return []
        identities = find_targets(session, file, self.positions(file.content).offset(position))
        marks = marks_of(session, identities)
        found = [find_marked(session, marks[identity]) for identity in identities]
        return [one for one in found if one is not None]

    def subject(self, session: Session, position: types.Position) -> IndexedEntity:
        """The one definition that the name at a position means, or else the one around it."""
        targets = self.targets(session, position)
        if len(targets) == 1:
            return targets[0]
        file = self.files(session).get(self.path)
        ordinal = file.around(self.positions(file.content).offset(position)) if file is not None else None
        if file is None or ordinal is None:
            raise NotFoundError(f"{self.path}:{position.line + 1}: there is no definition here")
        identity = file.identities[ordinal]
        found = None if identity is None else find_marked(session, marks_of(session, [identity])[identity])
        if found is None:
            name = file.entities[ordinal].qualified_name
            raise BirthmarkError(f"{name}: is not indexed yet; save the file first")
        return found


def name_span(entity: Entity) -> tuple[int, int]:
    """Of its name, or of its start where it has none."""
    return entity.name_span or (entity.start_byte, entity.start_byte)
