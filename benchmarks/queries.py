"""How long it takes to compile the query of each language, alone and with what an index has kept about it.

    python benchmarks/queries.py

Processor time, the least of three; a process compiles a query before the first file of a language, at the level that it
needs.
"""

from __future__ import annotations

import sys
import time
from types import ModuleType

from birthmark.languages.registry import LanguageSpec, load_registry
from birthmark.model import Level
from birthmark.syntax.native import load_native
from birthmark.syntax.parse import load_grammar, query_text

LEVELS = (Level.ENTITIES, Level.OUTLINE)
ROUNDS = 3


def main() -> None:
    native = load_native()
    if native is None:
        sys.exit("the extension module is not in use")
    print(f"{'language':12} {'level':9} {'alone':>10} {'kept':>9} {'bytes':>6}")
    for spec in load_registry().languages.values():
        for level in LEVELS if not spec.is_container else ():
            measure(native, spec, level)


def measure(native: ModuleType, spec: LanguageSpec, level: Level) -> None:
    capsule, text = load_grammar(spec).capsule, query_text(spec, level)
    analysis: bytes = native.Language(capsule, text).analysis()
    alone, kept = (
        min(compile_query(native, capsule, text, known) for _ in range(ROUNDS)) for known in (None, analysis)
    )
    print(f"{spec.name:12} {level:9} {alone * 1e3:7.1f} ms {kept * 1e3:6.2f} ms {len(analysis):6}")


def compile_query(native: ModuleType, capsule: object, text: str, known: bytes | None) -> float:
    start = time.process_time()
    native.Language(capsule, text, known)
    return time.process_time() - start


if __name__ == "__main__":
    main()
