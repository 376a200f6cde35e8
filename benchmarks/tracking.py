"""Histories beside published ground truth: how right they are, how long they take, and how long git takes.

    python benchmarks/tracking.py ORACLES CLONES [--oracle NAME ...] [--limit N] [--repository OWNER/NAME]
                                  [--ids FILE] [--worst N] [--with-git] [--cold] [--keep FOLDER] [--cache FOLDER]

ORACLES is a folder with a `score.py` and a folder for each oracle, which holds `training.jsonl` (or is itself named as
a `.jsonl`); CLONES holds `owner+name` for each repository. Histories are made in this process, one opened repository
for all its entities; with `--cold` it is opened anew for each. `score.py` runs as a program of its own and says how
right they are. `--with-git` runs `git log -L` over the same lines in between. Nothing is written but what `--keep` and
`--cache` ask for; with a cache, what an earlier run extracted is not extracted again, and times mean nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from confidence import Link, confidence_table, judge_links
from folds import Counts, describe_spread, rows_by_repository
from kept_results import opened
from predictions import Row, predict

GIT_SECONDS = 120.0  # after which git is given up


class Scored(NamedTuple):
    """A line of the table."""

    oracle: str
    report: Row
    by_repository: dict[str, Counts]
    links: list[Link]
    seconds: list[float]
    git_seconds: list[float]
    with_derivations: Row | None = None  # of pairs: the report if derivations count as links


def main() -> None:
    options = read_options()
    named = [Path(name) if name.endswith(".jsonl") else options.oracles / name for name in options.oracle or ()]
    folders = named or sorted(path.parent for path in options.oracles.glob("*/training.jsonl"))
    scored = [found for folder in folders if (found := measure(folder, options)) is not None]
    print_table(scored)
    print_repositories(scored)
    for line in scored:
        for worst in line.report["worst"]:
            print(f"{line.oracle}: {worst['fp']} too many, {worst['fn']} missed: {worst['id']}")
    links = [link for line in scored for link in line.links]
    print(*confidence_table(links) if links else (), sep="\n")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("oracles", type=Path)
    parser.add_argument("clones", type=Path)
    parser.add_argument("--oracle", action="append", help="name of a folder, or a .jsonl; all if none is given")
    parser.add_argument("--limit", type=int, help="at most so many entities an oracle, from all over it")
    parser.add_argument("--repository", help="only those of this owner/name")
    parser.add_argument("--ids", type=Path, help="a file with the ids of the entities to measure, one a line")
    parser.add_argument("--worst", type=int, default=5, help="how many of the worst entities to list")
    parser.add_argument("--with-git", action="store_true", help="time `git log -L` beside each")
    parser.add_argument("--cold", action="store_true", help="open the repository anew for each entity")
    parser.add_argument("--keep", type=Path, help="a folder for what was predicted")
    parser.add_argument("--cache", type=Path, help="a folder of results that runs share")
    return parser.parse_args()


def measure(folder: Path, options: argparse.Namespace) -> Scored | None:
    file = folder if folder.suffix == ".jsonl" else folder / "training.jsonl"
    name = file.parent.name
    rows = [row for row in read_rows(file) if options.repository in (None, row["repo"])]
    if options.ids is not None:
        wanted = frozenset(options.ids.read_text("utf-8").split())
        rows = [row for row in rows if row["id"] in wanted]
    rows = choose(rows, name, options)
    predictions, git_seconds = [], []
    for row, prediction, beside in predict_all(name, rows, options):
        predictions.append(prediction | {"id": row["id"]})
        git_seconds += [beside] if beside is not None else []
    for prediction in predictions:
        if "failure" in prediction:
            print(f"{name}: {prediction['id']} counts as missed: {prediction['failure']}", file=sys.stderr)
    if not predictions:
        return None
    if options.keep is not None:
        keep(name, predictions, options.keep)
    seconds = [prediction["seconds"] for prediction in predictions]
    report = run_score(file, name, predictions, options)
    by_id = {row["id"]: row for row in rows}
    links = [link for prediction in predictions for link in judge_links(by_id[prediction["id"]], prediction)]
    by_repository = score_repositories(file, name, rows, predictions, options)
    derived = [one | {"changes": [*one.get("changes", ()), *one.get("derived", ())]} for one in predictions]
    with_derivations = (
        run_score(file, name, derived, options) if any(one.get("derived") for one in predictions) else None
    )
    return Scored(name, report, by_repository, links, seconds, git_seconds, with_derivations)


def read_rows(file: Path) -> list[Row]:
    """The entities of an oracle."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def score_repositories(
    file: Path, name: str, rows: list[Row], predictions: list[Row], options: argparse.Namespace
) -> dict[str, Counts]:
    """The figures of each repository: their spread says what to expect of one that was never measured."""
    found = {}
    for repository, own in rows_by_repository(rows).items():
        ids = {row["id"] for row in own}
        report = run_score(file, name, [prediction for prediction in predictions if prediction["id"] in ids], options)
        level = level_of(report)
        found[repository] = Counts(level["tp"], level["fp"], level["fn"])
    return found


