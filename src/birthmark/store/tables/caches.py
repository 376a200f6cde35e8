"""Tables that can be made again: the cache of extractions, and the resolved edges of worktrees."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from birthmark.model import Level
from birthmark.store.model import ContentKey, NetworkChange, NetworkRecord, PackedExtraction, Use
from birthmark.store.port import Value
from birthmark.store.tables.database import TABLES, Database, having

EXTRACTION = tuple(TABLES["extractions"].split()[1:])
ENTITIES_ONLY = -1  # the number of chunks of an extraction at that level
AT_LEVEL = {
    Level.ENTITIES: "outline IS NOT NULL",
    Level.OUTLINE: f"outline IS NOT NULL AND n_chunks != {ENTITIES_ONLY}",
    Level.NODES: "nodes IS NOT NULL",
}

_USE = 'SELECT path, ordinal, used, "user", edge, resolution, line FROM uses JOIN resolved_files USING (file)'
_USER = '"user"'
_AMONG = "IN (SELECT value FROM json_each(?))"
_MENTION = 'SELECT path, 0, used, "user", edge, resolution, line FROM network_mentions JOIN resolved_files USING (file)'
_TABLES = ("resolved_files", "uses", "candidate_sets", "network_mentions")


class CacheTables(Database):
    """Extractions by content, language and extractor; and resolved edges by file, in both directions."""

    def put_extractions(self, extractor: str, packed: Iterable[tuple[ContentKey, PackedExtraction]]) -> None:
        """Add to the cache and number the extractions; one whose outline was forgotten keeps its number."""
        self._put_extractions([_extraction_row(key, extractor, one) for key, one in packed])

    @abstractmethod
    def _put_extractions(self, rows: list[tuple[Value, ...]]) -> None:
        """Put rows with the columns of `EXTRACTION`, of which the first three are the key."""

    def extractions(self, keys: Collection[ContentKey], extractor: str, level: Level) -> dict[ContentKey, int]:
        found = self._query(
            f"""SELECT content, language, extraction FROM extractions
                WHERE content IN (SELECT unhex(value) FROM json_each(?)) AND extractor = ? AND {AT_LEVEL[level]}""",
            self._contents([content_id for content_id, _ in keys]),
            extractor,
        )
        return {(content, language): extraction for content, language, extraction in found}

    @abstractmethod
    def _contents(self, content_ids: Collection[bytes]) -> Any:
        """Return the array that `unhex(value)` of `json_each(?)` reads."""

    def incomplete_extractions(self, extractor: str, level: Level) -> dict[int, ContentKey]:
        rows = self._query(
            f"SELECT extraction, content, language FROM extractions WHERE extractor = ? AND NOT ({AT_LEVEL[level]})",
            extractor,
        )
        return {row[0]: (row[1], row[2]) for row in rows}

    def outlines(self, extractions: Collection[int]) -> Iterator[tuple[int, bytes]]:
        statement = having("SELECT extraction, outline FROM extractions", "extraction") + " AND outline IS NOT NULL"
        return self._each(statement, self._array(extractions))

    def source(self, extraction: int) -> bytes | None:
        source = self._value("SELECT source FROM extractions WHERE extraction = ?", extraction)
        return source if isinstance(source, bytes) else None

    def nodes(self, extraction: int) -> bytes | None:
        nodes = self._value("SELECT nodes FROM extractions WHERE extraction = ?", extraction)
        return nodes if isinstance(nodes, bytes) else None

    # The network

    def network(self, worktree: str) -> NetworkRecord | None:
        rows = self._query("SELECT network, maker, generation FROM networks WHERE worktree = ?", worktree)
        return NetworkRecord(*rows[0]) if rows else None

    def change_network(self, worktree: str, maker: str, since: int, change: NetworkChange) -> bool:
        known = self.network(worktree)
        if (known.generation if known is not None else 0) != since:
            return False
        number = known.network if known is not None else self._allot("networks", 1)[0]
        self._replace("networks", [(number, worktree, maker, since + 1)])
        if known is not None and known.maker != maker:
            for table in _TABLES:
                self._execute(f"DELETE FROM {table} WHERE network = ?", number)
        self._drop_files(number, [*change.gone, *(path for path, *_ in change.files)])
        numbers = self._allot("resolved_files", len(change.files))
        files = dict(zip((path for path, *_ in change.files), numbers, strict=True))
        self._insert("resolved_files", ((files[file[0]], number, *file) for file in change.files))
        self._insert("uses", (self._use_row(number, files[use.path], use) for use in change.uses))
        mentions = ((number, one.used, files[one.path], self._node(one.user), *one[4:]) for one in change.mentions)
        self._insert("network_mentions", mentions)
        members = ((number, one, name) for name, identities in change.candidates.items() for one in identities)
        self._add("candidate_sets", members)
        return True

    def _use_row(self, network: int, file: int, use: Use) -> tuple[Value, ...]:
        return (network, file, use.ordinal, self._node(use.used), self._node(use.user), *use[4:])

    def _node(self, node: int | str) -> Value:
        """Return a node as its column holds it."""
        return node

    def _node_order(self, column: str) -> str:
        """Return the expression that orders nodes: numbers, then paths and names."""
        return column

    @property
    def _use_order(self) -> str:
        return f"ORDER BY path, ordinal, {self._node_order('used')}"

    @property
    def _mention_order(self) -> str:
        return f"ORDER BY path, line, used, edge, {self._node_order(_USER)}"

    def _use(self, row: Sequence[Any]) -> Use:
        return Use(*row)

    def _drop_files(self, network: int, paths: Collection[str]) -> None:
        known = f"SELECT file FROM resolved_files WHERE network = ? AND path {_AMONG}"
        files = [row[0] for row in self._query(known, network, self._array(paths))]
        for table in ("uses", "network_mentions", "resolved_files"):
            self._delete(table, "file", files)

    def resolved_versions(self, network: int) -> dict[str, int]:
        return dict(self._query("SELECT path, version FROM resolved_files WHERE network = ?", network))

    def lookups(self, network: int) -> Iterator[tuple[str, bytes]]:
        return self._each("SELECT path, lookups FROM resolved_files WHERE network = ?", network)

    def provisions(self, network: int, paths: Collection[str]) -> dict[str, bytes]:
        provisions = f"SELECT path, provisions FROM resolved_files WHERE network = ? AND path {_AMONG}"
        return dict(self._query(provisions, network, self._array(paths)))

    def users_of(self, network: int, nodes: Collection[int | str]) -> list[Use]:
        return self._uses_with("used", network, nodes)

    def used_by(self, network: int, nodes: Collection[int | str]) -> list[Use]:
        return self._uses_with(_USER, network, nodes)

    def _uses_with(self, column: str, network: int, nodes: Collection[int | str]) -> list[Use]:
        wanted = f"{_USE} WHERE uses.network = ? AND {column} {_AMONG} {self._use_order}"
        return [self._use(row) for row in self._query(wanted, network, self._array([*map(self._node, nodes)]))]

    def all_uses(self, network: int) -> Iterator[Use]:
        return map(self._use, self._each(f"{_USE} WHERE uses.network = ? {self._use_order}", network))

    def mentions_of(self, network: int, nodes: Collection[int]) -> list[Use]:
        wanted = f"{_MENTION} WHERE network_mentions.network = ? AND used {_AMONG} {self._mention_order}"
        return [self._use(row) for row in self._query(wanted, network, self._array(nodes))]

    def all_mentions(self, network: int) -> Iterator[Use]:
        every = f"{_MENTION} WHERE network_mentions.network = ? {self._mention_order}"
        return map(self._use, self._each(every, network))

    def candidate_sets(self, network: int, identities: Collection[int]) -> list[tuple[int, str]]:
        sets = f"SELECT identity, name FROM candidate_sets WHERE network = ? AND identity {_AMONG}"
        return self._query(sets, network, self._array(identities))

    def candidates(self, network: int, names: Collection[str]) -> list[tuple[str, int]]:
        members = f"SELECT name, identity FROM candidate_sets WHERE network = ? AND name {_AMONG}"
        return self._query(members, network, self._array(names))


def _extraction_row(key: ContentKey, extractor: str, packed: PackedExtraction) -> tuple[Value, ...]:
    level, *values, _ = msgspec.structs.astuple(packed)
    if level is Level.ENTITIES:
        values[5] = ENTITIES_ONLY
    return (*key, extractor, *values)
