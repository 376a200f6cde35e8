"""Find entities by their names, former names too, and by what is in their signatures, docs and code.

Takes a SearchText and a filter; gives SearchHits, the best first: names that are near, then texts, then names that
lack a word. A part is computed only when what comes before it has been taken, so that a page costs what is on it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, partial
from itertools import islice
from typing import NamedTuple

from birthmark.comparison.entity_changes import ChangeFilter
from birthmark.comparison.file_roles import READING_ORDER, role_of
from birthmark.extraction.codec import FORMAT
from birthmark.identity.keys import decode_name, encode_name, parse_key
from birthmark.model import KINDS
from birthmark.queries.search_words import (
    MISSING_WORD,
    NameMatch,
    SearchText,
    least_cost,
    match_name,
    near_names,
    nearest_names,
)
from birthmark.queries.snapshot_view import SnapshotView
from birthmark.queries.text_search import ReadingBudget, TextMatch, search_files
from birthmark.store.model import SnapshotEntity
from birthmark.store.port import Directory
from birthmark.vocabulary import SearchMatch

_MOST_CANDIDATES = 600  # names that are compared
_MOST_NAMES = 60  # names whose entities are looked at, so many at a time as long as there are too few
_NAMES_AT_ONCE = 10
_ENOUGH_ENTITIES = 100

_ROLE_ORDER = {role: number for number, role in enumerate(READING_ORDER)}
_KIND_ORDER = {kind: number for number, kind in enumerate(KINDS)}
_TEXT_COSTS = {SearchMatch.SIGNATURE: 4.0, SearchMatch.DOC: 5.0, SearchMatch.CODE: 6.0}

Match = Callable[..., NameMatch | None]  # of a name with what is searched for


class NameHit(NamedTuple):
    """An entity by a name that it has, or had."""

    shown: SnapshotEntity
    match: NameMatch
    former_name: str | None = None


class SearchHit(NamedTuple):
    """An entity, and what of it was found; of a text with the line."""

    shown: SnapshotEntity
    match: SearchMatch
    cost: float
    n_references: int  # to its name, up to a thousand
    former_name: str | None = None
    text: TextMatch | None = None


def search(view: SnapshotView, text: SearchText, wanted: ChangeFilter, budget: ReadingBudget) -> Iterator[SearchHit]:
    """Each entity once, with the best of what was found."""
    return _each_once(_stages(view, text, wanted, budget))


def search_names(view: SnapshotView, text: SearchText, wanted: ChangeFilter) -> Iterator[SearchHit]:
    """The same without texts and what comes after them."""
    return _each_once(islice(_stages(view, text, wanted, ReadingBudget(0)), 2))


def _each_once(stages: Iterable[Iterable[SearchHit]]) -> Iterator[SearchHit]:
    seen: set[int] = set()
    for hits in stages:
        for hit in hits:
            if hit.shown.identity not in seen:
                seen.add(hit.shown.identity)
                yield hit


def _stages(
    view: SnapshotView, text: SearchText, wanted: ChangeFilter, budget: ReadingBudget
) -> Iterator[Iterable[SearchHit]]:
    exact = _named_hits(view, text, wanted, _exact_names(text))
    yield [hit for hit in exact if not hit.cost]
    near = sorted([*exact, *_near_hits(view, text, wanted)], key=_name_order)
    yield [hit for hit in near if hit.cost < MISSING_WORD]
    yield _text_hits(view, text, wanted, budget)
    yield near


# By repositories


def cheapest_names(directory: Directory, text: SearchText) -> dict[str, float]:
    """The repositories that may have a name like the text, each with what its best name costs at least."""
    exact = {encode_name(name) for name in _exact_names(text)}
    costs: dict[str, float] = dict.fromkeys(directory.undecided(FORMAT), 0.0)
    for name, repositories in directory.names_like(near_names(text, exact)).items():
        cost = 0.0 if name in exact else least_cost(text, decode_name(name))
        if cost is not None:
            costs |= {one: min(cost, costs.get(one, cost)) for one in repositories}
    return costs


# By names


def _exact_names(text: SearchText) -> list[str]:
    """The text itself, and what is behind each of its dots: a name may have dots in it."""
    return [text.text[i:] for i in range(len(text.text)) if i == 0 or text.text[i - 1] == "."]


def _near_names(view: SnapshotView, text: SearchText) -> list[str]:
    candidates = view.store.names_like(text.last, _MOST_CANDIDATES)
    return nearest_names(text, [decode_name(name) for name in candidates], _MOST_NAMES)


def _near_hits(view: SnapshotView, text: SearchText, wanted: ChangeFilter) -> list[SearchHit]:
    """By the names that are nearest; a name that hundreds have is enough."""
    known, hits = set(_exact_names(text)), list[SearchHit]()
    names = [name for name in _near_names(view, text) if name not in known]
    while names and len(hits) < _ENOUGH_ENTITIES:
        hits += _named_hits(view, text, wanted, names[:_NAMES_AT_ONCE])
        names = names[_NAMES_AT_ONCE:]
    return hits


def _named_hits(view: SnapshotView, text: SearchText, wanted: ChangeFilter, names: list[str]) -> list[SearchHit]:
    """Return the entities that match and have or had one of the names, the best first."""
    match = cache(partial(match_name, text))  # Many may have one name.
    present = view.store.entities_named(view.number, names)
    found = [*_present_names(text, match, present), *_former_names(view, text, match, names, present)]
    best: dict[int, NameHit] = {}
    for one in sorted(found, key=lambda one: one.match.cost):
        if _is_wanted(one.shown, wanted):
            best.setdefault(one.shown.identity, one)
    counts = view.store.count_references(view.number, {one.shown.name for one in best.values()})
    return sorted((_name_hit(one, counts) for one in best.values()), key=_name_order)


def _present_names(text: SearchText, match: Match, present: Iterable[SnapshotEntity]) -> Iterator[NameHit]:
    for row in present:
        found = match(_last_parts(row.qualified_name, row.name, text))
        if found is not None:
            yield NameHit(row, found)


def _former_names(
    view: SnapshotView, text: SearchText, match: Match, names: list[str], present: Collection[SnapshotEntity]
) -> Iterator[NameHit]:
    """Return the entities that have another name now, as far as the text says: for `f` another name, for `A.f` also
    another class.
    """
    shown = {row.identity: row for row in present}
    keys = view.store.keys_named(list(map(encode_name, names)))
    others = {key.identity for key in keys}.difference(shown)
    shown.update((row.identity, row) for row in view.store.entities_of(view.number, others))
    for issued in keys:
        row = shown.get(issued.identity)
        if row is None or row.semantic_path == issued.semantic_path:
            continue
        key = parse_key(issued.text)
        if key is None:
            continue
        old, new = (_last_parts(one.qualified_name, one.name, text) for one in (key, row))
        found = match(old, is_former=True) if old != new else None
        if found is not None:
            yield NameHit(row, found, key.qualified_name)


def _last_parts(qualified_name: str, name: str, text: SearchText) -> str:
    """As many parts of a name as the text has; a name may have dots in it."""
    n_parts = len(text.chain)
    return name if n_parts == 1 or name == text.text else ".".join(qualified_name.split(".")[-n_parts:])


def _name_hit(one: NameHit, counts: dict[str, int]) -> SearchHit:
    return SearchHit(one.shown, one.match.match, one.match.cost, counts.get(one.shown.name, 0), one.former_name)


def _is_wanted(shown: SnapshotEntity, wanted: ChangeFilter) -> bool:
    return wanted.fits(shown.kind, shown.language, [shown.path])


def _name_order(hit: SearchHit) -> tuple[float, int, int, int, str, int]:
    """By match, what the file is for, kind and how often the name is used."""
    shown = hit.shown
    role, kind = _ROLE_ORDER[role_of(shown.path)], _KIND_ORDER.get(shown.kind, len(KINDS))
    return hit.cost, role, kind, -hit.n_references, shown.path, shown.start_line


# By texts


def _text_hits(
    view: SnapshotView, text: SearchText, wanted: ChangeFilter, budget: ReadingBudget
) -> Iterator[SearchHit]:
    for found in search_files(view, text.given_words, wanted, budget):
        rows = view.store.entities_of(view.number, list(found))
        counts = view.store.count_references(view.number, {row.name for row in rows})
        hits = [_text_hit(row, found[row.identity], counts) for row in rows if _is_wanted(row, wanted)]
        yield from sorted(hits, key=_text_order)


def _text_hit(shown: SnapshotEntity, found: TextMatch, counts: dict[str, int]) -> SearchHit:
    return SearchHit(shown, found.match, _TEXT_COSTS[found.match], counts.get(shown.name, 0), None, found)


def _text_order(hit: SearchHit) -> tuple[int, float, int, int, str, int]:
    """By what the file is for and where the words are; in short definitions they have more to do with one another."""
    shown = hit.shown
    role, n_lines = _ROLE_ORDER[role_of(shown.path)], shown.end_line - shown.start_line
    return role, hit.cost, n_lines, -hit.n_references, shown.path, shown.start_line
