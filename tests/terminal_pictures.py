"""Pictures of the terminal for the documents: `make docs-pictures` writes them to docs/pictures.

Each is a short session in the sample repository, drawn as SVG; nothing in it is loaded from elsewhere.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from running import birthmark
from sample_shop import make_shop
from terminal_sessions import play

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
COLUMNS = 100
SESSIONS = {
    "resolve": ["birthmark resolve Basket.total"],
    "history": ["birthmark history Basket.price -p"],
    "diff": ["birthmark diff v1.0"],
    "scan": [
        "birthmark subscribe Basket.price --at HEAD~1 --label 'what customers pay'",
        "birthmark scan",
    ],
    "entities": ["birthmark entities --tree"],
}
_FORMAT = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; \
font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def draw_session(name: str, folder: Path) -> str:
    """The picture of a session in a new repository below a folder."""
    root = make_shop(folder / "shop").root
    assert birthmark("index", "--from-history", cwd=root).returncode == 0
    return draw(name, play(SESSIONS[name], root, COLUMNS, has_color=True))


def draw(name: str, played: Iterator[tuple[str, str]]) -> str:
    console = Console(width=COLUMNS, record=True, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for command, output in played:
        console.print(Text(f"$ {command}", style="bold"))
        console.print(Text.from_ansi(output))
    return console.export_svg(title="birthmark", code_format=_FORMAT, unique_id=name)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for name in SESSIONS:
        with tempfile.TemporaryDirectory() as folder:
            (PICTURES / f"{name}.svg").write_text(draw_session(name, Path(folder)), "utf-8")
        sys.stdout.write(f"docs/pictures/{name}.svg\n")


if __name__ == "__main__":
    main()
