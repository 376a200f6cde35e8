"""The state of a pairing: pairs, free entities, and renamed places.

The scope of an entity is its path and the chain of its parents. A scope of the old snapshot is translated by what is
known of its file and of the entity around it, so that entities of a renamed place are looked for there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from posixpath import dirname

from birthmark.identity.fingerprints import HEAVY
from birthmark.matching.model import (
    FUNCTION,
    IMPL,
    SORTS,
    TYPE,
    VALUE,
    MatchCandidate,
    Pair,
    Pairing,
    sort_of,
)
from birthmark.matching.similarity import Texts, Tokens, mentions_in, parts_of, text_likeness, token_of
from birthmark.vocabulary import Evidence

Scope = tuple[str, str | None]
ContentIds = Mapping[str, str | None]  # of files by path; None where it is not known
Key = Callable[[int], Hashable]
Group = tuple[list[int], list[int]]
PlaceOf = Callable[[MatchCandidate, Scope], Hashable]
# The nearest paired entities before and behind an entity in its scope, -1 for none, and its distance from the first.
Slot = tuple[int, int, int]

LIGHT = {"type": 24, "function": 32, "value": 48}  # bytes; `raise NotImplementedError` is 25, `require("path")` 15
_LIGHT_OTHERWISE = 32
HEAVY_VOTE, LIGHT_VOTE = 4, 1
_NOWHERE = "\0"  # a path that no file has
_NO_TOKENS: Tokens = lambda _: []  # noqa: E731
_MOST_CANDIDATES = 16  # of an ambiguity; a hundred identical ones add nothing


class Side:
    """The entities of a snapshot, ordered by path, so that nothing depends on the order of files."""

    def __init__(self, entities: Sequence[MatchCandidate], files: ContentIds | None, tokens: Tokens) -> None:
        self.tokens = tokens
        self.origins = sorted(range(len(entities)), key=lambda index: entities[index].path)
        self.entities = [entities[index] for index in self.origins]
        self.ranks = [0] * len(entities)
        for rank, index in enumerate(self.origins):
            self.ranks[index] = rank
        self._scopes: list[Scope] = [(entity.path, entity.parent) for entity in self.entities]
        self._lights = [is_light(entity.kind, entity.weight) for entity in self.entities]
        self.containers = [self.ranks[entity.container] if entity.container >= 0 else -1 for entity in self.entities]
        self.partners = [-1] * len(entities)
        self.free = dict.fromkeys(range(len(entities)))
        self._slots: tuple[int, dict[int, Slot]] | None = None  # with the number of free entities when they were read
        self.files: ContentIds = dict.fromkeys(entity.path for entity in entities) if files is None else files
        self.paths = frozenset(self.files)
        self.mentions = mentions_in(self.entities, tokens)
        self._places: dict[PlaceOf, dict[Hashable, list[int]]] = {}

    def places(self, place_of: PlaceOf) -> dict[Hashable, list[int]]:
        """Return all entities by place, paired or not, each as it is on this side."""
        if place_of not in self._places:
            places: defaultdict[Hashable, list[int]] = defaultdict(list)
            for index, entity in enumerate(self.entities):
                places[place_of(entity, self._scopes[index])].append(index)
            self._places[place_of] = dict(places)
        return self._places[place_of]

    @cached_property
    def members(self) -> dict[int, list[int]]:
        """Members of each container."""
        members: defaultdict[int, list[int]] = defaultdict(list)
        for index, container in enumerate(self.containers):
            if container >= 0:
                members[container].append(index)
        return dict(members)

    @cached_property
    def outermost(self) -> dict[str, list[int]]:
        """Entities that are inside no other, by path."""
        outermost: defaultdict[str, list[int]] = defaultdict(list)
        for index, entity in enumerate(self.entities):
            if self.containers[index] < 0:
                outermost[entity.path].append(index)
        return dict(outermost)

    @cached_property
    def owners(self) -> list[int]:
        """The type each entity belongs to, which Go methods and Rust `impl`s name; else its container."""
        types: dict[tuple[str, str | None], int] = {
            (dirname(entity.path), _chain(entity)): index
            for index, entity in enumerate(self.entities)
            if sort_of(entity) not in (FUNCTION, VALUE, IMPL)
        }
        return [types.get(self._named_owner(index), self.containers[index]) for index in range(len(self.entities))]

    def _named_owner(self, index: int) -> tuple[str, str | None]:
        """Return the folder and the chain of the type that an `impl`, or a method outside its type, names."""
        entity, container = self.entities[index], self.containers[index]
        if entity.kind == IMPL:
            named = next((self.entities[member].parent for member in self.members.get(index, ())), None)
        else:
            named = entity.parent if container < 0 or self.entities[container].kind == IMPL else None
        return dirname(entity.path), named

    @cached_property
    def by_word(self) -> dict[tuple[str, str], list[tuple[int, int]]]:
        """Weights and indexes of entities by sort and word of the name, from light to heavy."""
        named: defaultdict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        for index, entity in enumerate(self.entities):
            for word in parts_of(entity.name):
                named[sort_of(entity), word].append((entity.weight, index))
        return {key: sorted(found) for key, found in named.items()}

    def scope_of(self, index: int) -> Scope:
        return self._scopes[index]

    def beside(self, index: int) -> tuple[int, int]:
        """Return the neighbours before and behind an entity in its scope, -1 for none."""
        scope, at = self._positions[index]
        return scope[at - 1] if at else -1, scope[at + 1] if at + 1 < len(scope) else -1

    def around(self, index: int, n_each_side: int) -> list[int]:
        scope, at = self._positions[index]
        return scope[max(0, at - n_each_side) : at + n_each_side + 1]

    def slot_of(self, index: int) -> Slot:
        """Return the slot of an entity among the paired ones of its scope; slots are read again after new pairs."""
        if self._slots is None or self._slots[0] != len(self.free):
            self._slots = len(self.free), self._read_slots()
        return self._slots[1][index]

    def _read_slots(self) -> dict[int, Slot]:
        slots: dict[int, Slot] = {}
        for scope in {id(scope): scope for scope, _ in self._positions}.values():
            behind = [-1] * len(scope)
            for at in range(len(scope) - 2, -1, -1):
                behind[at] = scope[at + 1] if self.partners[scope[at + 1]] >= 0 else behind[at + 1]
            before = -1
            for at, index in enumerate(scope):
                slots[index] = scope[before] if before >= 0 else -1, behind[at], at - before
                before = at if self.partners[index] >= 0 else before
        return slots

    @cached_property
    def _positions(self) -> list[tuple[list[int], int]]:
        scopes: defaultdict[Scope, list[int]] = defaultdict(list)
        positions = []
        for index in range(len(self.entities)):
            scope = scopes[self.scope_of(index)]
            positions.append((scope, len(scope)))
            scope.append(index)
        return positions

    def is_light(self, index: int) -> bool:
        return self._lights[index]

    def vote_of(self, index: int) -> int:
        """Return the weight of an entity as a vote for its file or container."""
        return LIGHT_VOTE if self._lights[index] else HEAVY_VOTE

    @cached_property
    def votes(self) -> Counter[str]:
        """Votes of all entities of a file, by path."""
        votes: Counter[str] = Counter()
        for index, entity in enumerate(self.entities):
            votes[entity.path] += self.vote_of(index)
        return votes

    def has_lost_owner(self, index: int, other: Side) -> bool:
        """Return True if the type or file of an entity has no counterpart on the other side yet."""
        owner = self.owners[index]
        return owner in self.free if owner >= 0 else self.entities[index].path not in other.paths

    def inside(self, container: int) -> Scope:
        """Return the scope that a container is; none of its own if it is empty."""
        members = self.members.get(container)
        return self.entities[container].path, self.entities[members[0]].parent if members else ""


class PairingState:
    """Two sides, and the pairs between them."""

    def __init__(
        self,
        old: Sequence[MatchCandidate],
        new: Sequence[MatchCandidate],
        tolerance: int,
        known: Mapping[int, int],
        files: tuple[ContentIds, ContentIds] | None,
        tokens: tuple[Tokens, Tokens] | None,
    ) -> None:
        self.tolerance = tolerance
        old_files, new_files = files or (None, None)
        old_tokens, new_tokens = tokens or (_NO_TOKENS, _NO_TOKENS)
        self.old, self.new = Side(old, old_files, old_tokens), Side(new, new_files, new_tokens)
        self.pairs: list[Pair] = []
        self.files: dict[str, str] = {}  # old path to new path, where they differ
        self.taken: frozenset[str] = frozenset()  # paths of files that others seem to have taken
        self.chains: dict[tuple[str, str], str] = {}  # folder and old chain to the new chain of a renamed type
        self.exchanged: frozenset[int] = frozenset()  # old entities that seem to have changed places
        self.candidates: defaultdict[int, dict[int, None]] = defaultdict(dict)
        self.moves: dict[str, list[tuple[int, int]]] = {}  # by file, (old line, lines moved)
        self.n_followed = -1  # number of pairs when dependents were last looked for
        self.n_moves = 0  # number of pairs that `moves` was read from
        self.has_texts = tokens is not None  # without them, nothing is compared
        self.likeness, self.contained = text_likeness(self.old.entities, self.new.entities, old_tokens, new_tokens)
        self._add_known(known)

    def _add_known(self, known: Mapping[int, int]) -> None:
        for before, after in known.items():
            old, new = self.old.ranks[before], self.new.ranks[after]
            if old in self.old.free and new in self.new.free:
                self.add(old, new, Evidence.SAME_IDENTITY)

    @cached_property
    def texts(self) -> Texts:
        old, new = self.old, self.new
        return Texts(
            {index: old.tokens(old.entities[index]) for index in old.free},
            {index: new.tokens(new.entities[index]) for index in new.free},
        )

    @cached_property
    def names(self) -> frozenset[bytes]:
        """Names of all entities, as tokens."""
        return frozenset(token_of(entity.name) for side in (self.old, self.new) for entity in side.entities)

    @property
    def is_settled(self) -> bool:
        return not self.old.free or not self.new.free

    def add(self, old: int, new: int, evidence: Evidence, score: float | None = None) -> None:
        del self.old.free[old]
        del self.new.free[new]
        self.old.partners[old], self.new.partners[new] = new, old
        self.pairs.append(Pair(old, new, evidence, score))
        self._note_rename(self.old.entities[old], self.new.entities[new])

    def _note_rename(self, old: MatchCandidate, new: MatchCandidate) -> None:
        """Note a renamed type: methods outside of it, as in Go, refer to it by its name only."""
        if old.name != new.name and sort_of(old) == TYPE:
            self.chains[dirname(old.path), _chain(old)] = _chain(new)

    def note_tie(self, old: Iterable[int], new: Iterable[int]) -> None:
        candidates = dict.fromkeys(list(old)[:_MOST_CANDIDATES])
        for index in new:
            self.candidates[index] |= candidates

    def vote_of(self, pair: Pair) -> int:
        """Return the weight of a pair as a vote for its files or containers: that of the heavier entity."""
        return max(self.old.vote_of(pair.old), self.new.vote_of(pair.new))

    def target_of(self, index: int) -> Scope:
        """Return the scope that an old entity would be in now, had it stayed in its place."""
        container = self.old.containers[index]
        if container >= 0 and self.old.partners[container] >= 0:
            return self.new.inside(self._home_of(container, self.old.partners[container]))
        entity = self.old.entities[index]
        parent = entity.parent
        if self.chains and container < 0 and parent is not None:
            parent = self.chains.get((dirname(entity.path), parent), parent)
        path = self.files.get(entity.path, _NOWHERE if entity.path in self.taken else entity.path)
        return path, parent

    def n_neighbours(self, old: int, new: int) -> int:
        """Count the neighbours of the old entity that are paired with the neighbours of the new one."""
        beside = zip(self.old.beside(old), self.new.beside(new), strict=True)
        return sum(before >= 0 and after >= 0 and self.old.partners[before] == after for before, after in beside)

    def _home_of(self, container: int, partner: int) -> int:
        """Return the container of members now: around a function that became a constructor, its class."""
        is_new = self.new.entities[partner].kind == "constructor" != self.old.entities[container].kind
        return self.new.containers[partner] if is_new and self.new.containers[partner] >= 0 else partner

    def is_credible(self, old: int, new: int) -> bool:
        """Return False for a light body without a name or a context that agrees: every other type has its getters."""
        before, after = self.old.entities[old], self.new.entities[new]
        if before.name == after.name or min(before.weight, after.weight) >= HEAVY:
            return True
        owner, new_owner = self.old.owners[old], self.new.owners[new]
        if owner < 0 or new_owner < 0 or self.old.partners[owner] == new_owner:
            return True
        are_free = self.old.partners[owner] < 0 and self.new.partners[new_owner] < 0
        return are_free and before.kind != IMPL  # An `impl` goes with its type.

    def groups(self, old_key: Key, new_key: Key) -> Iterator[Group]:
        """Yield free old and new entities that share a key; None is no key."""
        return group_by(self.old.free, self.new.free, old_key, new_key)

    def pairing(self, renames: dict[str, str]) -> Pairing:
        """Return the result in the callers' indexes."""
        old, new = self.old.origins, self.new.origins
        pairs = [Pair(old[pair.old], new[pair.new], pair.evidence, pair.score) for pair in self.pairs]
        ambiguous = sorted((new[index], candidates) for index, candidates in self._open_ties(old))
        return Pairing(
            tuple(sorted(pairs, key=lambda pair: pair.new)),
            tuple(sorted(old[index] for index in self.old.free)),
            tuple(sorted(new[index] for index in self.new.free)),
            dict(ambiguous),
            renames,
        )

    def _open_ties(self, origins: list[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        for index, candidates in self.candidates.items():
            left = tuple(sorted(origins[before] for before in candidates if before in self.old.free))
            if left and index in self.new.free:
                yield index, left


def is_light(kind: str, weight: int) -> bool:
    """Return True if a body of this many bytes of tokens is little proof."""
    return weight < LIGHT.get(SORTS.get(kind, kind), _LIGHT_OTHERWISE)


def group_by(old: Iterable[int], new: Iterable[int], old_key: Key, new_key: Key) -> Iterator[Group]:
    groups: dict[Hashable, Group] = {}
    for index in old:
        key = old_key(index)
        if key is not None:
            groups.setdefault(key, ([], []))[0].append(index)
    for index in new:
        group = groups.get(new_key(index))
        if group is not None:
            group[1].append(index)
    return iter([group for group in groups.values() if group[1]])


def _chain(entity: MatchCandidate) -> str:
    return f"{entity.parent}.{entity.name}" if entity.parent else entity.name
