"""Extraction against bare parsing: the same bytes, the same process, the same run.

    python benchmarks/extract.py [LANGUAGE=FOLDER ...]

Each file is parsed alone with tree-sitter, then read in full (entities, nodes, chunks, tokens, lines) at both
levels of detail; what is printed is the ratio of the sums. Without arguments it measures CPython's standard library;
name trees of other languages to measure them: `java=path/to/checkout typescript=path/to/checkout`.
"""

from __future__ import annotations

import gc
import resource
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

from birthmark.extraction.model import ReadOptions
from birthmark.extraction.read import extract_source
from birthmark.languages.registry import LanguageSpec, Registry, load_registry
from birthmark.syntax.grammar import load_grammar
from birthmark.vocabulary import Detail

TARGETS = {Detail.DEFINITIONS: 2.0, Detail.FULL: 2.5}
MAX_BYTES = 1 << 20


def main() -> None:
    registry = load_registry()
    trees = [argument.split("=", 1) for argument in sys.argv[1:]] or [["python", sysconfig.get_path("stdlib")]]
    print(f"{'language':12} {'files':>6} {'MB':>6} {'parse':>9} {'detail':12} {'ratio':>6} {'target':>6}  peak memory")
    gc.disable()  # as in the workers that read files
    for name, folder in trees:
        spec = registry.named(name)
        assert spec is not None, f"unknown language {name}"
        measure(registry, spec, Path(folder))


def measure(registry: Registry, spec: LanguageSpec, folder: Path) -> None:
    seconds = dict.fromkeys(("parse", *Detail), 0.0)
    n_files = n_bytes = 0
    parser = load_grammar(spec).parser
    for content in sources(registry, spec, folder):
        n_files += 1
        n_bytes += len(content)
        start = time.perf_counter()
        tree = parser.parse(content)
        seconds["parse"] += time.perf_counter() - start
        del tree
        for detail in Detail:
            start = time.perf_counter()
            extract_source("a", content, spec, registry, ReadOptions(detail))
            seconds[detail] += time.perf_counter() - start
    if not n_files:
        print(f"{spec.name:12} no files under {folder}")
        return
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for detail, target in TARGETS.items():
        ratio = seconds[detail] / seconds["parse"]
        speed = n_bytes / 1e6 / seconds["parse"]
        print(
            f"{spec.name:12} {n_files:6} {n_bytes / 1e6:6.1f} {speed:4.1f} MB/s {detail:12} {ratio:6.2f} {target:6.1f}"
            f"  {peak:.0f} MB"
        )


def sources(registry: Registry, spec: LanguageSpec, folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.rglob("*")):
        if registry.of_path(path.name) is spec and path.is_file() and "site-packages" not in path.parts:
            content = path.read_bytes()
            if len(content) <= MAX_BYTES:
                yield content


if __name__ == "__main__":
    main()
