"""Issue keys and marks to born or renamed entities, so that none is ever issued twice.

Takes KeyRequests, gives an IssuedKey for each; `new_keys` are those that the ledger does not have yet. Tuples are made
by the hundred thousand, so `make_tuples` avoids `Kind(*fields)`, which calls a Python function for each and takes three
times as long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar

from birthmark.identity.keys import choose_birth, derive_marks, mint_mark, place_of
from birthmark.store.model import LedgerKey
from birthmark.store.port import LedgerStore

_FIRST = len("bm-") + 3  # characters of a mark by which a set finds it
_MOST_KEYS = 100_000  # that are cached
Tuple = TypeVar("Tuple", bound=tuple[object, ...])
IssuedKey = tuple[LedgerKey, str | None]  # the key of an entity, and its mark if it is born
KeyRequest = tuple[str, int | None]  # the semantic path of an entity and its identity, None if it is born


class BirthIssuer:
    """Issues keys where there were none before, so that none is looked up; a file's entities get theirs at once.

    Takes the paths of all files. Births are kept for as long as another file may have the same semantic paths, which
    only files have whose paths are written alike in keys.
    """

    def __init__(self, store: LedgerStore, now: int, paths: Iterable[str]) -> None:
        self.store, self.now = store, now
        self._shared = _find_shared(map(place_of, paths))
        self._births: dict[str, int] = {}  # the next one of a semantic path
        self._marks = MarkSet()

    def issue(self, semantic_paths: Sequence[str]) -> list[IssuedKey]:
        count = len(semantic_paths)
        births = self._choose_births(semantic_paths)
        numbers = zip(
            self.store.allot_keys(count), semantic_paths, births, self.store.allot_identities(count), strict=True
        )
        marks = self._mint_marks([f"{path}:T{birth}" for path, birth in zip(semantic_paths, births, strict=True)])
        return list(zip(make_tuples(LedgerKey, numbers), marks, strict=True))

    def _choose_births(self, semantic_paths: Sequence[str]) -> list[int]:
        known, now, births = self._births, self.now, list[int]()
        for path in semantic_paths:
            birth = known.get(path, now)
            known[path] = birth + 1
            births.append(birth)
        self._births = {path: known[path] for path in known if self._is_shared(path)} if self._shared else {}
        return births

    def _is_shared(self, semantic_path: str) -> bool:
        return semantic_path.rpartition(":")[2] in self._shared

    def _mint_marks(self, keys: list[str]) -> list[str]:
        marks = derive_marks(keys)
        for number in self._marks.add_first(marks):
            marks[number] = mint_mark(keys[number], self._marks)
            self._marks.add(marks[number])
        return marks


def _find_shared(places: Iterable[str]) -> set[str]:
    """Return places that are there more than once."""
    seen, shared = set[str](), set[str]()
    for place in places:
        (shared if place in seen else seen).add(place)
    return shared


class MarkSet:
    """A set of marks that takes ten bytes for each; a set of strings would take 130."""

    def __init__(self) -> None:
        self._marks: defaultdict[str, str] = defaultdict(str)  # by their first characters, with spaces between the rest

    def __contains__(self, mark: object) -> bool:
        assert isinstance(mark, str)
        return f" {mark[_FIRST:]}" in self._marks.get(mark[:_FIRST], "")

    def add(self, mark: str) -> None:
        self._marks[mark[:_FIRST]] += f" {mark[_FIRST:]}"

    def add_first(self, marks: Sequence[str]) -> list[int]:
        """Add new marks and return the numbers of the others, which were known or are repeated."""
        known, others = self._marks, list[int]()
        for number, mark in enumerate(marks):
            first, rest = mark[:_FIRST], f" {mark[_FIRST:]}"
            if rest in known[first]:
                others.append(number)
            else:
                known[first] += rest
        return others


KeyCache = dict[KeyRequest, IssuedKey]  # in the order of use


class KeyIssuer:
    """Issues keys at one time, in a transaction of the store."""

    def __init__(self, store: LedgerStore, now: int, cached: KeyCache | None = None) -> None:
        """`cached` holds the keys of a replay: an entity that is edited once is often edited again."""
        self.store, self.now, self.cached = store, now, cached
        self.is_first = not store.has_identities()
        self.new_keys: list[LedgerKey] = []

    def issue(self, requests: Sequence[KeyRequest]) -> list[IssuedKey]:
        if self.cached is None:
            return self._issue(requests)
        if len(self.cached) > _MOST_KEYS:  # The older half is of earlier commits: the ledger has it.
            for request in list(islice(self.cached, len(self.cached) // 2)):
                del self.cached[request]
        rest = [request for request in requests if request not in self.cached]
        issued = self._issue(rest) if rest else []
        new = iter(issued)
        found = [self.cached.get(request) or next(new) for request in requests]
        for key, _ in issued:
            self.cached[key.semantic_path, key.identity] = key, None
        return found

    def _issue(self, requests: Sequence[KeyRequest]) -> list[IssuedKey]:
        issued_before = self._issued_before([identity for _, identity in requests if identity is not None])
        births = self._births(requests, issued_before)
        identities = iter(self.store.allot_identities(sum(identity is None for _, identity in requests)))
        numbers = iter(self.store.allot_keys(sum(birth is not None for birth in births)))
        keys = []
        for (path, identity), birth in zip(requests, births, strict=True):
            if birth is None:
                keys.append(issued_before[identity, path])
            else:
                keys.append(LedgerKey(next(numbers), path, birth, next(identities) if identity is None else identity))
        self.new_keys += [key for key, birth in zip(keys, births, strict=True) if birth is not None]
        marks = self._mint_marks([key for key, (_, identity) in zip(keys, requests, strict=True) if identity is None])
        return [(key, marks.get(key.key)) for key in keys]

    def _issued_before(self, identities: list[int]) -> dict[tuple[int | None, str | None], LedgerKey]:
        """Return the earlier keys of identities by semantic path; under None any of the oldest birth."""
        issued_before: dict[tuple[int | None, str | None], LedgerKey] = {}
        keys = self.store.keys_of(identities) if identities else []
        for key in sorted(keys, key=lambda key: (-key.birth, key.key)):
            issued_before[key.identity, key.semantic_path] = key
            issued_before[key.identity, None] = key
        return issued_before

    def _births(
        self, requests: Sequence[KeyRequest], issued_before: dict[tuple[int | None, str | None], LedgerKey]
    ) -> list[int | None]:
        """Return the birth in the new key of each request; None if a known key is used again."""
        is_new = [(identity, path) not in issued_before for path, identity in requests]
        taken = self._taken({path for (path, _), new in zip(requests, is_new, strict=True) if new})
        births: list[int | None] = []
        for (path, identity), new in zip(requests, is_new, strict=True):
            # A name that another entity had at the same second is never reused; the birth moves to the next one.
            first = self.now if identity is None else issued_before[identity, None].birth
            births.append(choose_birth(first, taken.setdefault(path, set())) if new else None)
            if (birth := births[-1]) is not None:
                taken[path].add(birth)
        return births

    def _taken(self, semantic_paths: set[str]) -> dict[str, set[int]]:
        taken: dict[str, set[int]] = {}
        for key in self.store.keys_at(semantic_paths) if not self.is_first else ():
            taken.setdefault(key.semantic_path, set()).add(key.birth)
        return taken

    def _mint_marks(self, keys: list[LedgerKey]) -> dict[int, str]:
        """Return the marks of born entities by the number of their key."""
        marks = {key.key: mint_mark(key.text) for key in keys}
        taken = set() if self.is_first else {one.mark for one in self.store.identities_marked(set(marks.values()))}
        if taken or len(set(marks.values())) < len(marks):
            for key in keys:
                marks[key.key] = mint_mark(key.text, taken)
                taken.add(marks[key.key])
        return marks


def make_tuples(kind: type[Tuple], fields: Iterable[tuple[object, ...]]) -> Iterator[Tuple]:
    """Return tuples of a kind without calling its constructor, which is a Python function."""
    return map(partial(tuple.__new__, kind), fields)
