"""Compare a definition, or the members of a container, with the accepted fingerprints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from birthmark.comparison.changes import compare_fingerprints
from birthmark.comparison.state_comparison import StateComparison
from birthmark.entities.signatures import is_private
from birthmark.extraction.model import OutlinedEntity
from birthmark.identity.fingerprints import digest
from birthmark.model import FUNCTION_LIKE
from birthmark.subscriptions.model import AcceptedFingerprints, Member, Semantic, Subscription
from birthmark.subscriptions.state_symbols import TreeSymbols
from birthmark.vocabulary import Aspect, ChangeType, ScanReason

REASONS = {
    Aspect.INTERFACE: ScanReason.INTERFACE_CHANGED,
    Aspect.BODY: ScanReason.BODY_CHANGED,
    Aspect.DOCUMENTATION: ScanReason.DOCUMENTATION_CHANGED,
    Aspect.FORMATTING: ScanReason.FORMATTING_CHANGED,
}
_TYPES = {Aspect.INTERFACE: ChangeType.STRUCTURAL, Aspect.BODY: ChangeType.CONTENT}
_BASES = ("inherits", "implements")
_DEEPEST = 20  # levels of inheritance that are followed
_COMMENTS = ("# ", "//", "/*", "* ", "*/")
_SPACE = re.compile(r"(?<=[^\w\s]) | (?=[^\w\s])")


def fingerprints_of(state_entity: OutlinedEntity) -> AcceptedFingerprints:
    found, entity = state_entity.fingerprint, state_entity.entity
    return AcceptedFingerprints(
        found.interface,
        found.content,
        found.text,
        _declaration(entity.kind, entity.name, entity.signature, entity.decorators),
        found.version,
        found.body,
        found.documentation,
    )


def semantic_of(state_entity: OutlinedEntity) -> Semantic:
    one = state_entity.entity
    return Semantic(one.language, one.kind, one.qualified_name, fingerprints_of(state_entity), state_entity.weight)


@lru_cache(1 << 14)
def _declaration(kind: str, name: str, text: str, decorators: tuple[str, ...]) -> str:
    """The head without decorators and name, however it is spaced."""
    for decorator in decorators:
        text = text.replace(" ".join(decorator.split()), "", 1)
    text = _SPACE.sub("", " ".join(_without(name, text).split()))
    return digest(f"{kind} {text}".encode())


def _without(name: str, text: str) -> str:
    """The text without the first mention of a name. Names are too many to make a pattern of each."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if not _is_in_word(text[:start][-1:]) and not _is_in_word(text[end : end + 1]):
            return text[:start] + text[end:]
        start = text.find(name, start + 1)
    return text


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character in ("_", "$")


def differing(old: AcceptedFingerprints, new: AcceptedFingerprints, track_decorators: bool) -> tuple[Aspect, ...]:
    """Return the aspects in which two states of an entity differ; fingerprints must be of the same version."""
    aspects = compare_fingerprints(old, new)
    if track_decorators or old.declaration != new.declaration:
        return aspects
    return tuple(aspect for aspect in aspects if aspect != Aspect.INTERFACE)


def change_type_of(aspects: tuple[Aspect, ...]) -> ChangeType | None:
    """The gravest of them; None if there are none."""
    return next((_TYPES.get(aspect, ChangeType.COSMETIC) for aspect in aspects), None)


def read_members(
    symbols: TreeSymbols, container: OutlinedEntity, with_inherited: bool
) -> tuple[tuple[Member, ...], set[str]]:
    """Return all members of a container, and the files they were read from."""
    own = [_member(state_entity, None) for state_entity in members_of(container)]
    names, paths, inherited = {member.name for member in own}, {container.file.path}, []
    for base in _bases(symbols, container) if with_inherited else ():
        paths.add(base.file.path)
        origin = f"{base.file.path}::{base.entity.qualified_name}"
        found = [_member(state_entity, origin) for state_entity in members_of(base)]
        inherited += [member for member in found if member.name not in names]
        names |= {member.name for member in found}
    return (*own, *inherited), paths


def members_of(container: OutlinedEntity) -> list[OutlinedEntity]:
    """Return the members of a container in its file, including methods in Go and members of `impl` blocks in Rust."""
    entities, owner = container.file.outline.entities, container.entity
    impls = {i for i, entity in enumerate(entities) if entity.kind == "impl"} if owner.kind != "impl" else set()
    elsewhere = impls | {owner.container}
    return [
        OutlinedEntity(container.file, i)
        for i, entity in enumerate(entities)
        if entity.container == container.ordinal
        or (entity.parent == owner.qualified_name and entity.container in elsewhere)
    ]


def _member(state_entity: OutlinedEntity, origin: str | None) -> Member:
    entity, entities = state_entity.entity, state_entity.file.outline.entities
    holder = entities[entity.container] if entity.container >= 0 else None
    return Member(entity.name, entity.kind, fingerprints_of(state_entity), is_private(entity, holder), origin)


def _bases(symbols: TreeSymbols, container: OutlinedEntity) -> Iterator[OutlinedEntity]:
    """Nearest first, each once."""
    seen, level = {container.key}, [container]
    for _ in range(_DEEPEST):
        above = [base for state_entity in level for base in _direct_bases(symbols, state_entity)]
        level = []
        for base in above:
            if base.key not in seen:
                seen.add(base.key)
                level.append(base)
                yield base


