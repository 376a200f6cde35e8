"""The graph of the commits that were replayed, and what each did to the entities of the files that it changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from birthmark.decoding import msgpack_decoder
from birthmark.store.model import REPLAY, CommitNode, CommitRecord, PathState
from birthmark.store.tables.numbers import NumberedTables
from birthmark.store.tables.schema import having

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
_encode = msgspec.msgpack.Encoder().encode
_decode = msgpack_decoder(tuple[int, ...]).decode


class CommitTables(NumberedTables):
    """Commits by their runs, and the files that they changed against their first parents."""

    def append_commit(self, record: CommitRecord) -> None:
        run, chain, position, parents = record.node
        others = _encode(parents[1:]) if parents[1:] else None
        self._insert("commits", [(run, chain, position, parents[0] if parents else None, others)])
        path_ids = self._number_paths(sorted({*record.removed, *record.unread}))
        removed = [(path_ids[path], run, 1) for path in record.removed]
        self._insert("removed_files", [*removed, *((path_ids[path], run, 0) for path in record.unread)])

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


def _node(row: Sequence[Any]) -> CommitNode:
    run, chain, position, first, others = row[:5]
    return CommitNode(run, chain, position, () if first is None else (first, *_numbers(others)))


def _numbers(packed: bytes | None) -> tuple[int, ...]:
    return _decode(packed) if packed is not None else ()
