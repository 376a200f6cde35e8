"""Merge identities that turned out to be one, and set aside a replay that must be repeated.

A merged identity keeps its row, so that its mark leads to the successor. The successor takes over its keys, its
places in versions and, if the merged one is older, its mark, in exchange for its own. All of this follows from the
rows of `merges`, so that a log with these rows restores the ledger.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from birthmark.decoding import msgpack_decoder
from birthmark.store.model import REPLAY, SET_ASIDE
from birthmark.store.tables.database import Database, columns_of, having
from birthmark.vocabulary import Change

# Files observed in a worktree with the content that a replayed commit left there, the newest first.
_OBSERVED = """
    SELECT old.identities, new.identities FROM versions AS old
    JOIN versions AS new ON new.path_id = old.path_id AND new.extraction = old.extraction
    JOIN runs AS observed ON observed.run = old.run JOIN runs AS replayed ON replayed.run = new.run
    WHERE observed.worktree <> ? AND replayed.worktree = ? ORDER BY old.version DESC, new.version DESC"""
_BACKWARDS = f"""
    SELECT 1 FROM events JOIN runs AS replayed ON replayed.run = events.run
    JOIN identities ON identities.identity = events.identity JOIN runs AS seen ON seen.run = identities.run
    WHERE replayed.worktree = ? AND seen.worktree <> ? AND change = '{Change.REVIVED}' AND seen.at > replayed.at
    LIMIT 1"""
_REPLAYED_BY = """
    SELECT extractor FROM versions JOIN runs USING (run) JOIN extractions USING (extraction)
    WHERE worktree = ? ORDER BY version LIMIT 1"""
# The commits and names of births that are no other identity's by now.
_BIRTHS = """
    SELECT identities.identity, revision, semantic_path FROM identities
    JOIN runs USING (run) JOIN keys ON keys.key = identities.key
    LEFT JOIN merges ON merges.identity = identities.identity
    WHERE worktree = ? AND merges.identity IS NULL ORDER BY birth"""
_BORN_IN_REPLAY = "SELECT identity FROM identities JOIN runs USING (run) WHERE worktree = ?"
_NOT_REPLAYED = "SELECT version, identities FROM versions JOIN runs USING (run) WHERE worktree <> ?"
_ANY_VERSION = "SELECT version, identities FROM versions WHERE version >= ?"
_REPLAYED_TABLES = ("commits", "removed_files", "version_links")
_encode = msgspec.msgpack.Encoder().encode
_decode = msgpack_decoder(tuple[int, ...]).decode


class MergeTables(Database):
    """Merge identities, and find those that a replay shows to be one."""

    def merge_identities(self, successors: Mapping[int, int], run: int) -> None:
        """Make identities names of their successors."""
        self._insert("merges", [(identity, successor, run) for identity, successor in successors.items()])
        self.apply_merges(successors)

    def apply_merges(self, merged: Collection[int] | None = None) -> None:
        """Give successors what belonged to all or some identities merged into them; applying it twice is harmless."""
        successors = self._settle_successors()
        wanted = {one: successors[one] for one in (successors if merged is None else merged)}
        if wanted:
            self._pass_on("keys", "identity", wanted)
            self._pass_on("entities", "identity", wanted)
            self._replace_identities(wanted)
            self._share_marks(successors, set(wanted.values()))
            self._outdate_log()
            self._execute("UPDATE networks SET maker = '', generation = generation + 1 WHERE generation >= ?", 0)

    def observed_as_replayed(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        for old, new in self._each(_OBSERVED, REPLAY, REPLAY):
            if old != new:
                yield _decode(old), _decode(new)

    def born_again(self) -> Iterator[tuple[int, int]]:
        places: dict[tuple[str, str], list[int]] = {}
        for identity, *place in self._each(_BIRTHS, SET_ASIDE):
            places.setdefault((place[0], place[1]), []).append(identity)
        for identity, *place in self._each(_BIRTHS, REPLAY) if places else ():
            if earlier := places.get((place[0], place[1])):
                yield earlier.pop(0), identity

    def replay_extractor(self) -> str | None:
        return next((row[0] for row in self._query(_REPLAYED_BY, REPLAY)), None)

    def born_in_replay(self, identities: Collection[int]) -> set[int]:
        statement = f"{_BORN_IN_REPLAY} AND identity IN (SELECT value FROM json_each(?))"
        return {row[0] for row in self._query(statement, REPLAY, self._array(identities))} if identities else set()

    def is_replay_backwards(self) -> bool:
        return bool(self._query(_BACKWARDS, REPLAY, REPLAY))

    def set_replay_aside(self) -> None:
        """Count replayed versions as observed from now on; their ids stay, and another replay can adopt them."""
        runs = self._query(f"SELECT {columns_of('runs')} FROM runs WHERE worktree = ?", REPLAY)
        self._replace("runs", [(run, SET_ASIDE, *rest) for run, _, *rest in runs])
        for table in _REPLAYED_TABLES:
            self._execute(f"DELETE FROM {table} WHERE ? = 0", 0)
        self._outdate_log()

    def _outdate_log(self) -> None:
        """Have the log, which holds the rows as they were, rewritten."""

    def _settle_successors(self) -> dict[int, int]:
        """Return the last successor of every merged identity; a successor may itself be merged later."""
        rows = {row[0]: tuple(row) for row in self._query(f"SELECT {columns_of('merges')} FROM merges")}
        successors = {identity: _last_successor(identity, rows) for identity in rows}
        self._replace(
            "merges",
            [(one, successors[one], run) for one, successor, run in rows.values() if successors[one] != successor],
        )
        return successors

    def _pass_on(self, table: str, column: str, successors: Mapping[int, int]) -> None:
        rows = self._rows(having(f"SELECT {columns_of(table)} FROM {table}", column), list(successors))
        self._replace(table, [_with_successor(table, column, row, successors) for row in rows])

    def _replace_identities(self, successors: Mapping[int, int]) -> None:
        """Replace identities in versions; those of commits are read only if one was born in a replay."""
        changed = {}
        of_commits = self.born_in_replay(successors)
        for version, packed in self._each(_ANY_VERSION, 0) if of_commits else self._each(_NOT_REPLAYED, REPLAY):
            identities = _decode(packed)
            if not successors.keys().isdisjoint(identities):
                changed[version] = _encode(tuple(successors.get(one, one) for one in identities))
        rows = self._rows(having(f"SELECT {columns_of('versions')} FROM versions", "version"), changed)
        self._replace("versions", [(*row[:-1], changed[row[0]]) for row in rows])

    def _share_marks(self, successors: Mapping[int, int], wanted: Collection[int]) -> None:
        """Give each successor the mark and key of the oldest birth in its group."""
        group: dict[int, list[int]] = {successor: [successor] for successor in wanted}
        for identity, successor in successors.items():
            if successor in group:
                group[successor].append(identity)
        columns = ", ".join(f"identities.{name}" for name in ("identity", "mark", "key", "run", "path_id"))
        statement = f"SELECT {columns}, start_line, end_line, birth FROM identities JOIN keys USING (key)"
        members = [one for found in group.values() for one in found]
        rows = {row[0]: row for row in self._rows(having(statement, "identities.identity"), members)}
        shared = [row for found in group.values() for row in _shared_names([rows[one] for one in found])]
        # Marks are unique, even between the two statements.
        self._replace("identities", [(row[0], f"~{row[0]}", *row[2:]) for row in shared])
        self._replace("identities", shared)


def _last_successor(identity: int, rows: Mapping[int, Sequence[Any]]) -> int:
    seen = {identity}
    while identity in rows and rows[identity][1] not in seen:
        identity = rows[identity][1]
        seen.add(identity)
    return identity


def _with_successor(table: str, column: str, row: Sequence[Any], successors: Mapping[int, int]) -> tuple[Any, ...]:
    names = [name.strip('"') for name in columns_of(table).split(", ")]
    place = names.index(column)
    return (*row[:place], successors[row[place]], *row[place + 1 :])


def _shared_names(members: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Return the rows that change; the first member is the successor."""
    successor = members[0]
    oldest = min(members, key=lambda row: (row[7], row is not successor, row[0]))
    if oldest is successor:
        return []
    (identity, _, _, *successor_birth, _), (other, mark, key, *other_birth, _) = successor, oldest
    return [(identity, mark, key, *successor_birth), (other, successor[1], successor[2], *other_birth)]
