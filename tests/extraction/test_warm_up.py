"""What was found out about a query is found out once: by another process it is taken, and gives the same outlines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.entities.chunks import ChunkSizes
from birthmark.extraction import native_outline, warm_up
from birthmark.extraction.codec import EncodedOutline
from birthmark.extraction.warm_up import keep_analyses, load_analyses
from birthmark.languages.registry import load_registry
from birthmark.model import Level
from birthmark.store.model import StoreLocation
from birthmark.store.sqlite.store import SqliteStore
from birthmark.syntax.native import load_native
from birthmark.syntax.parse import load_grammar, query_text

pytestmark = pytest.mark.skipif(load_native() is None, reason="the extension module is not in use")

CASES = Path(__file__).parents[1] / "cases"
SIZES = ChunkSizes(300, 20)


@pytest.fixture(autouse=True)
def process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that has compiled nothing yet, forks by itself whatever threads it has, and leaves nothing behind."""
    monkeypatch.setattr(warm_up, "has_helper", lambda: False)
    _start_anew()
    yield
    _start_anew()


def _start_anew() -> None:
    native_outline._languages.clear()
    native_outline.analyses.clear()
    warm_up._warm.clear()


def _read(language: str) -> list[EncodedOutline | None]:
    spec = load_registry().languages[language]
    sources = [path.read_bytes() for path in sorted((CASES / language).glob("*")) if path.suffix != ".expected"]
    return [native_outline.read_native(source, spec, Level.OUTLINE, SIZES) for source in sources]


@pytest.mark.parametrize("language", ["c", "go", "java", "python", "rust"])
def test_what_is_taken_gives_the_same_outlines(language: str) -> None:
    made = _read(language)
    known = dict(native_outline.analyses)
    _start_anew()
    native_outline.analyses.update(known)
    assert _read(language) == made
    assert native_outline.analyses == known


def _analysis(known: bytes | None) -> bytes:
    native, spec = load_native(), load_registry().languages["go"]
    assert native is not None
    text = query_text(spec, Level.ENTITIES)
    found: bytes = native.Language(load_grammar(spec).capsule, text, known).analysis()
    return found


def test_it_is_taken_where_it_fits_and_else_made() -> None:
    made = _analysis(None)
    taken = bytes(7 - byte if byte < 8 else byte for byte in made[:10]) + made[10:]
    assert _analysis(taken) == taken
    assert [_analysis(other) for other in (b"", made[:-1], made + b"\0")] == [made] * 3


@given(st.data())
def test_bytes_from_anywhere_do_no_harm(data: st.DataObject) -> None:
    """What they say of a query may be wrong; whatever then is found, it is found."""
    _start_anew()
    _read("go")
    length = len(next(iter(native_outline.analyses.values())))
    native_outline.analyses.update(
        {key: data.draw(st.binary(min_size=length, max_size=length + 6)) for key in native_outline.analyses}
    )
    native_outline._languages.clear()
    assert all(outline is not None for outline in _read("go"))


def test_an_index_keeps_it(tmp_path: Path) -> None:
    store = SqliteStore(StoreLocation(tmp_path), writable=True)
    warm_up.warm_languages({"go"}, Level.OUTLINE, store)
    assert load_analyses(store) == {}, "by who may write alone"
    _start_anew()
    warm_up.warm_languages({"go"}, Level.OUTLINE, store, is_writable=True)
    found = dict(native_outline.analyses)
    assert load_analyses(store) == found
    assert len(found) == 1
    _start_anew()
    changed = {key: bytes([packed[0] ^ 1]) + packed[1:] for key, packed in found.items()}
    keep_analyses(store, {}, changed)
    warm_up.warm_languages({"go"}, Level.OUTLINE, store)
    assert native_outline.analyses == changed, "it is taken from there"
    store.close()


@pytest.mark.parametrize("damaged", [b"", b"\xc1", 7, "text"])
def test_what_cannot_be_unpacked_is_forgotten(tmp_path: Path, damaged: bytes | int | str) -> None:
    store = SqliteStore(StoreLocation(tmp_path), writable=True)
    store.set_meta("query analyses", damaged)
    assert load_analyses(store) == {}
    store.close()
