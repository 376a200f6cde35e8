"""A source is extracted once without a path, and put where it stands: that must be the same as reading it there."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.entities.chunks import ChunkSizes
from birthmark.extraction.codec import Task, pack, unpack_nodes, unpack_notes, unpack_outline
from birthmark.extraction.placement import place_nodes, place_notes, place_outline
from birthmark.extraction.read import outline_of, read_entities
from birthmark.languages.registry import load_registry
from birthmark.model import Level
from reading import read

CASES = Path(__file__).parent.parent / "cases"
RICH = sorted(path for path in CASES.glob("*/rich.*") if path.suffix != ".expected")
SOURCES = sorted(path for path in CASES.glob("*/*.*") if path.suffix != ".expected" and path.name != "README.md")
PATHS = ("a.py", "src/deep/er.py", "EXTERNAL_MODULE", "100%/a->b.md", "with#seg:.md")


@pytest.mark.parametrize("case", RICH, ids=lambda case: case.parent.name)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("is_stored", [False, True])
def test_placing_is_as_good_as_reading_in_place(case: Path, path: str, is_stored: bool) -> None:
    spec = load_registry().of_path(case.name)
    assert spec is not None
    content = case.read_bytes()
    bare, placed = read(spec.name, content, ""), read(spec.name, content, path)
    packed = pack(Task(content, spec.name, Level.NODES, ChunkSizes(), is_stored), outline_of(bare), bare)
    assert place_outline(unpack_outline(packed.outline), path) == outline_of(placed)
    assert place_nodes(unpack_nodes(packed.nodes or b""), path) == placed
    notes = place_notes(unpack_notes(packed.notes), path)
    assert (notes.collisions, notes.problems) == (placed.collisions, placed.problems)


@pytest.mark.parametrize("case", SOURCES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_the_level_of_entities_has_the_same_entities(case: Path) -> None:
    registry = load_registry()
    spec = registry.of_path(case.name)
    assert spec is not None
    entities = read_entities(case.read_bytes(), spec, registry)
    outline = outline_of(read(spec.name, case.read_bytes(), ""))
    assert (entities.entities, entities.fingerprints, entities.weights, entities.segments, entities.problems) == (
        outline.entities,
        outline.fingerprints,
        outline.weights,
        outline.segments,
        outline.problems,
    )


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_any_path_can_be_put_in(path: str) -> None:
    source = "import lodash\nX = 1\ndef f(): return g(1)\n"
    outline = place_outline(outline_of(read("python", source, "")), path)
    assert outline == outline_of(read("python", source, path))
