"""Kill the indexer at any moment: the index is as before or as after, and nothing that was told is taken back.

What a killed run leaves is the index of some earlier run, so the same is also checked without processes, where any
example can be repeated: some runs are lost, the others are not.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from both_stores import check_rows_are_the_same, chosen
from database_rows import Rows, database_rows
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.app.workspace.stores import writing
from birthmark.errors import BirthmarkError
from birthmark.queries.validate import check_snapshot
from birthmark.store.sqlite.store import SqliteStore
from examples import n_examples
from worlds import World

N_FILES = 160
N_KILLS = 10  # a seed
KILLED = (0.6, 1.0)  # of the time that a run takes; until then it starts, and there is nothing to be lost
SEEDS = [
    *(("sqlite", seed) for seed in range(n_examples(3))),
    *(pytest.param("postgres", seed, marks=pytest.mark.postgres) for seed in range(n_examples(1))),
]
COMMAND = [sys.executable, "-m", "birthmark", "index", "--jobs", "2"]
LISTENED = 4  # edits from one time that marks are taken down to the next


def source(number: int, generation: int) -> str:
    """Three functions; the second changes from one generation to the next, and with it the lines of the third.

    Those of two files have no word in common: of look-alikes one could be taken for another.
    """
    x, y, rate = (f"{word}_{number}" for word in ("x", "y", "rate"))
    more = f"    {y} += {rate}\n" * (generation % 3)
    return "\n\n".join(
        (
            f"def first_{number}({x}):\n    return [{x} + {number}, {rate} * {x}]\n",
            f"def second_{number}({x}):\n    {y} = {generation} + {x}\n{more}    return {y}\n",
            f"def third_{number}({x}):\n    return first_{number}(second_{number}({x}))\n",
        )
    )


class Village:
    """A generated repository. Functions keep their names, so a name's mark must never change.

    What is edited, indexed and killed is printed: with the seed it says how a failure came about.
    """

    def __init__(self, root: Path, seed: int, n_files: int = N_FILES) -> None:
        self.world, self.random, self.n_files = World(root), random.Random(seed), n_files  # noqa: S311  nothing secret
        self.paths = [f"p{number % 8}/m{number}.py" for number in range(n_files)]
        self.told: dict[str, str] = {}
        self.moved: set[int] = set()
        self.changed: set[int] = set()
        self.generation = 0
        for number in range(n_files):
            self.world.write(self.paths[number], source(number, 0))

    def edit(self) -> None:
        """Change some files, take some away or bring them back; what is moved is left alone until that is told."""
        self.generation += 1
        for number in self.random.sample(range(self.n_files), self.n_files // 4):
            path, fate = self.paths[number], self.random.random()
            if number in self.moved:
                continue
            if fate < 0.1 and self.generation > 1 and number not in self.changed:
                self.moved.add(number)
                self.paths[number] = f"p{self.random.randrange(8)}/n{number}_{self.generation}.py"
                self.world.move(path, self.paths[number])
                print(f"{self.generation}: {path} is now {self.paths[number]}")
                continue
            self.changed.add(number)
            if fate < 0.2:
                (self.world.root / path).unlink(missing_ok=True)
            else:
                self.world.write(path, source(number, self.generation))
            print(f"{self.generation}: {path} is {'gone' if fate < 0.2 else 'written'}")

    def index(self) -> float:
        started = time.perf_counter()
        subprocess.run(COMMAND, cwd=self.world.root, capture_output=True, check=True, timeout=120)
        return time.perf_counter() - started

    def index_and_kill(self, seconds: float) -> bool:
        """Whether it was killed before it was done."""
        with subprocess.Popen(COMMAND, cwd=self.world.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                print(f"{self.generation}: killed after {seconds:.3f} s")
                return True
        assert process.returncode == 0
        return False

    def check(self) -> None:
        """What a killed run leaves can be read, and knows all that was told before."""
        try:
            with self.world.session() as session:
                store = session.store
                print(f"{self.generation}: {max((found.run for found in store.snapshots()), default=0)} runs are indexed")
                assert store.check_integrity() == []
                assert check_snapshot(store, session.view.number) == []
                known = {found.mark for found in store.identities_marked(self.told.values())}
                assert known == set(self.told.values())
        except BirthmarkError:
            assert self.told == {}  # Killed before there was an index.

    def listen(self) -> None:
        """Take down the marks that there are; what was told before must not have changed."""
        self.moved = set()
        self.changed = {number for number in range(self.n_files) if not (self.world.root / self.paths[number]).exists()}
        for held in self.world.entities():
            assert self.told.setdefault(held.entity.name, held.mark) == held.mark, held.entity.name


@pytest.mark.slow
@pytest.mark.parametrize(("store", "seed"), SEEDS)
def test_kills(tmp_path: Path, store: str, seed: int) -> None:
    with chosen(store):
        village = Village(tmp_path, seed)
        kill_often(village)
        village.index()
        village.listen()
        assert village.world.check() == []
        with writing(village.world.workspace, 0) as opened:
            assert not isinstance(opened, SqliteStore) or opened.check_integrity() == []


def kill_often(village: Village) -> None:
    seconds, n_killed = 1.0, 0
    for number in range(10 * N_KILLS):
        if number % LISTENED == 1:
            seconds = village.index()
            village.listen()
        village.edit()
        n_killed += village.index_and_kill(seconds * village.random.uniform(*KILLED))
        village.check()
        if n_killed == N_KILLS:
            return
    raise AssertionError(f"killed {n_killed} times only")


def lose_runs(seed: int, lost: list[bool]) -> Rows:
    with tempfile.TemporaryDirectory() as folder:
        village = Village(Path(folder), seed, n_files=24)
        for number, is_lost in enumerate([*lost, False]):
            if number % LISTENED == 1:
                village.world.index()
                village.listen()
            village.edit()
            if not is_lost:
                village.world.index()
                village.check()
        village.listen()
        assert village.world.check() == []
        return database_rows(village.world.root)


@pytest.mark.postgres
@settings(max_examples=n_examples(5))
@given(st.integers(0, 2**32), st.lists(st.booleans(), max_size=11))
def test_any_run_may_be_lost(seed: int, lost: list[bool]) -> None:
    check_rows_are_the_same(lambda: lose_runs(seed, lost))
