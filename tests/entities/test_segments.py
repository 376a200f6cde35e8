"""Regions in other languages, and the way back to the file."""

from __future__ import annotations

import json

import pytest

from birthmark.entities.segments import decode_json, read_language, read_magics
from birthmark.extraction.model import FileNodes
from birthmark.languages.registry import load_registry
from reading import names, read


def regions(reading: FileNodes) -> list[tuple[str, str | None]]:
    return [(segment.type, segment.language) for segment in reading.segments]


@pytest.mark.parametrize(
    ("label", "language"),
    [
        (b"python", "python"),
        (b" js {1,3}", "js"),
        (b"{.python .numberLines}", "python"),
        (b"{python, echo=FALSE}", "python"),
        (b"python:src/a.py", "python"),
        (b'c++ title="a"', "c++"),
        (b"C#", "c#"),
        (b"", None),
        (b"<script>", None),
        (b'<script lang="ts">', "ts"),
        (b"<script setup lang=ts>", "ts"),
        (b'<script type="module">', None),
        (b'<script type="text/typescript">', "typescript"),
        (b'<script type="application/ld+json">', "json"),
        (b"<style lang='scss' scoped>", "scss"),
    ],
)
def test_language_of_a_label(label: bytes, language: str | None) -> None:
    assert read_language(label) == language


def test_fences_at_any_nesting() -> None:
    source = (
        "- item\n\n  ```python\n  def f():\n      pass\n  ```\n\n> ~~~py {1}\n> def g(a):\n>     return a\n> ~~~\n\n"
        "````md\n```python\ndef h(): pass\n```\n````\n"
    )
    reading = read("markdown", source)
    assert [(entity.name, entity.start_line, entity.end_line) for entity in reading.entities] == [
        ("f", 4, 5),
        ("g", 9, 10),
        ("h", 15, 15),
    ]
    assert regions(reading) == [("fence", "python"), ("fence", "python"), ("fence", "markdown"), ("fence", "python")]
    for entity in reading.entities:
        assert entity.name_span is not None
        assert source[slice(*entity.name_span)] == entity.name


def test_a_fence_without_a_language_or_in_an_unknown_one() -> None:
    reading = read("markdown", "```\nx\n```\n\n```brainfuck\n+\n```\n")
    assert regions(reading) == [("fence", None), ("fence", "brainfuck")]
    assert reading.entities == ()


@pytest.mark.parametrize(("mark", "language"), [("---", "yaml"), ("+++", "toml")])
def test_front_matter(mark: str, language: str) -> None:
    reading = read("markdown", f"{mark}\ntitle: x\n{mark}\n# T\n")
    assert regions(reading) == [("front_matter", language)]
    assert (reading.segments[0].start_byte, reading.segments[0].end_byte) == (4, 13)


def test_a_rule_is_no_front_matter() -> None:
    assert regions(read("markdown", "# T\n\n---\n\ntext\n\n---\n")) == []


@pytest.mark.parametrize("language", ["html", "vue", "svelte", "astro"])
def test_script_and_style(language: str) -> None:
    source = '<p>{a < b}</p>\n<script lang="ts">\nfunction f(): void {}\n</script>\n<style>.a {}</style>\n'
    reading = read(language, source)
    assert regions(reading) == [("script", "typescript"), ("style", "css")]
    assert names(reading) == ["fn f"]
    assert reading.entities[0].virtual_path == reading.segments[0].virtual_path
    assert reading.entities[0].start_line == 3


def test_astro_front_matter_is_typescript() -> None:
    reading = read("astro", "---\nconst x: number = 1;\n---\n<p>{x}</p>\n")
    assert names(reading) == ["const x"]


def notebook(*sources: object, **metadata: object) -> bytes:
    cells = [{"cell_type": "code", "source": source, "outputs": []} for source in sources]
    return json.dumps({"cells": cells, "metadata": metadata}, indent=1).encode()


def test_notebook_cells_map_back() -> None:
    content = notebook(['# caf\u00e9 "q"\n', "def f():\n", "    return 1\n"], "def g(): pass")
    reading = read("jupyter", content)
    assert names(reading) == ["fn f", "fn g"]
    for entity in reading.entities:
        assert content[entity.start_byte :].startswith(b"def " + entity.name.encode())
    assert reading.entities[0].start_line == content[: content.index(b"def f")].count(b"\n") + 1


def test_notebook_keys_in_any_order_and_other_cells() -> None:
    content = json.dumps(
        {"cells": [{"source": "x = 1", "cell_type": "code"}, {"cell_type": "markdown", "source": "y = 2"}]}
    ).encode()
    assert names(read("jupyter", content)) == ["var x"]


def test_notebook_language() -> None:
    content = notebook("function f() {}", language_info={"name": "JavaScript"})
    assert names(read("jupyter", content)) == ["fn f"]


def test_notebook_magics() -> None:
    assert names(read("jupyter", notebook("%matplotlib inline\n!ls\nx = 1\n"))) == ["var x"]
    assert read_magics(b"%%bash\nls\n", "python", load_registry()) == (b"%%bash\nls\n", "bash")
    assert read_magics(b"a %b\n", "python", load_registry()) == (b"a %b\n", "python")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"cells": 1}', b'{"cells": [{}], "metadata": []}'])
def test_broken_notebooks_are_read(content: bytes) -> None:
    assert read("jupyter", content).entities == ()


def test_escapes() -> None:
    source = rb'["a\nb\u00e9\ud83d\ude00\"", "\q"]'
    text, pieces = decode_json(source, (0, len(source)))
    assert text.decode() == 'a\nbé😀"\\q'
    assert pieces[0] == (0, 2)


def test_identical_segments_have_one_uid_and_path() -> None:
    reading = read("markdown", "```py\nx = 1\n```\n\ntext\n\n```py\nx = 1\n```\n", "docs/a.md")
    first, second = reading.segments
    assert first.segment_uid == second.segment_uid
    assert first.virtual_path == f"docs/a.md#seg:{first.segment_uid}"
