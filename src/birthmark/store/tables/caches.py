"""Tables that can be made again: the cache of extractions, and the resolved edges of worktrees."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from birthmark.model import Level
from birthmark.store.model import ContentKey, NetworkChange, NetworkRecord, PackedExtraction, Posting
from birthmark.store.port import Value
from birthmark.store.tables.database import TABLES, Database, having

EXTRACTION = tuple(TABLES["extractions"].split()[1:])
ENTITIES_ONLY = -1  # the number of chunks of an extraction at that level
AT_LEVEL = {
    Level.ENTITIES: "outline IS NOT NULL",
    Level.OUTLINE: f"outline IS NOT NULL AND n_chunks != {ENTITIES_ONLY}",
    Level.NODES: "nodes IS NOT NULL",
}

_AMONG = "IN (SELECT value FROM json_each(?))"
_POSTINGS = "SELECT path, used, packed FROM resolved_files JOIN postings USING (network, file) WHERE network = ?"
_TABLES = ("resolved_files", "postings", "candidate_sets")


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
        postings = ((number, self._node(used), files[path], packed) for path, used, packed in change.postings)
        self._insert("postings", postings)
        members = ((number, one, name) for name, identities in change.candidates.items() for one in identities)
        self._add("candidate_sets", members)
        return True

    def _node(self, node: int | str) -> Value:
        """Return a node as its column holds it."""
        return node

    def _unpack_node(self, node: Any) -> int | str:
        """Return the node that a column holds."""
        return node  # type: ignore[no-any-return]

    def _drop_files(self, network: int, paths: Collection[str]) -> None:
        known = f"SELECT file FROM resolved_files WHERE network = ? AND path {_AMONG}"
        files = [row[0] for row in self._query(known, network, self._array(paths))]
        for table in ("postings", "resolved_files"):
            self._delete(table, "file", files)

    def resolved_versions(self, network: int) -> dict[str, int]:
        return dict(self._query("SELECT path, version FROM resolved_files WHERE network = ?", network))

    def lookups(self, network: int) -> Iterator[tuple[str, bytes]]:
        return self._each("SELECT path, lookups FROM resolved_files WHERE network = ?", network)

    def provisions(self, network: int, paths: Collection[str]) -> dict[str, bytes]:
        provisions = f"SELECT path, provisions FROM resolved_files WHERE network = ? AND path {_AMONG}"
        return dict(self._query(provisions, network, self._array(paths)))

    def postings_to(self, network: int, nodes: Collection[int | str]) -> list[Posting]:
        wanted = self._array([*map(self._node, nodes)])
        return [*map(self._posting, self._query(f"{_POSTINGS} AND used {_AMONG} ORDER BY path", network, wanted))]

    def postings_in(self, network: int, paths: Collection[str]) -> list[Posting]:
        rows = self._query(f"{_POSTINGS} AND path {_AMONG} ORDER BY path", network, self._array(paths))
        return [*map(self._posting, rows)]

    def all_postings(self, network: int) -> Iterator[Posting]:
        return map(self._posting, self._each(f"{_POSTINGS} ORDER BY path", network))

    def _posting(self, row: Sequence[Any]) -> Posting:
        path, used, packed = row
        return path, self._unpack_node(used), packed

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
