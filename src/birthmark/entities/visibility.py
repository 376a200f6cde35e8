"""Whether a definition is private, by the rules of its language."""

from __future__ import annotations

import re

from birthmark.entities.signatures import parse_signature
from birthmark.languages.registry import load_registry
from birthmark.model import FUNCTION_LIKE, Entity

_OPEN_CONTAINERS = frozenset({"trait", "interface", "enum"})  # their members are as visible as they are


def is_private(entity: Entity, container: Entity | None) -> bool:
    """As far as a member's own head and name say so, and the container that holds it."""
    rules, name = load_registry().visibility_of(entity.language), entity.name
    if rules.private_names and re.search(rules.private_names, name):
        return True
    if rules.private_lower_case and name[:1].islower():
        return True
    access = parse_signature(entity.signature, name).access
    if rules.public_word and not any(word.startswith(rules.public_word) for word in access):
        return not _is_open(entity, container)
    return any(word.partition("(")[0] in rules.private_words for word in access)


def _is_open(entity: Entity, container: Entity | None) -> bool:
    """Whether it is as visible as its container, as the members of a trait and of what implements one are."""
    if container is not None and (container.kind in _OPEN_CONTAINERS or (container.kind == "impl" and container.bases)):
        return True
    return entity.kind not in FUNCTION_LIKE | {"field", "const"}
