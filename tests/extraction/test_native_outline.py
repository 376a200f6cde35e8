"""Both ways to an outline give the same bytes: the extension module and Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from birthmark.entities.chunks import ChunkSizes
from birthmark.extraction import read as reading
from birthmark.extraction.codec import Task, decode_task, encode_outline, encode_task
from birthmark.extraction.model import Limits
from birthmark.extraction.native_outline import read_native
from birthmark.extraction.pool import Pool
from birthmark.extraction.read import read_entities, read_outline, run_task
from birthmark.languages.registry import load_registry
from birthmark.model import Level
from birthmark.syntax.native import load_native
from damaged_sources import damage
from examples import n_examples
from random_sources import random_source

pytestmark = pytest.mark.skipif(load_native() is None, reason="the extension module is not in use")

REGISTRY = load_registry()
LANGUAGES = sorted(name for name, spec in REGISTRY.languages.items() if not spec.is_container)
CASES = Path(__file__).parents[1] / "cases"
CORPUS = {
    name: sorted(path.read_bytes() for path in (CASES / name).glob("*") if path.suffix != ".expected")
    for name in LANGUAGES
}
RICH = sorted(path for path in CASES.glob("*/rich.*") if path.suffix != ".expected")
LEVELS = (Level.ENTITIES, Level.OUTLINE)


def difference(content: bytes, language: str, level: Level, sizes: ChunkSizes) -> str:
    """What is different, or nothing."""
    spec = REGISTRY.languages[language]
    found = read_native(content, spec, level, sizes)
    if found is None:
        return "not covered"
    if level is Level.ENTITIES:
        outline = read_entities(content, spec, REGISTRY)
    else:
        outline = read_outline(content, spec, REGISTRY, sizes)
    expected = encode_outline(outline, level)
    if found == expected:
        return ""
    natives, others = (msgspec.msgpack.decode(one[0]) for one in (found, expected))
    parts = [(a, b) for a, b in zip(natives, others, strict=True) if a != b]
    return f"{level}: {parts or (found[1:], expected[1:])}"


def compare(payload: bytes) -> bytes:
    """The task of a worker: some grammars run for ever on some input."""
    task = decode_task(payload)
    return difference(task.content, task.language, task.level, task.sizes).encode("utf-8", "replace")


@pytest.mark.parametrize("language", LANGUAGES)
def test_cases(language: str) -> None:
    for content in CORPUS[language]:
        for level in LEVELS:
            assert difference(content, language, level, ChunkSizes(300, 20)) == ""


@pytest.mark.parametrize("path", RICH, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("is_stored", [False, True])
def test_a_worker_gives_the_same_result_without_the_module(path: Path, is_stored: bool) -> None:
    """Containers, too, which the module does not cover."""
    spec = REGISTRY.of_path(path.name)
    assert spec is not None
    for level in Level:
        payload = encode_task(Task(path.read_bytes(), spec.name, level, ChunkSizes(), is_stored))
        found = run_task(payload)
        with patch.object(reading, "read_native", return_value=None):
            assert run_task(payload) == found


@given(random_source)
def test_random_sources(source: str) -> None:
    for level in LEVELS:
        assert difference(source.encode(), "python", level, ChunkSizes(300, 20)) == ""


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(compare, 1, Limits(seconds=5, memory_bytes=1 << 30)) as pool:
        yield pool


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@settings(
    max_examples=n_examples(30),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(seed=st.integers(0, 1 << 32), longest=st.sampled_from([20, 300, 4096]), shortest=st.sampled_from([0, 50]))
def test_damaged_sources(pool: Pool, language: str, seed: int, longest: int, shortest: int) -> None:
    random = Random(seed)  # noqa: S311, damage is no secret
    source, other = (random.choice(CORPUS[language]) for _ in range(2))
    content = damage(source, other, random)
    options = ChunkSizes(longest, shortest)
    for outcome in pool.run(encode_task(Task(content, language, level, options)) for level in LEVELS):
        assert outcome.result is None or outcome.result == b""


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", b"\xff\xfe = 1\ndef f(): pass\n"),  # no UTF-8
        ("python", "A\u030a = 1\nclass É(Ü.b): pass\ndef ﬁ(ä): return ä.ö(ü)\n".encode()),  # composed names
        ("python", b"def f():\r\n    pass\r\n" * 40),  # uids of other line ends
        ("python", b"x = 1\0\ndef f(): pass\x02\n"),  # characters that mark what is dropped
        ("python", b"f().\0a()\nx = y.\0\n"),  # no name has them
        ("python", b""),
        ("python", b"def f(): return 1\n" * 50),  # ids and uids that are alike
        ("ruby", b"x = 1\nputs x\ny\nfoo.bar\n"),  # names without parentheses
        ("javascript", b"const a = {b: {c() {}}}\nexports.x = a\nnew (f())(a)\n"),
    ],
)
def test_what_is_rare(language: str, source: bytes) -> None:
    for level in LEVELS:
        assert difference(source, language, level, ChunkSizes(20, 0)) == ""
