"""Ids and fingerprints against parsing: the same bytes, the same process, the same run.

    python benchmarks/ids.py [LANGUAGE=FOLDER ...]

Prints what all names of a file cost (semantic ids, chunk and segment uids, keys, marks, fingerprints) as a share of
parsing it, then the cost of single operations beside the limits that were set for them.
"""

from __future__ import annotations

import gc
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

from birthmark.extraction.placement import name_entities, span_of
from birthmark.extraction.read import extract_source, files_of, fingerprints_of, node_digests, read_source
from birthmark.identity.keys import generate_key, mint_mark
from birthmark.identity.semantic_ids import base_ids, resolve_ids
from birthmark.identity.uids import chunk_id, chunk_uids
from birthmark.languages.registry import LanguageSpec, Registry, load_registry
from birthmark.matching.model import MatchCandidate
from birthmark.matching.pair import match_entities
from birthmark.model import Chunk
from birthmark.syntax.parse import load_grammar
from extract import sources

TARGET = 1 / 3


def main() -> None:
    registry = load_registry()
    trees = [argument.split("=", 1) for argument in sys.argv[1:]] or [["python", sysconfig.get_path("stdlib")]]
    gc.disable()  # as in the workers that read files
    print(f"{'language':12} {'files':>6} {'MB':>6} {'ids/parse':>9} {'target':>6}   of which")
    for name, folder in trees:
        spec = registry.named(name)
        assert spec is not None, f"unknown language {name}"
        measure_tree(registry, spec, Path(folder))
    print()
    print(f"{'operation':42} {'measured':>12} {'limit':>8} {'factor':>7}")
    for label, limit, operation in OPERATIONS:
        measure_operation(label, limit, operation)


def measure_tree(registry: Registry, spec: LanguageSpec, folder: Path) -> None:
    seconds = dict.fromkeys(("parse", "semantic ids", "fingerprints", "chunk uids", "keys and marks"), 0.0)
    n_files = n_bytes = 0
    for content in sources(registry, spec, folder):
        n_files += 1
        n_bytes += len(content)
        start = time.perf_counter()
        tree = load_grammar(spec).parser.parse(content)
        seconds["parse"] += time.perf_counter() - start
        del tree
        for step, spent in time_names(registry, spec, content).items():
            seconds[step] += spent
    parse = seconds.pop("parse")
    details = ", ".join(f"{step} {spent / parse:.2f}" for step, spent in seconds.items())
    total = sum(seconds.values()) / parse
    print(f"{spec.name:12} {n_files:6} {n_bytes / 1e6:6.1f} {total:9.2f} {TARGET:6.2f}   {details}")


def time_names(registry: Registry, spec: LanguageSpec, content: bytes) -> dict[str, float]:
    reading = read_source("src/a", content, spec, registry)
    part, chunks, _ = extract_source("src/a", content, spec, registry)
    steps: dict[str, Callable[[], object]] = {
        "semantic ids": lambda: resolve_ids(base_ids(part.nodes, files_of(part, "src/a")), node_digests(part)),
        "fingerprints": lambda: fingerprints_of(part),
        "chunk uids": lambda: _uids(content, chunks),
        "keys and marks": lambda: name_entities(reading),
    }
    seconds = {}
    for step, run in steps.items():
        start = time.perf_counter()
        run()
        seconds[step] = time.perf_counter() - start
    return seconds


def _uids(content: bytes, chunks: list[Chunk]) -> None:
    spans = [span_of(chunk, "src/a", []) for chunk in chunks]
    chunk_uids(content.decode("utf-8", "surrogateescape"), spans)
    for span in spans:
        chunk_id(span)


def measure_operation(label: str, limit: float, operation: Callable[[], object]) -> None:
    best = float("inf")
    for _ in range(20):
        start = time.perf_counter()
        operation()
        best = min(best, time.perf_counter() - start)
    print(f"{label:42} {best * 1e3:9.4f} ms {limit * 1e3:5.0f} ms {limit / best:6.0f}x")


def _new_key() -> str:
    return mint_mark(generate_key("rust", "fn", "handle_auth", None, "src/auth.rs", 1706284800))


def _hash_kilobyte() -> object:
    registry = load_registry()
    source = b"def f(a, b):\n" + b"    total = a * b + 1\n" * 46
    return read_source("a.py", source, registry.languages["python"], registry).fingerprints


def _subjects(n: int, shift: int, edited: int) -> list[MatchCandidate]:
    return [
        MatchCandidate(
            f"k{i}",
            "a.py",
            "fn",
            f"f{i % (n // 4)}",
            None,
            i * 10 + shift,
            i * 10 + 8 + shift,
            f"{i // (edited or n + 1)}-{i}",
        )
        for i in range(n)
    ]


_OLD, _NEW = _subjects(100, 0, 0), _subjects(100, 40, 7)
_MANY_OLD, _MANY_NEW = _subjects(1000, 0, 0), _subjects(1000, 40, 997)

OPERATIONS: list[tuple[str, float, Callable[[], object]]] = [
    ("generate a key and its mark", 0.001, _new_key),
    ("read and hash 1 KB of code", 0.010, _hash_kilobyte),
    ("match 100 entities, a seventh unchanged", 0.050, lambda: match_entities(_NEW, _OLD)),
    ("match 1,000 entities, nearly all unchanged", 0.100, lambda: match_entities(_MANY_NEW, _MANY_OLD)),
]


if __name__ == "__main__":
    main()
