"""Histories beside published ground truth: how right they are, how long they take, and how long git takes.

    python benchmarks/tracking.py ORACLES CLONES [--oracle NAME ...] [--limit N] [--repository OWNER/NAME]
                                  [--worst N] [--with-git] [--cold] [--keep FOLDER]

ORACLES is a folder with a `score.py` and a folder for each oracle, which holds `training.jsonl` (or is itself named as
a `.jsonl`); CLONES holds `owner+name` for each repository. Histories are made in this process, one opened repository
for all its entities; with `--cold` it is opened anew for each. `score.py` runs as a program of its own and says how
right they are. `--with-git` runs `git log -L` over the same lines in between. Nothing is written but what `--keep` asks
for.
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
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from birthmark.app.histories import Target, read_inner_history, spot_at
from birthmark.app.past import RepositoryPast, past_of
from birthmark.errors import BirthmarkError
from birthmark.model import Entity
from birthmark.operations.aspects import DOCUMENTATION, FORMAT
from birthmark.operations.diff import Place, pair_files
from birthmark.operations.history import Spot, Step, follow, step_back
from birthmark.operations.subjects import FileState

Row = dict[str, Any]
COMMENT = "comment in the body"  # a documentation change that is more than the text above the definition
GIT_SECONDS = 120.0  # after which git is given up
INNER = {"variable", "parameter", "block"}
FILES = {"file", "module"}
KINDS = {
    "method": {"method", "constructor", "fn"},
    "function": {"fn", "method", "constructor"},
    "class": {"class", "interface", "enum", "struct"},
    "attribute": {"field", "const", "var", "member"},
    "variable": {"var", "const"},
}


# What oracles call a file: its name, its name without the extension, or the part behind the last dot.
FILE_NAMES: tuple[Callable[[str], str], ...] = (
    lambda path: path.rpartition("/")[2],
    lambda path: path.rpartition("/")[2].partition(".")[0],
    lambda path: path.rpartition(".")[2],
    lambda path: "",
)


class Rule(NamedTuple):
    """Changes that alone do not make a commit part of an oracle's histories, with the reason."""

    ignored: frozenset[str]
    reason: str


_DECLARATION = frozenset({DOCUMENTATION, FORMAT, COMMENT})
RULES = {
    "codetracker-method": Rule(frozenset({DOCUMENTATION, FORMAT}), "comments in the body are recorded, Javadoc is not"),
    "codetracker-class": Rule(
        _DECLARATION | {"inheritance change", "type parameter change"},
        "declarations only; neither bases nor type parameters are in its vocabulary",
    ),
    "codetracker-attribute": Rule(_DECLARATION, "declarations only; no documentation in its vocabulary"),
    "codetracker-variable": Rule(
        _DECLARATION | {"initializer change", "initializer added", "initializer removed", "container change", "moved"},
        "declarations only; what happens around a variable is not its history",
    ),
    "codetracker-block": Rule(_DECLARATION, "no documentation in its vocabulary"),
    "historyfinder-corrected": Rule(frozenset(), "documentation and format are recorded"),
    "codeshovel-python": Rule(frozenset({FORMAT, COMMENT}), "docstrings are part of a body, comments are not"),
}
_OTHERWISE = Rule(frozenset({FORMAT}), "")


class Scored(NamedTuple):
    """A line of the table."""

    oracle: str
    report: Row
    seconds: list[float]
    git_seconds: list[float]


def main() -> None:
    options = read_options()
    named = [Path(name) if name.endswith(".jsonl") else options.oracles / name for name in options.oracle or ()]
    folders = named or sorted(path.parent for path in options.oracles.glob("*/training.jsonl"))
    scored = [found for folder in folders if (found := measure(folder, options)) is not None]
    print_table(scored)
    for line in scored:
        for worst in line.report["worst"]:
            print(f"{line.oracle}: {worst['fp']} too many, {worst['fn']} missed: {worst['id']}")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("oracles", type=Path)
    parser.add_argument("clones", type=Path)
    parser.add_argument("--oracle", action="append", help="name of a folder, or a .jsonl; all if none is given")
    parser.add_argument("--limit", type=int, help="at most so many entities an oracle")
    parser.add_argument("--repository", help="only those of this owner/name")
    parser.add_argument("--worst", type=int, default=5, help="how many of the worst entities to list")
    parser.add_argument("--with-git", action="store_true", help="time `git log -L` beside each")
    parser.add_argument("--cold", action="store_true", help="open the repository anew for each entity")
    parser.add_argument("--keep", type=Path, help="a folder for what was predicted")
    return parser.parse_args()


