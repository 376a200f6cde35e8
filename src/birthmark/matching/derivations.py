"""Find code of old entities in new ones that are not their successors.

Takes the candidates of both sides, their Pairing and their own tokens (for a container, those between its members);
gives Derivations. The gained code of a new entity is looked up among the code of old ones by winnowed shingles, so that
the cost grows with the changed code and not with its square. Flows between members add up to flows between their
containers: a superclass that was extracted, a class that was split or merged.

Entities of one name that moved into one, or one into several, were pulled up or pushed down. The same heavy body is
proof. Light entities, and those edited as they moved, need others of their container that went the same way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from posixpath import dirname, splitext
from typing import Generic, NamedTuple, TypeVar

from birthmark.matching.code_flows import CodeFlow, CodeSide, CodeSides, find_called, find_shared
from birthmark.matching.model import TYPE, MatchCandidate, Pairing, parameters_of, sort_of
from birthmark.matching.pairing_state import is_light
from birthmark.matching.similarity import Tokens
from birthmark.vocabulary import Confidence, DerivationEvidence, DerivationKind

_LEAST_SHARE = 0.4  # of the derivative, or else of the source
_LEAST_COPIED, _SURE_COPY = 0.6, 0.8  # of the derivative
_WHOLE, _PART = 0.7, 0.3  # of the source
SURE_TOKENS = 24  # of a body that is hardly written twice
_SURE_SHARE = 0.6
_LIKELY_TOKENS = 14
End = TypeVar("End")  # whatever an entity is known by
_FEWEST_MEMBERS = 2
_FEWEST_TOKENS = 40  # of one member alone
_SIBLINGS = 2  # of one name that go the same way, itself among them: enough for the same body
_MANY_SIBLINGS = 3  # enough for a body that differs, if some of them have the same
_PORTED_SHARE = 0.5  # of the tokens of the shorter one that a port must have
_LARGEST_GROUP = 64  # of one name, on both sides
Way = tuple[Hashable, Hashable]  # from a container or file to another
Group = tuple[list[int], list[int]]


class Derivation(NamedTuple, Generic[End]):
    """Code of an old entity, the source, that is in a new one, the derivative, which is not its successor."""

    source: End
    derivative: End
    kind: DerivationKind
    share: float  # of the derivative's tokens that come from the source
    source_share: float  # of the source's tokens that are in the derivative
    evidence: DerivationEvidence
    confidence: Confidence


class Facts(NamedTuple):
    """The facts that decide the kind of a derivation."""

    goes_on: bool  # the source has a successor
    is_lost: bool  # which lacks the code
    is_renamed: bool  # and has another name
    is_born: bool  # the derivative
    has_call: bool
    has_moved: bool  # to another container, under its name, and is not, or is empty, where it was
    is_whole: bool  # most of the source is in the derivative
    is_part: bool  # a good part of it is, and is not called there
    one_of_sources: bool  # the derivative has others
    one_of_derivatives: bool  # the source has others


# The first row that holds decides.
KINDS: tuple[tuple[Callable[[Facts], bool], DerivationKind], ...] = (
    (lambda facts: facts.has_moved, DerivationKind.MOVED),
    (lambda facts: facts.goes_on and not facts.is_lost, DerivationKind.COPIED),
    (lambda facts: facts.goes_on and facts.is_renamed and facts.is_part, DerivationKind.SPLIT),
    (lambda facts: facts.goes_on, DerivationKind.EXTRACTED),
    (lambda facts: facts.has_call, DerivationKind.INLINED),
    (lambda facts: facts.one_of_derivatives, DerivationKind.SPLIT),
    (lambda facts: facts.one_of_sources or not facts.is_born, DerivationKind.MERGED),
    (lambda facts: facts.is_whole, DerivationKind.MOVED),
    (lambda facts: True, DerivationKind.SPLIT),
)


def find_derivations(
    old: Sequence[MatchCandidate],
    new: Sequence[MatchCandidate],
    pairing: Pairing,
    old_tokens: Tokens,
    new_tokens: Tokens,
) -> tuple[Derivation[int], ...]:
    """Return derivations by index, in the order of derivatives and of their sources."""
    sides = CodeSides(old, new, pairing, old_tokens, new_tokens)
    flows = _strongest((*_find_whole_moves(sides), *find_shared(sides), *find_called(sides)))
    flows = _strongest((*_find_container_flows(sides, flows), *flows))
    derived = [one for one in _measured(sides, flows) if _is_enough(one)]
    n_sources = Counter(flow.new for flow, *_ in derived)
    n_derivatives = Counter(flow.old for flow, *_ in derived)
    found = [
        _derivation(one, _facts(sides, one, n_sources[one[0].new] > 1, n_derivatives[one[0].old] > 1))
        for one in derived
    ]
    return tuple(sorted(found, key=lambda one: (one.derivative, one.source)))


Measured = tuple[CodeFlow, float, float]  # with the shares of the derivative's and of the source's tokens


def _measured(sides: CodeSides, flows: list[CodeFlow]) -> Iterator[Measured]:
    if not flows:
        return
    old_sizes = _container_sizes(sides.old, {flow.old for flow in flows})
    new_sizes = _container_sizes(sides.new, {flow.new for flow in flows})
    for flow in flows:
        yield flow, _share(flow.n_new, new_sizes[flow.new]), _share(flow.n_old, old_sizes[flow.old])


def _is_enough(derived: Measured) -> bool:
    """Return True if enough is shared; a copy needs more than lost code, since new code may be alike by habit."""
    flow, share, source_share = derived
    if flow.is_lost:
        return max(share, source_share) >= _LEAST_SHARE
    return share >= _LEAST_COPIED and flow.proof >= _LIKELY_TOKENS


def _facts(sides: CodeSides, derived: Measured, one_of_sources: bool, one_of_derivatives: bool) -> Facts:
    flow, _, source_share = derived
    is_whole = source_share >= _WHOLE
    return Facts(
        flow.old in sides.old.partners,
        flow.is_lost,
        sides.is_renamed(flow.old),
        flow.new not in sides.new.partners,
        flow.has_call,
        flow.is_whole or (is_whole and _is_namesake(sides, flow) and (flow.is_lost or sides.has_moved(flow.old))),
        is_whole,
        source_share >= _PART and not flow.has_call,
        one_of_sources,
        one_of_derivatives,
    )


def _is_namesake(sides: CodeSides, flow: CodeFlow) -> bool:
    """Return True if both have one name, in containers or files that are not one thing."""
    before, after = sides.old.entities[flow.old], sides.new.entities[flow.new]
    return (before.name, sort_of(before)) == (after.name, sort_of(after)) and not sides.are_beside(flow.old, flow.new)


def _derivation(derived: Measured, facts: Facts) -> Derivation[int]:
    flow, share, source_share = derived
    kind = next(kind for holds, kind in KINDS if holds(facts))
    return Derivation(flow.old, flow.new, kind, share, source_share, _evidence(flow), _confidence(derived))


def _strongest(flows: Iterable[CodeFlow]) -> list[CodeFlow]:
    """Return the first flow of each source and derivative, which has the surest evidence."""
    strongest: dict[tuple[int, int], CodeFlow] = {}
    for flow in flows:
        strongest.setdefault((flow.old, flow.new), flow)
    return list(strongest.values())


def _share(part: int, whole: int) -> float:
    return round(min(1.0, part / whole), 3) if whole else 1.0


def _evidence(flow: CodeFlow) -> DerivationEvidence:
    if flow.is_whole and flow.proof:
        return DerivationEvidence.SAME_BODY
    return DerivationEvidence.SHARED_CODE_AND_CALL if flow.has_call else DerivationEvidence.SHARED_CODE


def _confidence(derived: Measured) -> Confidence:
    flow, share, source_share = derived
    if not flow.is_lost:
        is_sure = share >= _SURE_COPY
        return (Confidence.HIGH if is_sure else Confidence.MEDIUM) if flow.proof >= SURE_TOKENS else Confidence.LOW
    if (flow.is_whole and flow.proof) or (flow.proof >= SURE_TOKENS and share >= _SURE_SHARE):
        return Confidence.HIGH
    is_alike = flow.is_whole and min(share, source_share) >= _WHOLE
    return Confidence.MEDIUM if flow.has_call or is_alike or flow.proof >= _LIKELY_TOKENS else Confidence.LOW


def _find_container_flows(sides: CodeSides, flows: Iterable[CodeFlow]) -> Iterator[CodeFlow]:
    arrived: defaultdict[tuple[int, int], list[CodeFlow]] = defaultdict(list)
    for flow in (*_moved_members(sides), *flows):
        if _may_derive(sides, flow.old, flow.new):
            arrived[sides.old.container(flow.old), sides.new.container(flow.new)].append(flow)
    for (old, new), members in arrived.items():
        n_old = _total((member.old, member.n_old) for member in members)
        n_new = _total((member.new, member.n_new) for member in members)
        n_lost = _total((member.new, member.n_new) for member in members if member.is_lost)
        if len({member.new for member in members}) >= _FEWEST_MEMBERS or n_new >= _FEWEST_TOKENS:
            yield CodeFlow(old, new, n_old, n_new, n_new, 2 * n_lost >= n_new, False)


def _moved_members(sides: CodeSides) -> Iterator[CodeFlow]:
    for old, new in sides.old.partners.items():
        if sides.has_moved(old) and _may_derive(sides, old, new):
            n_old, n_new = len(sides.old.tokens(old)), len(sides.new.tokens(new))
            yield CodeFlow(old, new, n_old, n_new, n_new, True, False)


def _may_derive(sides: CodeSides, old_member: int, new_member: int) -> bool:
    """Return True if both are members of different types of which the new one is born or the old one gone."""
    old, new = sides.old.container(old_member), sides.new.container(new_member)
    if old < 0 or new < 0 or sides.old.partners.get(old) == new:
        return False
    before, after = sides.old.entities[old], sides.new.entities[new]
    is_open = old not in sides.old.partners or new not in sides.new.partners
    return is_open and before.family == after.family and sort_of(before) == sort_of(after) == TYPE


def _total(parts: Iterable[tuple[int, int]]) -> int:
    """Return the number of tokens, each member counted once."""
    most: Counter[int] = Counter()
    for member, n_tokens in parts:
        most[member] = max(most[member], n_tokens)
    return most.total()


def _container_sizes(side: CodeSide, wanted: Container[int]) -> Counter[int]:
    """Count the tokens of wanted entities with everything in them."""
    sizes: Counter[int] = Counter()
    for index in range(len(side.entities)):
        around = [at for at in _with_containers(side, index) if at in wanted]
        number = len(side.tokens(index)) if around else 0
        for at in around:
            sizes[at] += number
    return sizes


def _with_containers(side: CodeSide, index: int) -> Iterator[int]:
    while index >= 0:
        yield index
        index = side.container(index)


def _find_whole_moves(sides: CodeSides) -> Iterator[CodeFlow]:
    groups = [group for group in _groups(sides) if len(group[0]) + len(group[1]) <= _LARGEST_GROUP]
    ways, sure_ways = _ways(sides, groups, False), _ways(sides, groups, True)
    chosen = {link: None for group in groups for link in _choose(sides, *group, ways)}
    for old, new in chosen:
        way, n_old, n_new = _way(sides, old, new), len(sides.old.tokens(old)), len(sides.new.tokens(new))
        shared = (sides.old.bag(old) & sides.new.bag(new)).total()
        if _is_same(sides, old, new):
            if not _is_light(sides, old, new) or ways[way] >= _SIBLINGS:
                yield CodeFlow(old, new, n_old, n_new, n_new, True, False, True)
        elif shared and ways[way] >= _MANY_SIBLINGS and (sure_ways[way] or _is_ported(sides, old, new, shared)):
            yield CodeFlow(old, new, shared, shared, 0, True, False, True)


def _is_ported(sides: CodeSides, old: int, new: int, shared: int) -> bool:
    """Return True if most words of the shorter one are in the other, in another language."""
    extensions = [splitext(side.entities[index].path)[1] for side, index in ((sides.old, old), (sides.new, new))]
    n_tokens = min(len(sides.old.tokens(old)), len(sides.new.tokens(new)))
    return extensions[0] != extensions[1] and shared >= _PORTED_SHARE * n_tokens


def _groups(sides: CodeSides) -> list[Group]:
    """Return old and new entities of one name that are not where they were."""
    groups: defaultdict[Hashable, Group] = defaultdict(lambda: ([], []))
    for index, entity in enumerate(sides.old.entities):
        if sides.has_moved(index):
            groups[_key(entity)][0].append(index)
    for index, entity in enumerate(sides.new.entities):
        before = sides.new.partners.get(index)
        if before is None or sides.has_moved(before):
            groups[_key(entity)][1].append(index)
    return [(old, new) for old, new in groups.values() if old and new]


def _key(entity: MatchCandidate) -> Hashable:
    return entity.family, sort_of(entity), entity.name


def _choose(sides: CodeSides, old: list[int], new: list[int], ways: Counter[Way]) -> Iterator[tuple[int, int]]:
    """Yield the likeliest counterpart, which may have a partner, for each entity without a partner."""
    for index in old:
        if index not in sides.old.partners:
            yield index, min(new, key=lambda other: _preference(sides, index, other, ways))
    for index in new:
        if index not in sides.new.partners:
            yield min(old, key=lambda other: _preference(sides, other, index, ways)), index


def _preference(sides: CodeSides, old: int, new: int, ways: Counter[Way]) -> tuple[object, ...]:
    before, after = sides.old.entities[old], sides.new.entities[new]
    return (
        not _is_same(sides, old, new),
        -ways[_way(sides, old, new)],
        parameters_of(before) != parameters_of(after),
        before.path != after.path,
        dirname(before.path) != dirname(after.path),
        before.content != after.content,
        sides.old.order(old),
        sides.new.order(new),
    )


def _ways(sides: CodeSides, groups: list[Group], is_sure: bool) -> Counter[Way]:
    """Count the names that may have gone from one place to another; with `is_sure`, with the same body."""
    ways: Counter[Way] = Counter()
    for olds, news in groups:
        ways.update({_way(sides, old, new) for old in olds for new in news if not is_sure or _is_same(sides, old, new)})
    return ways


def _way(sides: CodeSides, old: int, new: int) -> Way:
    return _place(sides.old, old), _place(sides.new, new)


def _place(side: CodeSide, index: int) -> Hashable:
    container = side.container(index)
    return container if container >= 0 else side.entities[index].path


def _is_same(sides: CodeSides, old: int, new: int) -> bool:
    before, after = sides.old.entities[old], sides.new.entities[new]
    if before.body is None and after.body is None:
        return before.interface == after.interface
    return before.body == after.body


def _is_light(sides: CodeSides, old: int, new: int) -> bool:
    before, after = sides.old.entities[old], sides.new.entities[new]
    return is_light(before.kind, before.weight) or is_light(after.kind, after.weight)
