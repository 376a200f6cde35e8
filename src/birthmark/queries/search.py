"""Find entities by their names, also former ones, and by words in their signatures, docs and code.

Takes a SearchText and a filter; gives SearchHits, the best first: near names, then texts, then names that lack a word.
A part is computed only when the part before it has been taken, so that a page costs only its own hits.

`match_name` gives the cost of taking a name for the text: nothing if they are the same, 1 for a character that differs,
a fraction of that for one that the text leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import islice
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from birthmark.comparison.entity_changes import ChangeFilter
from birthmark.comparison.file_roles import READING_ORDER, role_of
from birthmark.errors import BirthmarkError
from birthmark.extraction.codec import FORMAT
from birthmark.identity.keys import decode_name, encode_name, parse_key
from birthmark.matching.similarity import parts_of, words_of
from birthmark.model import KINDS
from birthmark.queries.life import Life, read_lives
from birthmark.queries.snapshot_view import SnapshotView
from birthmark.queries.text_search import ReadingBudget, TextMatch, search_files
from birthmark.store.model import SnapshotEntity, SoughtNames
from birthmark.store.port import Directory
from birthmark.vocabulary import SearchMatch
from birthmark.words import nearest

MOST_CHARACTERS = 200  # of a text
_CHAIN = re.compile(r"\.|::|#|->")
# Characters of a text, and the number of them that may differ.
_SLIPS = ((2, 0), (5, 1), (11, 2), (MOST_CHARACTERS, 3))
_ANY_CASE, _PART_COST, _CHARACTER_COST, _INNER_COST, _FORMER_COST = 0.1, 0.5, 0.1, 0.5, 0.25
MOST_DELETED = 10
MISSING_WORD = 10.0  # least cost if a word is not in a name
_MOST_CANDIDATES = 600  # names that are compared
_MOST_NAMES = 60  # names whose entities are looked at, so many at a time as long as there are too few
_NAMES_AT_ONCE = 10
_ENOUGH_ENTITIES = 100

_ROLE_ORDER = {role: number for number, role in enumerate(READING_ORDER)}
_KIND_ORDER = {kind: number for number, kind in enumerate(KINDS)}
_TEXT_COSTS = {SearchMatch.SIGNATURE: 4.0, SearchMatch.DOC: 5.0, SearchMatch.CODE: 6.0}


class SearchText(NamedTuple):
    """The searched text: as it was given, as parts of a qualified name, and as words in lower case."""

    text: str
    chain: tuple[str, ...]  # `Flask`, `url_for` of `Flask.url_for`; a text with spaces is one
    words: tuple[str, ...]  # `flask`, `url`, `for`
    squeezed: str  # the chain in lower case, without separators of words
    given_words: tuple[str, ...]  # in lower case, as they are looked for in texts

    @property
    def last(self) -> str:
        """The last name of the chain, as names are compared."""
        return squeeze(self.chain[-1])


class NameMatch(NamedTuple):
    """The matching parts of a name, and their cost."""

    match: SearchMatch
    cost: float


Match = Callable[..., NameMatch | None]  # of a name with the searched text


def read_search(text: str) -> SearchText:
    text = text.encode("utf-8", "backslashreplace").decode().strip()  # It may have bytes that are no text.
    if not text or "\0" in text:
        raise BirthmarkError("TEXT is empty; give a name, a part of it, or words from docs or code")
    if len(text) > MOST_CHARACTERS:
        raise BirthmarkError(f"TEXT has {len(text):,} characters; {MOST_CHARACTERS} at most can be searched for")
    parts = [part for part in _CHAIN.split(text) if part.strip()]
    chain = tuple(parts) if parts and not any(map(str.isspace, text)) else (text,)
    words = tuple(dict.fromkeys(words_of(text)))
    return SearchText(text, chain, words, squeeze("".join(chain)), tuple(dict.fromkeys(text.lower().split())))


def squeeze(text: str) -> str:
    """Return a text as names are compared: `url_for`, `urlFor` and `URL for` are the same."""
    return "".join(squeeze_name(text).split())


def squeeze_name(name: str) -> str:
    """Return a text without spaces as names are compared."""
    return name.replace("_", "").replace("-", "").lower()


def match_name(search: SearchText, name: str, *, is_former: bool = False) -> NameMatch | None:
    """Compare the last parts of a qualified name, as many as the text has; return None if it is nowhere near."""
    names = name.split(".")
    compared = ".".join(names[-len(search.chain) :])
    found = _match(search, compared, name, _most_slips(search))
    if found is None or not is_former:
        return found
    is_same = found.match is SearchMatch.NAME
    return NameMatch(SearchMatch.FORMER if is_same else found.match, found.cost + _FORMER_COST)


def _match(search: SearchText, compared: str, name: str, most: int) -> NameMatch | None:
    if search.text in (compared, name):
        return NameMatch(SearchMatch.NAME, 0.0)
    squeezed = squeeze_name(compared.replace(".", ""))
    if squeezed == search.squeezed:
        return NameMatch(SearchMatch.NAME, _ANY_CASE)
    n_slips = OSA.distance(search.squeezed, squeezed, score_cutoff=most)
    slip = NameMatch(SearchMatch.SLIP, float(n_slips)) if n_slips <= most else None
    part = _match_part(search, squeezed, compared)
    return min((one for one in (part, slip) if one is not None), key=lambda one: one.cost, default=None)


def _match_part(search: SearchText, squeezed: str, compared: str) -> NameMatch | None:
    """Match all words, or of several all but one.

    Characters that are not given cost a little, words inside of parts more.
    """
    n_missing = _n_missing(search, squeezed)
    if n_missing > _most_missing(search):
        return None
    n_more = max(len(squeezed) - len(search.squeezed), 0)
    parts = parts_of(compared)
    n_inner = sum(not any(part.startswith(word) for part in parts) for word in search.words if word in squeezed)
    cost = _PART_COST + n_more * _CHARACTER_COST + n_inner * _INNER_COST + n_missing * MISSING_WORD
    return NameMatch(SearchMatch.PART, cost)


def _n_missing(search: SearchText, squeezed: str) -> int:
    return sum([word not in squeezed for word in search.words])


def _most_missing(search: SearchText) -> int:
    return 1 if len(search.words) > 2 else 0


def _most_slips(search: SearchText) -> int:
    return next(slips for length, slips in _SLIPS if len(search.squeezed) <= length)


def least_cost(search: SearchText, name: str) -> float | None:
    """Return the least cost of a definition of this last name; None if it is nowhere near."""
    if len(search.chain) == 1:
        found = match_name(search, name)
        return found.cost if found is not None else None
    own = _last_search(search)
    return None if _match(own, name, name, _most_last_slips(search, own)) is None else 0.0


def near_names(search: SearchText, exact: Collection[str]) -> SoughtNames:
    """Return the last names to compare."""
    own = _last_search(search)
    return SoughtNames(exact, search.last, _most_last_slips(search, own), own.words, _most_missing(own))


def _last_search(search: SearchText) -> SearchText:
    return search if len(search.chain) == 1 else read_search(search.chain[-1])


def _most_last_slips(search: SearchText, own: SearchText) -> int:
    return max(_most_slips(own), len(search.chain) > 1)


def nearest_names(search: SearchText, names: Sequence[str], most: int) -> list[str]:
    """Return the nearest of some last names, which are given the likeliest first."""
    own = _last_search(search)
    squeezed = [squeeze_name(name) for name in names]
    most_slips = _most_last_slips(search, own)
    slips = process.extract(own.squeezed, squeezed, scorer=OSA.distance, score_cutoff=most_slips, limit=None)
    n_missing = [_n_missing(own, name) for name in squeezed]
    lacking = [number for number, n_words in enumerate(n_missing) if 0 < n_words <= _most_missing(own)]
    promising = {number for _, _, number in slips}.union(lacking[:most])
    promising.update(number for number, n_words in enumerate(n_missing) if n_words == 0)
    found = ((_match(own, names[number], names[number], most_slips), names[number]) for number in promising)
    return [name for _, name in sorted((match.cost, name) for match, name in found if match is not None)[:most]]


class SearchHit(NamedTuple):
    """An entity and the part of it that was found; for a text, with the line."""

    shown: SnapshotEntity
    match: SearchMatch
    cost: float
    n_references: int = 0  # to its name, up to a thousand
    former_name: str | None = None
    text: TextMatch | None = None


def search(view: SnapshotView, text: SearchText, wanted: ChangeFilter, budget: ReadingBudget) -> Iterator[SearchHit]:
    """Yield each entity once, with the best match."""
    return _each_once(_stages(view, text, wanted, budget))


def search_names(view: SnapshotView, text: SearchText, wanted: ChangeFilter) -> Iterator[SearchHit]:
    """Yield entities found by name only."""
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
    """Return the repositories that may have a similar name, with the least cost of their best name."""
    exact = {encode_name(name) for name in _exact_names(text)}
    costs: dict[str, float] = dict.fromkeys(directory.undecided(FORMAT), 0.0)
    for name, repositories in directory.names_like(near_names(text, exact)).items():
        cost = 0.0 if name in exact else least_cost(text, decode_name(name))
        if cost is not None:
            costs |= {one: min(cost, costs.get(one, cost)) for one in repositories}
    return costs


# By names


def _exact_names(text: SearchText) -> list[str]:
    """Return the text itself, and the rest behind each of its dots: a name may contain dots."""
    return [text.text[i:] for i in range(len(text.text)) if i == 0 or text.text[i - 1] == "."]


def _near_names(view: SnapshotView, text: SearchText) -> list[str]:
    candidates = view.store.names_like(text.last, _MOST_CANDIDATES)
    return nearest_names(text, [decode_name(name) for name in candidates], _MOST_NAMES)


def _near_hits(view: SnapshotView, text: SearchText, wanted: ChangeFilter) -> list[SearchHit]:
    """Return hits by the nearest names; a name that hundreds have is enough."""
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
    best: dict[int, SearchHit] = {}
    for one in sorted(found, key=lambda one: one.cost):
        if _is_wanted(one.shown, wanted):
            best.setdefault(one.shown.identity, one)
    counts = view.store.count_references(view.number, {one.shown.name for one in best.values()})
    hits = (one._replace(n_references=counts.get(one.shown.name, 0)) for one in best.values())
    return sorted(hits, key=_name_order)


def _present_names(text: SearchText, match: Match, present: Iterable[SnapshotEntity]) -> Iterator[SearchHit]:
    for row in present:
        found = match(_last_parts(row.qualified_name, row.name, text))
        if found is not None:
            yield SearchHit(row, *found)


def _former_names(
    view: SnapshotView, text: SearchText, match: Match, names: list[str], present: Collection[SnapshotEntity]
) -> Iterator[SearchHit]:
    """Yield entities whose name differs now in the compared parts: for `A.f` also the class counts."""
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
            yield SearchHit(row, *found, former_name=key.qualified_name)


def find_deleted(view: SnapshotView, text: SearchText, wanted: ChangeFilter) -> list[Life]:
    """Return the lives of deleted definitions that had the name that is searched, the last deleted first."""
    names = {*_exact_names(text), text.chain[-1]}
    lives = read_lives(view, {key.identity for key in view.store.keys_named(list(map(encode_name, names)))})
    found = [life for life in lives.values() if life.deletion is not None and _had_name(text, life, wanted)]
    return sorted(found, key=lambda life: -life.last.run.at)[:MOST_DELETED]


def _had_name(text: SearchText, life: Life, wanted: ChangeFilter) -> bool:
    """Return whether one of its names, in any case, is the one that is searched."""
    key = parse_key(life.identity.key)
    if key is not None and not wanted.fits(key.kind, key.language, [life.last.event.path]):
        return False
    found = (match_name(text, one.event.qualified_name) for one in life.events)
    return any(match is not None and match.match is SearchMatch.NAME for match in found)


def find_nearest_names(view: SnapshotView, text: SearchText) -> tuple[str, ...]:
    """Return names of definitions that resemble the text, to propose where nothing was found."""
    names = {name for name, _ in view.store.names(view.number)}
    return tuple(nearest(text.chain[-1], sorted(names)))


def _last_parts(qualified_name: str, name: str, text: SearchText) -> str:
    """Return as many last parts of a name as the text has; a name may contain dots."""
    n_parts = len(text.chain)
    return name if n_parts == 1 or name == text.text else ".".join(qualified_name.split(".")[-n_parts:])


def _is_wanted(shown: SnapshotEntity, wanted: ChangeFilter) -> bool:
    return wanted.fits(shown.kind, shown.language, [shown.path])


def _name_order(hit: SearchHit) -> tuple[float, int, int, int, str, int]:
    """Sort by match, role of the file, kind and number of references."""
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
    """Sort by role of the file and place of the words; short definitions come first."""
    shown = hit.shown
    role, n_lines = _ROLE_ORDER[role_of(shown.path)], shown.end_line - shown.start_line
    return role, hit.cost, n_lines, -hit.n_references, shown.path, shown.start_line
