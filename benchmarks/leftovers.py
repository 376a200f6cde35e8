"""Fit the weights of `birthmark.matching.weights` to refactorings that people have judged or stated.

    python benchmarks/leftovers.py ORACLES CLONES [--oracle NAME ...] [--statements FILE] [--write FILE]

ORACLES and CLONES are those of `tracking.py`; FILE of statements is that of `forge_renames.py`. It needs numpy. In
every commit in which something came, moved or was renamed as told by one of them, the sure passes are run; of what is
then left over, a candidate that is named is an example, and every other candidate of the two is a counter-example.
Births without an example are needed, too: entities whose partners are taken away should find no other. Examples are
taken twice: before anything else is decided, and after.

The odds of a pair by itself are those of a logistic regression for each sort of entity; no part of the evidence may
count against its meaning: a part with the wrong sign is left out. A second regression weighs these odds beside the best
rivals. Each repository is judged by weights that were fitted to others: printed is how many entities find their
partner, how many a wrong one, and how many one though it was taken away, at several odds. `--write` writes the tables.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np  # type: ignore[import-not-found,unused-ignore]  # of benchmarks alone, as the package has no use for it
from folds import share
from forge_renames import find_entity
from predictions import KINDS, states

from birthmark.app.workspace.repository import OpenRepository, open_repository
from birthmark.comparison.match_candidates import all_entities, match_candidates, token_reader
from birthmark.matching.agreement import AGAINST, Agreement, Agreements
from birthmark.matching.candidates import find_candidates, weighed_as
from birthmark.matching.model import FUNCTION, TYPE, VALUE, MatchCandidate
from birthmark.matching.pair import BOLD, SURE, TOLERANCE
from birthmark.matching.pairing_state import ContentIds, PairingState
from birthmark.matching.similarity import Tokens
from birthmark.matching.weights import PRODUCTS

ORACLES = (
    "codetracker-method",
    "codetracker-attribute",
    "codetracker-class",
    "refactoringminer-java-pairs",
    "refactoringminer-python-pairs",
    "jsdiffer-javascript-pairs",
)
ODDS = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)
MARGIN = 0.3
MOST_FILES = 300  # of a commit; larger ones take long and add little
MOST_ENTITIES = 12_000
TAKEN_AWAY = 12  # a commit
WEIGHT_TAKEN_AWAY = 0.3  # Most births have fewer look-alikes than what has just lost its partner.
RIDGE, RIDGE_OF_LEADS = 1.0, 0.1
FOLDS = 8  # of repositories
OTHERWISE = "other"  # whatever is no value, function or type: fitted to all examples
SORTS = (VALUE, FUNCTION, TYPE, OTHERWISE)

Row = dict[str, Any]
Label = tuple[int | None, int, bool]  # indexes of the old and the new entity; whether they are one
Column = tuple[np.ndarray, np.ndarray]  # bias, parts and products; bias, odds and leads


class Commit(NamedTuple):
    """Two states as matching takes them."""

    old: Sequence[MatchCandidate]
    new: Sequence[MatchCandidate]
    tokens: tuple[Tokens, Tokens]
    files: tuple[ContentIds, ContentIds]


class Example(NamedTuple):
    """A candidate of two entities in a state of a commit."""

    repository: str
    state: str  # the commit, and how much of it was decided
    pair: tuple[int, int]
    seeks_old: bool
    sort: str
    agreement: Agreement
    is_right: bool
    is_taken_away: bool

    @property
    def seeker(self) -> tuple[str, bool, int]:
        return self.state, self.seeks_old, self.pair[self.seeks_old]


class Labels(NamedTuple):
    """The entities of a commit that are known, by rank: pairs, look-alikes, and those that have no partner."""

    pairs: set[tuple[int, int]]
    others: set[tuple[int, int]]
    born: set[int]
    old_away: set[int]
    new_away: set[int]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("oracles", type=Path)
    parser.add_argument("clones", type=Path)
    parser.add_argument("--oracle", action="append", help="name of a folder; those of entities if none is given")
    parser.add_argument("--statements", type=Path, help="a file of statements of messages")
    parser.add_argument("--write", type=Path, help="the module of the weights")
    options = parser.parse_args()
    examples = read_all(options.clones, read_labels(options))
    report(examples)
    if options.write is not None:
        write_tables(options.write, {sort: fit(of_sort(examples, sort)) for sort in SORTS})


def read_labels(options: argparse.Namespace) -> Mapping[str, Mapping[str, list[Row]]]:
    """What is known, by repository and commit."""
    commits: defaultdict[str, defaultdict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for oracle in options.oracle or ORACLES:
        for line in (options.oracles / oracle / "training.jsonl").read_text("utf-8").splitlines():
            entity = json.loads(line)
            for step in entity["history"]:
                if step.get("parent") and step.get("key_before") != step.get("key_after"):
                    commits[entity["repo"].replace("/", "+")][step["commit"]].append(entity | step)
    if options.statements is not None:
        for line in options.statements.read_text("utf-8").splitlines():
            row = json.loads(line)
            commits[row["repo"]][row["commit"]].append(row)
    return commits


def read_all(clones: Path, commits: Mapping[str, Mapping[str, list[Row]]]) -> list[Example]:
    examples: list[Example] = []
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        known = [repository for repository in sorted(commits) if (clones / repository).exists()]
        tasks = [
            pool.submit(read_examples, clones / name, commit, rows)
            for name in known
            for commit, rows in commits[name].items()
        ]
        for count, task in enumerate(tasks, 1):
            examples += task.result()
            print(f"{count} of {len(tasks)} commits", end="\r", file=sys.stderr, flush=True)
    return examples


def read_examples(folder: Path, commit: str, rows: Sequence[Row]) -> list[Example]:
    with open_repository(folder) as past:
        parent = rows[0].get("parent") or past.parents(commit)[0]
        if len(past.changed(parent, commit)) > MOST_FILES:
            return []
        read, labels = read_commit(past, parent, commit, rows)
        if len(read.old) + len(read.new) > MOST_ENTITIES:
            return []
        return list(collect(folder.name, commit, read, labels))


def read_commit(past: OpenRepository, parent: str, commit: str, rows: Sequence[Row]) -> tuple[Commit, list[Label]]:
    changed = past.changed(parent, commit)
    old = states(past, [(file.path, file.old_blob) for file in changed if file.old_blob])
    new = states(past, [(file.path, file.new_blob) for file in changed if file.new_blob])
    blobs = {file.path: (file.old_blob, file.new_blob) for file in changed}
    refs = all_entities(old), all_entities(new)
    numbers = tuple({ref: number for number, ref in enumerate(side)} for side in refs)
    read = Commit(
        match_candidates(old, refs[0], past.family_of),
        match_candidates(new, refs[1], past.family_of),
        (token_reader(old), token_reader(new)),
        ({file.path: blobs[file.path][0] for file in old}, {file.path: blobs[file.path][1] for file in new}),
    )
    labels = list(find_labels(read, [row for row in rows if "places" not in row]))
    for row in [row for row in rows if "places" in row]:
        for path, line, new_path, new_line in row["places"]:
            before, after = find_entity(old, path, row["old"], line), find_entity(new, new_path, row["new"], new_line)
            labels += [(numbers[0][before], numbers[1][after], True)] if before and after else []
    return read, labels


def find_labels(commit: Commit, rows: Iterable[Row]) -> Iterator[Label]:
    """What can be found in both states without doubt."""
    for row in rows:
        new = find(commit.new, row, "after")
        old = find(commit.old, row, "before") if row.get("path_before") else None
        if new is not None and (old is not None or "introduced" in row["changes"]):
            yield old, new, row.get("expect", "same") == "same"


def find(entities: Sequence[MatchCandidate], row: Row, when: str) -> int | None:
    path, name, line = (row.get(f"{key}_{when}") for key in ("path", "name", "line"))
    if path is None or name is None or row["kind"] not in KINDS:
        return None
    name, kinds = name.rpartition(".")[2], KINDS[row["kind"]]
    named = [i for i, e in enumerate(entities) if (e.path, e.name) == (path, name) and e.kind in kinds]
    if line is None:
        return named[0] if len(named) == 1 else None
    return min(named, key=lambda index: abs(entities[index].start_line - line), default=None)


def collect(repository: str, commit: str, states: Commit, known: Sequence[Label]) -> Iterator[Example]:
    """The candidates of labelled entities that are left over, and of those whose partners are taken away."""
    state = PairingState(states.old, states.new, TOLERANCE, {}, states.files, states.tokens)
    run(state, SURE)
    ranked = [(-1 if old is None else state.old.ranks[old], state.new.ranks[new], same) for old, new, same in known]
    if not any(new in state.new.free or old in state.old.free for old, new, _ in ranked):
        return
    labels = Labels(
        {(old, new) for old, new, same in ranked if same and old >= 0},
        {(old, new) for old, new, same in ranked if not same},
        {new for old, new, same in ranked if same and old < 0},
        *take_away(state, Random(commit)),  # noqa: S311, the same ones in every run
    )
    yield from examples_of(repository, f"{commit} at first", state, labels)
    open_old = {old for old, _ in labels.pairs | labels.others if old in state.old.free} | labels.old_away
    open_new = {new for _, new in labels.pairs | labels.others if new in state.new.free} | labels.new_away
    n_pairs = len(state.pairs)
    run(state, BOLD)
    give_back(state, n_pairs, open_old, open_new | labels.born)
    yield from examples_of(repository, f"{commit} at last", state, labels)


def run(state: PairingState, steps: Sequence[Callable[[PairingState], None]]) -> None:
    for step in steps:
        if not state.is_settled:
            step(state)


def give_back(state: PairingState, n_pairs: int, old: set[int], new: set[int]) -> None:
    """Take back the later pairs of some entities."""
    kept = []
    for pair in state.pairs[n_pairs:]:
        if pair.old in old or pair.new in new:
            state.old.free[pair.old] = state.new.free[pair.new] = None
            state.old.partners[pair.old] = state.new.partners[pair.new] = -1
        else:
            kept.append(pair)
    state.pairs[n_pairs:] = kept


def examples_of(repository: str, name: str, state: PairingState, labels: Labels) -> Iterator[Example]:
    if state.is_settled:
        return
    agreements = Agreements(state)
    olds, news = {old for old, _ in labels.pairs}, {new for _, new in labels.pairs} | labels.born
    for old, new in find_candidates(state, agreements.votes):
        is_labelled = old in olds or new in news or (old, new) in labels.others
        is_away = old in labels.old_away or new in labels.new_away
        if is_labelled != is_away:
            yield Example(
                repository,
                name,
                (old, new),
                new in news or new in labels.new_away,
                weighed_as(state.old.entities[old]),
                agreements.between(old, new),
                (old, new) in labels.pairs,
                is_away,
            )


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


def of_sort(examples: Sequence[Example], sort: str) -> list[Example]:
    return [example for example in examples if sort in (OTHERWISE, example.sort)]


def fit(examples: Sequence[Example]) -> Column:
    parts, is_right, weights = parts_of(examples), rights_of(examples), weights_of(examples)
    own = fit_signed(parts, is_right, weights)
    odds = own[0] + parts @ own[1:]
    return own, regress(np.column_stack([odds, leads_of(examples, odds)]), is_right, weights, RIDGE_OF_LEADS)


def odds_by(column: Column, examples: Sequence[Example]) -> np.ndarray:
    own, leads = column
    odds = own[0] + parts_of(examples) @ own[1:]
    return leads[0] + np.column_stack([odds, leads_of(examples, odds)]) @ leads[1:]


def parts_of(examples: Sequence[Example]) -> np.ndarray:
    parts = np.array([example.agreement for example in examples], dtype=float)
    at = Agreement._fields.index
    return np.column_stack([parts, *(parts[:, at(one)] * parts[:, at(other)] for one, other in PRODUCTS)])


def rights_of(examples: Sequence[Example]) -> np.ndarray:
    return np.array([float(example.is_right) for example in examples])


def weights_of(examples: Sequence[Example]) -> np.ndarray:
    return np.array([WEIGHT_TAKEN_AWAY if example.is_taken_away else 1.0 for example in examples])


def leads_of(examples: Sequence[Example], odds: np.ndarray) -> np.ndarray:
    """For each example the chances that it is likelier than the best rival for the old and for the new entity."""
    leads = np.ones((len(examples), 2))
    for side in (0, 1):
        groups: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
        for number, example in enumerate(examples):
            groups[example.state, example.pair[side]].append(number)
        for group in [group for group in groups.values() if len(group) > 1]:
            second, first = np.sort(odds[group])[-2:]
            for number in group:
                rival = second if odds[number] == first else first
                leads[number, side] = 1 / (1 + np.exp(-np.clip(odds[number] - rival, -30, 30)))
    return leads


def fit_signed(parts: np.ndarray, is_right: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Leave out parts that would count against their meaning, until there is none; products may have any sign."""
    signs = np.array([-1.0 if part in AGAINST else 1.0 for part in Agreement._fields] + [0.0] * len(PRODUCTS))
    used = np.ones(len(signs), dtype=bool)
    while True:
        found = regress(parts[:, used], is_right, weights, RIDGE)
        fitted = np.zeros(len(signs))
        fitted[used] = found[1:]
        if not (fitted * signs < 0).any():
            return np.concatenate([found[:1], fitted])
        used &= fitted * signs >= 0


