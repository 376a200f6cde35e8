"""What it costs to resolve ten thousand REFs at once, beside as many single starts.

    python benchmarks/resolve.py REPOSITORY [--count 10000]

The repository is cloned into a temporary folder and indexed. Marks in an order that no file has are resolved in one
start, and some of them in a start each; names likewise, and names with a slip, whose nearest are searched. Processor
time is what counts on a busy machine.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from commands import Run, measure

from birthmark.app.workspace.session import open_session

_SINGLE = 5  # starts that are measured
_COMMAND = [sys.executable, "-m", "birthmark"]


def main() -> None:
    options = read_options()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / options.repository.resolve().name
        subprocess.run(["git", "clone", "-q", "--shared", str(options.repository.resolve()), str(root)], check=True)  # noqa: S607
        subprocess.run([*_COMMAND, "index"], cwd=root, check=True, capture_output=True)
        print(f"{'REFs':24} {'count':>7} {'one start':>12} {'per REF':>10} {'a start each':>14} {'ratio':>8}")
        for title, refs in choose_refs(root, options.count).items():
            show(title, refs, root)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("repository", type=Path)
    parser.add_argument("--count", type=int, default=10_000)
    return parser.parse_args()


def choose_refs(root: Path, count: int) -> dict[str, list[str]]:
    with open_session(root) as session:
        entities = list(session.store.all_entities(session.view.number))
    random.Random(1).shuffle(entities)  # noqa: S311 - the same every time
    chosen = entities[:count]
    return {
        "marks": [entity.mark for entity in chosen],
        "path::name": [f"{entity.path}::{entity.qualified_name}" for entity in chosen],
        "names with a slip": [f"{entity.qualified_name}q" for entity in chosen[:10]],
    }


def show(title: str, refs: list[str], root: Path) -> None:
    together = ask(refs, root)
    alone = sum(ask([ref], root).cpu_seconds for ref in refs[:_SINGLE]) / min(_SINGLE, len(refs)) * len(refs)
    each = together.cpu_seconds / len(refs) * 1000
    ratio = alone / together.cpu_seconds
    print(f"{title:24} {len(refs):7,} {together.cpu_seconds:10.2f} s {each:7.2f} ms {alone:12,.0f} s {ratio:7.1f}x")


def ask(refs: list[str], root: Path) -> Run:
    """REFs that are ambiguous or unknown are answered like the others."""
    asked = root.with_suffix(".refs")
    asked.write_text("\n".join(refs) + "\n")
    command = '"$0" -m birthmark resolve --no-refresh --jsonl - < "$1" || test $? = 2'
    run = measure(["sh", "-c", command, sys.executable, str(asked)], root)
    assert run.failure is None, run.failure
    assert run.output.count(b"\n") == len(refs)
    return run


if __name__ == "__main__":
    main()
