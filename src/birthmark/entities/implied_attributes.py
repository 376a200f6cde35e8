"""Find assignments that define undeclared attributes of a class: `self.x = 1` in a method.

Takes the items of a source; returns those that become fields, with the span of the definition that owns them. Each name
has one: the first in a constructor, or else the first. A declaration of that name in the class takes precedence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from birthmark.entities.names import NameReader
from birthmark.languages.registry import LanguageSpec
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Span
from birthmark.syntax.query import Item

IMPLIED = "implied"  # the setting of a pattern that finds such assignments
_ONLY_CONSTRUCTOR = "constructor"  # its value if those in other methods define nothing
_MARKS = "@:"  # In Ruby, `attr_reader :x` declares what `@x` is.

ItemKey = tuple[int, int, Span | None]


class _Owner:
    """A class, or a function that makes objects: its declared names, and attributes assigned in its methods."""

    def __init__(self, span: Span) -> None:
        self.span = span
        self.declared: set[str] = set()
        self.fields: set[str] = set()  # declared ones, without marks
        self.assigned: dict[str, tuple[bool, ItemKey]] = {}

    def declare(self, name: str, kind: str) -> None:
        self.declared.add(name)
        if kind not in FUNCTION_LIKE:
            self.fields.add(name.lstrip(_MARKS))

    def assign(self, name: str, key: ItemKey, is_in_constructor: bool) -> None:
        known = self.assigned.get(name)
        if known is None or (is_in_constructor and not known[0]):
            self.assigned[name] = (is_in_constructor, key)

    def chosen(self) -> Iterator[tuple[ItemKey, Span]]:
        for name, (_, key) in self.assigned.items():
            if name not in self.declared and name.lstrip(_MARKS) not in self.fields:
                yield key, self.span


class _Scope(NamedTuple):
    """A definition around an item, and the owner of attributes assigned in it."""

    end: int
    owner: _Owner | None = None
    is_owner: bool = False  # Definitions directly in it are declared by the owner.
    is_constructor: bool = False

    def counts(self, where: str) -> bool:
        """Return True if an assignment in it may define an attribute, by the setting of its pattern."""
        return self.is_constructor or where != _ONLY_CONSTRUCTOR


def find_implied_attributes(
    items: Iterable[Item], names: NameReader, spec: LanguageSpec, bound: Collection[Span]
) -> dict[ItemKey, Span]:
    """Return the owners of implied attributes; `bound` functions are definitions themselves: `this.x = () => …`."""
    entities = [item for item in items if item[4].role == "entity"]
    if not any(IMPLIED in item[4].settings for item in entities):
        return {}
    entities = list({key_of(item): item for item in reversed(entities)}.values())[::-1]  # The first pattern wins.
    makers = re.compile(spec.constructor_functions) if spec.constructor_functions else None
    places, owners = [_Scope(entities[-1][0] + 1)], list[_Owner]()
    for item in entities:
        while places[-1].end <= item[0]:
            places.pop()
        place, settings = places[-1], item[4].settings
        name = names.name(item[5]) if item[5] else settings.get("name", "")
        if IMPLIED not in settings:
            places.append(_place_inside(item, name, place, spec, makers, owners))
        elif place.owner is not None and item[6] not in bound and place.counts(settings[IMPLIED]):
            place.owner.assign(name, key_of(item), place.is_constructor)
    return {key: span for owner in owners for key, span in owner.chosen()}


def _place_inside(
    item: Item, name: str, place: _Scope, spec: LanguageSpec, makers: re.Pattern[str] | None, owners: list[_Owner]
) -> _Scope:
    kind, end = item[4].kind, -item[1]
    if place.owner is not None and (place.is_owner or "hoist" in item[4].settings):
        place.owner.declare(name, kind)
    if kind in CLASS_LIKE:
        owners.append(_Owner((item[0], end)))
        return _Scope(end, owners[-1], True)
    if makers and kind in FUNCTION_LIKE and not place.is_owner and makers.search(name):
        owners.append(_Owner((item[0], end)))
        return _Scope(end, owners[-1], False, True)
    return _Scope(end, place.owner, False, place.is_owner and name in spec.constructors)


def key_of(item: Item) -> ItemKey:
    return item[0], item[1], item[5]
