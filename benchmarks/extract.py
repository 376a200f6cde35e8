"""A worker's whole work on a file against bare parsing: the same bytes, the same process, the same run.

    python benchmarks/extract.py [LANGUAGE=FOLDER ...]

Each file is parsed alone with tree-sitter, then extracted as a worker does it, from the task to the packed result, at
both levels that an index has; what is printed is the ratio of the sums, in processor time. Without arguments it
measures CPython's standard library; name trees of other languages to measure them:
`java=path/to/checkout typescript=path/to/checkout`. With `BIRTHMARK_PURE=1` it measures the Python path.
"""

from __future__ import annotations

import gc
import resource
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

from birthmark.entities.chunks import ChunkSizes
from birthmark.extraction.codec import Task, encode_task
from birthmark.extraction.read import run_task
from birthmark.languages.registry import LanguageSpec, Registry, load_registry
from birthmark.model import Level
from birthmark.syntax.parse import load_grammar

LEVELS = (Level.ENTITIES, Level.OUTLINE)
MAX_BYTES = 1 << 20


def main() -> None:
    registry = load_registry()
    trees = [argument.split("=", 1) for argument in sys.argv[1:]] or [["python", sysconfig.get_path("stdlib")]]
    print(f"{'language':12} {'files':>6} {'MB':>6} {'parse':>9} {'level':12} {'ratio':>6}  peak memory")
    gc.disable()  # as in the workers that read files
    for name, folder in trees:
        spec = registry.named(name)
        assert spec is not None, f"unknown language {name}"
        measure(registry, spec, Path(folder))


def measure(registry: Registry, spec: LanguageSpec, folder: Path) -> None:
    seconds = dict.fromkeys(("parse", *LEVELS), 0.0)
    n_files = n_bytes = 0
    parser = load_grammar(spec).parser
    for level in LEVELS:
        run_task(encode_task(Task(b"", spec.name, level, ChunkSizes(), True)))  # Compile what is compiled once.
    for content in sources(registry, spec, folder):
        n_files += 1
        n_bytes += len(content)
        start = time.process_time()
        tree = parser.parse(content)
        seconds["parse"] += time.process_time() - start
        del tree
        for level in LEVELS:
            start = time.process_time()
            run_task(encode_task(Task(content, spec.name, level, ChunkSizes(), True)))
            seconds[level] += time.process_time() - start
    if not n_files:
        print(f"{spec.name:12} no files under {folder}")
        return
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for level in LEVELS:
        ratio = seconds[level] / seconds["parse"]
        speed = n_bytes / 1e6 / seconds["parse"]
        print(
            f"{spec.name:12} {n_files:6} {n_bytes / 1e6:6.1f} {speed:4.1f} MB/s {level:12} {ratio:6.2f}  {peak:.0f} MB"
        )


def sources(registry: Registry, spec: LanguageSpec, folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.rglob("*")):
        if registry.of_path(path.name) is spec and path.is_file() and "site-packages" not in path.parts:
            content = path.read_bytes()
            if len(content) <= MAX_BYTES:
                yield content


if __name__ == "__main__":
    main()
