"""Read what the names in a file mean: the Bindings that are kept with it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from birthmark.graph.reading.bindings import Binding
from birthmark.graph.reading.paths import UNKNOWN, join, read_type, read_value
from birthmark.languages.rules import ResolutionRules
from birthmark.model import BoundName
from birthmark.syntax.lines import Lines


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
