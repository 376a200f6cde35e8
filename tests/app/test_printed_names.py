"""Every name that is printed of an entity resolves to that entity, in each language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from birthmark.app.answers.indexed_refs import find_indexed
from birthmark.app.workspace.session import Session
from scanning import in_session
from worlds import World

CASES = Path(__file__).parents[1] / "cases"
LANGUAGES = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())
MOST_FILES = 40  # of a language


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_names_of_all_entities_lead_back(language: str, tmp_path: Path) -> None:
    sources = [path for path in sorted((CASES / language).iterdir()) if path.is_file() and path.suffix != ".expected"]
    files = {path.name: path.read_text("utf-8", "replace") for path in sources[:MOST_FILES]}
    world = World(tmp_path / "r", files)
    world.index()
    assert in_session(world.root, lambda session: list(_wrong(session))) == []


def _wrong(session: Session) -> Iterator[str]:
    shown = list(session.store.all_entities(session.view.number))
    counts = Counter((one.path, one.qualified_name) for one in shown)
    for one in shown:
        indexed = session.view.hold(one)
        is_unique = counts[one.path, one.qualified_name] == 1
        names = [one.qualified_name if is_unique else None, indexed.overload]
        refs = [indexed.mark, indexed.key, indexed.semantic_id, *(f"{one.path}::{name}" for name in names if name)]
        yield from (ref for ref in refs if find_indexed(session, ref).mark != indexed.mark)
