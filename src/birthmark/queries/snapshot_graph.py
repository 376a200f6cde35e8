"""The symbols of a snapshot in the store, for the graph."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from birthmark.graph.references import Reference
from birthmark.graph.symbols import Definition
from birthmark.store.model import SnapshotEntity, SnapshotReference
from birthmark.store.port import Store


class SnapshotGraph:
    """Definitions and references of a snapshot; what was looked up is kept."""

    def __init__(self, store: Store, snapshot: int) -> None:
        self.store, self.snapshot = store, snapshot
        self._named: dict[str, list[Definition]] = {}
        self._inside: dict[str, list[Definition]] = {}
        self._imports: dict[str, list[Reference]] = {}
        self._paths: set[str] | None = None

    def named(self, name: str) -> Sequence[Definition]:
        if name not in self._named:
            self._named[name] = [definition_of(row) for row in self.store.entities_named(self.snapshot, [name])]
        return self._named[name]

    def inside(self, path: str) -> Sequence[Definition]:
        if path not in self._inside:
            self._inside[path] = [definition_of(row) for row in self.store.entities_in(self.snapshot, [path])]
        return self._inside[path]

    def imports(self, path: str) -> Sequence[Reference]:
        if path not in self._imports:
            rows = self.store.references_in(self.snapshot, [path])
            self._imports[path] = [_reference(row) for row in rows if row.edge == "imports"]
        return self._imports[path]

    def paths(self) -> Collection[str]:
        if self._paths is None:
            self._paths = {path for path, row in self.store.files(self.snapshot).items() if row.version is not None}
        return self._paths

    def references_named(self, names: Collection[str]) -> Iterator[tuple[str, str, Definition | None, Reference]]:
        rows = self.store.references_named(self.snapshot, names)
        seen = {(row.path, row.line, row.name, row.alias) for row in rows if row.alias is not None}
        aliased = self.store.references_aliased(self.snapshot, names)
        rows += [row for row in aliased if (row.path, row.line, row.name, row.alias) not in seen]
        return ((row.path, row.language, _source(row), _reference(row)) for row in rows)

    def references_in(self, path: str) -> Iterator[tuple[str, Definition | None, Reference]]:
        """All of a file, with language and the definition that contains each."""
        rows = self.store.references_in(self.snapshot, [path])
        return ((row.language, _source(row), _reference(row)) for row in rows)

    def references_inside(self, definition: Definition) -> Iterator[Reference]:
        rows = self.store.references_in(self.snapshot, [definition.path])
        return (_reference(row) for row in rows if row.identity == definition.identity)


def definition_of(row: SnapshotEntity) -> Definition:
    return Definition(
        row.identity,
        row.path,
        row.language,
        row.kind,
        row.name,
        row.qualified_name,
        _parent(row.qualified_name, row.name),
        row.start_line,
        row.end_line,
    )


def _parent(qualified_name: str, name: str) -> str | None:
    return qualified_name.removesuffix(name).removesuffix(".") or None


def _reference(row: SnapshotReference) -> Reference:
    return Reference(row.edge, row.name, row.receiver, row.alias, row.entity, row.line)


def _source(row: SnapshotReference) -> Definition | None:
    if row.identity is None:
        return None
    name, qualified = row.entity_name or "", row.qualified_name or ""
    lines = (row.start_line or 0, row.end_line or 0)
    kind, parent = row.kind or "", _parent(qualified, name)
    return Definition(row.identity, row.path, row.language, kind, name, qualified, parent, *lines)
