"""How right links between old and new definitions are, by language and refactoring.

A definition is known by its path, the line that has its name, and the name. A link says that two are the same, or that
the code of one is in the other. Scored are the links of what a refactoring touched; those of the rest are a row of its
own. Where the truth lets several be the successor, a link to any of them counts neither for nor against.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from refactoring.cases import GONE, NEW, SAME, Case, Fate
from refactoring.trees import Place

Key = tuple[str, int, str]  # path, line and name
NOISE = "everything else"


class Link(NamedTuple):
    """What a tool says of two definitions."""

    old: Key
    new: Key
    is_same: bool = True


class Wrong(NamedTuple):
    """A link that should not be, or one that is missing."""

    case: str
    what: str
    old: Key | None
    new: Key | None


class Tally(NamedTuple):
    """Counts of a language and a refactoring."""

    n_right: int = 0
    n_said: int = 0
    n_true: int = 0
    n_derived_right: int = 0
    n_derived: int = 0

    def __add__(self, other: object) -> Tally:
        assert isinstance(other, tuple)
        return Tally(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    @property
    def precision(self) -> float | None:
        return self.n_right / self.n_said if self.n_said else None

    @property
    def recall(self) -> float | None:
        return self.n_right / self.n_true if self.n_true else None

    @property
    def derived_recall(self) -> float | None:
        return self.n_derived_right / self.n_derived if self.n_derived else None


Scores = dict[tuple[str, str], Tally]  # by language and refactoring


def key_of(place: Place) -> Key:
    return place.path, place.line, place.name


def score_case(case: Case, links: Iterable[Link]) -> tuple[Scores, list[Wrong]]:
    known = list(links)
    scores: Scores = {}
    wrong: list[Wrong] = []
    for label, is_touched in ((case.refactoring, True), (NOISE, False)):
        fates = [fate for fate in case.fates if fate.is_touched == is_touched]
        tally, faults = _score(case, fates, known)
        scores[case.language, label] = tally
        wrong += faults if is_touched else [fault._replace(what=f"{fault.what} ({NOISE})") for fault in faults]
    return scores, wrong


def _score(case: Case, fates: list[Fate], links: list[Link]) -> tuple[Tally, list[Wrong]]:
    old = {key_of(fate.old) for fate in fates if fate.old and fate.relation in (SAME, GONE)}
    new = {key_of(fate.new) for fate in fates if fate.new and fate.relation in (SAME, NEW)}
    true = {(key_of(fate.old), key_of(fate.new)) for fate in fates if fate.relation == SAME and fate.old and fate.new}
    derived = {
        (key_of(fate.old), key_of(fate.new)): fate.may_be_same
        for fate in fates
        if fate.relation not in (SAME, GONE, NEW) and fate.old and fate.new
    }
    open_ = {pair for pair, may_be_same in derived.items() if may_be_same}
    said = {(link.old, link.new) for link in links if link.is_same and (link.old in old or link.new in new)} - open_
    found = {(link.old, link.new) for link in links if not link.is_same or (link.old, link.new) in open_}
    tally = Tally(len(said & true), len(said), len(true), len(found & derived.keys()), len(derived))
    faults = [Wrong(case.name, "wrongly the same", *pair) for pair in sorted(said - true)]
    return tally, faults + [Wrong(case.name, "not found again", *pair) for pair in sorted(true - said)]


def add_scores(all_scores: Iterable[Scores]) -> Scores:
    total: defaultdict[tuple[str, str], Tally] = defaultdict(Tally)
    for scores in all_scores:
        for label, tally in scores.items():
            total[label] += tally
    return dict(total)


def by_refactoring(scores: Scores) -> dict[str, Tally]:
    return _sum(scores, 1)


def by_language(scores: Scores) -> dict[str, Tally]:
    """Of what refactorings touched alone."""
    return _sum({label: tally for label, tally in scores.items() if label[1] != NOISE}, 0)


def _sum(scores: Scores, side: int) -> dict[str, Tally]:
    total: defaultdict[str, Tally] = defaultdict(Tally)
    for label, tally in scores.items():
        total[label[side]] += tally
    return dict(total)


def count_faults(wrong: Iterable[Wrong]) -> Counter[str]:
    return Counter(fault.case.rpartition("/")[0] for fault in wrong)
