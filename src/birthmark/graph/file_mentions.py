"""What the code of a file mentions without calling it, and what each name means: all of a file in one pass.

Takes the sources of a file, a Resolver and the edges that are known; gives NetworkEdges to definitions that are inside
of no other one: what reads, writes, exports them, names them as a type or is decorated with them. What is inside of
something is used by way of that. A candidate by name is an edge here, too; of those that have one qualified name
in one file, the first few. Each pair is given once for each kind of use, unless an edge is known that says more.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from birthmark.graph.evaluation.model import Site, Sort
from birthmark.graph.outer_names import OuterNames
from birthmark.graph.reading.literals import code_only
from birthmark.graph.reading.mentions import HEADER_LINES, chain_before, edge_of
from birthmark.graph.reading.paths import read_value
from birthmark.graph.reading.references import Reference
from birthmark.graph.resolve import ResolvedReference, Resolver
from birthmark.graph.symbols import NAMED_TYPES, Definition
from birthmark.languages.registry import load_registry
from birthmark.vocabulary import EdgeKind, Resolution

_LINK = r"(?:\?\.|!!\.|!\.|&\.|(?<!\.)\.|::|->|\\)"
_MOST_OF_A_NAME = 16  # definitions that a name means in one file
_LINKS = re.compile(rf"\s*{_LINK}\s*")


FoundMention = tuple[int | str, int, EdgeKind, Resolution, int]  # user, used identity, edge, resolution, line


def find_file_mentions(
    resolver: Resolver,
    outer_names: OuterNames,
    path: str,
    texts: Iterable[tuple[str, str]],
    known: Collection[tuple[int | str, int | str]],
) -> Iterator[FoundMention]:
    """`texts` are those of the file by language, `known` users with what they are known to use."""
    for language, text in texts:
        yield from _TextMentions(resolver, outer_names, path, language, text, known).find()


class _Name(NamedTuple):
    """A name in code, and what it is taken from."""

    name: str
    start: int
    chain_start: int
    receiver: str | None

    @property
    def end(self) -> int:
        return self.start + len(self.name)

    @property
    def is_member(self) -> bool:
        return self.receiver is not None


class _TextMentions:
    """The mentions in the code of one language."""

    def __init__(
        self,
        resolver: Resolver,
        outer_names: OuterNames,
        path: str,
        language: str,
        text: str,
        known: Collection[tuple[int | str, int | str]],
    ) -> None:
        self.resolver, self.path, self.language, self.text, self.known = resolver, path, language, text, known
        self.outer_names = outer_names
        self.rules, self.lexical = resolver.imports.rules(language), load_registry().lexical_of(language)
        self.names = resolver.imports.names(path, self.rules)
        self.line_starts = [0, *accumulate(len(line) + 1 for line in text.split("\n")[:-1])]
        self.around = _innermost(self.names.definitions, len(self.line_starts))
        self.declared = self._declared_lines()
        self.import_lines = self._import_lines()
        rules, names = self.rules, self.names
        shares_names = rules.shares or rules.takes_all or rules.has_namespaces
        self.is_open = not rules.is_closed or bool(shares_names) or bool(names.wildcards)
        self.has_scopes = bool(rules.has_namespaces or rules.calls_bare or rules.path_prefixes or rules.sees_class)
        self.may_mean: dict[str, bool] = {}  # bare names, by whether they may mean something outer
        self.outer: dict[str, bool] = {}  # names, by whether anything outer is so called
        self.same: dict[str, bool] = {}  # names, by whether they mean the same wherever they are
        self.modules: dict[tuple[int, str], bool] = {}
        self.resolved: dict[tuple[int, str | None, str], ResolvedReference] = {}
        self.without: set[tuple[str | None, str]] = set()  # receivers and names that mean nothing here
        self.done: set[tuple[int, str | None, str]] = set()

    def find(self) -> Iterator[FoundMention]:
        found: set[tuple[int | str, int, EdgeKind]] = set()
        for name in self._names():
            line = bisect_right(self.line_starts, name.start)
            ordinal = self.around[line]
            key = ordinal, name.receiver, name.name
            if self._is_declared(name, line) or key in self.done:
                continue
            resolved, is_same = self._resolve(name, ordinal, line)
            if not resolved.targets and is_same:
                self.without.add((name.receiver, name.name))
                continue
            source = self.names.definitions[ordinal] if ordinal >= 0 else None
            user = source.identity if source is not None else self.path
            targets = [one for one in self._first_of_each(resolved.targets) if self._counts(user, one)]
            is_type = any(one.kind in NAMED_TYPES for one in targets)
            edge = edge_of(self.text, name, self.lexical, is_type) if targets else None
            if edge is EdgeKind.READS or (not targets and name.receiver is None):
                self.done.add(key)
            for target in targets:
                if edge is not None and (user, target.identity, edge) not in found:
                    found.add((user, target.identity, edge))
                    yield user, target.identity, edge, resolved.resolution, line

    # Names in code that may mean something outer

    def _names(self) -> Iterator[_Name]:
        starts = {self.line_starts[one.start_line - 1] for one in self._definitions_here()}
        code = code_only(self.text, self.lexical, sorted(starts))
        pattern, may_mean, without = self._pattern(), self.may_mean, self.without
        for found in pattern.finditer(code):
            link, head, rest = found.groups()
            if link is not None:
                yield from self._after_expression(head + rest, found.start(2))
                continue
            if (may_mean[head] if head in may_mean else self._may_mean(head)) and (None, head) not in without:
                yield _Name(head, found.start(2), found.start(2), None)
            if rest:
                yield from self._in_chain(head, head + rest, found.start(2))

    def _pattern(self) -> re.Pattern[str]:
        return _chains(self.lexical.name_characters, self.rules.keeps_marks)

    def _in_chain(self, head: str, chain: str, start: int) -> Iterator[_Name]:
        """What is taken from a module is looked up there; of other members those that have the name of something."""
        is_imported, end = head in self.names.imported, len(head)
        for at, name in _parts(chain)[1:]:
            written, end = chain[:end], at + len(name)
            if (is_imported and self._is_module(head, written, start)) or self._is_outer(name):
                receiver = read_value(written)
                if (receiver, name) not in self.without:
                    yield _Name(name, start + at, start, receiver)

    def _after_expression(self, chain: str, start: int) -> Iterator[_Name]:
        for at, name in _parts(chain):
            if self._is_outer(name):
                chain_start, before = chain_before(self.text, start + at, self.lexical.name_characters)
                yield _Name(name, start + at, chain_start, None if before is None else read_value(before))

    def _may_mean(self, name: str) -> bool:
        is_here = name in self.names.imported or bool(self.names.member("", name))
        self.may_mean[name] = is_here or (self.is_open and self._is_outer(name))
        return self.may_mean[name]

    def _is_outer(self, name: str) -> bool:
        if name not in self.outer:
            self.outer[name] = self.outer_names.has(name, self.rules)
        return self.outer[name]

    def _is_module(self, head: str, written: str, start: int) -> bool:
        """Whether an imported name, or what is taken from it, is a module there."""
        line = bisect_right(self.line_starts, start)
        ordinal = -1 if self._is_same_everywhere(head) else self.around[line]
        if (ordinal, written) not in self.modules:
            source = self.names.definitions[ordinal] if ordinal >= 0 else None
            site = Site(self.path, self.rules, self.names, source, line)
            value = self.resolver.evaluator.evaluate(site, read_value(written))
            self.modules[ordinal, written] = value is not None and value.sort is Sort.MODULE
        return self.modules[ordinal, written]

    # What they mean

    def _resolve(self, name: _Name, ordinal: int, line: int) -> tuple[ResolvedReference, bool]:
        """With whether it means the same wherever it is in the file."""
        head = name.name if name.receiver is None else name.receiver.partition(".")[0]
        is_same = self._is_same_everywhere(head) and (name.receiver is None or head in self.names.imported)
        key = -1 if is_same else ordinal, name.receiver, name.name
        known = self.resolved.get(key)
        if known is None:
            source = self.names.definitions[ordinal] if ordinal >= 0 and not is_same else None
            reference = Reference(EdgeKind.READS, name.name, name.receiver, None, -1, line)
            known = self.resolver.resolve(self.path, self.language, source, reference)
            if is_same or name.receiver is None:  # What a variable holds depends on the line.
                self.resolved[key] = known
        return known, is_same

    def _is_same_everywhere(self, head: str) -> bool:
        if head not in self.same:
            self.same[head] = (
                not self.has_scopes
                and head not in self.names.bound_names
                and all(not scope for scope, _ in self.names.imported.get(head, ()))
                and all(one.parent is None for one in self.names.by_name.get(head, ()))
            )
        return self.same[head]

    def _counts(self, user: int | str, target: Definition) -> bool:
        is_known = target.identity == user or (user, target.identity) in self.known
        return not is_known and self.outer_names.is_outer(target)

    def _first_of_each(self, targets: Sequence[Definition]) -> Sequence[Definition]:
        """A variable that is assigned ten thousand times, each time from itself, would have a hundred million pairs."""
        if len(targets) <= _MOST_OF_A_NAME:
            return targets
        counts: Counter[tuple[str, str]] = Counter()
        first = []
        for one in targets:
            counts[one.path, one.qualified_name] += 1
            if counts[one.path, one.qualified_name] <= _MOST_OF_A_NAME:
                first.append(one)
        return first

    # Where names are declared

    def _definitions_here(self) -> list[Definition]:
        return [one for one in self.names.definitions if one.start_line <= len(self.line_starts)]

    def _declared_lines(self) -> dict[str, dict[int, int]]:
        """By name, the lines on which a definition or an import has it first: from the first to the last one."""
        lines: dict[str, dict[int, int]] = {}
        for one in self.names.definitions:
            spans, last = lines.setdefault(one.name, {}), min(one.end_line, one.start_line + HEADER_LINES)
            spans[one.start_line] = max(last, spans.get(one.start_line, 0))
        for name, imports in self.names.imported.items():
            lines.setdefault(name, {}).update((one.line, one.line + HEADER_LINES) for _, one in imports)
        return lines

    def _import_lines(self) -> set[tuple[str, int]]:
        return {(name, one.line) for name, imports in self.names.imported.items() for _, one in imports}

    def _is_declared(self, name: _Name, line: int) -> bool:
        """Whether it is there that it gets its meaning: the first of its name where a definition or an import is.

        `import X as X` has it twice.
        """
        if name.receiver is not None or name.name not in self.declared:
            return False
        spans = self.declared[name.name]
        here = [first for first in range(line - HEADER_LINES, line + 1) if spans.get(first, 0) >= line]
        is_decorator = self.text[name.start - 1 : name.start] == "@"
        is_import = (name.name, line) in self.import_lines
        for first in here if not is_decorator else ():
            del spans[first]
        return is_import or (bool(here) and not is_decorator)


@lru_cache
def _chains(characters: str, keeps_marks: bool) -> re.Pattern[str]:
    """Of a chain of names what is before it, its first name and the rest."""
    name = rf"[{characters}]+[?!]?" if keeps_marks else rf"[{characters}]+"
    return re.compile(rf"({_LINK}\s*)?({name})((?:\s*{_LINK}\s*{name})*)")


def _parts(chain: str) -> list[tuple[int, str]]:
    """The names in a chain, with their places in it."""
    parts, at = [], 0
    for link in _LINKS.finditer(chain):
        parts.append((at, chain[at : link.start()]))
        at = link.end()
    return [*parts, (at, chain[at:])]


def _innermost(definitions: Sequence[Definition], n_lines: int) -> list[int]:
    """By line, the ordinal of the innermost definition on it; -1 for none."""
    around = [-1] * (n_lines + 1)
    for ordinal, one in enumerate(definitions):
        last = min(one.end_line, n_lines)
        if one.start_line <= last:
            around[one.start_line : last + 1] = [ordinal] * (last - one.start_line + 1)
    return around
