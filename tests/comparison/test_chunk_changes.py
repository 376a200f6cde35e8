"""What becomes of chunks: `(before, after, expected)` by the changes and names of the chunks."""

from __future__ import annotations

import pytest

from birthmark.comparison.chunks import compare_chunks
from birthmark.comparison.pair_commit import pair_commit
from birthmark.entities.chunks import ChunkSizes
from birthmark.extraction.model import OutlinedFile
from birthmark.extraction.placement import place_outline
from birthmark.extraction.read import outline_of
from reading import family_of, read

SIZES = ChunkSizes(200, 1)


def function(name: str, extra: str = "") -> str:
    body = "".join(f"    {name}_{i} = compute_{name}({i}){extra}\n" for i in range(4))
    return f"def {name}():\n{body}\n\n"


A, B, C = function("a"), function("b"), function("c")

CASES = [
    ("nothing", {"m.py": A + B}, {"m.py": A + B}, {"kept a", "kept b"}),
    ("edit", {"m.py": A + B + C}, {"m.py": A + B + function("c", " + 1")}, {"kept a", "rekeyed b", "changed c"}),
    ("new neighbour", {"m.py": A + B}, {"m.py": A + C + B}, {"rekeyed a", "added c", "rekeyed b"}),
    ("file renamed", {"m.py": A + B}, {"n.py": A + B}, {"rekeyed a", "rekeyed b"}),
    ("deleted", {"m.py": A + B}, {"m.py": A}, {"rekeyed a", "gone b"}),
    ("moved away and edited", {"m.py": A + B, "n.py": C}, {"m.py": A, "n.py": C + function("b", "  + 2")},
     {"rekeyed a", "rekeyed c", "changed b"}),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_chunks_are_followed(before: dict[str, str], after: dict[str, str], expected: set[str]) -> None:
    old, new = states(before), states(after)
    changes = compare_chunks(placed(old), placed(new), pair_commit(old, new, family_of).successors)
    told = set()
    for change in changes:
        files, place = (new, change.after) if change.after else (old, change.before)
        assert place is not None
        told.add(f"{change.change} {files[place[0]].outline.chunks[place[1]].name}")
    assert told == expected
    assert len({c.before for c in changes if c.before}) == sum(len(file.outline.chunks) for file in old)
    assert len({c.after for c in changes if c.after}) == sum(len(file.outline.chunks) for file in new)


def states(files: dict[str, str]) -> list[OutlinedFile]:
    return [
        OutlinedFile(path, outline_of(read("python", source, "", sizes=SIZES)), source.encode)
        for path, source in files.items()
    ]


def placed(files: list[OutlinedFile]) -> list[OutlinedFile]:
    return [file._replace(outline=place_outline(file.outline, file.path)) for file in files]
