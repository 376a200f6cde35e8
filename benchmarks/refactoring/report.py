"""Scores as tables: by refactoring and language, and the sums of both."""

from __future__ import annotations

from refactoring.scoring import NOISE, Scores, Tally, by_language, by_refactoring

_HEADS = ("P", "R", "true", "said", "derived")


def print_scores(scores: Scores, n_cases: int) -> None:
    print(f"{n_cases} cases; P and R in percent of links; derived: of derivations, those that were found\n")
    _print_sums("refactoring", by_refactoring(scores))
    _print_sums("language", by_language(scores))
    _print_grid(scores)


def _print_sums(label: str, sums: dict[str, Tally]) -> None:
    print(f"{label:26}" + "".join(f"{head:>9}" for head in _HEADS))
    for name, tally in sums.items():
        print(f"{name:26}{_cells(tally)}")
    total = sum((tally for name, tally in sums.items() if name != NOISE), Tally())
    print(f"{'all but ' + NOISE if NOISE in sums else 'all':26}{_cells(total)}\n")


def _cells(tally: Tally) -> str:
    counts = f"{tally.n_true:9}{tally.n_said:9}"
    return f"{percent(tally.precision):>9}{percent(tally.recall):>9}{counts}{percent(tally.derived_recall):>9}"


def _print_grid(scores: Scores) -> None:
    """R by refactoring and language; P beside it where it is less."""
    languages = list(dict.fromkeys(language for language, _ in scores))
    rows = list(dict.fromkeys(name for _, name in scores))
    print(f"{'P / R':26}" + "".join(f"{language[:10]:>13}" for language in languages))
    for name in rows:
        print(f"{name:26}" + "".join(f"{_pair(scores.get((language, name))):>13}" for language in languages))


def _pair(tally: Tally | None) -> str:
    return "" if tally is None or not tally.n_true else f"{percent(tally.precision)} / {percent(tally.recall)}"


def percent(share: float | None) -> str:
    return "-" if share is None else "100" if share == 1 else f"{100 * share:.1f}"
