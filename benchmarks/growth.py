"""Cost as work grows: index, nothing changed, one function edited and replay on ever larger trees, beside other tools.

    python benchmarks/growth.py FOLDER [FOLDER ...] [--sizes N ...] [--peers FOLDER] [--plots FOLDER] [--odd]

The FOLDERs hold real sources, of which `synthetic.py` makes the trees, in a scratch folder that is removed; --scratch
says where it is. Every figure is that of a whole command from start to exit; `commands.py` says how they are taken.
Two sizes of a cost give its exponent: 1 where ten times the files take ten times as much, 0 where they take the same.
A time with an exponent above 1.1 is marked. --odd measures what no repository is like: one huge file, all files in one
folder, folders in folders; --no-replay leaves replay out.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from typing import NamedTuple

from commands import Run, measure, run_command
from index import INDEX, MEGABYTE, measure_peers, told
from plot import Line, draw
from synthetic import (
    draw_files,
    edit_function,
    find_sources,
    make_deep_folders,
    make_flat_folder,
    make_huge_file,
    make_repository,
)

SIZES = (1_000, 10_000, 100_000)
SUPERLINEAR = 1.1
PEER_LIMIT = 10_000  # files; a larger tree takes most peers longer than they are given
HOME = ".birthmark"
ALL, UNCHANGED, EDITED, REPLAYED = "index", "nothing changed", "one function edited", "replay"
ODD = {
    "one file of 50,000 functions": partial(make_huge_file, n_functions=50_000),
    "100,000 files in one folder": partial(make_flat_folder, n_files=100_000),
    "5,000 folders, up to 500 deep": partial(make_deep_folders, n_folders=5_000),
}


class Step(NamedTuple):
    """A command that was measured on a tree of a size."""

    name: str
    n_files: int
    run: Run


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", metavar="FOLDER", nargs="+", type=Path)
    parser.add_argument("--sizes", metavar="N", nargs="*", type=int, default=SIZES)
    parser.add_argument("--peers", metavar="FOLDER", type=Path)
    parser.add_argument("--plots", metavar="FOLDER", type=Path)
    parser.add_argument("--scratch", metavar="FOLDER", type=Path)
    parser.add_argument("--odd", action="store_true")
    parser.add_argument("--no-replay", dest="replays", action="store_false")
    arguments = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sources = find_sources(folder.resolve() for folder in arguments.folders)
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the start; {len(sources):,} sources", flush=True
    )
    steps: list[Step] = []
    for n_files in arguments.sizes:
        files = draw_files(sources, n_files)
        with scratch_tree(arguments.scratch, partial(make_repository, files=files)) as root:
            edit = partial(edit_function, files=files)
            found = measure_tree(root, n_files, edit, replays=arguments.replays)
            if arguments.peers is not None and n_files <= PEER_LIMIT:
                measure_peers(root, arguments.peers.resolve(), "several", partial(edit, n_edits=1), found[0].run)
            steps += found
    if steps:
        print_exponents(steps)
    if arguments.plots is not None:
        write_plots(arguments.plots, steps)
    if arguments.odd:
        measure_odd(arguments.scratch)


@contextmanager
def scratch_tree(scratch: Path | None, make: Callable[[Path], None]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="birthmark-benchmark-", dir=scratch) as folder:
        make(Path(folder) / "tree")
        yield Path(folder) / "tree"


def measure_tree(root: Path, n_files: int, edit: Callable[..., None], *, replays: bool) -> list[Step]:
    print(f"\n{f'{n_files:,} files':22} {'seconds':>8} {'CPU s':>8} {'largest':>8} {'all':>8} {'on disk':>9}")
    numbers = count(1)
    runs = {
        ALL: measure(INDEX, root, lambda: forget(root)),
        UNCHANGED: measure(INDEX, root),
        EDITED: measure(INDEX, root, lambda: edit(root, n_edits=next(numbers))),
    }
    for name, run in runs.items():
        print_step(name, run, root)
    if replays:
        forget(root)
        edit(root, n_edits=0)
        runs[REPLAYED] = run_command([*INDEX, "--from-history"], root)
        print_step(REPLAYED, runs[REPLAYED], root)
    return [Step(name, n_files, run) for name, run in runs.items()]


def forget(root: Path) -> None:
    shutil.rmtree(root / HOME, ignore_errors=True)


def print_step(name: str, run: Run, root: Path) -> None:
    size = sum(path.stat().st_size for path in (root / HOME).rglob("*") if path.is_file()) / MEGABYTE
    print(
        f"{'  ' + name:22} {run.seconds:8.2f} {run.cpu_seconds:8.2f} {run.largest / MEGABYTE:5.0f} MB"
        f" {run.peak / MEGABYTE:5.0f} MB {size:6.0f} MB  {run.failure or told(run)}",
        flush=True,
    )


def measure_odd(scratch: Path | None) -> None:
    for name, make in ODD.items():
        with scratch_tree(scratch, make) as root:
            print(f"\n{name}")
            print_step(ALL, run_command(INDEX, root), root)
            print_step(UNCHANGED, measure(INDEX, root), root)


# What grows how


def print_exponents(steps: Sequence[Step]) -> None:
    print(f"\n{'exponents':22} {'files':>18} {'CPU':>6} {'memory':>7}")
    for name in dict.fromkeys(step.name for step in steps):
        for small, large in pairwise(step for step in steps if step.name == name):
            ends = (small.n_files, small.run), (large.n_files, large.run)
            time = exponent_of(*((n_files, run.cpu_seconds) for n_files, run in ends))
            memory = exponent_of(*((n_files, run.largest) for n_files, run in ends))
            sizes = f"{small.n_files:,} to {large.n_files:,}"
            verdict = "  superlinear" if time > SUPERLINEAR else ""
            print(f"{'  ' + name:22} {sizes:>18} {time:6.2f} {memory:7.2f}{verdict}")


def exponent_of(small: tuple[int, float], large: tuple[int, float]) -> float:
    """To which power of the size a cost has grown."""
    return math.log(large[1] / small[1]) / math.log(large[0] / small[0])


def write_plots(folder: Path, steps: Sequence[Step]) -> None:
    times, sizes = ({name: Line(name) for name in dict.fromkeys(step.name for step in steps)} for _ in range(2))
    for name, n_files, run in steps:
        times[name].add(n_files, run.cpu_seconds)
        sizes[name].add(n_files, run.largest / MEGABYTE)
    time = draw("Time as work grows", "files", "seconds of processor time", [*times.values()])
    memory = draw("Memory as work grows", "files", "MB of the largest process", [*sizes.values()])
    (folder / "growth.svg").write_text(time, encoding="utf-8")
    (folder / "growth-memory.svg").write_text(memory, encoding="utf-8")


if __name__ == "__main__":
    main()
