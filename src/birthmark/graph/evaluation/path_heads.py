"""The meaning of the start of a path: a name, `self`, `super`, another keyword, or several names known together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from birthmark.graph.evaluation.model import OUTSIDE, Site, Sort, Value, joined
from birthmark.graph.file_names import SELVES
from birthmark.graph.modules.exports import Steps, find_qualified, find_rooted
from birthmark.graph.modules.imports import Hit, Imports, package_of
from birthmark.graph.modules.modules import Module
from birthmark.graph.reading.paths import LITERAL, ROOT, count_names, parts_of_display
from birthmark.graph.symbols import NAMED_TYPES, TYPES, VALUES, Definition, scopes_around
from birthmark.model import FUNCTION_LIKE
from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator

Head = tuple[Value | None, Steps]  # what it means, and the steps that follow
OWN_TYPES = frozenset({"cls", "Self", "static"})
SUPERS = frozenset({"super", "base", "parent"})
_WORDS = {Sort.INSTANCE: SELVES, Sort.DEFINITION: OWN_TYPES, Sort.SUPER: SUPERS}
_SORTS = {word: sort for sort, words in _WORDS.items() for word in words}
_KEY_MARKS = '[]"'
_OWNERS = TYPES | FUNCTION_LIKE | VALUES


class PathHeads:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator

    def read(self, site: Site, steps: Steps, depth: int) -> Head:
        name, rest = steps[0], steps[1:]
        if name == LITERAL:
            return OUTSIDE, rest
        if name[0] == "<":
            return self._display(site, name, depth), rest
        if name == ROOT and rest:
            return self._after_root(site, rest, depth)
        own = self.evaluator.owners.own(site, name)
        if own is not None:
            is_made = name == "this" and rest[:1] == ("()",)  # `new this()`
            return own, rest[1:] if is_made else rest
        if name in site.rules.path_prefixes and not site.names.is_bound(site.source, name):
            return self._prefixed(site, steps)
        if rest and rest[0].startswith('("') and name in site.rules.module_calls:
            return self._module(site, rest[0][2:-2]) or OUTSIDE, rest[1:]
        return self._qualified(site, steps) or self._part(site, steps, depth) or self._named(site, steps, depth)

    def _display(self, site: Site, display: str, depth: int) -> Value:
        """A collection with the parts that are written; its element is known if all of them are."""
        written = parts_of_display(display)
        found = [(key, self.evaluator.evaluate(site, path, depth - 1)) for key, path in written]
        parts = tuple((self._key(site, key), value) for key, value in found if value is not None)
        element = joined(dict.fromkeys(value for _, value in parts), Resolution.DISPATCH)
        return Value(Sort.COLLECTION, Resolution.EXACT, (), None, element if len(parts) == len(found) else None, parts)

    def _key(self, site: Site, key: str) -> str:
        """A bare name is a string where keys are names of members; elsewhere it is a variable."""
        is_constant = key[0] in '"*' or key.isdigit()
        return key if is_constant else f'"{key}"' if site.rules.keys_are_members else "*"

    def _after_root(self, site: Site, steps: Steps, depth: int) -> Head:
        """`::A` is what all namespaces have, or the file, or just `A`."""
        if site.rules.has_root:
            found = find_rooted(self.imports, site.rules, steps)
            return (self._value_of(found[0]), steps[found[1] :]) if found is not None else (OUTSIDE, ())
        if not site.rules.declares_first:
            return self.read(site, steps, depth)
        hit = self.imports.lookup(site.rules, Module(site.path), steps[0])
        return (self._value_of(hit) if hit is not None else OUTSIDE), steps[1:]

    def _qualified(self, site: Site, steps: Steps) -> Head | None:
        """Several names that are imported as one, or lead into a namespace."""
        for n_steps in range(len(steps), 1, -1):
            whole = ".".join(steps[:n_steps])  # `import a.b` binds the two at once.
            value = self.evaluator.exports.imported(site, whole) if whole in site.names.imported else None
            if value is not None and value is not OUTSIDE:
                return value, steps[n_steps:]
        is_qualified = site.rules.names_namespace and len(steps) > 1
        found = find_qualified(self.imports, site, steps) if is_qualified else None
        return (self._value_of(found[0]), steps[found[1] :]) if found is not None and found[1] > 1 else None

    def _part(self, site: Site, steps: Steps, depth: int) -> Head | None:
        if len(steps) < 2:
            return None
        part = f"{steps[0]}.{steps[1].strip(_KEY_MARKS) if steps[1][0] == '[' else steps[1]}"
        is_bound = part in site.names.bound_names
        value = self.evaluator.scopes.bind_part(site, steps[0], part, depth) if is_bound else None
        return (value, steps[2:]) if value is not None else None

    def _named(self, site: Site, steps: Steps, depth: int) -> Head:
        value = self.evaluator.scopes.bind(site, steps[0], depth)
        if value is None and site.rules.sees_modules:
            value = self._module(site, steps[0])
        if value is None and site.rules.sees_packages and not site.names.is_bound(site.source, steps[0]):
            return self._packaged(site, steps)
        if value is None and len(steps) > 1 and site.rules.declares_first:
            return self._declared(site, steps)
        return value, steps[1:]

    def _packaged(self, site: Site, steps: Steps) -> Head:
        """A package of the repository, by its whole name: the longest that has the name which follows."""
        n_names = count_names(steps)
        for n_steps in range(n_names, 0, -1):
            package = self.imports.find_module(site.rules, site.path, ".".join(steps[:n_steps]))
            if package is None or package.folder is None:
                continue
            hit = self.imports.lookup(site.rules, package, steps[n_steps]) if n_steps < n_names else None
            if n_steps == len(steps) or (hit is not None and hit.targets):
                return Value(Sort.MODULE, Resolution.IMPORT, (), package), steps[n_steps:]
        return None, ()

    def _module(self, site: Site, written: str, scope: str = "") -> Value | None:
        module = self.imports.find_module(site.rules, site.path, written, scope)
        return Value(Sort.MODULE, Resolution.IMPORT, (), module) if module else None

    def _value_of(self, hit: Hit) -> Value:
        return self.evaluator.variables.value_of(hit)

    def _prefixed(self, site: Site, steps: Steps) -> Head:
        """A path that starts at a module: as far as it is names."""
        n_names = count_names(steps)
        names = steps[: max(1, n_names - 1)]
        scopes = site.names.visible(site.source, "calls")
        scope = next((one for one in scopes if site.names.kinds.get(one) == "mod"), "")
        return self._module(site, site.rules.separator.join(names), scope), steps[len(names) :]

    def _declared(self, site: Site, steps: Steps) -> Head:
        """Return the one type of that name that is declared in a scope around, wherever it is defined."""
        if site.names.is_bound(site.source, steps[0]):
            return None, ()
        n_names = count_names(steps)
        for scope in (*scopes_around(site.source.qualified_name if site.source else ""), ""):
            for n_steps in range(n_names, 0, -1):
                whole = ".".join(filter(None, (scope, *steps[:n_steps])))
                named = self.imports.named(steps[n_steps - 1], site.rules)
                types = [one for one in named if one.qualified_name == whole and one.kind in TYPES]
                if not types and (space := self.imports.namespace(site.rules, whole)):
                    return Value(Sort.MODULE, Resolution.IMPORT, (), space), steps[n_steps:]
                if types:
                    is_one = len(types) == 1
                    return Value(Sort.DEFINITION, Resolution.IMPORT, tuple(types)) if is_one else None, steps[n_steps:]
        return None, ()


class Owners:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator

    def own(self, site: Site, name: str) -> Value | None:
        """Return what one of those words means; None for other names, and for a variable that is called so."""
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
