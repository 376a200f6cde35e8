"""How long an edit takes to be queryable while `birthmark watch` runs, beside its limit.

    python benchmarks/watch.py [REPOSITORY ...]

Each repository is cloned into a temporary folder, and a small one is made up beside them. In each a function of a file
is edited again and again; the time runs from the end of the write until a new reader of the index sees the function's
new name, less the debounce. It must not depend on the size of the repository. Where /proc tells, the processor time
that watch and its workers took for an edit stands beside it, which means something on a busy machine, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from birthmark.app.workspace.stores import reading
from birthmark.app.workspace.workspace import Workspace, find_workspace

N_EDITS = 20
DEBOUNCE_MS = 50
LIMIT_MS = 100
POLL_SECONDS = 0.005
NAME = "birthmark_benchmark"


def main() -> None:
    print(f"{'repository':28} {'files':>7} {'edited bytes':>12} {'median':>10} {'p95':>10} {'limit':>10} {'cpu':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for root in (make_small(Path(folder)), *(clone(Path(name), Path(folder)) for name in sys.argv[1:])):
            workspace = find_workspace(root)
            path = choose_file(root)
            with watching(root) as process:
                before = cpu_seconds(process)
                delays = [edit_and_wait(workspace, path, number) for number in range(N_EDITS)]
                cpu = (cpu_seconds(process) - before) / N_EDITS * 1000
                n_files = count_files(workspace)
            beyond = [delay * 1000 - DEBOUNCE_MS for delay in delays]
            figures = f"{median(beyond):7.1f} ms {quantiles(beyond, n=20)[-1]:7.1f} ms {LIMIT_MS:7} ms {cpu:7.1f} ms"
            print(f"{root.name:28} {n_files:7,} {path.stat().st_size:12,} {figures}")


def make_small(folder: Path) -> Path:
    root = folder / "small"
    root.mkdir()
    for number in range(10):
        functions = (f"def f{index}(x):\n    return x + {index}\n\n\n" for index in range(60))
        (root / f"m{number}.py").write_text("".join(functions))
    return root


def clone(repository: Path, folder: Path) -> Path:
    root = folder / repository.resolve().name
    subprocess.run(["git", "clone", "-q", "--shared", str(repository.resolve()), str(root)], check=True)  # noqa: S607
    return root


def choose_file(root: Path, wanted_bytes: int = 3000) -> Path:
    """A source of about the same size everywhere, so that only the size of the repository differs."""
    sources = (path for path in root.rglob("*.py") if path.is_file())
    return min(sources, key=lambda path: (abs(path.stat().st_size - wanted_bytes), path))


@contextmanager
def watching(root: Path) -> Iterator[int]:
    command = [sys.executable, "-m", "birthmark", "-C", str(root), "watch", "--json", "--debounce", str(DEBOUNCE_MS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(1)  # for the languages to be compiled
        try:
            yield process.pid
        finally:
            process.terminate()


def cpu_seconds(process: int) -> float:
    """Of a process and the workers that it has ended."""
    stat = Path(f"/proc/{process}/stat")
    fields = stat.read_text().rpartition(")")[2].split() if stat.exists() else ["0"] * 20
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def edit_and_wait(workspace: Workspace, path: Path, number: int) -> float:
    """Rewrite a function at the end of a file, under a new name."""
    text = path.read_text().partition(f"\n\ndef {NAME}")[0]
    path.write_text(f"{text}\n\ndef {NAME}_{number}(x):\n    return x * {number}\n")
    started = time.perf_counter()
    while not is_there(workspace, f"{NAME}_{number}"):
        time.sleep(POLL_SECONDS)
    return time.perf_counter() - started


def is_there(workspace: Workspace, name: str) -> bool:
    with reading(workspace) as store:
        snapshot = store.snapshot(workspace.worktree)
        return snapshot is not None and bool(store.entities_named(snapshot.snapshot, [name]))


def count_files(workspace: Workspace) -> int:
    with reading(workspace) as store:
        snapshot = store.snapshot(workspace.worktree)
        return len(store.files(snapshot.snapshot)) if snapshot is not None else 0


if __name__ == "__main__":
    main()