def _direct_bases(symbols: TreeSymbols, state_entity: OutlinedEntity) -> list[OutlinedEntity]:
    references = [
        found
        for found in state_entity.file.outline.references
        if found.entity == state_entity.ordinal and found.edge in _BASES
    ]
    found = symbols.targets(state_entity.file, references, symbols.near(state_entity.file))
    return [state_entities[0] for _, state_entities in found if len(state_entities) == 1]


class MemberChanges(NamedTuple):
    """Changes of the members that are compared; `hidden` if anything else in a member changed."""

    added: list[str]
    removed: list[str]
    changed: list[dict[str, object]]
    renamed: list[dict[str, str]]
    inherited: list[dict[str, object]]
    hidden: bool

    @property
    def reasons(self) -> tuple[ScanReason, ...]:
        own = [
            ScanReason(f"members_{word}") for word in ("added", "removed", "changed", "renamed") if getattr(self, word)
        ]
        return (*own, *([ScanReason.INHERITED_MEMBERS_CHANGED] if self.inherited else ()))

    @property
    def details(self) -> dict[str, object]:
        return {word: value for word, value in self._asdict().items() if value and word != "hidden"}


def compare_members(
    subscription: Subscription, new: tuple[Member, ...], successors: dict[str, str] | None = None
) -> MemberChanges:
    """`successors` are the new names of members by their old ones."""
    tracks = subscription.track_decorators
    old = subscription.accepted.members
    changes = MemberChanges([], [], [], [], [], False)
    hidden = False
    for before, after in _pair(old, new, successors or {}):
        member = after or before
        assert member is not None
        aspects = () if before is None or after is None else differing(before.fingerprints, after.fingerprints, tracks)
        change = _word(before, after, aspects)
        if change is None:
            # Other comments, and decorators that are not tracked, change the container's body, too.
            hidden = hidden or before is None or after is None or before.fingerprints != after.fingerprints
        elif member.is_private and not subscription.include_private:
            hidden = True
        elif member.origin is not None:
            changes.inherited.append(
                {"name": member.name, "change": change, "aspects": list(aspects), "origin": member.origin}
            )
        elif change == "renamed":
            assert before is not None
            changes.renamed.append({"from": before.name, "to": member.name})
        elif change == "changed":
            changes.changed.append({"name": member.name, "aspects": list(aspects)})
        else:
            (changes.added if change == "added" else changes.removed).append(member.name)
    return changes._replace(hidden=hidden)


def _word(before: Member | None, after: Member | None, aspects: tuple[Aspect, ...]) -> str | None:
    if before is None or after is None:
        return "added" if before is None else "removed"
    if before.name != after.name:
        return "renamed"
    return "changed" if Aspect.INTERFACE in aspects or Aspect.BODY in aspects else None


def _pair(
    old: Iterable[Member], new: Iterable[Member], successors: dict[str, str]
) -> list[tuple[Member | None, Member | None]]:
    """Pair members by their new names; members with the same name by fingerprints, then in order."""
    free = list(new)
    pairs: list[tuple[Member | None, Member | None]] = []
    rest: list[Member] = []
    for member in old:
        same = next((one for one in free if (one.name, one.fingerprints) == (member.name, member.fingerprints)), None)
        if same is None:
            rest.append(member)
        else:
            free.remove(same)
            pairs.append((member, same))
    for member in rest:
        name = successors.get(member.name, member.name) if member.origin is None else member.name
        successor = next(
            (one for one in free if one.name == name and (one.origin is None) == (member.origin is None)), None
        )
        successor = successor or next((one for one in free if one.name == member.name), None)
        if successor is not None:
            free.remove(successor)
        pairs.append((member, successor))
    return pairs + [(None, member) for member in free]


def has_moved_privately(old: OutlinedEntity, new: OutlinedEntity, sources: tuple[Sequence[str], Sequence[str]]) -> bool:
    """Return whether two states of a container differ in nothing but the order of private methods.

    `sources` are their lines. Namesakes keep their order, because a later definition replaces the earlier one.
    """
    before, after = ([_member(one, None) for one in members_of(container)] for container in (old, new))
    if before == after or sorted(before, key=_sort_key) != sorted(after, key=_sort_key):
        return False
    in_order = [[one for one in members if not _is_private_method(one)] for members in (before, after)]
    return in_order[0] == in_order[1] and _own_lines(old, sources[0]) == _own_lines(new, sources[1])


def _sort_key(member: Member) -> tuple[str, str]:
    return member.name, member.kind


def _is_private_method(member: Member) -> bool:
    return member.is_private and member.kind in FUNCTION_LIKE


def _own_lines(container: OutlinedEntity, lines: Sequence[str]) -> list[str]:
    """Return the lines of a container that are in no member, without blank lines and comments."""
    at = container.entity
    taken = {n for one in members_of(container) for n in range(one.entity.start_line, one.entity.end_line + 1)}
    own = (lines[n - 1].strip() for n in range(at.start_line, at.end_line + 1) if n not in taken)
    return [line for line in own if line and not line.startswith(_COMMENTS)]


def renamed_members(
    comparison: StateComparison, old_container: OutlinedEntity, new_container: OutlinedEntity
) -> dict[str, str]:
    """The new names of a container's members by their old ones."""
    names = {member.key: member.entity.name for member in members_of(new_container)}
    successors = {member.entity.name: comparison.successor(member) for member in members_of(old_container)}
    return {old: names[one.key] for old, one in successors.items() if one is not None and one.key in names}
