"""Give keys and marks to what is born or renamed, so that none is ever given twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from birthmark.identity.keys import choose_birth, mint_mark
from birthmark.store.port import KeyRow, Store


class KeyRequest(NamedTuple):
    """An entity at a semantic path; without an identity it is born."""

    semantic_path: str
    identity: int | None


class IssuedKey(NamedTuple):
    """Its identity and the number of its key; the mark of what is just born."""

    identity: int
    key: int
    mark: str | None


class KeyIssuer:
    """Numbers go on from what the store has given last."""

    def __init__(self, store: Store, now: int) -> None:
        self.store, self.now = store, now
        self.next_identity = store.last("identities") + 1
        self.next_key = store.last("keys") + 1
        self.is_first = self.next_key == 1
        self.new_keys: list[KeyRow] = []

    def name(self, wishes: Sequence[KeyRequest]) -> list[IssuedKey]:
        issued = self._issued([wish.identity for wish in wishes if wish.identity is not None])
        taken = self._taken([wish for wish in wishes if (wish.identity, wish.semantic_path) not in issued])
        named = [self._name(wish, issued, taken) for wish in wishes]
        return self._with_marks(named)

    def _issued(self, identities: list[int]) -> dict[tuple[int | None, str | None], KeyRow]:
        """The keys that identities have had, by semantic path; under None the last one."""
        issued: dict[tuple[int | None, str | None], KeyRow] = {}
        for row in self.store.keys("identity", identities) if identities else ():
            issued[row.identity, row.semantic_path] = row
            issued[row.identity, None] = row
        return issued

    def _taken(self, wishes: list[KeyRequest]) -> dict[str, set[int]]:
        taken: dict[str, set[int]] = {}
        if not self.is_first:
            for row in self.store.keys("semantic_path", {wish.semantic_path for wish in wishes}):
                taken.setdefault(row.semantic_path, set()).add(row.birth)
        return taken

    def _name(
        self,
        wish: KeyRequest,
        issued: dict[tuple[int | None, str | None], KeyRow],
        taken: dict[str, set[int]],
    ) -> tuple[int, KeyRow, bool]:
        path, identity = wish.semantic_path, wish.identity
        known = issued.get((identity, path))
        if known is not None and identity is not None:
            return identity, known, False
        births = taken.setdefault(path, set())
        # A name that another thing had at the same second is never handed on; the birth moves to the next one.
        birth = choose_birth(self.now if identity is None else issued[identity, None].birth, births)
        births.add(birth)
        if is_born := identity is None:
            identity = self.next_identity
            self.next_identity += 1
        assert identity is not None
        row = KeyRow(self.next_key, path, birth, identity)
        self.next_key += 1
        self.new_keys.append(row)
        return identity, row, is_born

    def _with_marks(self, named: list[tuple[int, KeyRow, bool]]) -> list[IssuedKey]:
        marks = {row.key: mint_mark(row.text) for _, row, is_born in named if is_born}
        taken = set() if self.is_first else {found.mark for found in self.store.identities("mark", set(marks.values()))}
        if taken or len(set(marks.values())) < len(marks):
            for key, row in [(row.key, row) for _, row, is_born in named if is_born]:
                marks[key] = mint_mark(row.text, taken)
                taken.add(marks[key])
        return [
            IssuedKey(identity, row.key, marks.get(row.key) if is_born else None) for identity, row, is_born in named
        ]
