"""Snapshots: the files of each worktree by branch, their entities, the names they refer to, and defined packages."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import starmap
from typing import ClassVar

from birthmark.graph.manifests.package import Package
from birthmark.store.model import (
    FileCounts,
    FileSummary,
    NamedReferences,
    Run,
    Snapshot,
    SnapshotEntity,
    SnapshotFile,
    VersionContent,
)
from birthmark.store.port import EntityAt, Value
from birthmark.store.tables.database import TABLES, Database, having
from birthmark.vocabulary import Ecosystem

_ENTITY = f"SELECT {', '.join(SnapshotEntity._fields)} FROM present"
_FILE = f"SELECT {', '.join(SnapshotFile._fields)} FROM files JOIN paths USING (path_id) WHERE snapshot = ?"
_IN_ORDER = "ORDER BY path, ordinal"
_MARKED = """SELECT coalesce(successor, identities.identity) FROM identities
             LEFT JOIN merges ON merges.identity = identities.identity"""

_AMONG = "{} IN (SELECT value FROM json_each(?1))"
_SNAPSHOT = """SELECT snapshot, snapshots.worktree, snapshots.branch, run, extractor, revision, at
               FROM snapshots JOIN runs USING (run)"""

_LAST_CHARACTER = "\U0010ffff"  # All that starts with a prefix sorts before the prefix followed by this.
_STARTING = """
    SELECT name FROM entities JOIN files USING (version) WHERE +snapshot = ?1 AND name >= ?2 AND name < ?3
    UNION SELECT qualified_name FROM files JOIN entities USING (version)
    WHERE snapshot = ?1 AND qualified_name >= ?2 AND qualified_name < ?3
    ORDER BY 1 LIMIT ?4"""

_MOST_CALLED = """
    SELECT name FROM reference_names CROSS JOIN files USING (version) WHERE snapshot = ? AND n_calls > 0
    GROUP BY name ORDER BY sum(n_calls) DESC, name LIMIT ?"""

_REFERRING = f"""
    SELECT path, language, version, packed FROM reference_names CROSS JOIN files USING (version)
    JOIN paths USING (path_id)
    WHERE {_AMONG.format("name")} AND snapshot = ?2 ORDER BY path, name"""

_REFERENCES = f"""
    SELECT name, sum(n_references) FROM reference_names CROSS JOIN files USING (version)
    WHERE {_AMONG.format("name")} AND snapshot = ?2 GROUP BY name"""

_MOST_COUNTED = 1_000  # references to a name
_AT = """
    SELECT version, ordinal, identity, kind, name, qualified_name, start_line, end_line
    FROM {} CROSS JOIN entities ON version = {} AND ordinal = {}"""

_SOURCES = """
    SELECT path, files.language, source FROM files JOIN versions USING (version) JOIN extractions USING (extraction)
    JOIN paths ON paths.path_id = files.path_id
    WHERE snapshot = ? AND files.language IN (SELECT value FROM json_each(?)) AND source IS NOT NULL ORDER BY path"""

_FILE_COUNTS = """
    SELECT count(version), count(*) FILTER (WHERE version IS NULL AND problem IS NULL AND NOT EXISTS (
               SELECT 1 FROM extractions WHERE extractions.content = files.content AND extractions.language = '')),
           count(*) FILTER (WHERE version IS NULL AND problem IS NOT NULL)
    FROM files WHERE snapshot = ?"""

_COUNTED = """
    SELECT {} FROM files CROSS JOIN versions USING (version)
    CROSS JOIN extractions INDEXED BY extraction_counts USING (extraction) WHERE snapshot = ?1"""

_PATH = "(SELECT path FROM paths WHERE paths.path_id = files.path_id)"
_NOTES = _COUNTED.format(f"{_PATH}, notes")
# Paths below a folder sort between its name with a slash and its name with a zero, the next character.
_SUMMARIES = f"""{
    _COUNTED.format(
        f"{_PATH} AS path, files.language, size, n_entities, "
        "(SELECT count(*) FROM versions AS every WHERE every.path_id = files.path_id), run"
    )
} AND (?2 = '' OR {_PATH} > ?2 || '/' AND {_PATH} < ?2 || '0') ORDER BY path"""

TEXT_FILES = """
    SELECT path, version, extraction FROM files JOIN versions USING (version)
    JOIN paths ON paths.path_id = files.path_id
    WHERE snapshot = ?1"""

_PACKAGES = "SELECT package, ecosystem, name, folder, manifest FROM packages ORDER BY package"
_DEPENDENCIES = "SELECT package, name FROM dependencies ORDER BY package, name"


class SnapshotTables(Database):
    """The worktrees as they were last indexed."""

    _places: ClassVar[tuple[str, str, str]]  # a table of the pairs of numbers in a JSON array, and its two columns

    # Writing

    def snapshot_for(self, run: Run, extractor: str, base: int | None) -> int:
        branch = run.branch or ""
        found = self._value("SELECT snapshot FROM snapshots WHERE worktree = ? AND branch = ?", run.worktree, branch)
        snapshot = found if isinstance(found, int) else self._allot("snapshots", 1)[0]
        self._replace("snapshots", [(snapshot, run.worktree, branch, run.run, extractor)])
        if base is not None and base != snapshot:
            self._copy_files(base, snapshot)
        return snapshot

    def _copy_files(self, base: int, snapshot: int) -> None:
        replaced = [row[0] for row in self._query("SELECT version FROM files WHERE snapshot = ?", snapshot)]
        self._execute("DELETE FROM files WHERE snapshot = ?", snapshot)
        columns = ", ".join(TABLES["files"].split()[1:])
        copy = f"INSERT INTO files (snapshot, {columns}) SELECT ?, {columns} FROM files WHERE snapshot = ?"
        self._execute(copy, snapshot, base)
        self._hide_unused(replaced)

    def change_files(self, snapshot: int, files: Iterable[SnapshotFile], gone: Collection[str]) -> None:
        files = list(files)
        paths = [*(file.path for file in files), *gone]
        path_ids = self._number_paths(paths)
        replaced = {file.version for file in self.files(snapshot, paths).values()} - {file.version for file in files}
        rows = [(snapshot, path_ids[file.path], *file[1:]) for file in files]
        self._replace("files", rows)
        self._delete("files", "path_id", [path_ids[path] for path in gone], snapshot=snapshot)
        self._hide_unused(replaced)

    def _hide_unused(self, versions: Iterable[int | None]) -> None:
        """Drop the shown entities and names of versions that are in no snapshot any more."""
        replaced = {version for version in versions if version is not None}
        used = {row[0] for row in self._rows(having("SELECT version FROM files", "version"), replaced)}
        for table in ("entities", "reference_names"):
            self._delete(table, "version", replaced - used)

    def show_versions(self, contents: Sequence[VersionContent]) -> None:
        self._insert(
            "entities",
            (
                (version, ordinal) + entity  # noqa: RUF005 - a third of the time of unpacking
                for version, entities, _ in contents
                for ordinal, entity in enumerate(entities)
            ),
        )
        rows = [(one[0], version, *one[1:]) for version, _, names in contents for one in names]
        self._insert("reference_names", sorted(rows))  # Rows that come in the order of the index are written faster.

    # Reading

    def snapshot(self, worktree: str) -> Snapshot | None:
        return next((found for found in self.snapshots() if found.worktree == worktree), None)

    def snapshots(self) -> list[Snapshot]:
        return [Snapshot(*row) for row in self._query(_SNAPSHOT + " ORDER BY run DESC")]

    def files(self, snapshot: int, paths: Collection[str] | None = None) -> dict[str, SnapshotFile]:
        if paths is None:
            rows = self._query(_FILE, snapshot)
        else:
            rows = self._query(f"{_FILE} AND path IN (SELECT value FROM json_each(?))", snapshot, self._array(paths))
        return {row[0]: SnapshotFile(*row) for row in rows}

    def each_file(self, snapshot: int) -> Iterator[SnapshotFile]:
        return starmap(SnapshotFile, self._each(_FILE, snapshot))

    def files_with_problems(self, snapshot: int) -> dict[str, SnapshotFile]:
        rows = self._query(f"{_FILE} AND problem IS NOT NULL ORDER BY path", snapshot)
        return {row[0]: SnapshotFile(*row) for row in rows}

    def files_without_version(self, snapshot: int) -> list[SnapshotFile]:
        rows = self._query(f"{_FILE} AND version IS NULL AND problem IS NULL", snapshot)
        return [SnapshotFile(*row) for row in rows]

    def shown_versions(self) -> set[int]:
        return {row[0] for row in self._query("SELECT DISTINCT version FROM files WHERE version IS NOT NULL")}

    def versions_with(self, snapshot: int, identities: Collection[int]) -> dict[int, int]:
        shown = f"SELECT identity, version FROM entities JOIN files USING (version) WHERE {_in_snapshot('identity')}"
        return dict(self._query(shown, self._array(identities), snapshot))

    def counts(self, snapshot: int) -> dict[str, int]:
        counted = "count(*), sum(n_entities), sum(n_chunks), sum(n_edges)"
        row = self._query(_COUNTED.format(counted), snapshot)[0]
        names = ("files", "entities", "chunks", "edges")
        counts = {name: int(number or 0) for name, number in zip(names, row, strict=True)}
        # Identities are numbered without gaps and never deleted; counting the rows would read all their pages.
        return counts | {"identities": int(self._value("SELECT max(identity) FROM identities") or 0)}

    def file_counts(self, snapshot: int) -> FileCounts:
        return FileCounts(*map(int, self._query(_FILE_COUNTS, snapshot)[0]))

    def summarize_files(self, snapshot: int, folder: str = "") -> list[FileSummary]:
        return [FileSummary(*row) for row in self._query(_SUMMARIES, snapshot, folder)]

    def notes(self, snapshot: int) -> Iterator[tuple[str, bytes]]:
        """Return the collisions and problems of each file, packed."""
        return self._each(_NOTES, snapshot)

    def names(self, snapshot: int) -> list[tuple[str, str]]:
        names = "SELECT DISTINCT name, qualified_name FROM entities JOIN files USING (version)"
        return [(name, qualified) for name, qualified in self._query(f"{names} WHERE snapshot = ?", snapshot)]

    def all_entities(self, snapshot: int) -> Iterator[SnapshotEntity]:
        return starmap(SnapshotEntity, self._each(f"{_ENTITY} WHERE snapshot = ? {_IN_ORDER}", snapshot))

    def entities_in(self, snapshot: int, paths: Collection[str]) -> list[SnapshotEntity]:
        return self._entities(snapshot, "path", paths)

    def entities_named(self, snapshot: int, names: Collection[str]) -> list[SnapshotEntity]:
        return self._entities(snapshot, "name", names)

    def entities_qualified(self, snapshot: int, qualified_names: Collection[str]) -> list[SnapshotEntity]:
        return self._entities(snapshot, "qualified_name", qualified_names)

    def entities_of(self, snapshot: int, identities: Collection[int]) -> list[SnapshotEntity]:
        return self._entities(snapshot, "identity", identities)

    def entities_marked(self, snapshot: int, marks: Collection[str]) -> list[SnapshotEntity]:
        """Accept marks of merged identities, too."""
        return self.entities_of(snapshot, [row[0] for row in self._rows(having(_MARKED, "mark"), marks)])

    def names_starting(self, snapshot: int, prefix: str, limit: int) -> list[str]:
        rows = self._query(_STARTING, snapshot, prefix, prefix + _LAST_CHARACTER, limit)
        return [row[0] for row in rows]

    def most_called(self, snapshot: int, limit: int) -> list[str]:
        return [row[0] for row in self._query(_MOST_CALLED, snapshot, limit)]

    def sources(self, snapshot: int, languages: Collection[str]) -> Iterator[tuple[str, str, bytes]]:
        return self._each(_SOURCES, snapshot, self._array(languages))

    def files_referring(self, snapshot: int, names: Collection[str]) -> list[tuple[str, str, int, bytes]]:
        rows = self._query(_REFERRING, self._array(names), snapshot)
        return [(path, language, version, packed) for path, language, version, packed in rows]

    def count_references(self, snapshot: int, names: Collection[str]) -> dict[str, int]:
        found = dict(self._query(_REFERENCES, self._array(names), snapshot))
        return {name: min(int(found.get(name) or 0), _MOST_COUNTED) for name in names}

    def named_references(self, version: int) -> list[NamedReferences]:
        statement = "SELECT name, n_references, n_calls, packed FROM reference_names WHERE version = ? ORDER BY name"
        return [(name, n, n_calls, packed) for name, n, n_calls, packed in self._query(statement, version)]

    def entities_at(self, places: Collection[tuple[int, int]]) -> dict[tuple[int, int], EntityAt]:
        rows = self._query(_AT.format(*self._places), json.dumps(list(places)))
        return {(row[0], row[1]): tuple(row[2:]) for row in rows}

    def _entities(self, snapshot: int, column: str, values: Collection[Value]) -> list[SnapshotEntity]:
        statement = f"{_ENTITY} WHERE {_in_snapshot(column)} {_IN_ORDER}"
        return [SnapshotEntity(*row) for row in self._query(statement, self._array(values), snapshot)]

    # Packages

    def put_packages(self, packages: Iterable[Package]) -> None:
        numbered = list(enumerate(packages))
        with self.writing():
            for table in ("packages", "dependencies"):
                self._execute(f"DELETE FROM {table} WHERE package >= 0")
            self._insert("packages", [(number, *package[:4]) for number, package in numbered])
            used = [(number, one.ecosystem, name) for number, one in numbered for name in one.dependencies]
            self._insert("dependencies", used)

    def packages(self) -> list[Package]:
        names: dict[int, list[str]] = {}
        for package, name in self._query(_DEPENDENCIES):
            names.setdefault(package, []).append(name)
        return [
            Package(Ecosystem(ecosystem), name, folder, manifest, tuple(names.get(number, ())))
            for number, ecosystem, name, folder, manifest in self._query(_PACKAGES)
        ]


def _in_snapshot(column: str) -> str:
    """Return the condition for some values of a column in a snapshot.

    SQLite's planner assumes few files in a snapshot and starts there. The plus and the cross join prevent that, which
    is two hundred times as fast with 7,000 files.
    """
    if column == "path":
        files = f"paths CROSS JOIN files USING (path_id) WHERE {_AMONG.format('path')} AND snapshot = ?2"
        return f"version IN (SELECT version FROM {files}) AND +snapshot = ?2"
    return f"{_AMONG.format(column)} AND +snapshot = ?2"
