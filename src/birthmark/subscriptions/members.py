"""The members of a container, with those it inherits, and how they differ from what was accepted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from birthmark.comparison.state_comparison import EntityInState, StateComparison
from birthmark.subscriptions.accepted_fingerprints import differing, is_private, prints_of
from birthmark.subscriptions.model import Member, Subscription
from birthmark.subscriptions.state_symbols import TreeSymbols
from birthmark.vocabulary import Aspect

_BASES = ("inherits", "implements")
_DEEPEST = 20  # levels of inheritance that are followed


class MemberSet(NamedTuple):
    """All members of a container, and the files they were read from."""

    members: tuple[Member, ...]
    paths: frozenset[str]


def read_members(symbols: TreeSymbols, container: EntityInState, with_inherited: bool) -> MemberSet:
    own = [_member(spot, None) for spot in inside(container)]
    names, paths, inherited = {member.name for member in own}, {container.file.path}, []
    for base in _bases(symbols, container) if with_inherited else ():
        paths.add(base.file.path)
        origin = f"{base.file.path}::{base.entity.qualified_name}"
        found = [_member(spot, origin) for spot in inside(base)]
        inherited += [member for member in found if member.name not in names]
        names |= {member.name for member in found}
    return MemberSet((*own, *inherited), frozenset(paths))


def inside(container: EntityInState) -> list[EntityInState]:
    """What stands directly in a container, or says so in its file: methods of Go, what `impl` blocks of Rust hold."""
    entities, owner = container.file.outline.entities, container.entity
    impls = {i for i, entity in enumerate(entities) if entity.kind == "impl"} if owner.kind != "impl" else set()
    elsewhere = impls | {owner.container}
    return [
        EntityInState(container.file, i)
        for i, entity in enumerate(entities)
        if entity.container == container.ordinal
        or (entity.parent == owner.qualified_name and entity.container in elsewhere)
    ]


def _member(spot: EntityInState, origin: str | None) -> Member:
    entity, entities = spot.entity, spot.file.outline.entities
    holder = entities[entity.container] if entity.container >= 0 else None
    return Member(entity.name, entity.kind, prints_of(spot), is_private(entity, holder), origin)


def _bases(symbols: TreeSymbols, container: EntityInState) -> Iterator[EntityInState]:
    """Nearest first, each once."""
    seen, level = {container.place}, [container]
    for _ in range(_DEEPEST):
        above = [base for spot in level for base in _direct_bases(symbols, spot)]
        level = []
        for base in above:
            if base.place not in seen:
                seen.add(base.place)
                level.append(base)
                yield base


def _direct_bases(symbols: TreeSymbols, spot: EntityInState) -> list[EntityInState]:
    references = [
        found for found in spot.file.outline.references if found.entity == spot.ordinal and found.edge in _BASES
    ]
    found = symbols.targets(spot.file, references, symbols.near(spot.file))
    return [spots[0] for _, spots in found if len(spots) == 1]


class MemberChanges(NamedTuple):
    """What is new, gone, other and renamed among those that count; `hidden` if anything else in a member changed."""

    added: list[str]
    removed: list[str]
    changed: list[dict[str, object]]
    renamed: list[dict[str, str]]
    inherited: list[dict[str, object]]
    hidden: bool

    @property
    def reasons(self) -> tuple[str, ...]:
        told = ("added", "removed", "changed", "renamed")
        own = [f"members_{word}" for word in told if getattr(self, word)]
        return (*own, *(["inherited_members_changed"] if self.inherited else ()))

    @property
    def details(self) -> dict[str, object]:
        return {word: value for word, value in self._asdict().items() if value and word != "hidden"}


def compare_members(
    subscription: Subscription, new: tuple[Member, ...], heirs: dict[str, str] | None = None
) -> MemberChanges:
    """`heirs` says of old names of members what they are called now."""
    tracks = subscription.track_decorators
    old = subscription.accepted.members
    told = MemberChanges([], [], [], [], [], False)
    hidden = False
    for before, after in _pair(old, new, heirs or {}):
        member = after or before
        assert member is not None
        aspects = () if before is None or after is None else differing(before.prints, after.prints, tracks)
        change = _word(before, after, aspects)
        if change is None:
            # Other comments, and decorators that are not tracked, change the container's body, too.
            hidden = hidden or before is None or after is None or before.prints != after.prints
        elif member.is_private and not subscription.include_private:
            hidden = True
        elif member.origin is not None:
            told.inherited.append(
                {"name": member.name, "change": change, "aspects": list(aspects), "origin": member.origin}
            )
        elif change == "renamed":
            assert before is not None
            told.renamed.append({"from": before.name, "to": member.name})
        elif change == "changed":
            told.changed.append({"name": member.name, "aspects": list(aspects)})
        else:
            (told.added if change == "added" else told.removed).append(member.name)
    return told._replace(hidden=hidden)


def _word(before: Member | None, after: Member | None, aspects: tuple[Aspect, ...]) -> str | None:
    if before is None or after is None:
        return "added" if before is None else "removed"
    if before.name != after.name:
        return "renamed"
    return "changed" if Aspect.INTERFACE in aspects or Aspect.BODY in aspects else None


def _pair(
    old: Iterable[Member], new: Iterable[Member], heirs: dict[str, str]
) -> list[tuple[Member | None, Member | None]]:
    """By what they are called now. Namesakes are paired by what they are made of, then in their order."""
    free = list(new)
    pairs: list[tuple[Member | None, Member | None]] = []
    rest: list[Member] = []
    for member in old:
        same = next((one for one in free if (one.name, one.prints) == (member.name, member.prints)), None)
        if same is None:
            rest.append(member)
        else:
            free.remove(same)
            pairs.append((member, same))
    for member in rest:
        name = heirs.get(member.name, member.name) if member.origin is None else member.name
        heir = next((one for one in free if one.name == name and (one.origin is None) == (member.origin is None)), None)
        heir = heir or next((one for one in free if one.name == member.name), None)
        if heir is not None:
            free.remove(heir)
        pairs.append((member, heir))
    return pairs + [(None, member) for member in free]


def renamed_members(window: StateComparison, old: EntityInState, new: EntityInState) -> dict[str, str]:
    """Old names of a container's members with what they are called now."""
    there = {spot.place: spot.entity.name for spot in inside(new)}
    heirs = {spot.entity.name: window.heir(spot) for spot in inside(old)}
    return {name: there[heir.place] for name, heir in heirs.items() if heir is not None and heir.place in there}