def level_of(report: Row) -> Row:
    level: Row = report.get("commit_level") or report.get("pair_level") or {"tp": 0, "fp": 0, "fn": 0}
    return level


def choose(rows: list[Row], name: str, options: argparse.Namespace) -> list[Row]:
    """Those that there is a clone for; a limit takes them from all over the list."""
    rows = with_clones(rows, name, options.clones)
    limit = min(options.limit or len(rows), len(rows))
    return [rows[place * len(rows) // limit] for place in range(limit)]


def with_clones(rows: list[Row], name: str, clones: Path) -> list[Row]:
    missing = Counter(row["repo"] for row in rows if not clone_of(row["repo"], clones).exists())
    for repository, number in missing.items():
        print(f"{name}: {number} left out, as there is no clone of {repository}", file=sys.stderr)
    return [row for row in rows if row["repo"] not in missing]


def clone_of(repository: str, clones: Path) -> Path:
    return clones / repository.replace("/", "+")


def predict_all(oracle: str, rows: list[Row], options: argparse.Namespace) -> Iterator[tuple[Row, Row, float | None]]:
    for repository, group in groupby(sorted(rows, key=lambda row: str(row["repo"])), key=lambda row: str(row["repo"])):
        folder = clone_of(repository, options.clones)
        with ExitStack() as stack:
            past = stack.enter_context(opened(folder, options.cache))
            for row in group:
                if options.cold:
                    stack.close()
                    past = stack.enter_context(opened(folder, options.cache))
                prediction = predict(oracle, past, row)
                yield row, prediction, time_git(folder, row, prediction) if options.with_git else None


def time_git(folder: Path, row: Row, prediction: Row) -> float | None:
    lines = prediction["lines"]
    if lines is None:
        return None
    start = time.perf_counter()
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(git_command(row, lines), cwd=folder, capture_output=True, timeout=GIT_SECONDS, check=False)
    return time.perf_counter() - start


def git_command(row: Row, lines: tuple[int, int]) -> list[str]:
    where = f"-L{lines[0]},{lines[1]}:{row['path']}"
    return ["git", "log", "--no-merges", where, "-s", "--format=%H", row["start_commit"]]


def keep(name: str, predictions: list[Row], folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    written = folder / f"{name}.predictions.jsonl"
    written.write_text("".join(json.dumps(prediction) + "\n" for prediction in predictions), "utf-8")
    return written


def run_score(file: Path, name: str, predictions: list[Row], options: argparse.Namespace) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        written = keep(name, predictions, Path(folder))
        command = [sys.executable, str(options.oracles / "score.py"), str(file), str(written)]
        command += ["--only-predicted", "--json", "--worst", str(options.worst)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    report: Row = json.loads(done.stdout)
    return report


def print_table(scored: list[Scored]) -> None:
    print("| oracle | entities | P | R | F1 | exact | seconds, median | mean | beside git, median | mean |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for line in scored:
        level = level_of(line.report)
        figures = [f"{100 * level[key]:.2f}" for key in ("precision", "recall", "f1")]
        figures += [f"{100 * line.report['exact_share']:.1f} %", *(f"{value:.3f}" for value in averages(line.seconds))]
        ratios = [ours / gits for ours, gits in zip(averages(line.seconds), averages(line.git_seconds), strict=False)]
        figures += [f"{ratio:.2f}" for ratio in ratios] or ["", ""]
        print(f"| {line.oracle} | {line.report['entities']} | {' | '.join(figures)} |")
        if line.with_derivations is not None:
            level = level_of(line.with_derivations)
            figures = [f"{100 * level[key]:.2f}" for key in ("precision", "recall", "f1")]
            print(
                f"| {line.oracle}, derivations counted | {line.report['entities']} | {' | '.join(figures)} |" + 5 * " |"
            )


def print_repositories(scored: list[Scored]) -> None:
    print("\n| oracle | repository | P | R | F1 | too many | missed |\n|---|---|---:|---:|---:|---:|---:|")
    for line in scored:
        for repository, counts in line.by_repository.items():
            figures = [f"{100 * value:.2f}" for value in (counts.precision, counts.recall, counts.f1)]
            print(f"| {line.oracle} | {repository} | {' | '.join(figures)} | {counts.too_many} | {counts.missed} |")
    print(*(f"\n{line.oracle}: {describe_spread(line.by_repository)}" for line in scored))


def averages(seconds: list[float]) -> list[float]:
    return [statistics.median(seconds), statistics.fmean(seconds)] if seconds else []


if __name__ == "__main__":
    main()
