"""Mentions of names: what stands beside them, in a file and in all changed code.

An old name that is no longer mentioned, and a new one that is mentioned at the same places, are names of one entity.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property

from birthmark.matching.pairing_state import PairingState, Side
from birthmark.matching.similarity import token_of

FEWEST = 2  # mentions, the declaration among them
_STAYS = 0.5  # a name that keeps more of its mentions has not gone
_MOST_TOKENS = 400_000  # of a side that are read for contexts
_REPLACED = b""

Uses = dict[bytes, list[tuple[bytes, bytes]]]  # of a word, those before and behind it
Context = tuple[bytes, bytes, bytes, bytes]  # the two words before, and the two behind


def read_contexts(state: PairingState, side: Side, path: str) -> Uses:
    """Return the words before and behind each name of an entity in a file's definitions."""
    uses: Uses = defaultdict(list)
    names = state.names
    for index in side.outermost.get(path, ()):
        words = (b"", *side.tokens(side.entities[index]), b"")
        for at, word in enumerate(words[1:-1], 1):
            if word in names:
                uses[word].append((words[at - 1], words[at + 1]))
    return uses


def is_still_used(uses: tuple[Uses, Uses], names: tuple[bytes, bytes]) -> bool:
    """Return True if the old name is still used, or the new one was before."""
    old, new = len(uses[0].get(names[0], ())), len(uses[1].get(names[1], ()))
    stays = len(uses[1].get(names[0], ())) > _STAYS * old
    return stays or len(uses[0].get(names[1], ())) > _STAYS * new


def share_of_uses(before: Uses, after: Uses, old_name: bytes, new_name: bytes) -> float:
    """Return the share of common words beside the old name and now beside the new one."""
    old, new = before.get(old_name, ()), after.get(new_name, ())
    if min(len(old), len(new)) < FEWEST:
        return 0.0
    return 2 * (Counter(old) & Counter(new)).total() / (len(old) + len(new))


class Contexts:
    """The words around the names of leftovers in all changed code; names of one side are one word there."""

    def __init__(self, state: PairingState) -> None:
        self.state = state
        self.gone, self.came = names_of_one_side(state.old, state.new), names_of_one_side(state.new, state.old)

    @cached_property
    def old(self) -> dict[bytes, Counter[Context]]:
        return _read(self.state.old, self.state.new, self.gone)

    @cached_property
    def new(self) -> dict[bytes, Counter[Context]]:
        return _read(self.state.new, self.state.old, self.came)

    def share(self, old_name: bytes, new_name: bytes) -> float:
        """Return the share of the places of the old name at which the new one is now, of the places of both."""
        before, after = self.old.get(old_name), self.new.get(new_name)
        if not before or not after:
            return 0.0
        return 2 * (before & after).total() / (before.total() + after.total())


def names_of_one_side(side: Side, other: Side) -> frozenset[bytes]:
    """Return names, as tokens, that no entity of the other side has."""
    kept = {entity.name for entity in other.entities}
    return frozenset(token_of(entity.name) for entity in side.entities if entity.name not in kept)


def _read(side: Side, other: Side, replaced: frozenset[bytes]) -> dict[bytes, Counter[Context]]:
    wanted = {token_of(side.entities[index].name) for index in side.free}
    found: dict[bytes, Counter[Context]] = {}
    for tokens in _changed_code(side, other):
        if wanted.isdisjoint(tokens):
            continue
        words = [b"", b"", *(_REPLACED if token in replaced else token for token in tokens), b"", b""]
        for at, token in enumerate(tokens, 2):
            if token in wanted:
                context = words[at - 2], words[at - 1], words[at + 1], words[at + 2]
                found.setdefault(token, Counter())[context] += 1
    for index in side.free:
        declared = _declaration(side, index, replaced)
        contexts = found.get(token_of(side.entities[index].name), Counter())
        own = next((one for one in contexts if contexts[one] and declared == one[4 - len(declared) :]), None)
        if own is not None:  # Where it is declared says nothing about its users.
            contexts[own] -= 1
    return {name: +contexts for name, contexts in found.items()}


def _declaration(side: Side, index: int, replaced: frozenset[bytes]) -> tuple[bytes, ...]:
    """Return the end of the context in which an entity is declared, as far as the entity has it."""
    entity = side.entities[index]
    name, tokens = token_of(entity.name), side.tokens(entity)
    at = tokens.index(name) if name in tokens else len(tokens)
    around = [*tokens[max(0, at - 2) : at], *tokens[at + 1 : at + 3]]
    return tuple(_REPLACED if token in replaced else token for token in around)


def _changed_code(side: Side, other: Side) -> Iterator[tuple[bytes, ...]]:
    """Yield the tokens of outermost entities that were changed, up to a limit."""
    n_tokens = 0
    for indexes in side.outermost.values():
        for index in indexes:
            partner = side.partners[index]
            if partner >= 0 and other.entities[partner].content == side.entities[index].content:
                continue
            tokens = tuple(side.tokens(side.entities[index]))
            n_tokens += len(tokens)
            if n_tokens > _MOST_TOKENS:
                return
            yield tokens