def regress(parts: np.ndarray, is_right: np.ndarray, weights: np.ndarray, ridge: float) -> np.ndarray:
    """Logistic regression by Newton's method; the first weight is the bias."""
    rows = np.column_stack([np.ones(len(parts)), parts])
    penalty = np.diag([1e-6] + [ridge] * parts.shape[1])
    found = np.zeros(rows.shape[1])
    for _ in range(25):
        chances = 1 / (1 + np.exp(-np.clip(rows @ found, -30, 30)))
        gradient = rows.T @ (weights * (is_right - chances)) - penalty @ found
        curve = (rows * (weights * chances * (1 - chances))[:, None]).T @ rows + penalty
        step = np.linalg.solve(curve, gradient)
        found = found + step
        if np.abs(step).max() < 1e-5:
            break
    return found


# Reporting


def report(examples: Sequence[Example]) -> None:
    """How many find their partner by fitted weights, and by those of other repositories."""
    folds = {repository: number % FOLDS for number, repository in enumerate(sorted({e.repository for e in examples}))}
    for sort in SORTS[:-1]:
        own = of_sort(examples, sort)
        left_out = np.zeros(len(own))
        for fold in range(FOLDS):
            is_out = np.array([folds[example.repository] == fold for example in own])
            if is_out.any():
                others = [example for example in own if folds[example.repository] != fold]
                out = [example for example in own if folds[example.repository] == fold]
                left_out[is_out] = odds_by(fit(others), out)
        for name, odds in (("fitted", odds_by(fit(own), own)), ("left out", left_out)):
            for line in judge(own, odds):
                print(f"{sort}, {name}, {line}")


