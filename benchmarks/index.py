"""The index, as whole commands, beside the bare parse and beside other tools.

    python benchmarks/index.py REPOSITORY [REPOSITORY ...] [--peers FOLDER]

Works on scratch clones; the repositories themselves are only read. The unit is the bare parse: one thread that parses
what is indexed, each content once, and does nothing with the trees. Every other figure is that of a command from start
to exit, the median of three where a run is short; a peer runs once a step. `commands.py` says how figures are taken,
`peers.py` what FOLDER holds.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from commands import ROUNDS, Run, measure, run_command
from peers import PEERS, Peer, find_reason_to_skip, run_peer

from birthmark.errors import BirthmarkError
from birthmark.extraction.state import wants_file
from birthmark.languages.registry import LanguageSpec, load_registry
from birthmark.sources.config import load_settings
from birthmark.sources.discover import discover
from birthmark.sources.worktree import read_file
from birthmark.syntax.native import load_native
from birthmark.syntax.parse import load_grammar

# As after an install, modules are compiled once; that is kept out of the source tree.
BYTECODE = tempfile.TemporaryDirectory(prefix="birthmark-benchmark-")
BIRTHMARK = [sys.executable, "-X", f"pycache_prefix={BYTECODE.name}", str(Path(sys.executable).with_name("birthmark"))]
INDEX = [*BIRTHMARK, "index", "--jobs", "2", "--json"]
MEGABYTE = 1 << 20
HAS_MODULE = load_native() is not None
FULL_FACTOR = 1.5 if HAS_MODULE else 3.3  # times the bare parse
UNCHANGED_LIMIT, EDIT_LIMIT = (0.15, 0.25) if HAS_MODULE else (0.3, 0.4)  # seconds; the first for 3,000 files
START_LIMIT = 0.05
MEMORY_LIMIT = (250 if HAS_MODULE else 340) * MEGABYTE
N_COMMITS = 50
RETURN = re.compile(rb"\s+return [\w.]+;?\s*$")  # may be doubled, and the source is still sound


class Parsed(NamedTuple):
    """What the bare parse of a language took."""

    n_files: int
    n_bytes: int
    seconds: float
    cpu_seconds: float


class Spot(NamedTuple):
    """A function that can be edited, by a line that may be doubled."""

    mark: str
    reference: str
    path: str
    line: int


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repositories", metavar="REPOSITORY", nargs="+", type=Path)
    parser.add_argument("--peers", metavar="FOLDER", type=Path)
    arguments = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    peers = arguments.peers.resolve() if arguments.peers else None
    for repository in arguments.repositories:
        with tempfile.TemporaryDirectory(prefix="birthmark-benchmark-") as scratch:
            measure_repository(repository.resolve(), Path(scratch), peers)


def measure_repository(repository: Path, scratch: Path, peers: Path | None) -> None:
    root = clone(repository, scratch)
    parsed = bare_parse(root)
    print_parsed(repository.name, parsed)
    print(f"\n{'command':38} {'seconds':>8} {'limit':>6} {'':6} {'parses':>6} {'CPU s':>7} {'peak':>7}")
    full = measure_index(root, sum(language.seconds for language in parsed.values()))
    spot = find_spot(root)
    if spot is None:
        print("no function was found that could be edited")
    else:
        measure_function(root, spot)
    measure_switches(root)
    if peers is not None:
        language = max(parsed, key=lambda name: parsed[name].n_bytes)
        measure_peers(repository, peers, language, partial(edit, spot=spot), full)
    print()


def clone(repository: Path, folder: Path) -> Path:
    git(folder, "clone", "--quiet", "--shared", str(repository), repository.name)
    return folder / repository.name


def git(root: Path, *arguments: str) -> str:
    command = ("git", "-C", str(root), *arguments)
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


# The bare parse


def bare_parse(root: Path) -> dict[str, Parsed]:
    """What a thread needs to parse all that is indexed; of three rounds the one in the middle."""
    sources = sources_of(root)
    rounds = [{name: parse_all(spec, contents) for name, (spec, contents) in sources.items()} for _ in range(ROUNDS)]
    return sorted(rounds, key=lambda parsed: sum(language.seconds for language in parsed.values()))[ROUNDS // 2]


def sources_of(root: Path) -> dict[str, tuple[LanguageSpec, list[bytes]]]:
    """The contents that are indexed, by language; what stands at two paths is extracted once."""
    registry, settings = load_registry(), load_settings(root)
    sources: dict[str, tuple[LanguageSpec, dict[bytes, None]]] = {}
    for found in discover(root, wants_file, settings.limits.max_bytes).files:
        try:
            content = read_file(root / found.os_path, settings.limits.max_bytes)
        except BirthmarkError:
            continue
        spec = registry.detect(found.path, found.language, partial(bytes, content))
        if spec is not None:
            sources.setdefault(spec.name, (spec, {}))[1][content] = None
    return {name: (spec, list(contents)) for name, (spec, contents) in sources.items()}


def parse_all(spec: LanguageSpec, contents: list[bytes]) -> Parsed:
    parser = load_grammar(spec).parser
    seconds, cpu_start = 0.0, time.process_time()
    for content in contents:
        start = time.perf_counter()
        tree = parser.parse(content)
        seconds += time.perf_counter() - start
        del tree
    return Parsed(len(contents), sum(map(len, contents)), seconds, time.process_time() - cpu_start)


def print_parsed(title: str, parsed: dict[str, Parsed]) -> None:
    print(f"{title + ', bare parse':38} {'seconds':>8} {'files':>13} {'MB':>6} {'CPU s':>7}")
    total = Parsed(*(sum(column) for column in zip(*parsed.values(), strict=True)))
    for name, row in (*sorted(parsed.items(), key=lambda item: -item[1].seconds), ("all", total)):
        print(f"{'  ' + name:38} {row.seconds:8.2f} {row.n_files:13,} {row.n_bytes / 1e6:6.1f} {row.cpu_seconds:7.2f}")


# The index


def measure_index(root: Path, unit: float) -> Run:
    run_command([*BIRTHMARK, "index", "--help"], root)  # compiles the modules
    print_row("birthmark --version", measure([*BIRTHMARK, "--version"], root), START_LIMIT)
    home = root / ".birthmark"
    full = measure(INDEX, root, lambda: shutil.rmtree(home, ignore_errors=True))
    print_row("index, all, two workers", full, FULL_FACTOR * unit, told(full), unit)
    memory = full.proportional or full.peak
    verdict = "met" if memory <= MEMORY_LIMIT else "missed"
    label = "  its peak memory, shared pages once" if full.proportional else "  its peak memory, summed"
    print(f"{label:38} {memory / MEGABYTE:5.0f} MB {MEMORY_LIMIT // MEGABYTE:6} {verdict}")
    print(f"{'  the same, shared pages in each':38} {full.peak / MEGABYTE:5.0f} MB")
    print(f"{'  its size on disk':38} {sum(path.stat().st_size for path in home.iterdir()) / MEGABYTE:5.0f} MB")
    unchanged = measure(INDEX, root)
    print_row("index, nothing changed", unchanged, UNCHANGED_LIMIT, told(unchanged))
    print_row("status", measure([*BIRTHMARK, "status"], root))
    return full


def measure_function(root: Path, spot: Spot) -> None:
    print_row("resolve MARK", measure([*BIRTHMARK, "resolve", spot.mark], root))
    print_row("callers NAME", measure([*BIRTHMARK, "callers", spot.reference], root))
    edited = measure(INDEX, root, lambda: edit(root, spot))
    print_row("index, one function edited", edited, EDIT_LIMIT, told(edited))


def measure_switches(root: Path) -> None:
    """To and fro between two commits; what was there before is not extracted again."""
    git(root, "checkout", "--quiet", "--force", "HEAD")
    commits = git(root, "rev-list", "--first-parent", f"--max-count={N_COMMITS + 1}", "HEAD").split()
    for turn in ("first", "second"):
        for where, commit in (("back", commits[-1]), ("forth", commits[0])):
            git(root, "checkout", "--quiet", commit)
            run = run_command(INDEX, root)
            print_row(f"index, {len(commits) - 1} commits {where}, {turn} time", run, note=told(run))


def find_spot(root: Path) -> Spot | None:
    """The function in the middle of those that end by returning something with a name."""
    listing = run_command([*BIRTHMARK, "entities", "--jsonl"], root).output.splitlines()
    spots = [spot for line in listing if (spot := spot_in(root, json.loads(line))) is not None]
    return spots[len(spots) // 2] if spots else None


def spot_in(root: Path, entity: dict[str, Any]) -> Spot | None:
    path = entity["path"]
    if entity["kind"] not in ("fn", "method") or entity["virtual_path"] != path:
        return None
    lines = lines_of(root / path)
    for line in (entity["end_line"], entity["end_line"] - 1):  # a brace may come behind it
        if line > entity["start_line"] and RETURN.match(lines[line - 1]):
            return Spot(entity["mark"], f"{path}::{entity['qualified_name']}", path, line)
    return None


def edit(root: Path, spot: Spot | None) -> None:
    """Double the line, so that the function is another one each time."""
    if spot is not None:
        lines = lines_of(root / spot.path)
        lines.insert(spot.line, lines[spot.line - 1])
        (root / spot.path).write_bytes(b"".join(lines))


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def told(run: Run) -> str:
    """What `index --json` says it did."""
    if run.failure is not None:
        return ""
    summary = json.loads(run.output)
    counts = summary["counts"]
    return (
        f"{summary['files']:,} files, {counts['entities']:,} entities, {counts['edges']:,} edges; "
        f"read {summary['read']:,}, extracted {summary['extracted']:,}"
    )


def print_row(label: str, run: Run, limit: float | None = None, note: str = "", unit: float | None = None) -> None:
    verdict = "failed" if run.failure else "" if limit is None else "met" if run.seconds <= limit else "missed"
    bound = "" if limit is None else f"{limit:.2f}"
    parses = "" if unit is None else f"{run.seconds / unit:.2f}"
    print(
        f"{label:38} {run.seconds:8.2f} {bound:>6} {verdict:6} {parses:>6} {run.cpu_seconds:7.2f}"
        f" {run.peak / MEGABYTE:4.0f} MB  {run.failure or note}",
        flush=True,
    )


# Peers


def measure_peers(repository: Path, folder: Path, language: str, edit: Callable[[Path], None], own: Run) -> None:
    print(
        f"\n{'peer':25} {'graph':5} {'all':>8} {'unchanged':>9} {'edit':>8} {'CPU s':>7} {'peak':>8}  times birthmark"
    )
    behind: list[str] = []
    for peer in PEERS:
        reason = find_reason_to_skip(peer, folder, language)
        if reason is not None:
            print(f"{peer.name:25} {reason}")
            continue
        with tempfile.TemporaryDirectory(prefix="birthmark-benchmark-", ignore_cleanup_errors=True) as scratch:
            root = clone(repository, Path(scratch))
            runs = run_peer(peer, root, Path(scratch), folder, partial(edit, root))
        print_peer(peer, runs, own)
        if peer.has_graph and runs[0].failure is None and runs[0].seconds <= own.seconds:
            behind.append(peer.name)
    print(f"ahead of every peer that builds a graph: {'missed by ' + ', '.join(behind) if behind else 'met'}")


def print_peer(peer: Peer, runs: list[Run], own: Run) -> None:
    cells = ["failed" if run.failure else f"{run.seconds:.2f}" for run in runs] + [""] * (3 - len(runs))
    note = next((run.failure for run in runs if run.failure), f"{runs[0].seconds / own.seconds:.2f}")
    peak = max(run.peak for run in runs) / MEGABYTE
    print(
        f"{peer.name:25} {'yes' if peer.has_graph else 'no':5} {cells[0]:>8} {cells[1]:>9} {cells[2]:>8}"
        f" {runs[0].cpu_seconds:7.2f} {peak:5.0f} MB  {note}",
        flush=True,
    )


if __name__ == "__main__":
    main()
