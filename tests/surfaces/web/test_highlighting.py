"""Source as HTML: as many pieces as lines, and nothing but the text in them."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.languages.registry import load_registry
from birthmark.surfaces.web.highlighting import SegmentLines, highlight, split_lines
from birthmark.words import visible

PIECES = (
    "def f(x):",
    "  return 1",
    '"""',
    "/*",
    "*/",
    "<p>",
    "</p>",
    "```js",
    "```",
    "<script>",
    "&amp;",
    "\t",
    "\r",
    "é\x00",
)
LINES = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=12)
LANGUAGES = st.sampled_from([*load_registry().languages, "css", "yaml", "no language", None])


@st.composite
def segmented(draw: st.DrawFn) -> tuple[str, str | None, tuple[SegmentLines, ...]]:
    source = "\n".join(draw(LINES))
    ends = sorted(draw(st.sets(st.integers(1, 12), max_size=4)))
    pairs = zip(ends[::2], ends[1::2], strict=False)
    return source, draw(LANGUAGES), tuple((first, last, draw(LANGUAGES)) for first, last in pairs)


@given(segmented())
def test_every_line_is_its_text(given_: tuple[str, str | None, tuple[SegmentLines, ...]]) -> None:
    source, language, segments = given_
    pieces = highlight(source, language, segments)
    shown = [unescape(re.sub("</?span[^>]*>", "", piece)) for piece in pieces]
    assert shown == [unescape(visible(line).replace("&", "&amp;")) for line in split_lines(source)]


@pytest.mark.parametrize("language", [*load_registry().languages, "css", "yaml"])
def test_every_language_is_highlighted(language: str) -> None:
    text = '<p class="x">1</p>\n# b\n// a\n-- c\nclass A { "s" }\n[1, "x"]\n'
    others = {"php": "<?php return 1;", "yaml": "a: 'x'", "markdown": "# b", "mdx": "# b"}
    assert any("hl-" in line for line in highlight(others.get(language, text), language))


def test_a_segment_is_in_its_own_language() -> None:
    text = "return\nreturn\nreturn\n"
    segment = (2, 2, "python")
    assert highlight(text, None, (segment,)) == ("return", '<span class="hl-keyword">return</span>', "return")
