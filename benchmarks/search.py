"""How often `birthmark search` finds what is meant, and how long it takes, beside what is asked of it.

    python benchmarks/search.py REPOSITORY ... [--seed N] [--indexed]

Each repository is cloned into a temporary folder and indexed; with --indexed it is taken as it is, with the index that
is in it. Entities are drawn at random. Each is searched for by its name with a slip: a character dropped, doubled,
replaced, or exchanged with the next one. A name that several have is given with as much of what contains it as
distinguishes them; entities that no name distinguishes, and names of one or two characters, are not drawn. Where the
ledger knows former names, as many entities are searched for by one that nothing has now. An entity is found if it is
among the first three results.

Then words are searched for that are next to one another in docs and code. Times are those of pages of 20 results in
one process, without the check whether the index is fresh; the second time each is asked. Processor time means more
where other programs run as well, and is what is held against the limit.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import string
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from birthmark.app.answers.searching import SearchQuery, find_page, make_searchable
from birthmark.app.workspace.freshness import RefreshOptions
from birthmark.app.workspace.session import Session, open_session
from birthmark.identity.keys import parse_key
from birthmark.store.model import SnapshotEntity

N_DRAWN, FIRST, ASKED = 100, 3, 95
LIMIT_MS = 30.0
LEAST_LENGTH = 3
WORD = re.compile(r"[A-Za-z]{4,}")
LETTERS = string.ascii_lowercase


class Question(NamedTuple):
    """What is searched for, and the mark that is to be found; none where any answer will do."""

    text: str
    mark: str | None


class Timed(NamedTuple):
    """Milliseconds of wall and of processor time, and where the entity was found, if it was."""

    wall: float
    cpu: float
    rank: int | None


# Slips


def drop(name: str, at: int, chance: random.Random) -> str:
    return name[:at] + name[at + 1 :]


def double(name: str, at: int, chance: random.Random) -> str:
    return name[: at + 1] + name[at:]


def exchange(name: str, at: int, chance: random.Random) -> str:
    at = min(at, len(name) - 2)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def substitute(name: str, at: int, chance: random.Random) -> str:
    return name[:at] + chance.choice([letter for letter in LETTERS if letter != name[at].lower()]) + name[at + 1 :]


SLIPS: tuple[Callable[[str, int, random.Random], str], ...] = (drop, double, exchange, substitute)


def slip(name: str, chance: random.Random) -> str:
    """One that makes a difference."""
    while (slipped := chance.choice(SLIPS)(name, chance.randrange(len(name)), chance)) == name:
        pass
    return slipped


# What is asked


def distinguishing_names(entities: list[SnapshotEntity]) -> Iterator[tuple[SnapshotEntity, str]]:
    """Of each entity the shortest end of its qualified name that no other one has, where there is one."""
    counts = Counter(end for entity in entities for end in ends_of(entity))
    for entity in entities:
        own = next((end for end in ends_of(entity) if counts[end] == 1), None)
        if own is not None and len(entity.name) >= LEAST_LENGTH:
            yield entity, own


def ends_of(entity: SnapshotEntity) -> list[str]:
    parts = entity.qualified_name.removesuffix(entity.name).rstrip(".").split(".")
    containers = [part for part in parts if part]
    return [".".join([*containers[at:], entity.name]) for at in range(len(containers), -1, -1)]


def ask_slips(entities: list[SnapshotEntity], chance: random.Random) -> list[Question]:
    named = list(distinguishing_names(entities))
    print(f"  {len(named):,} of {len(entities):,} entities are distinguished by their names")
    drawn = chance.sample(named, min(N_DRAWN, len(named)))
    return [Question(own.removesuffix(entity.name) + slip(entity.name, chance), entity.mark) for entity, own in drawn]


def ask_former_names(session: Session, entities: list[SnapshotEntity], chance: random.Random) -> list[Question]:
    """Names that one entity had, and none has."""
    present = {entity.name for entity in entities}
    marks = {entity.identity: entity.mark for entity in entities}
    had: dict[str, set[str]] = {}
    for issued in session.store.keys_of(list(marks)):
        key = parse_key(issued.text)
        if key is not None and key.name not in present and len(key.name) >= LEAST_LENGTH:
            had.setdefault(key.name, set()).add(marks[issued.identity])
    known = sorted((name, *owners) for name, owners in had.items() if len(owners) == 1)
    return [Question(name, mark) for name, mark in chance.sample(known, min(N_DRAWN, len(known)))]


def ask_words(session: Session, chance: random.Random) -> list[Question]:
    questions: list[Question] = []
    paths = session.view.paths()
    while len(questions) < N_DRAWN:
        file = session.view.file(chance.choice(paths))
        source = session.view.source(file.version) if file is not None else None
        lines = [WORD.findall(line) for line in (source or b"").decode("utf-8", "replace").splitlines()]
        told = [words for words in lines if len(words) >= 2]
        if told:
            words = chance.choice(told)
            at = chance.randrange(len(words) - 1)
            questions.append(Question(" ".join(words[at : at + 2]), None))
    return questions


# Answers


def ask(session: Session, question: Question) -> Timed:
    query = SearchQuery(question.text)
    find_page(session, query)
    wall, cpu = time.perf_counter(), time.process_time()
    page, _ = find_page(session, query)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    marks = [result.entity.mark for result in page.results]
    rank = marks.index(question.mark) + 1 if question.mark in marks else None
    return Timed(wall * 1000, cpu * 1000, rank)


def report(title: str, questions: list[Question], session: Session) -> None:
    if not questions:
        print(f"  {title:14} none")
        return
    timed = [ask(session, question) for question in questions]
    cpu, wall = (figures([getattr(one, name) for one in timed]) for name in ("cpu", "wall"))
    found = ""
    if questions[0].mark is not None:
        n_found = sum(one.rank is not None and one.rank <= FIRST for one in timed)
        asked = ASKED * len(timed) / N_DRAWN
        found = f"{n_found:3} of {len(timed):3} in the first {FIRST} (asked: {asked:.0f})"
    print(f"  {title:14} {found:40} processor {cpu}, limit {LIMIT_MS:.0f} ms; wall {wall}")
    for question, one in zip(questions, timed, strict=True):
        if question.mark is not None and (one.rank is None or one.rank > FIRST):
            indexed = session.view.entities_marked(question.mark)[0]
            print(f"    not found: {question.text}, which is {indexed.entity.qualified_name}; place {one.rank}")


def figures(times: list[float]) -> str:
    return f"median {median(times):.1f} ms, p99 {sorted(times)[int(len(times) * 0.99) - 1]:.1f} ms"


def measure(root: Path, seed: int) -> None:
    database = root / ".birthmark" / "index.db"
    before = database.stat().st_size
    with open_session(root, RefreshOptions()) as session:
        cpu = time.process_time()
        n_texts = make_searchable(session)
        cpu = time.process_time() - cpu
        session.store.counts(session.view.number)
        entities = list(session.store.all_entities(session.view.number))
        print(f"{root.name}: {len(entities):,} entities; {n_texts:,} texts were made searchable in {cpu:.2f} s of")
        print(f"  processor time; the index had {before / 1e6:.1f} MB, now {database.stat().st_size / 1e6:.1f} MB")
        chance = random.Random(seed)  # noqa: S311 (the same each time)
        report("slips", ask_slips(entities, chance), session)
        report("former names", ask_former_names(session, entities, chance), session)
        report("words of texts", ask_words(session, chance), session)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repositories", metavar="REPOSITORY", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--indexed", action="store_true")
    arguments = parser.parse_args()
    for repository in arguments.repositories:
        if arguments.indexed:
            measure(repository.resolve(), arguments.seed)
            continue
        with tempfile.TemporaryDirectory(prefix="birthmark-benchmark-") as scratch:
            root = Path(scratch) / repository.resolve().name
            subprocess.run(["git", "clone", "-q", "--shared", str(repository.resolve()), str(root)], check=True)  # noqa: S607
            subprocess.run(
                [sys.executable, "-m", "birthmark", "-C", str(root), "index"], check=True, stdout=subprocess.DEVNULL
            )
            measure(root, arguments.seed)


if __name__ == "__main__":
    os.environ.setdefault("NO_COLOR", "1")
    main()
