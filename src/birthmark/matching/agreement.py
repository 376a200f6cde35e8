"""The evidence that an old and a new entity are one, in numbers between 0 and 1.

Takes the state of a pairing; gives an Agreement for a pair. `weights.py` says how much each part counts. Names that
only one side has are replaced by one token before texts are compared, so that a renaming elsewhere changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from birthmark.matching.model import TYPE, MatchCandidate, parameters_of, sort_of, type_of
from birthmark.matching.pairing_state import PairingState, Scope, Side
from birthmark.matching.passes.dependents import count_votes, share_of_members
from birthmark.matching.rewritings import Rewriting, rewriting_of
from birthmark.matching.similarity import Bag, Texts, character_likeness, likeness, token_of
from birthmark.matching.uses import Contexts, is_still_used, read_contexts, share_of_uses

_REPLACED = b""  # in place of names that the other side does not have
_FEW = 4  # leftovers of one name, by which scopes are known to have something in common


class Agreement(NamedTuple):
    """The evidence that two entities are one."""

    name: float  # 1 if they have one name
    words: float  # else the share of common words of their names
    characters: float  # and that of common pairs of characters
    rewriting: float  # and how many other pairs had their names rewritten alike: a prefix dropped, a word replaced
    renamed: float  # and how many other pairs had exactly these names, as a method and those that override it
    contradicted: float  # 1 if others of one of the names have another partner
    tokens: float  # the share of common tokens without their names, rare ones weighing more
    contained: float  # the share of the smaller one that is in the larger
    order: float  # the share of common pairs of adjacent tokens
    body: float  # 1 if they have the same body
    size: float  # the size of the smaller one beside the larger
    kind: float  # 1 if they are of one kind
    scope: float  # 1 if the new one is where the old one would be had it stayed
    file: float  # else 1 if it is in that file
    path: float  # else the share of common folders of their files
    flow: float  # how many pairs went from that scope to this one
    company: float  # and how many other leftovers of one name are in both scopes
    kin: float  # 1 if the head of one's container, as it is on the other side, names the other's
    owners: float  # the likeness of the names of their containers, if neither has a counterpart
    members: float  # for types, the share of their members that are paired with one another
    neighbours: float  # if it is there, the share of neighbours that are beside it again
    slot: float  # 1 if they are between the same paired entities at the same place, else 0.5
    parameters: float  # the share of common parameters
    result: float  # 1 if they have the same result type, other than none
    uses: float  # the share of common words beside their mentions in their files, if their names differ
    places: float  # the share of the places in all changed code that mentioned one and now mention the other
    stays: float  # 1 if the old name is still in use, or the new one was before
    unique: float  # 1 if no other leftover has one of the names
    light: float  # 1 if one of them is light


AGAINST = frozenset({"contradicted", "stays", "light"})  # parts that speak against a pair


class Agreements:
    """The agreements of leftovers."""

    def __init__(self, state: PairingState) -> None:
        self.state = state
        # None of these refers to the agreements themselves: without a cycle, all is freed with them.
        self.contexts = Contexts(state)
        self.old_uses = cache(partial(read_contexts, state, state.old))
        self.new_uses = cache(partial(read_contexts, state, state.new))
        gone, came = self.contexts.gone, self.contexts.came
        texts = state.texts
        self.old_text = cache(lambda index: _read_text(texts, state.old, index, texts.old_bags[index], gone))
        self.new_text = cache(lambda index: _read_text(texts, state.new, index, texts.new_bags[index], came))
        self.weighed = cache(lambda side, index: _weigh(texts, side, index))
        self.n_old, self.n_new = (Counter(one.path for one in side.entities) for side in (state.old, state.new))
        self.old_heads = cache(lambda index: _read_head(state.old, index))
        self.new_heads = cache(lambda index: _read_head(state.new, index))
        self.refresh()

    def refresh(self) -> None:
        """Take in what was paired since."""
        state = self.state
        self.flows, self.company, self.votes = _flows(state), _company(state), count_votes(state)
        self.old_names, self.new_names = _count_names(state.old), _count_names(state.new)
        self.renames = Counter(
            (
                sort_of(state.old.entities[pair.old]),
                state.old.entities[pair.old].name,
                state.new.entities[pair.new].name,
            )
            for pair in state.pairs
        )
        self.went: Counter[tuple[int, str, str]] = Counter()
        for (sort, old, new), count in self.renames.items():
            self.went[0, sort, old] += count
            self.went[1, sort, new] += count
        self.rewritings: Counter[Rewriting] = Counter()
        for (_, old, new), count in self.renames.items():
            if old != new:
                self.rewritings[rewriting_of(old, new)] += count

    def between(self, old: int, new: int) -> Agreement:
        state = self.state
        before, after = state.old.entities[old], state.new.entities[new]
        target, scope = state.target_of(old), state.new.scope_of(new)
        is_named, is_there = before.name == after.name, target == scope
        tokens, contained, order, size = self._texts(old, new)
        uses, places, stays = (0.0, 0.0, 0.0) if is_named else self._uses(before, after)
        rewriting, renamed, contradicted = self._names(before, after)
        return Agreement(
            name=float(is_named),
            words=0.0 if is_named else likeness(before.name, after.name),
            characters=0.0 if is_named else character_likeness(before.name, after.name),
            rewriting=rewriting,
            renamed=renamed,
            contradicted=contradicted,
            tokens=tokens,
            contained=contained,
            order=order,
            body=float(before.body is not None and before.body == after.body),
            size=size,
            kind=float(before.kind == after.kind),
            scope=float(is_there),
            file=float(not is_there and target[0] == scope[0]),
            path=0.0 if target[0] == scope[0] else _share_of_folders(before.path, after.path),
            flow=0.0 if is_there else _saturate(self.flows[state.old.scope_of(old), scope], 4),
            company=0.0 if is_there else self._company(old, scope, is_named),
            kin=float(not is_there and self._are_kin(old, new)),
            owners=self._owners(old, new),
            members=share_of_members(state, old, new, self.votes[old, new]),
            neighbours=state.n_neighbours(old, new) / 2 if is_there else 0.0,
            slot=self._slot(old, new) if is_there else 0.0,
            parameters=_share_of_parameters(before, after),
            result=float(type_of(before) not in ("", "void") and type_of(before) == type_of(after)),
            uses=uses,
            places=places,
            stays=stays,
            unique=float(self._is_unique(before, after)),
            light=float(state.old.is_light(old) or state.new.is_light(new)),
        )

    def _texts(self, old: int, new: int) -> tuple[float, float, float, float]:
        """Return the shares of common tokens of both and of the smaller one, that of their order, and the sizes."""
        before, after = self.old_text(old), self.new_text(new)
        if not before.total or not after.total:
            return 0.0, 0.0, 0.0, 0.0
        less, more = (before, after) if len(before.bag) <= len(after.bag) else (after, before)
        n_common, common, weights = 0, 0.0, self.state.texts.weights
        for token, count in less.bag.items():
            if token in more.bag:
                least = min(count, more.bag[token])
                n_common += least
                common += weights.get(token, 1.0) * least
        n_adjacent = sum([min(count, after.adjacent[pair]) for pair, count in before.adjacent.items()])
        totals = before.total, after.total
        share = 2 * common / (before.weight + after.weight)
        return share, n_common / min(totals), 2 * n_adjacent / sum(totals), min(totals) / max(totals)

    def _names(self, old: MatchCandidate, new: MatchCandidate) -> tuple[float, float, float]:
        """Return how the names were rewritten, renamed, or went elsewhere, in other pairs."""
        sort = sort_of(old)
        n_same = self.renames[sort, old.name, new.name]
        n_other = self.went[0, sort, old.name] + self.went[1, sort, new.name] - 2 * n_same
        if old.name == new.name:
            return 0.0, 0.0, _saturate(n_other, 1)
        n_alike = self.rewritings[rewriting_of(old.name, new.name)]
        return _saturate(n_alike, 1), _saturate(n_same, 1), _saturate(n_other, 1)

    def _company(self, old: int, scope: Scope, is_named: bool) -> float:
        return _saturate(max(0, self.company[self.state.old.scope_of(old), scope] - is_named), 1)

    def _are_kin(self, old: int, new: int) -> bool:
        """Return True if the container of one, as it is on the other side, names the container of the other."""
        before, after = self.state.old, self.state.new
        owner, new_owner = before.containers[old], after.containers[new]
        if owner < 0 or new_owner < 0:
            return False
        successor, predecessor = before.partners[owner], after.partners[new_owner]
        names = token_of(before.entities[owner].name), token_of(after.entities[new_owner].name)
        return (successor >= 0 and names[1] in self.new_heads(successor)) or (
            predecessor >= 0 and names[0] in self.old_heads(predecessor)
        )

    def _owners(self, old: int, new: int) -> float:
        before, after = self.state.old, self.state.new
        owner, new_owner = before.owners[old], after.owners[new]
        if owner in before.free and new_owner in after.free:
            return character_likeness(before.entities[owner].name, after.entities[new_owner].name)
        return 0.0

    def _slot(self, old: int, new: int) -> float:
        *anchors, place = self.state.old.slot_of(old)
        *new_anchors, new_place = self.state.new.slot_of(new)
        partners = [self.state.old.partners[anchor] if anchor >= 0 else -1 for anchor in anchors]
        if partners != new_anchors:
            return 0.0
        return 1.0 if place == new_place else 0.5

    def _uses(self, old: MatchCandidate, new: MatchCandidate) -> tuple[float, float, float]:
        names = token_of(old.name), token_of(new.name)
        uses = self.old_uses(old.path), self.new_uses(new.path)
        beside = 0.0 if sort_of(old) == TYPE else share_of_uses(*uses, *names)
        return beside, self.contexts.share(*names), float(is_still_used(uses, names))

    def _is_unique(self, old: MatchCandidate, new: MatchCandidate) -> bool:
        sort = sort_of(old)
        return self.old_names[sort, old.name] == 1 and self.new_names[sort, new.name] == 1


class _Text(NamedTuple):
    """Tokens without the name, with all replaced names as one."""

    bag: Bag
    total: int
    weight: float
    adjacent: Counter[tuple[bytes, bytes]]


def _weigh(texts: Texts, side: Side, index: int) -> tuple[Bag, float]:
    bag = Counter(side.tokens(side.entities[index]))
    return bag, texts.weigh(bag)


def _read_text(texts: Texts, side: Side, index: int, bag: Bag, replaced: frozenset[bytes]) -> _Text:
    entity = side.entities[index]
    name = token_of(entity.name)
    tokens = [_REPLACED if token in replaced else token for token in side.tokens(entity) if token != name]
    others = Counter(tokens)
    return _Text(others, len(tokens), texts.weigh(others), Counter(pairwise((b"", *tokens))))


def _saturate(count: float, half: float) -> float:
    """Return a number from 0 to 1 that is 0.5 at `half`."""
    return count / (count + half) if count > 0 else 0.0


@cache
def _share_of_folders(old: str, new: str) -> float:
    before, after = Counter(old.split("/")), Counter(new.split("/"))
    return 2 * (before & after).total() / (before.total() + after.total())


def _share_of_parameters(old: MatchCandidate, new: MatchCandidate) -> float:
    before, after = Counter(parameters_of(old).split(",")), Counter(parameters_of(new).split(","))
    if not before.keys() - {"", "()"} or not after.keys() - {"", "()"}:
        return 0.0
    return 2 * (before & after).total() / (before.total() + after.total())


def _flows(state: PairingState) -> Counter[tuple[Scope, Scope]]:
    flows: Counter[tuple[Scope, Scope]] = Counter()
    for pair in state.pairs:
        scopes = state.old.scope_of(pair.old), state.new.scope_of(pair.new)
        if scopes[0] != scopes[1]:
            flows[scopes] += state.vote_of(pair)
    return flows


def _company(state: PairingState) -> Counter[tuple[Scope, Scope]]:
    """Count the leftovers of one name in an old and a new scope; frequent names do not count."""
    company: Counter[tuple[Scope, Scope]] = Counter()
    for old, new in state.groups(partial(_name_key, state.old), partial(_name_key, state.new)):
        if max(len(old), len(new)) <= _FEW:
            company.update((state.old.scope_of(one), state.new.scope_of(other)) for one in old for other in new)
    return company


def _name_key(side: Side, index: int) -> Hashable:
    entity = side.entities[index]
    return None if entity.kind == "constructor" else (entity.family, sort_of(entity), entity.name)


def _count_names(side: Side) -> Counter[tuple[str, str]]:
    return Counter((sort_of(side.entities[index]), side.entities[index].name) for index in side.free)


def _read_head(side: Side, container: int) -> frozenset[bytes]:
    """Return the tokens before the first member: the name, and the base types."""
    entity, members = side.entities[container], side.members.get(container, ())
    end = min((side.entities[member].start_byte for member in members), default=entity.end_byte)
    return frozenset(side.tokens(replace(entity, end_byte=end)))
