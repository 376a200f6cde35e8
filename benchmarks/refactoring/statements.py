"""The statements of a body, as they were read; and bodies in which some of them are others."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

from refactoring.trees import Definition, indented

_WORD = re.compile(r"\w+")

Statement = list[str]


def statements_of(function: Definition) -> list[Statement]:
    body = function.body
    cuts = [*function.cuts, len(body)]
    return [body[start:end] for start, end in pairwise(cuts)]


def set_statements(function: Definition, statements: list[Statement]) -> None:
    """What was above the first one stays there."""
    above = function.body[: function.cuts[0]] if function.cuts else []
    cuts, lines = [], list(above)
    for statement in statements:
        cuts.append(len(lines))
        lines += statement
    function.set_body(lines)
    function.cuts = cuts


def words_in(lines: list[str]) -> int:
    return sum(len(_WORD.findall(line)) for line in lines)


def rewrite(function: Definition, donors: list[Statement], random: Random, least: float, most: float) -> bool:
    """Put others in the place of so much of the body; False if that cannot be met."""
    statements = statements_of(function)
    total, replaced = words_in(function.body), 0
    target = random.uniform(least, most) * total
    for at in random.sample(range(len(statements)), len(statements)):
        weight = words_in(statements[at])
        if replaced < target and replaced + weight <= most * total:
            replaced += weight
            statements[at] = _fitted(random.choice(donors), function)
    if total == 0 or not least <= replaced / total <= most:
        return False
    set_statements(function, statements)
    return True


def edit_one(function: Definition, donors: list[Statement], random: Random) -> bool:
    """Put another in the place of one statement, or add one."""
    statements = statements_of(function)
    if len(statements) < 2:
        return False
    at = random.randrange(len(statements) - 1)  # The last one may have to be what it is.
    is_small = words_in(statements[at]) * 3 <= words_in(function.body)
    statements[at : at + (is_small and random.random() < 0.5)] = [_fitted(random.choice(donors), function)]
    set_statements(function, statements)
    return True


def fit(statements: list[Statement], function: Definition) -> list[Statement]:
    """Indented as the body is."""
    return [_fitted(statement, function) for statement in statements]


def _fitted(statement: Statement, function: Definition) -> Statement:
    return indented(statement, _indent_of(statement), _indent_of(function.body))


def _indent_of(lines: list[str]) -> str:
    first = next((line for line in lines if line.strip()), "")
    return first[: len(first) - len(first.lstrip())]
