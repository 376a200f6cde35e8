"""How many ids survive ten lines at the top of every file.

    python benchmarks/retention.py FOLDER ...

Every source under the folders is read, ten comment lines and a blank one are put at its top, and it is read again.
Printed is the share of ids that are unchanged, by kind of id; a chunk uid counts if the chunk starts beyond the
first 128 characters, because what is nearer has the new lines in its context.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from birthmark.extraction.model import FileNodes
from birthmark.extraction.placement import name_entities
from birthmark.extraction.read import read_source
from birthmark.languages.registry import Registry, load_registry

HASH_COMMENTS = frozenset({"python", "ruby"})
CONTEXT = 128
MAX_BYTES = 1 << 20


def main() -> None:
    registry = load_registry()
    for folder in map(Path, sys.argv[1:]):
        kept: Counter[str] = Counter()
        total: Counter[str] = Counter()
        n_files = 0
        for before, after in readings(registry, folder):
            n_files += 1
            old, new = ids(before), ids(after)
            for kind, own in old.items():
                total[kind] += len(own)
                kept[kind] += len(own & new[kind])
        print(f"{folder.name}: {n_files} files")
        for kind, count in total.items():
            share = 100 * kept[kind] / count if count else 100
            print(f"  {kind:22} {kept[kind]:7} of {count:7}  {share:6.2f} %")


def readings(registry: Registry, folder: Path) -> Iterator[tuple[FileNodes, FileNodes]]:
    for path in sorted(folder.rglob("*")):
        spec = registry.of_path(path.name)
        if spec is None or spec.is_container or ".git" in path.parts or not path.is_file():
            continue
        content = path.read_bytes()
        if len(content) > MAX_BYTES:
            continue
        name = path.relative_to(folder).as_posix()
        mark = b"#" if spec.name in HASH_COMMENTS else b"//"
        shifted = b"".join(mark + b" line %d\n" % i for i in range(10)) + b"\n" + content
        yield read_source(name, content, spec, registry), read_source(name, shifted, spec, registry)


def ids(reading: FileNodes) -> dict[str, set[str]]:
    names = name_entities(reading)
    chunks = zip(reading.chunks, reading.chunk_uids, strict=True)
    return {
        "keys": {name.key for name in names},
        "marks": {name.mark for name in names},
        "semantic ids": set(reading.semantic_ids),
        "chunk uids beyond 128": {uid for chunk, uid in chunks if chunk.start > CONTEXT},
    }


if __name__ == "__main__":
    main()
