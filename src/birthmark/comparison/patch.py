"""The change of one entity as the lines that differ.

Takes the lines of an entity before and after, with where they are; gives hunks with some lines around each. Indentation
that all lines of the entity share is no difference, so that an entity that moved into a class shows what else changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from birthmark.comparison.declaration_changes import CONTAINERS
from birthmark.extraction.model import OutlinedEntity
from birthmark.matching.line_hunks import Hunk, hunks_between, lines_of

_CONTEXT = 3  # lines around a difference


class CodeLines(NamedTuple):
    """Consecutive lines of a file, the first of which has a number."""

    path: str
    name: str
    first: int
    lines: tuple[str, ...]


class PatchLine(NamedTuple):
    """A line of a patch: `-` is an old one, `+` a new one, a space is in both."""

    sign: str
    text: str


class PatchHunk(NamedTuple):
    """Consecutive lines of a patch. Numbers are those of the files, as in a unified diff."""

    hunk: Hunk
    lines: tuple[PatchLine, ...]


class Patch(NamedTuple):
    """What differs between an entity before and after; without `before` it was added, without `after` deleted."""

    before: CodeLines | None
    after: CodeLines | None
    hunks: tuple[PatchHunk, ...]

    @property
    def n_added(self) -> int:
        return sum(line.sign == "+" for hunk in self.hunks for line in hunk.lines)

    @property
    def n_removed(self) -> int:
        return sum(line.sign == "-" for hunk in self.hunks for line in hunk.lines)


def code_of(entity: OutlinedEntity) -> CodeLines:
    """The lines of an entity, with the comments and decorators that belong to it."""
    source, own = entity.file.source(), entity.entity
    start = source.count(b"\n", 0, own.lead_start)
    return cut_lines(entity.file.path, own.qualified_name, source, start + 1, own.end_line)


def declaration_of(entity: OutlinedEntity) -> CodeLines:
    """The lines of an entity; those of a container end where its members begin."""
    code = code_of(entity)
    entities, own = entity.file.outline.entities, entity.entity
    members = [other.lead_start for other in entities if other.container == entity.ordinal]
    if own.kind not in CONTAINERS or not members:
        return code
    n_lines = max(1, entity.file.source().count(b"\n", 0, min(members)) + 1 - code.first)
    while n_lines > 1 and not code.lines[n_lines - 1].strip():
        n_lines -= 1
    return code._replace(lines=code.lines[:n_lines])


def cut_lines(path: str, name: str, source: bytes, first: int, last: int) -> CodeLines:
    return CodeLines(path, name, first, tuple(lines_of(source)[first - 1 : last]))


def make_patch(before: CodeLines | None, after: CodeLines | None, context: int = _CONTEXT) -> Patch:
    old, new = (() if side is None else side.lines for side in (before, after))
    differing = hunks_between(_dedented(old), _dedented(new))
    firsts = before.first if before else 1, after.first if after else 1
    hunks = [_patch_hunk(group, old, new, firsts, context) for group in _groups(differing, context)]
    return Patch(before, after, tuple(hunks))


def _dedented(lines: Sequence[str]) -> list[str]:
    """Blank lines have no say in what all share, and are all equal."""
    texts = [line.strip() and line for line in lines]
    indents = [text[: len(text) - len(text.lstrip())] for text in texts if text]
    shared = _common_prefix(indents)
    return [text[len(shared) :] for text in texts]


def _common_prefix(texts: Sequence[str]) -> str:
    if not texts:
        return ""
    low, high = min(texts), max(texts)
    length = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    return low[:length]


def _groups(hunks: Sequence[Hunk], context: int) -> Iterator[list[Hunk]]:
    """Hunks whose surroundings touch belong together."""
    group: list[Hunk] = []
    for hunk in hunks:
        if (
            group
            and _first(hunk.old_start, hunk.old_count) - _end(group[-1].old_start, group[-1].old_count) > 2 * context
        ):
            yield group
            group = []
        group.append(hunk)
    if group:
        yield group


def _patch_hunk(
    group: Sequence[Hunk], old: Sequence[str], new: Sequence[str], firsts: tuple[int, int], context: int
) -> PatchHunk:
    """Positions count from 0 here; lines that are in both are shown as they are now."""
    start = max(0, _first(group[0].old_start, group[0].old_count) - context)
    at = (
        start,
        _first(group[0].new_start, group[0].new_count) - (_first(group[0].old_start, group[0].old_count) - start),
    )
    lines: list[PatchLine] = []
    i, j = at
    for hunk in group:
        until = _first(hunk.new_start, hunk.new_count)
        lines += [PatchLine(" ", line) for line in new[j:until]]
        i += until - j
        lines += [PatchLine("-", line) for line in old[i : i + hunk.old_count]]
        lines += [PatchLine("+", line) for line in new[until : until + hunk.new_count]]
        i, j = i + hunk.old_count, until + hunk.new_count
    rest = min(context, len(new) - j, len(old) - i)
    lines += [PatchLine(" ", line) for line in new[j : j + rest]]
    n_old, n_new = i + rest - at[0], j + rest - at[1]
    whole = Hunk(_number(at[0], n_old, firsts[0]), n_old, _number(at[1], n_new, firsts[1]), n_new)
    return PatchHunk(whole, tuple(lines))


def _first(start: int, count: int) -> int:
    """The position, from 0, at which the lines of a hunk begin; with none, the one after which they would."""
    return start - 1 if count else start


def _end(start: int, count: int) -> int:
    return _first(start, count) + count


def _number(position: int, count: int, first: int) -> int:
    """The number of a line in its file; where a side has no lines, that of the line before, as in a unified diff."""
    return position + first - (not count)
