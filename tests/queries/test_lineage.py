"""What is inside of an entity is followed by `resolve` as it is by `history`: one alignment serves both."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.extraction.read import read_interior
from birthmark.history.function_body import FunctionBody
from birthmark.history.local_history import BLOCK, VARIABLE, LocalKind
from birthmark.history.variables import TYPES
from birthmark.languages.registry import load_registry
from birthmark.queries.node_successors import EntityNodes, find_successor, nodes_of_entity
from examples import n_examples
from reading import read


def nodes_in(language: str, source: str, name: str) -> EntityNodes:
    reading = read(language, source)
    names = [entity.name for entity in reading.entities]
    ordinal = names.index(name) if name else -1
    registry = load_registry()
    interior = read_interior(source.encode(), registry.languages[language], registry)
    return nodes_of_entity(source.encode(), reading, interior, ordinal)


class Case(NamedTuple):
    before: str
    after: str
    followed: str  # `TYPE name` of a node before, with `#n` for the n-th of them, and what it is after


BODY = """\
def f(items, limit):
    total = 0
    for item in items:
        total = total + cost(item)
    return total
"""
CASES = {
    "a renamed variable": Case(BODY, BODY.replace("total", "amount"), "VARIABLE total -> VARIABLE amount"),
    "its second binding": Case(BODY, BODY.replace("total", "amount"), "VARIABLE total#1 -> VARIABLE amount#1"),
    "a renamed parameter": Case(BODY, BODY.replace("items", "rows"), "PARAMETER items -> PARAMETER rows"),
    "a block": Case(BODY, BODY.replace("cost(item)", "cost(item, limit)"), "SCOPE for -> SCOPE for"),
    "a block that is gone": Case(BODY, "def f(items, limit):\n    return 0\n", "SCOPE for -> nothing"),
    "a call": Case(BODY, BODY.replace("cost(item)", "check(item) + cost(item)"), "CALL cost -> CALL cost"),
    "a call renamed": Case(BODY, BODY.replace("cost(", "price("), "CALL cost -> CALL price"),
    "a call that is gone": Case(BODY, BODY.replace("cost(item)", "1"), "CALL cost -> nothing"),
    "one of two equal calls": Case(
        "def f(x):\n    go(x)\n    stay(x)\n    go(x)\n",
        "def f(x):\n    go(x)\n    stay(x)\n    wait(x)\n    go(x)\n",
        "CALL go#1 -> CALL go#1",
    ),
    "the body": Case(BODY, BODY.replace("total = 0", "total = 1"), "SCOPE body -> SCOPE body"),
}


def find(entity: EntityNodes, named: str) -> int:
    words, _, number = named.partition("#")
    found = [i for i, node in enumerate(entity.nodes) if f"{node.type} {node.name}" == words]
    return found[int(number or 0)]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_nodes_are_followed(case: Case) -> None:
    old, new = nodes_in("python", case.before, "f"), nodes_in("python", case.after, "f")
    before, _, after = case.followed.partition(" -> ")
    found = find_successor(old, new, find(old, before))
    assert found == (None if after == "nothing" else find(new, after))


def test_nodes_outside_of_entities_are_followed() -> None:
    before = f"import os\nimport re\nstart(1)\n{BODY}stop(1)\n"
    after = f"import re\n{BODY.replace('item', 'row')}import os\nstop(2)\n"
    old, new = nodes_in("python", before, ""), nodes_in("python", after, "")
    names = {
        f"{node.type} {node.name}": None if j is None else new.nodes[j].name
        for i, node in enumerate(old.nodes)
        for j in [find_successor(old, new, i)]
    }
    assert names == {"IMPORT os": "os", "IMPORT re": "re", "CALL start": None, "CALL stop": "stop"}


STATEMENTS = [
    "one();",
    "if (a) { two(); }",
    "if (b) { int n = two(); use(n); }",
    "for (A x : xs) { three(x); }",
    "for (A y : xs) { three(y); }",
    "try { g(); } catch (E e) { h(e); }",
    "int n = 1; use(n);",
    "int m = 1; use(m);",
    "run(z -> z + 1);",
]
bodies = st.lists(st.sampled_from(STATEMENTS), max_size=6).map(
    lambda lines: "class A {\n void f(int p) {\n" + "\n".join(lines) + "\n }\n}\n"
)


@settings(max_examples=n_examples(150), deadline=None)
@given(bodies, bodies)
def test_resolve_and_local_history_agree(before: str, after: str) -> None:
    old, new = nodes_in("java", before, "f"), nodes_in("java", after, "f")
    for sort in (VARIABLE, BLOCK):
        for j in range(len(sort.spans(new.body))):
            found = sort.trace(old.body, new.body, j)
            told = {i for i in range(len(sort.spans(old.body))) if j in successors(old, new, sort, i)}
            assert told <= (set() if found is None else {found[0]})
    for i in range(len(VARIABLE.spans(old.body))):
        traced = {j for j in range(len(new.body.variables)) if (VARIABLE.trace(old.body, new.body, j) or (-1,))[0] == i}
        assert set(successors(old, new, VARIABLE, i)) == traced


def successors(old: EntityNodes, new: EntityNodes, sort: LocalKind, index: int) -> list[int]:
    """What `resolve` says of the node that is a variable or a block of the old body, in numbers of the new one."""
    found = find_successor(old, new, declarations(old, sort)[index])
    return [j for j, node in enumerate(declarations(new, sort)) if node == found]


def declarations(entity: EntityNodes, sort: LocalKind) -> list[int]:
    spans = [(node.start_byte, node.end_byte) for node in entity.nodes]
    body: FunctionBody = entity.body
    wanted = [variable.span for variable in body.variables] if sort is VARIABLE else [b.span for b in body.blocks]
    kinds = [(node.type in TYPES) == (sort is VARIABLE) for node in entity.nodes]
    return [next(i for i, span in enumerate(spans) if span == where and kinds[i]) for where in wanted]
