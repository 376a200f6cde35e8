"""Find the marks and REFs that documents name in comments: `<!-- birthmark: src/app.py::load -->`."""

from __future__ import annotations

import re
from collections.abc import Iterator

DOCUMENTS = (".md", ".markdown", ".mdx")
_LINK = re.compile(r"<!--\s*birthmark:\s*(?P<ref>\S.*?)\s*-->|\{/\*\s*birthmark:\s*(?P<expression>\S.*?)\s*\*/\}")
_FENCE = re.compile(r"\s{0,3}(?P<fence>`{3,}|~{3,})")
_CODE = re.compile(r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)")


def find_links(text: str) -> Iterator[tuple[int, str]]:
    """Lines and REFs. What is in code is an example, not a link."""
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        found = _FENCE.match(line)
        if fence:
            closes = found is not None and found["fence"].startswith(fence) and not line.strip().strip(fence[0])
            fence = "" if closes else fence
        elif found is not None:
            fence = found["fence"]
        else:
            for link in _LINK.finditer(_CODE.sub("", line)):
                yield number, link["ref"] or link["expression"]


def is_document(path: str) -> bool:
    return path.lower().endswith(DOCUMENTS)
