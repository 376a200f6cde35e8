"""What holds for every source in every language, also a broken one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from birthmark.entities.chunks import ChunkSizes
from birthmark.extraction.codec import Task, decode_extraction, encode_task, unpack_nodes
from birthmark.extraction.model import FileNodes, Limits
from birthmark.extraction.pool import Pool
from birthmark.extraction.read import outline_of, read_outline, read_source, run_task
from birthmark.languages.registry import load_registry
from birthmark.model import Level
from examples import n_examples

LANGUAGES = sorted(load_registry().languages)
CASES = Path(__file__).parents[1] / "cases"
CORPUS = {
    name: sorted(path.read_bytes() for path in (CASES / name).glob("*") if path.suffix != ".expected")
    for name in LANGUAGES
}


@st.composite
def sources(draw: st.DrawFn, language: str) -> bytes:
    """A real source with pieces cut out, doubled, swapped or overwritten; or just bytes."""
    if not CORPUS[language] or draw(st.integers(0, 9)) == 0:
        return draw(st.binary(max_size=200))
    source = draw(st.sampled_from(CORPUS[language]))
    for _ in range(draw(st.integers(0, 3))):
        start, end = sorted((draw(st.integers(0, len(source))), draw(st.integers(0, len(source)))))
        middle = draw(st.sampled_from([b"", source[start:end] * 2, b"\n", b"}", b"(", b'"', b"\xff", b"\0", b"\r"]))
        source = source[:start] + middle + source[end:]
    return source


def check_reading(reading: FileNodes, content: bytes) -> None:
    check_tiling(reading, content)
    check_nesting(reading, content)
    check_nodes(reading, content)


def check_tiling(reading: FileNodes, content: bytes) -> None:
    at = code_points = 0
    for chunk in reading.chunks:
        assert (chunk.start_byte, chunk.start) == (at, code_points)
        assert chunk.end_byte > chunk.start_byte
        at, code_points = chunk.end_byte, chunk.end
        assert chunk.start_line <= chunk.end_line
    assert at == len(content)


def check_nesting(reading: FileNodes, content: bytes) -> None:
    for index, entity in enumerate(reading.entities):
        assert 0 <= entity.start_byte <= entity.end_byte <= len(content)
        assert entity.start_line == content.count(b"\n", 0, entity.start_byte) + 1
        assert -1 <= entity.container < index
        for span in (entity.name_span, entity.body_span):
            assert span is None or entity.start_byte <= span[0] <= span[1] <= entity.end_byte
        if entity.container >= 0:
            outer = reading.entities[entity.container]
            assert outer.start_byte <= entity.start_byte
            assert entity.end_byte <= outer.end_byte
        if entity.parent:
            assert entity.qualified_name == f"{entity.parent}.{entity.name}"
        for start, end in (*entity.interface_spans, *entity.body_spans):
            assert (start, end) == entity.shared_span or entity.start_byte <= start < end <= entity.end_byte


def check_nodes(reading: FileNodes, content: bytes) -> None:
    for node in reading.nodes:
        assert 0 <= node.start_byte <= node.end_byte <= len(content)
        assert 1 <= node.start_line <= node.end_line
        assert -1 <= node.entity < len(reading.entities)
        assert node.named_parent


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """Some grammars run for ever on some input, so it is read as in a real run: in a worker that can be killed."""
    with Pool(run_task, 1, Limits(seconds=3, memory_bytes=1 << 30)) as pool:
        yield pool


def read_in(pool: Pool, language: str, content: bytes, options: ChunkSizes) -> FileNodes | None:
    (outcome,) = pool.run([encode_task(Task(content, language, Level.NODES, options))])
    if outcome.result is None:
        assert "ignore the file" in str(outcome.failure)
        return None
    return unpack_nodes(decode_extraction(outcome.result).nodes or b"")


@pytest.mark.parametrize("language", LANGUAGES)
@settings(
    max_examples=n_examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(data=st.data(), longest=st.sampled_from([20, 300, 4096]), shortest=st.sampled_from([0, 50]))
def test_any_bytes_give_an_answer(pool: Pool, language: str, data: st.DataObject, longest: int, shortest: int) -> None:
    content = data.draw(sources(language))
    options = ChunkSizes(longest, shortest)
    reading = read_in(pool, language, content, options)
    if reading is not None:
        check_reading(reading, content)
        assert read_in(pool, language, content, options) == reading


@pytest.mark.parametrize("language", LANGUAGES)
def test_cases_hold_too(language: str) -> None:
    registry = load_registry()
    for content in CORPUS[language]:
        check_reading(read_source("a", content, registry.languages[language], registry), content)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_outline_is_that_of_all_nodes(language: str) -> None:
    registry = load_registry()
    for content in CORPUS[language]:
        spec = registry.languages[language]
        assert read_outline(content, spec, registry) == outline_of(read_source("", content, spec, registry))
