"""Which folders a change touched, and what they exchanged, for a picture with not too many rows."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from birthmark.comparison.entity_changes import EntityChange
from birthmark.queries.module_map import ROOT_MODULE
from birthmark.surfaces.formats.pictures.exchange import ModuleChange, ModuleMove
from birthmark.vocabulary import Change

MOST_ROWS = 25
_DEEPEST = 12

# What a change counts as where it stays in its folder; others by what differs.
_WORDS = {Change.ADDED: "added", Change.DELETED: "deleted", Change.RENAMED: "modified"}


class _CountedChange(NamedTuple):
    """The folders of a change, and its word."""

    source: str
    target: str
    word: str


class Exchange(NamedTuple):
    """Folders by name, and what went from one to another, the most first."""

    modules: list[ModuleChange]
    moves: list[ModuleMove]


def count_exchange(changes: Sequence[EntityChange]) -> Exchange:
    """By folders as deep as leaves few enough; where the uppermost are too many, those with most changes."""
    counted = Counter(filter(None, map(_counted, changes)))
    found = _fold(counted, 1)
    for depth in range(2, _DEEPEST):
        deeper = _fold(counted, depth)
        if len(deeper.modules) > MOST_ROWS:
            break
        found = deeper
    kept = sorted(found.modules, key=_weight, reverse=True)[:MOST_ROWS]
    return found._replace(modules=sorted(kept))


def _counted(change: EntityChange) -> _CountedChange | None:
    """What is merely elsewhere in its folder counts as nothing."""
    places = [place for place in (change.before, change.after) if place is not None]
    first, last = posixpath.dirname(places[0].path), posixpath.dirname(places[-1].path)
    word = _WORDS.get(change.change, "modified" if change.aspects else "")
    return _CountedChange(first, last, word) if word or first != last else None


def _fold(counted: Mapping[_CountedChange, int], depth: int) -> Exchange:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    moves: Counter[tuple[str, str]] = Counter()
    for (first, last, word), n in counted.items():
        source, target = _cut(first, depth), _cut(last, depth)
        if source != target:
            moves[source, target] += n
            counts[source]["moved_out"] += n
            counts[target]["moved_in"] += n
        elif word:
            counts[source][word] += n
    modules = [ModuleChange(name, *map(found.__getitem__, ModuleChange._fields[1:])) for name, found in counts.items()]
    return Exchange(modules, [ModuleMove(*ends, n) for ends, n in moves.most_common()])


def _cut(folder: str, depth: int) -> str:
    return "/".join(folder.split("/")[:depth]) or ROOT_MODULE


def _weight(module: ModuleChange) -> int:
    return sum(module[1:])