def measure(folder: Path, options: argparse.Namespace) -> Scored | None:
    file = folder if folder.suffix == ".jsonl" else folder / "training.jsonl"
    name = file.parent.name
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    rows = [row for row in rows if options.repository in (None, row["repo"])][: options.limit]
    rows = [row for row in rows if can_be_asked(row, options.clones)]
    predictions, git_seconds = [], []
    for row, prediction, seconds in predict_all(name, rows, options):
        predictions.append(prediction | {"id": row["id"]})
        git_seconds += [seconds] if seconds is not None else []
    for prediction in predictions:
        if "failure" in prediction:
            print(f"{name}: {prediction['id']} counts as missed: {prediction['failure']}", file=sys.stderr)
    if not predictions:
        return None
    seconds = [prediction["seconds"] for prediction in predictions]
    return Scored(name, run_score(file, name, predictions, options), seconds, git_seconds)


def can_be_asked(row: Row, clones: Path) -> bool:
    return (clones / row["repo"].replace("/", "+")).exists()


def predict_all(oracle: str, rows: list[Row], options: argparse.Namespace) -> Iterator[tuple[Row, Row, float | None]]:
    for repository, group in groupby(sorted(rows, key=lambda row: str(row["repo"])), key=lambda row: str(row["repo"])):
        folder = options.clones / repository.replace("/", "+")
        with ExitStack() as stack:
            past = stack.enter_context(past_of(folder))
            for row in group:
                if options.cold:
                    stack.close()
                    past = stack.enter_context(past_of(folder))
                prediction = predict(oracle, past, row)
                yield row, prediction, time_git(folder, row, prediction) if options.with_git else None


def predict(oracle: str, past: RepositoryPast, row: Row) -> Row:
    start = time.perf_counter()
    try:
        steps, lines = predict_history(past, row) if row.get("complete", True) else (predict_pair(past, row), None)
    except BirthmarkError as error:
        return {"commits": [], "seconds": time.perf_counter() - start, "lines": None, "failure": str(error)}
    seconds = time.perf_counter() - start
    ignored = RULES.get(oracle, _OTHERWISE).ignored
    commits = [step.commit for step in steps if set(words_of(past, step)) - ignored]
    return {"commits": commits, "changes": [describe(step) for step in steps], "seconds": seconds, "lines": lines}


def describe(step: Step) -> Row:
    before = step.before
    return {
        "commit": step.commit,
        "types": list(step.changes),
        "path_before": before and before.path,
        "name_before": before and before.qualified_name.rpartition(".")[2],
    }


def words_of(past: RepositoryPast, step: Step) -> tuple[str, ...]:
    """What changed, with comments in the body told from documentation."""
    if set(step.changes) != {DOCUMENTATION} or step.before is None or step.parent is None:
        return step.changes
    texts = [text_at(past, step.parent, step.before), text_at(past, step.commit, step.after)]
    return (COMMENT,) if texts[0] != texts[1] else step.changes


def text_at(past: RepositoryPast, commit: str, place: Place) -> bytes:
    """An entity without its documentation, and without white space."""
    blob = past.blob(commit, place.path)
    outline = past.outlines([(blob, place.path)])[0] if blob else None
    if blob is None or outline is None:
        return b""
    found = (e for e in outline.entities if (e.qualified_name, e.start_line) == place_key(place))
    spans = (span for entity in found for span in entity.content_spans)
    return b"".join(b"".join(past.content(blob)[slice(*span)].split()) for span in spans)


def place_key(place: Place) -> tuple[str, int]:
    return place.qualified_name, place.start_line


# Histories


def predict_history(past: RepositoryPast, row: Row) -> tuple[list[Step], tuple[int, int]]:
    if row["kind"] in INNER:
        return follow_inner(past, row), (row["start_line"], row.get("end_line") or row["start_line"])
    target = find_target(past, row)
    return follow(past, spot_at(past, target)), (target.entity.start_line, target.entity.end_line)


def follow_inner(past: RepositoryPast, row: Row) -> list[Step]:
    line = row["start_line"]
    name, block_line = (None, line) if row["kind"] == "block" else (row["name"], None)
    found = read_inner_history(past, f"{row['path']}:{line}", row["start_commit"], name, block_line)
    return [step for step, _ in found.steps]


def find_target(past: RepositoryPast, row: Row) -> Target:
    """The entity of that kind and name that is nearest to the line."""
    commit, path, line = row["start_commit"], row["path"], row["start_line"]
    blob = past.blob(commit, path)
    outline = past.outlines([(blob, path)])[0] if blob else None
    if blob is None or outline is None:
        raise BirthmarkError("the file cannot be read")
    kinds, name = KINDS[row["kind"]], row["name"].rpartition(".")[2]
    named = [i for i, entity in enumerate(outline.entities) if entity.name == name and entity.kind in kinds]
    if not named:
        raise BirthmarkError(f"no {row['kind']} of the name is found where the oracle has one")
    nearest = min(named, key=lambda index: distance(outline.entities[index], line))
    return Target(commit, path, blob, outline, nearest)


