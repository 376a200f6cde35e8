"""Fit the weights of `birthmark.matching.passes.leftovers` to refactorings that people have judged.

    python benchmarks/leftovers.py ORACLES CLONES [--oracle NAME ...]

ORACLES and CLONES are those of `tracking.py`. In every commit in which something came, moved or was renamed as told by
an oracle, the sure passes are run; of what is then left over, a candidate that the oracle names is an example, and
every other candidate of the two is a counter-example. Births without an example are needed, too: entities whose
partners are taken away should find no other. The weights are those of a logistic regression for each sort of entity.
Each repository is judged by weights that were fitted to the others, and printed is how many entities find their
partner, and how many a wrong one, at several odds.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import exp
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from predictions import KINDS, states

from birthmark.app.workspace.repository import OpenRepository, open_repository
from birthmark.comparison.match_candidates import all_entities, match_candidates, token_reader
from birthmark.matching.model import FUNCTION, TYPE, VALUE, MatchCandidate, sort_of
from birthmark.matching.pair import SURE, TOLERANCE
from birthmark.matching.pairing_state import ContentIds, PairingState
from birthmark.matching.passes.leftovers import Agreement, Agreements
from birthmark.matching.similarity import Tokens

ORACLES = ("codetracker-method", "codetracker-attribute", "codetracker-class", "refactoringminer-java-pairs")
ODDS = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)
MARGIN = 0.3
MOST_FILES = 300  # of a commit; larger ones take long and add little
TAKEN_AWAY = 12  # a commit
WEIGHT_TAKEN_AWAY = 0.3  # Most births have fewer look-alikes than what has just lost its partner.
RIDGE = 1.0
SORTS = {VALUE: "VALUE", FUNCTION: "FUNCTION", TYPE: "TYPE"}

Row = dict[str, Any]
Label = tuple[int | None, int, bool]  # indexes of the old and the new entity; whether they are one


class Commit(NamedTuple):
    """Two states as matching takes them."""

    old: Sequence[MatchCandidate]
    new: Sequence[MatchCandidate]
    tokens: tuple[Tokens, Tokens]
    files: tuple[ContentIds, ContentIds]


class Example(NamedTuple):
    """A candidate, with the entity that looks for a partner."""

    repository: str
    seeker: tuple[str, str, int]
    sort: str
    agreement: Agreement
    is_right: bool
    is_taken_away: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("oracles", type=Path)
    parser.add_argument("clones", type=Path)
    parser.add_argument("--oracle", action="append", help="name of a folder; those of Java's entities if none is given")
    options = parser.parse_args()
    commits: defaultdict[str, defaultdict[tuple[str, str], list[Row]]] = defaultdict(lambda: defaultdict(list))
    for oracle in options.oracle or ORACLES:
        for line in (options.oracles / oracle / "training.jsonl").read_text("utf-8").splitlines():
            entity = json.loads(line)
            for step in entity["history"]:
                if step.get("parent") and step.get("key_before") != step.get("key_after"):
                    commits[entity["repo"]][step["parent"], step["commit"]].append(entity | step)
    examples: list[Example] = []
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        tasks = [
            pool.submit(read_examples, options.clones, repository, pair, rows)
            for repository, steps in sorted(commits.items())
            for pair, rows in steps.items()
        ]
        for count, task in enumerate(tasks, 1):
            examples += task.result()
            print(f"{count} of {len(tasks)} commits", end="\r", file=sys.stderr, flush=True)
    report(examples)


def read_examples(clones: Path, repository: str, pair: tuple[str, str], rows: Sequence[Row]) -> list[Example]:
    with open_repository(clones / repository.replace("/", "+")) as past:
        if len(past.changed(*pair)) > MOST_FILES:
            return []
        state = read_commit(past, *pair)
        return list(collect(repository, pair[1], state, list(find_labels(state, rows))))


def read_commit(past: OpenRepository, parent: str, commit: str) -> Commit:
    changed = past.changed(parent, commit)
    old = states(past, [(file.path, file.old_blob) for file in changed if file.old_blob])
    new = states(past, [(file.path, file.new_blob) for file in changed if file.new_blob])
    blobs = {file.path: (file.old_blob, file.new_blob) for file in changed}
    return Commit(
        match_candidates(old, all_entities(old), past.family_of),
        match_candidates(new, all_entities(new), past.family_of),
        (token_reader(old), token_reader(new)),
        ({file.path: blobs[file.path][0] for file in old}, {file.path: blobs[file.path][1] for file in new}),
    )


def find_labels(commit: Commit, rows: Iterable[Row]) -> Iterator[Label]:
    """What can be found in both states without doubt."""
    for row in rows:
        new = find(commit.new, row, "after")
        old = find(commit.old, row, "before") if row.get("path_before") else None
        if new is not None and (old is not None or "introduced" in row["changes"]):
            yield old, new, row.get("expect", "same") == "same"


def find(entities: Sequence[MatchCandidate], row: Row, when: str) -> int | None:
    path, name, line = (row.get(f"{key}_{when}") for key in ("path", "name", "line"))
    named = [i for i, e in enumerate(entities) if (e.path, e.name) == (path, name) and e.kind in KINDS[row["kind"]]]
    if line is None:
        return named[0] if len(named) == 1 else None
    return min(named, key=lambda index: abs(entities[index].start_line - line), default=None)


def collect(repository: str, commit: str, states: Commit, labels: Sequence[Label]) -> Iterator[Example]:
    """The candidates of labelled entities that are left over, and of those whose partners are taken away."""
    state = pair_surely(states)
    known = [(state.old.ranks[old] if old is not None else -1, state.new.ranks[new], same) for old, new, same in labels]
    one = {(old, new) for old, new, is_one in known if is_one}
    olds, news = {old for old, _, is_one in known if is_one}, {new for _, new, is_one in known if is_one}
    others = {(old, new) for old, new, is_one in known if not is_one}
    if not any(new in state.new.free or old in state.old.free for old, new, _ in known):
        return
    old_away, new_away = take_away(state, Random(commit))  # noqa: S311, the same ones in every run
    agreements = Agreements(state)
    for old, new in agreements.candidates():
        is_labelled = old in olds or new in news or (old, new) in others
        is_away = old in old_away or new in new_away
        if is_labelled != is_away:
            seeker = ("new", commit, new) if new in news or new in new_away else ("old", commit, old)
            sort = sort_of(state.old.entities[old])
            yield Example(repository, seeker, sort, agreements.between(old, new), (old, new) in one, is_away)


def pair_surely(commit: Commit) -> PairingState:
    state = PairingState(commit.old, commit.new, TOLERANCE, {}, commit.files, commit.tokens)
    for step in SURE:
        if not state.is_settled:
            step(state)
    return state


def take_away(state: PairingState, random: Random) -> tuple[set[int], set[int]]:
    """Give back one side of some pairs."""
    named = [pair for pair in state.pairs if state.old.entities[pair.old].name == state.new.entities[pair.new].name]
    old_away: set[int] = set()
    new_away: set[int] = set()
    for pair in random.sample(named, min(len(named), TAKEN_AWAY)):
        side, index, away = random.choice(((state.old, pair.old, old_away), (state.new, pair.new, new_away)))
        side.free[index], side.partners[index] = None, -1
        away.add(index)
    return old_away, new_away


# Fitting


def report(examples: Sequence[Example]) -> None:
    for sort, name in SORTS.items():
        own = [example for example in examples if example.sort == sort]
        bias, *weights = fit(own)
        parts = ", ".join(f"{part}={weight:.2f}" for part, weight in zip(Agreement._fields, weights, strict=True))
        print(f"    {name}: ({bias:.2f}, Agreement({parts})),")
        held_out = {
            repository: fit([example for example in own if example.repository != repository])
            for repository in sorted({example.repository for example in own})
        }
        for line in judge(own, held_out):
            print(f"# {line}")


def fit(examples: Sequence[Example]) -> list[float]:
    """Newton's method; the first weight is the bias."""
    rows = [
        ((1.0, *one.agreement), float(one.is_right), WEIGHT_TAKEN_AWAY if one.is_taken_away else 1.0)
        for one in examples
    ]
    size = len(Agreement._fields) + 1
    weights = [0.0] * size
    for _ in range(12):
        gradient = [-RIDGE * weight if i else 0.0 for i, weight in enumerate(weights)]
        curve = [[RIDGE * (i == j > 0) + 1e-6 * (i == j) for j in range(size)] for i in range(size)]
        for parts, is_right, weight in rows:
            chance = 1 / (1 + exp(-max(-30.0, min(30.0, dot(weights, parts)))))
            error, slope = weight * (is_right - chance), weight * chance * (1 - chance)
            for i in [i for i in range(size) if parts[i]]:
                gradient[i] += error * parts[i]
                curve[i] = [value + slope * parts[i] * part for value, part in zip(curve[i], parts, strict=True)]
        weights = [weight + step for weight, step in zip(weights, solve(curve, gradient), strict=True)]
    return weights


