"""The ledger: runs, identities, keys, events, candidates, derivations, versions and the graph of replayed commits.

Nothing is ever deleted from it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from birthmark.decoding import msgpack_decoder
from birthmark.store.model import (
    REPLAY,
    CommitNode,
    Event,
    Identity,
    LedgerDerivation,
    LedgerEntries,
    LedgerKey,
    PathState,
    Run,
    Version,
)
from birthmark.store.tables.database import Database, having
from birthmark.vocabulary import Change

_VERSION = "SELECT version, path, extraction, run, identities FROM versions JOIN paths USING (path_id)"
_EVENT = f"SELECT {', '.join(Event._fields)} FROM events JOIN paths USING (path_id)"
_DELETED = f"change = '{Change.DELETED}' ORDER BY event"  # A literal, as in the partial index.
_LEDGER_ENDS = (("event", "events"), ("identity", "identities"))
_CHANGED = f"""
    SELECT identity, mark, run, '{Change.BORN}' FROM identities WHERE identity > ?2
    UNION ALL SELECT identity, mark, events.run, change FROM events JOIN identities USING (identity)
    WHERE event > ?1 AND change <> '{Change.BORN}' ORDER BY 3, 1"""

_DERIVATION = f"SELECT {', '.join(LedgerDerivation._fields)} FROM derivations"
_KEY = f"SELECT {', '.join(LedgerKey._fields)} FROM keys"
_IDENTITY = """SELECT {}, mark, semantic_path || ':T' || birth, identities.run, path, start_line, end_line
               FROM identities JOIN paths USING (path_id) JOIN keys USING (key)"""

_NUMBERED = _IDENTITY.format("identities.identity")
_MARKED = f"""{_IDENTITY.format("coalesce(successor, identities.identity)")}
              LEFT JOIN merges ON merges.identity = identities.identity"""

_LATEST = """SELECT run, identity FROM (SELECT run, identity FROM events ORDER BY event DESC LIMIT ?1) AS happened
             UNION SELECT run, identity
             FROM (SELECT run, identity FROM identities ORDER BY identity DESC LIMIT ?1) AS born
             ORDER BY run DESC, identity LIMIT ?1"""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgpack_decoder(tuple[int, ...]).decode
_NODE = "commits.run, commits.chain, commits.position, commits.first_parent, commits.other_parents"
_FOUND = """FROM commits JOIN runs USING (run) LEFT JOIN runs AS parents ON parents.run = commits.first_parent"""
_VERSIONS = f"""
    SELECT {_NODE}, runs.revision, parents.revision, version, identities, content, language, extractor, links
    {_FOUND} JOIN versions ON versions.run = commits.run JOIN paths USING (path_id) JOIN extractions USING (extraction)
             LEFT JOIN version_links USING (version)
    WHERE path = ?"""

_REMOVED = f"""
    SELECT {_NODE}, runs.revision, parents.revision, is_read
    {_FOUND} JOIN removed_files ON removed_files.run = commits.run JOIN paths USING (path_id)
    WHERE path = ?"""

_UNREAD = """SELECT path, revision FROM removed_files JOIN paths USING (path_id) JOIN runs USING (run)
             WHERE is_read = 0 ORDER BY run LIMIT ?"""


class LedgerTables(Database):
    """Append to the ledger and read it."""

    # Writing

    def begin_run(self, worktree: str, branch: str | None, revision: str | None, at: int) -> Run:
        run = Run(self._allot("runs", 1)[0], worktree, branch, revision, at)
        self._insert("runs", [run])
        return run

    def allot_identities(self, count: int) -> range:
        return self._allot("identities", count)

    def allot_keys(self, count: int) -> range:
        return self._allot("keys", count)

    def append_ledger(self, entries: LedgerEntries) -> list[Version]:
        paths = {value.path for values in (entries.born, entries.events, entries.versions) for value in values}
        path_ids = self._number_paths(sorted(paths))
        first_keys = {key.identity: key.key for key in entries.keys}
        events = zip(self._allot("events", len(entries.events)), entries.events, strict=True)
        numbers = self._allot("versions", len(entries.versions))
        versions = [new._replace(version=number) for number, new in zip(numbers, entries.versions, strict=True)]
        self._insert("keys", entries.keys)
        self._insert(
            "identities",
            [
                (identity, mark, first_keys[identity], run, path_ids[path], start_line, end_line)
                for identity, mark, _, run, path, start_line, end_line in entries.born
            ],
        )
        self._insert("events", [(n, *event[:3], path_ids[event.path], *event[4:]) for n, event in events])
        self._insert("candidates", [(old, new, entries.run) for old, new in entries.candidates])
        self._insert("derivations", entries.derivations)
        self._insert(
            "versions", [(v.version, path_ids[v.path], v.extraction, v.run, _encode(v.identities)) for v in versions]
        )
        return versions

    # Reading

    def has_identities(self) -> bool:
        return bool(self._value("SELECT EXISTS (SELECT 1 FROM identities)"))

    def count_identities(self) -> int:
        return int(self._value("SELECT count(*) FROM identities") or 0)

    def identities(self, numbers: Collection[int]) -> list[Identity]:
        return [Identity(*row) for row in self._rows(having(_NUMBERED, "identities.identity"), numbers)]

    def identities_marked(self, marks: Collection[str]) -> list[Identity]:
        return [Identity(*row) for row in self._rows(having(_MARKED, "mark"), marks)]

    def keys_of(self, identities: Collection[int]) -> list[LedgerKey]:
        return [LedgerKey(*row) for row in self._rows(f"{having(_KEY, 'identity')} ORDER BY key", identities)]

    def keys_at(self, semantic_paths: Collection[str]) -> list[LedgerKey]:
        return [LedgerKey(*row) for row in self._rows(having(_KEY, "semantic_path"), semantic_paths)]

    def keys_named(self, names: Collection[str]) -> list[LedgerKey]:
        return [LedgerKey(*row) for row in self._rows(f"{having(_KEY, 'simple_name')} ORDER BY key", names)]

    def events_of(self, identities: Collection[int]) -> list[Event]:
        return [Event(*row) for row in self._rows(having(_EVENT, "identity") + " ORDER BY event", identities)]

    def latest_changes(self, limit: int) -> list[tuple[int, int]]:
        """Rely on the order of numbers: later runs have higher ones, and so have their events and identities."""
        return [(run, identity) for run, identity in self._query(_LATEST, limit)]

    def ledger_end(self) -> tuple[int, int]:
        event, identity = (self._value(f"SELECT max({one}) FROM {table}") for one, table in _LEDGER_ENDS)
        return int(event or 0), int(identity or 0)

    def changed_since(self, end: tuple[int, int]) -> list[tuple[int, str, int, str]]:
        return [(identity, mark, run, change) for identity, mark, run, change in self._query(_CHANGED, *end)]

    def deletions_with(self, contents: Collection[str]) -> list[Event]:
        return [Event(*row) for row in self._rows(f"{having(_EVENT, 'content')} AND {_DELETED}", contents)]

    def deletions_from(self, path: str) -> list[Event]:
        return [Event(*row) for row in self._query(f"{_EVENT} WHERE path = ? AND {_DELETED}", path)]

    def candidates_of(self, identities: Collection[int]) -> list[tuple[int, int]]:
        pairs = "SELECT old_identity, new_identity FROM candidates"
        became, was = (self._rows(having(pairs, end), identities) for end in ("old_identity", "new_identity"))
        return sorted({*map(tuple, became), *map(tuple, was)})

    def derivations_of(self, identities: Collection[int]) -> list[LedgerDerivation]:
        rows = {
            tuple(row) for end in ("source", "derivative") for row in self._rows(having(_DERIVATION, end), identities)
        }
        return sorted((LedgerDerivation(*row) for row in rows), key=lambda found: (found.run, *found))

    def runs(self, numbers: Collection[int]) -> dict[int, Run]:
        statement = having(f"SELECT {', '.join(Run._fields)} FROM runs", "run")
        return {row[0]: Run(*row) for row in self._rows(statement, numbers)}

    def replayed_commits(self) -> dict[str, int]:
        return dict(self._query("SELECT revision, run FROM runs WHERE worktree = ?", REPLAY))

    def versions(self, numbers: Collection[int]) -> dict[int, Version]:
        return {row[0]: _version(row) for row in self._rows(having(_VERSION, "version"), numbers)}

    def versions_of(self, path: str) -> list[Version]:
        return [_version(row) for row in self._rows(f"{having(_VERSION, 'path')} ORDER BY version DESC", [path])]

    def versions_at(self, places: Collection[tuple[str, int]]) -> dict[tuple[str, int], list[Version]]:
        statement = having(_VERSION, "extraction") + " ORDER BY version DESC"
        wanted, found = set(places), dict[tuple[str, int], list[Version]]()
        for row in self._rows(statement, {extraction for _, extraction in places}):
            version = _version(row)
            if (version.path, version.extraction) in wanted:
                found.setdefault((version.path, version.extraction), []).append(version)
        return found

    def versions_in(self, runs: Collection[int]) -> list[Version]:
        return [_version(row) for row in self._rows(f"{having(_VERSION, 'run')} ORDER BY version", runs)]

    def newest_versions(self, runs: Collection[int]) -> dict[str, Version]:
        statement = having("SELECT max(version) FROM versions", "run") + " GROUP BY path_id"
        found = self.versions([row[0] for row in self._rows(statement, runs)])
        return {version.path: version for version in found.values()}

    # The graph of replayed commits

    def append_commit(self, node: CommitNode, removed: Collection[str] = (), unread: Collection[str] = ()) -> None:
        run, chain, position, parents = node
        others = _encode(parents[1:]) if parents[1:] else None
        self._insert("commits", [(run, chain, position, parents[0] if parents else None, others)])
        path_ids = self._number_paths(sorted({*removed, *unread}))
        rows = [(path_ids[path], run, int(paths is removed)) for paths in (removed, unread) for path in paths]
        self._insert("removed_files", rows)

    def put_links(self, links: Mapping[int, bytes]) -> None:
        self._insert("version_links", list(links.items()))

    def has_commits(self) -> bool:
        return bool(self._value("SELECT EXISTS (SELECT 1 FROM commits)"))

    def unread_files(self, limit: int) -> list[tuple[str, str]]:
        return [(path, revision) for path, revision in self._query(_UNREAD, limit)]

    def commits(self, runs: Collection[int]) -> dict[int, CommitNode]:
        rows = self._rows(having(f"SELECT {_NODE} FROM commits", "run"), runs)
        return {row[0]: _node(row) for row in rows}

    def commits_named(self, revisions: Collection[str]) -> dict[str, CommitNode]:
        statement = having(f"SELECT {_NODE}, revision FROM runs JOIN commits USING (run)", "revision")
        rows = self._rows(f"{statement} AND worktree = '{REPLAY}'", revisions)
        return {row[5]: _node(row) for row in rows}

    def chain_ends(self, chains: Collection[int]) -> dict[int, int]:
        return dict(self._rows(having("SELECT chain, max(position) FROM commits", "chain") + " GROUP BY chain", chains))

    def chain_bases(self) -> dict[int, tuple[int, int]]:
        rows = self._query(
            """SELECT first.run, base.chain, base.position FROM commits AS first
               JOIN commits AS base ON base.run = first.first_parent WHERE first.position = 0"""
        )
        return {chain: (base, position) for chain, base, position in rows}

    def path_states(self, path: str) -> list[PathState]:
        kept = [
            PathState(_node(row), row[5], row[6], row[7], _numbers(row[8]), *row[9:])
            for row in self._query(_VERSIONS, path)
        ]
        removed = self._query(_REMOVED, path)
        return kept + [PathState(_node(row), row[5], row[6], None, (), b"", "", "", None, row[7]) for row in removed]


def _version(row: Sequence[Any]) -> Version:
    version, path, extraction, run, identities = row
    return Version(version, path, extraction, run, _decode(identities))


def _node(row: Sequence[Any]) -> CommitNode:
    run, chain, position, first, others = row[:5]
    return CommitNode(run, chain, position, () if first is None else (first, *_numbers(others)))


def _numbers(packed: bytes | None) -> tuple[int, ...]:
    return _decode(packed) if packed is not None else ()
