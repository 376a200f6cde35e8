"""Write docs/explanation/figures.md from figures.toml: `make bench-page`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
DATA, PAGE = ROOT / "benchmarks" / "figures.toml", ROOT / "docs" / "explanation" / "figures.md"
COLUMNS = ("figure", "value", "target", "for comparison", "machine", "date", "command")
HEAD = """\
# Figures

How fast Birthmark is, how often it is right, and where it misses its targets. To measure a figure yourself, run its
command in a checkout after `make test`; words in capitals are clones that you provide.

Machine: two cores. *idle*: no other work. *busy*: shared cores, so values are processor time or ratios within one run.
*any*: the value does not depend on the machine.
"""


def write_page(data: dict[str, Any]) -> str:
    return "\n".join([HEAD, *(line for section in data["section"] for line in _section(section))])


def _section(section: dict[str, Any]) -> Iterator[str]:
    yield f"## {section['title']}\n"
    if about := section.get("about"):
        yield f"{about}\n"
    yield _row(COLUMNS)
    yield _row("---" for _ in COLUMNS)
    yield from (_row([*row[:-1], f"`{row[-1]}`"]) for row in section["figures"])
    yield ""
    for title, path in section.get("pictures", ()):
        yield f"![{title}]({path})"
    if section.get("pictures"):
        yield ""


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(write_page(tomllib.loads(DATA.read_text("utf-8"))), "utf-8")