def dot(weights: Sequence[float], parts: Sequence[float]) -> float:
    return sum(weight * part for weight, part in zip(weights, parts, strict=True))


def solve(matrix: list[list[float]], values: list[float]) -> list[float]:
    """Gaussian elimination."""
    rows, size = [[*row, value] for row, value in zip(matrix, values, strict=True)], len(values)
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k in [k for k in range(size) if k != i and rows[k][i]]:
            rows[k] = [value - rows[k][i] * other for value, other in zip(rows[k], rows[i], strict=True)]
    return [row[-1] for row in rows]


def judge(examples: Sequence[Example], held_out: dict[str, list[float]]) -> Iterator[str]:
    """How many of those that look for a partner find it, by weights of other repositories."""
    seekers: defaultdict[tuple[str, str, int], list[tuple[float, Example]]] = defaultdict(list)
    for example in examples:
        odds = dot(held_out[example.repository], (1.0, *example.agreement))
        seekers[example.seeker].append((odds, example))
    by_odds: Callable[[tuple[float, Example]], float] = lambda found: -found[0]  # noqa: E731, used twice below
    ranked = [sorted(found, key=by_odds) for found in seekers.values()]
    n_right = sum(any(example.is_right for _, example in found) for found in ranked)
    for least in ODDS:
        taken = [f[0][1] for f in ranked if f[0][0] >= least and (len(f) == 1 or f[0][0] - f[1][0] >= MARGIN)]
        right = sum(example.is_right for example in taken)
        wrong = [example.is_taken_away for example in taken if not example.is_right]
        away = f"{wrong.count(True)} of them for a partner that was taken away"
        yield f"odds {least:4}: {right} of {n_right} right, {len(wrong)} wrong, {away}"


if __name__ == "__main__":
    main()