def distance(entity: Entity, line: int) -> tuple[int, int]:
    is_around = entity.start_line <= line <= entity.end_line
    off = min(abs(entity.start_line - line), abs(entity.end_line - line))
    return 0 if is_around else off, entity.end_line - entity.start_line


# Pairs: one step, from a commit to its parent


def predict_pair(past: RepositoryPast, row: Row) -> list[Step]:
    parent = row["history"][0].get("parent") or past.parents(row["start_commit"])[0]
    if row["kind"] in FILES:
        return link_file(past, row, parent)
    try:
        spot = spot_at(past, find_target(past, row))
    except (BirthmarkError, KeyError):
        return follow_inner_once(past, row)
    return link_entity(past, spot, parent)


def link_entity(past: RepositoryPast, spot: Spot, parent: str) -> list[Step]:
    step = step_back(past, spot, parent)
    return [step] if step is not None else []


def follow_inner_once(past: RepositoryPast, row: Row) -> list[Step]:
    if row["kind"] not in INNER:
        raise BirthmarkError(f"no {row['kind']} of the name is found where the oracle has one")
    return [step for step in follow_inner(past, row) if step.commit == row["start_commit"]]


def link_file(past: RepositoryPast, row: Row, parent: str) -> list[Step]:
    """A file is the one that most of what it defines comes from."""
    commit, path = row["start_commit"], row["path"]
    changed = past.changed(parent, commit)
    old = states(past, [(file.path, file.old_blob) for file in changed if file.old_blob])
    new = states(past, [(file.path, file.new_blob) for file in changed if file.new_blob])
    old_places, new_places, pairing = pair_files(old, new, past.family_of)
    votes = Counter(
        old[old_places[pair.old][0]].path for pair in pairing.pairs if new[new_places[pair.new][0]].path == path
    )
    if not votes:
        return []
    before = votes.most_common(1)[0][0]
    name_of = next((name_of for name_of in FILE_NAMES if name_of(path) == row["name"]), FILE_NAMES[0])
    places = [Place(name, name_of(name), 1, 1) for name in (before, path)]
    return [Step(commit, parent, ("container change",), places[0], places[1])] if before != path else []


def states(past: RepositoryPast, files: list[tuple[str, str]]) -> list[FileState]:
    outlines = past.outlines([(blob, path) for path, blob in files])
    return [
        FileState(path, outline, lambda blob=blob: past.content(blob))  # type: ignore[misc]
        for (path, blob), outline in zip(files, outlines, strict=True)
        if outline is not None
    ]


# Beside git, and the score


def time_git(folder: Path, row: Row, prediction: Row) -> float | None:
    lines = prediction["lines"]
    if lines is None:
        return None
    where = f"-L{lines[0]},{lines[1]}:{row['path']}"
    command = ["git", "-C", str(folder), "log", "--no-merges", where, "-s", "--format=%H", row["start_commit"]]
    start = time.perf_counter()
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(command, capture_output=True, timeout=GIT_SECONDS, check=False)
    return time.perf_counter() - start


def run_score(file: Path, name: str, predictions: list[Row], options: argparse.Namespace) -> Row:
    with ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        written = folder / f"{name}.predictions.jsonl"
        written.write_text("".join(json.dumps(prediction) + "\n" for prediction in predictions), "utf-8")
        command = [sys.executable, str(options.oracles / "score.py"), str(file), str(written)]
        command += ["--only-predicted", "--json", "--worst", str(options.worst)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    report: Row = json.loads(done.stdout)
    return report


def print_table(scored: list[Scored]) -> None:
    print("| oracle | entities | P | R | F1 | exact | seconds, median | mean | beside git, median | mean |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for line in scored:
        level = line.report.get("commit_level") or line.report["pair_level"]
        figures = [f"{100 * level[key]:.2f}" for key in ("precision", "recall", "f1")]
        figures += [f"{100 * line.report['exact_share']:.1f} %", *(f"{value:.3f}" for value in averages(line.seconds))]
        ratios = [ours / gits for ours, gits in zip(averages(line.seconds), averages(line.git_seconds), strict=False)]
        figures += [f"{ratio:.2f}" for ratio in ratios] or ["", ""]
        print(f"| {line.oracle} | {line.report['entities']} | {' | '.join(figures)} |")


def averages(seconds: list[float]) -> list[float]:
    return [statistics.median(seconds), statistics.fmean(seconds)] if seconds else []


if __name__ == "__main__":
    main()
