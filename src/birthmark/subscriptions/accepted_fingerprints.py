"""The fingerprints of an entity as they are accepted, and in which aspects two of them differ."""

from __future__ import annotations

import re
from functools import lru_cache

from birthmark.comparison.changes import compare_fingerprints
from birthmark.extraction.model import OutlinedEntity
from birthmark.identity.fingerprints import digest
from birthmark.subscriptions.model import AcceptedFingerprints, Semantic
from birthmark.vocabulary import Aspect, ChangeType, ScanReason

REASONS = {
    Aspect.INTERFACE: ScanReason.INTERFACE_CHANGED,
    Aspect.BODY: ScanReason.BODY_CHANGED,
    Aspect.DOCUMENTATION: ScanReason.DOCUMENTATION_CHANGED,
    Aspect.FORMATTING: ScanReason.FORMATTING_CHANGED,
}
_TYPES = {Aspect.INTERFACE: ChangeType.STRUCTURAL, Aspect.BODY: ChangeType.CONTENT}
_SPACE = re.compile(r"(?<=[^\w\s]) | (?=[^\w\s])")


def fingerprints_of(state_entity: OutlinedEntity) -> AcceptedFingerprints:
    found, entity = state_entity.file.outline.fingerprints[state_entity.ordinal], state_entity.entity
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
    entity = state_entity.entity
    weight = state_entity.file.outline.weights[state_entity.ordinal]
    return Semantic(entity.language, entity.kind, entity.qualified_name, fingerprints_of(state_entity), weight)


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