def judge(examples: Sequence[Example], odds: np.ndarray) -> Iterator[str]:
    """How many of those that look for a partner find it."""
    seekers: defaultdict[tuple[str, bool, int], list[tuple[float, Example]]] = defaultdict(list)
    for value, example in zip(odds, examples, strict=True):
        seekers[example.seeker].append((float(value), example))
    ranked = [sorted(found, key=lambda item: -item[0]) for found in seekers.values()]
    n_right = sum(any(example.is_right for _, example in found) for found in ranked)
    for least in ODDS:
        taken = [f[0][1] for f in ranked if f[0][0] >= least and (len(f) == 1 or f[0][0] - f[1][0] >= MARGIN)]
        right, away = sum(one.is_right for one in taken), sum(one.is_taken_away for one in taken)
        wrong = len(taken) - right - away
        precision = f"P {100 * share(right, right + wrong):.1f}"
        yield f"odds {least:4}: {right} of {n_right} right, {precision}, {wrong} wrong, {away} taken away"


def write_tables(file: Path, columns: Mapping[str, Column]) -> None:
    """Put the tables into the module in place of those that are there."""
    n_parts = len(Agreement._fields)
    own = np.array([columns[sort][0] for sort in SORTS]).T
    leads = np.array([columns[sort][1] for sort in SORTS]).T
    tables = {
        "_BIASES": _row(own[0]),
        "_PARTS": _table([json.dumps(part) for part in Agreement._fields], own[1 : 1 + n_parts]),
        "PRODUCTS": _table([_pair(names) for names in PRODUCTS], own[1 + n_parts :]),
        "_LEADS": _table([json.dumps(name) for name in ("bias", "odds", "old", "new")], leads),
    }
    source = file.read_text("utf-8")
    for name, table in tables.items():
        start = source.index(f"\n{name} = ") + 1
        end = source.index("\n}\n", start) + 2 if table.startswith("{") else source.index("\n", start)
        source = f"{source[:start]}{name} = {table}{source[end:]}"
    file.write_text(source, "utf-8")


def _table(names: Sequence[str], rows: Iterable[Sequence[float]]) -> str:
    lines = (f"    {name}: {_row(row)},\n" for name, row in zip(names, rows, strict=True))
    return "{\n" + "".join(lines) + "}"


def _pair(names: tuple[str, str]) -> str:
    return "(" + ", ".join(json.dumps(name) for name in names) + ")"


def _row(values: Sequence[float]) -> str:
    return "(" + ", ".join(f"{value + 0.0:.2f}".replace("-0.00", "0.00") for value in values) + ")"


if __name__ == "__main__":
    main()
