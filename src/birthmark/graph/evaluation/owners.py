"""What `self`, `super` and the like mean: the type around a place, its instance, or the types above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from birthmark.graph.evaluation.model import OUTSIDE, Site, Sort, Value
from birthmark.graph.kinds import NAMED_TYPES, TYPES, VALUES
from birthmark.graph.modules.imports import Imports, package_of
from birthmark.graph.symbols import Definition
from birthmark.model import FUNCTION_LIKE
from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator

SELVES = frozenset({"self", "this", "$this"})
OWN_TYPES = frozenset({"cls", "Self", "static"})
SUPERS = frozenset({"super", "base", "parent"})
_WORDS = {Sort.INSTANCE: SELVES, Sort.DEFINITION: OWN_TYPES, Sort.SUPER: SUPERS}
_SORTS = {word: sort for sort, words in _WORDS.items() for word in words}
_OWNERS = TYPES | FUNCTION_LIKE | VALUES


class Owners:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator

    def own(self, site: Site, name: str) -> Value | None:
        """What one of those words means; None for other names, and for a variable that is called so."""
        sort = _SORTS.get(name)
        if sort is None or (name in site.rules.path_prefixes and name != "self"):
            return None
        bound = [one for ordinal in site.names.enclosing(site.source) for one in site.names.values_of(ordinal, name)]
        if any(one.value or one.role == "local" for one in bound) or (bound and sort is Sort.SUPER):
            return None
        if sort is Sort.SUPER and name not in site.rules.supers:
            return None
        owner = self.owner(site)
        if owner is None and name == "this" and site.source is not None and self.evaluator.members.has_any(site.source):
            owner = site.source  # a function that is called with `new`, or an object
        sort = Sort.DEFINITION if name in site.rules.own_types else sort
        return Value(sort, Resolution.EXACT, (owner,)) if owner is not None else None

    def owner(self, site: Site) -> Definition | None:
        """The type that `self` is an instance of."""
        if site.source is None:
            return None
        chain = site.names.owner(site.source)
        found = [one for one in site.names.member(*_split(chain)) if one.kind in _OWNERS]
        if found:
            return found[0]
        value = self.evaluator.scopes.bind(site._replace(source=None), chain) if chain and "." not in chain else None
        if value is not None and value.sort is Sort.DEFINITION and value.targets[0].kind in NAMED_TYPES:
            return value.targets[0]
        named = self.imports.named(chain.rpartition(".")[2], site.rules) if chain else []
        types = [one for one in named if one.kind in TYPES and one.qualified_name == chain]
        if len(types) != 1 and chain and site.rules.declares_first:
            outer = site._replace(source=None, line=0)
            value = self.evaluator.evaluate(outer, chain)
            value = value or self.evaluator.scopes.from_others(outer, chain.rpartition(".")[2])
            types = [one for one in value.targets if one.kind in TYPES] if value is not None else types
        near = [one for one in types if package_of(one.path, site.rules) == package_of(site.path, site.rules)]
        return next(iter(near or types), None)

    def constructed(self, site: Site, name: str) -> Value | None:
        """The type whose constructor `this(...)` or `super(...)` calls; None for other names."""
        own = self.own(site, name)
        if own is None or own.sort is not Sort.SUPER:
            return own and own._replace(sort=Sort.DEFINITION)
        bases, is_open = self.evaluator.hierarchy.bases(own.targets[0])
        classes = tuple(one for one in bases if one.kind != "interface")
        if classes:
            return Value(Sort.DEFINITION, Resolution.HIERARCHY, classes[:1])
        return OUTSIDE if is_open or not bases else None


def _split(chain: str) -> tuple[str, str]:
    scope, _, name = chain.rpartition(".")
    return scope, name
