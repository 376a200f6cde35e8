"""Anchors made years ago, resolved today: how many lead to their definition, beside what tools store instead.

    python benchmarks/anchors.py REPOSITORY [REPOSITORY ...] [--years N] [--sample N] [--seed N] [--ledger]

Works on scratch clones; the repositories themselves are only read. Definitions of HEAD are drawn at random, and their
histories are walked back to the commit of N years ago: where one was then is the place that is anchored, where it is
now is the truth. Histories with a link of less than high confidence are left out. Each anchor is resolved through git
without an index; by its fingerprints alone, as if its commit were gone; and with `--ledger`, by the replayed ledger.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from birthmark.api.repository import Repository
from birthmark.app.answers.anchors import AnchorFate, AnchorFinder, AnchorMaker
from birthmark.app.indexing.index import update_folder
from birthmark.app.workspace.repository import OpenRepository, open_repository
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import RepositoryState
from birthmark.identity.anchors import Anchor
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.vocabulary import AnchorVerdict

YEAR = 365.25 * 86_400
PREFIX = 60  # characters of a body


class Case(NamedTuple):
    """A definition as it was, and where it is now."""

    anchor: Anchor
    body: bytes
    now: tuple[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repositories", metavar="REPOSITORY", nargs="+", type=Path)
    parser.add_argument("--years", type=float, default=3)
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ledger", action="store_true")
    arguments = parser.parse_args()
    totals: dict[str, Counter[str]] = {}
    for repository in arguments.repositories:
        with tempfile.TemporaryDirectory(prefix="birthmark-benchmark-") as scratch:
            root = Path(scratch) / repository.name
            subprocess.run(["git", "clone", "-q", "--shared", str(repository.resolve()), str(root)], check=True)  # noqa: S607
            for way, counts in judge(root, arguments):
                totals.setdefault(way, Counter()).update(counts)
                print_row(repository.name, way, counts)
    for way, counts in totals.items():
        print_row("all", way, counts)


def print_row(name: str, way: str, counts: Counter[str]) -> None:
    n = counts["all"] or 1
    shares = "  ".join(f"{word} {100 * counts[word] / n:5.1f} %" for word in ("right", "ambiguous", "lost", "wrong"))
    sure = f"wrong with high confidence {counts['surely wrong']} of {counts['sure']}" if counts["sure"] else ""
    pace = f"{1000 * counts['microseconds'] / 1e6 / n:6.1f} ms each" if counts["microseconds"] else ""
    print(f"{name:14} {way:22} {counts['all']:5}  {shares}  {sure}  {pace}", flush=True)


def judge(root: Path, arguments: argparse.Namespace) -> Iterator[tuple[str, Counter[str]]]:
    cases = read_cases(root, arguments)
    with open_repository(root) as repository:
        state = repository.named(None)
        for way, find in BASELINES.items():
            found = find(state)
            yield way, Counter(word for one in cases for word in ("all", told_place(one, found(one))))
        yield "git", judge_finder(repository, [one.anchor for one in cases], cases)
    update_folder(root, 0)
    with open_repository(root) as repository:
        blind = [replace(one.anchor, commit=None, mark=None, key=None) for one in cases]
        yield "fingerprints", judge_finder(repository, blind, cases)
    if arguments.ledger:
        yield "ledger", judge_ledger(root, cases)


def judge_finder(repository: OpenRepository, anchors: Iterable[Anchor], cases: list[Case]) -> Counter[str]:
    finder, counts = AnchorFinder(repository, repository.named(None)), Counter[str]()
    for anchor, case in zip(anchors, cases, strict=True):
        started = time.process_time()
        fate = finder.find(anchor)
        counts["microseconds"] += int(1e6 * (time.process_time() - started))
        counts.update(told(case, fate))
    return counts


def judge_ledger(root: Path, cases: list[Case]) -> Counter[str]:
    """Anchors as the replayed index makes them at the old commit; it has no marks there, so those of today are used."""
    update_folder(root, 0, from_history=True)
    with Repository.open(root, refresh=False) as repository:
        marks = [answer.mark for answer in repository.resolve_all([f"{one.now[0]}::{one.now[1]}" for one in cases])]
    with open_repository(root) as opened:
        return judge_finder(
            opened, [replace(one.anchor, mark=mark) for one, mark in zip(cases, marks, strict=True)], cases
        )


def told(case: Case, fate: AnchorFate) -> Iterator[str]:
    yield "all"
    place = (fate.now.file.path, fate.now.entity.qualified_name) if fate.now is not None else None
    word = "ambiguous" if fate.verdict is AnchorVerdict.AMBIGUOUS else told_place(case, place)
    yield word
    if fate.confidence == "high":
        yield "sure"
        if word in ("wrong", "lost"):
            yield "surely wrong"


def told_place(case: Case, place: tuple[str, str] | None) -> str:
    return "lost" if place is None else "right" if place == case.now else "wrong"


# The truth: histories walked through git


def read_cases(root: Path, arguments: argparse.Namespace) -> list[Case]:
    rng = random.Random(arguments.seed)  # noqa: S311
    with open_repository(root) as repository:
        head = repository.revision("HEAD")
        before = repository.commit(head.commit).at - arguments.years * YEAR
        old = repository.commit_state(commit_before(root, before))
        names = [
            (file.path, entity.qualified_name)
            for file in head.load(head.paths())
            for entity in file.outline.entities
            if entity.kind in FUNCTION_LIKE | CLASS_LIKE
        ]
        unique = sorted(name for name, n in Counter(names).items() if n == 1)
        rng.shuffle(unique)
        maker, texts = AnchorMaker(repository, old), []
        with Repository.open(root) as asked:
            for path, name in unique:
                then = place_then(asked, f"{path}::{name}", before)
                outlined = find_in(old, then) if then is not None else None
                if outlined is not None:
                    body = outlined.read_text()
                    texts.append(Case(maker.of_entity(outlined), body, (path, name)))
                if len(texts) == arguments.sample:
                    break
    return texts


def commit_before(root: Path, at: float) -> str:
    command = ["git", "-C", str(root), "rev-list", "-1", "--first-parent", f"--before={int(at)}", "HEAD"]
    return subprocess.check_output(command, text=True).strip()


def place_then(repository: Repository, ref: str, before: float) -> tuple[str, str] | None:
    """Return the path and the name that a definition had then, if all links of its history since are sure."""
    try:
        events = repository.history(ref).events
    except BirthmarkError:
        return None
    for event in events:
        if datetime.fromisoformat(event.commit_date).timestamp() <= before:
            return event.after.path, event.after.qualified_name
        if event.confidence not in (None, "high"):
            return None
    return None


def find_in(state: RepositoryState, place: tuple[str, str]) -> OutlinedEntity | None:
    file = state.file(place[0]) if state.entry(place[0]) is not None else None
    named = [at for at, one in enumerate(file.outline.entities) if one.qualified_name == place[1]] if file else []
    return OutlinedEntity(file, named[0]) if file is not None and len(named) == 1 else None


# What tools store instead

Found = Callable[[Case], tuple[str, str] | None]


def entities_of(state: RepositoryState) -> list[OutlinedEntity]:
    return [
        OutlinedEntity(file, at)
        for file in state.load(state.paths())
        for at, entity in enumerate(file.outline.entities)
        if entity.kind in FUNCTION_LIKE | CLASS_LIKE
    ]


def by_line(state: RepositoryState) -> Found:
    """The path and the first line."""
    places = {(one.file.path, one.entity.start_line): one.entity.qualified_name for one in entities_of(state)}
    return lambda case: _named(case.anchor.path, places.get((case.anchor.path, case.anchor.lines[0])))


def by_name(state: RepositoryState) -> Found:
    """The path and the qualified name."""
    places = {(one.file.path, one.entity.qualified_name) for one in entities_of(state)}
    return lambda case: (case.anchor.path, case.anchor.name) if (case.anchor.path, case.anchor.name) in places else None


def by_body(state: RepositoryState) -> Found:
    """The exact text, if one definition has it."""
    return _by_text(state, lambda text: text)


def by_prefix(state: RepositoryState) -> Found:
    """The first characters of the text, if one definition has them."""
    return _by_text(state, lambda text: text[:PREFIX])


def _by_text(state: RepositoryState, part: Callable[[bytes], bytes]) -> Found:
    places: dict[bytes, list[tuple[str, str]]] = {}
    for one in entities_of(state):
        places.setdefault(part(one.read_text()), []).append((one.file.path, one.entity.qualified_name))
    return lambda case: places[key][0] if len(places.get(key := part(case.body), ())) == 1 else None


def _named(path: str, name: str | None) -> tuple[str, str] | None:
    return None if name is None else (path, name)


BASELINES: dict[str, Callable[[RepositoryState], Found]] = {
    "path and line": by_line,
    "path and name": by_name,
    "exact text": by_body,
    "start of the text": by_prefix,
}


if __name__ == "__main__":
    main()
