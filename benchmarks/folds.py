"""Figures by repository, and rules that are scored only on repositories they were not fitted to.

Pure: takes rows that have a "repo", gives Counts. The micro average sums what is right, too many and missed over all
repositories; the mean and the worst over repositories say what to expect of one that was never seen.

    for fold in folds(rows):
        rule = fit(fold.others)
        counts[fold.repository] = score(rule, fold.left_out)
    print(describe_spread(counts))

which is `leave_one_out(rows, fit, score)`.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

Row = dict[str, Any]
Rule = TypeVar("Rule")


class Counts(NamedTuple):
    """What was found rightly, what was found that is not so, and what was missed."""

    right: int = 0
    too_many: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        return share(self.right, self.right + self.too_many)

    @property
    def recall(self) -> float:
        return share(self.right, self.right + self.missed)

    @property
    def f1(self) -> float:
        return share(2 * self.right, 2 * self.right + self.too_many + self.missed)


class Fold(NamedTuple):
    """One repository, and the rows of all others."""

    repository: str
    left_out: list[Row]
    others: list[Row]


def rows_by_repository(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(str(row["repo"]), []).append(row)
    return dict(sorted(found.items()))


def folds(rows: Sequence[Row]) -> Iterator[Fold]:
    for repository, left_out in rows_by_repository(rows).items():
        yield Fold(repository, left_out, [row for row in rows if row["repo"] != repository])


def leave_one_out(
    rows: Sequence[Row], fit: Callable[[list[Row]], Rule], score: Callable[[Rule, list[Row]], Counts]
) -> dict[str, Counts]:
    """Each repository, scored by what was fitted to all others."""
    return {fold.repository: score(fit(fold.others), fold.left_out) for fold in folds(rows)}


def micro_average(counts: Iterable[Counts]) -> Counts:
    return Counts(*(sum(column) for column in zip(*counts, strict=True)))


def share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def percentages(counts: Counts) -> str:
    return f"P {100 * counts.precision:.2f} R {100 * counts.recall:.2f} F1 {100 * counts.f1:.2f}"


def describe_spread(by_repository: Mapping[str, Counts]) -> str:
    """The micro average, and beside it the mean and the worst repository, by F1."""
    worst = min(by_repository, key=lambda repository: by_repository[repository].f1)
    mean = [statistics.fmean(getattr(c, key) for c in by_repository.values()) for key in ("precision", "recall", "f1")]
    means = "P {:.2f} R {:.2f} F1 {:.2f}".format(*(100 * value for value in mean))
    return (
        f"all {percentages(micro_average(by_repository.values()))} | mean of {len(by_repository)} repositories {means}"
        f" | worst {worst} {percentages(by_repository[worst])}"
    )
