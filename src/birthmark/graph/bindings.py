"""What the names in a file mean, in a form that is kept with the file and evaluated on demand."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

import msgspec

from birthmark.graph.paths import UNKNOWN, join, read_type, read_value
from birthmark.languages.rules import ResolutionRules
from birthmark.model import BoundName
from birthmark.syntax.lines import Lines

PARAMETERS = frozenset({"parameter", "optional", "rest"})  # roles of what callers pass
MENTIONS = frozenset({"calls"})  # roles of what binds no name but is used: they are those of edges


class Binding(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A name, and the path of what it means; both are those of the file alone."""

    role: str
    name: str
    value: str
    owner: int  # the entity in which the name holds, or of which it is a member; -1 the file, -2 its exports
    entity: int  # the entity in which the path is to be read
    line: int
    until: int  # the last line on which it holds; 0: as long as its owner

    @property
    def is_typed(self) -> bool:
        return self.value.endswith(("{}", "{}*"))


def bindings_of(bound_names: Iterable[BoundName], lines: Lines, rules: ResolutionRules) -> tuple[Binding, ...]:
    feeds, is_lower = lines.feeds, rules.is_lower
    bindings = []
    for one in bound_names:
        value = read_type(one.text, is_lower) if one.is_type else read_value(one.text) if one.text else UNKNOWN
        if one.step:
            value = join(value, one.step)
        line = bisect_left(feeds, one.start_byte) + 1
        until = lines.of(one.end_byte) if one.end_byte else 0
        bindings.append(Binding(one.role, one.name, value, one.owner, one.entity, line, until))
    return tuple(bindings)
