"""Edits of functions: turned into methods and back, inlined, rewritten, renamed, exchanged.

Each gets a Site, and says whether it found what it needs.
"""

from __future__ import annotations

import re
from collections import Counter

from refactoring.dialects import FUNCTION
from refactoring.sites import Site
from refactoring.statements import fit, rewrite, set_statements, statements_of
from refactoring.trees import Definition, Derived, reindent

_WORD = re.compile(r"\w+")


def function_to_method(site: Site) -> bool:
    dialect = site.tree.dialect
    free = [part for parts in site.tree.files.values() for part in parts if isinstance(part, Definition)]
    functions = [one for one in free if one.kind == FUNCTION and one.inner[1] - one.inner[0] > 2 and _is_free(one)]
    function, types = site.choose(functions), site.types(1)
    if function is None or not types or dialect.to_method is None:
        return False
    type_ = site.random.choice([one for one in types if function.name not in {m.name for m in one.members}] or types)
    site.change_head(function, *dialect.to_method, base=type_.name)
    if not dialect.receiver:
        site.remove(function)
        site.add_member(type_, function)
    site.touch(function)
    return True


def _is_free(function: Definition) -> bool:
    return not function.head.startswith("func (") and "(" in str(function.parts[function.name_at])


def method_to_function(site: Site) -> bool:
    dialect, type_ = site.tree.dialect, site.choose(site.types(2))
    if type_ is None or dialect.to_function is None:
        return False
    method = site.choose([one for one in site.methods_of(type_) if len(one.body) > 2])
    top = next((parts for parts in site.tree.files.values() if type_ in parts), None)
    if method is None or top is None:
        return False
    site.change_head(method, *dialect.to_function)
    if not dialect.receiver:
        site.remove(method)
        site.touch(method)
        _put_at_top(site, top, type_, method)
    site.touch(method)
    return True


def _put_at_top(site: Site, top: list[str | Definition], beside: Definition, method: Definition) -> None:
    reindent(method, "")
    at = top.index(beside) + 1
    top[at:at] = ["\n", method]


def inline_function(site: Site) -> bool:
    for function in site.random.sample(found := site.functions(3), len(found)):
        call = re.compile(rf"\b{re.escape(function.name)}\(")
        callers = [one for one in found if one is not function and any(map(call.search, one.body))]
        if len(callers) == 1 and function.number not in site.tree.touched and len(statements_of(callers[0])) > 1:
            return _inline(site, function, callers[0], call)
    return False


def _inline(site: Site, function: Definition, caller: Definition, call: re.Pattern[str]) -> bool:
    statements = statements_of(caller)
    at = next((at for at, one in enumerate(statements) if call.search("".join(one))), None)
    if at is None:
        return False
    statements[at : at + 1] = fit(statements_of(function), caller)
    set_statements(caller, statements)
    site.remove(function)
    site.tree.derived.add(Derived(function.number, caller.number, "inlined into"))
    site.touch(function, caller)
    return True


def rewrite_body(site: Site) -> bool:
    function = site.choose([one for one in site.functions(5) if len(statements_of(one)) > 3])
    if function is None or not rewrite(function, site.spare, site.random, 0.5, 0.8):
        return False
    site.touch(function)
    return True


def rewrite_and_rename(site: Site) -> bool:
    names = Counter(one.name for one in site.tree.definitions())
    found = [one for one in site.functions(5) if len(statements_of(one)) > 3 and names[one.name] == 1]
    function = site.choose(found)
    if function is None or not rewrite(function, site.spare, site.random, 0.5, 0.8):
        return False
    return site.rename(function)


def rename_functions(site: Site) -> bool:
    """Where functions are in no type: a few of them at once."""
    functions = site.functions(1)
    return sum(site.rename(one) for one in site.random.sample(functions, min(4, len(functions)))) > 0


def swap_lookalikes(site: Site) -> bool:
    """The two that are most alike among neighbours change places, and each takes a statement of the other."""
    pairs = [
        (_alikeness(one, other), one, other, siblings)
        for _, siblings, one in site.tree.walk()
        for other in siblings
        if isinstance(other, Definition) and one.number < other.number and _may_swap(site, one, other)
    ]
    likely = [pair for pair in pairs if 0.5 <= pair[0] < 1]
    if not likely:
        return False
    _, one, other, siblings = max(likely, key=lambda pair: pair[0])
    at, behind = siblings.index(one), siblings.index(other)
    siblings[at], siblings[behind] = other, one
    site.touch(one, other)
    return _swap_statement(site, one, other)


def _may_swap(site: Site, one: Definition, other: Definition) -> bool:
    are_functions = all(found.kind == FUNCTION and len(found.body) > 2 for found in (one, other))
    return are_functions and one.name != other.name and site.tree.touched.isdisjoint({one.number, other.number})


def _alikeness(one: Definition, other: Definition) -> float:
    bags = [Counter(_WORD.findall("".join(function.body))) for function in (one, other)]
    return 2 * (bags[0] & bags[1]).total() / max(1, bags[0].total() + bags[1].total())


def _swap_statement(site: Site, one: Definition, other: Definition) -> bool:
    statements = statements_of(one), statements_of(other)
    own = [at for at, found in enumerate(statements[0]) if found not in statements[1]]
    theirs = [at for at, found in enumerate(statements[1]) if found not in statements[0]]
    if len(own) > 1 and len(theirs) > 1:
        at, behind = site.random.choice(own), site.random.choice(theirs)
        statements[0][at], statements[1][behind] = statements[1][behind], statements[0][at]
        for function, found in zip((one, other), statements, strict=True):
            set_statements(function, found)
    return True
