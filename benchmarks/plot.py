"""Draws figures as SVG: lines over two logarithmic axes, in light and dark, readable as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 360, 70, 180, 40, 50
LINE = 14  # from one text to the next
COLOURS = ("#2563eb", "#dc2626", "#16a34a", "#9333ea", "#d97706")
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#24292f}.axis{stroke:#8c959f}.grid{stroke:#d0d7de}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.grid{stroke:#30363d}}"
)


class Line:
    """A series of points with a name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.points: list[tuple[float, float]] = []

    def add(self, x: float, y: float) -> None:
        self.points.append((x, y))


def draw(title: str, x_title: str, y_title: str, lines: Sequence[Line]) -> str:
    xs = _range([x for line in lines for x, _ in line.points])
    ys = _range([y for line in lines for _, y in line.points])

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - xs[0]) / (xs[1] - xs[0])
        up = (math.log10(max(y, 1e-9)) - ys[0]) / (ys[1] - ys[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    said = "; ".join(f"{line.name}: " + ", ".join(f"{x:,.0f}: {y:.3g}" for x, y in line.points) for line in lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(title)}</title><desc>{escape(f'{y_title} by {x_title}. {said}')}</desc><style>{STYLE}</style>",
        f'<text x="{LEFT}" y="20" font-weight="600">{escape(title)}</text>',
        *(_mark(place(10**power, 10 ** ys[0]), f"{10**power:,.0f}", is_x=True) for power in _powers(xs)),
        *(_mark(place(10 ** xs[0], 10**power), f"{10**power:g}", is_x=False) for power in _powers(ys)),
        f'<text x="{LEFT}" y="{HEIGHT - 10}">{escape(x_title)}</text>',
        f'<text x="{LEFT - 60}" y="{TOP - 6}">{escape(y_title)}</text>',
    ]
    drawn = [[place(*point) for point in line.points] for line in lines]
    labels = _apart([places[-1][1] for places in drawn])
    for number, (line, places) in enumerate(zip(lines, drawn, strict=True)):
        parts += _line(line, places, labels[number], COLOURS[number % len(COLOURS)])
    return "\n".join([*parts, "</svg>", ""])


def _range(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around some values."""
    low, high = (math.log10(max(one, 1e-9)) for one in (min(values), max(values)))
    return math.floor(low), max(math.ceil(high), math.floor(low) + 1)


def _powers(limits: tuple[int, int]) -> range:
    return range(limits[0], limits[1] + 1)


def _mark(at: tuple[float, float], text: str, *, is_x: bool) -> str:
    x, y = at
    ends = (x, TOP, x, HEIGHT - BOTTOM) if is_x else (LEFT, y, WIDTH - RIGHT, y)
    where = (x - 10, HEIGHT - BOTTOM + 18) if is_x else (LEFT - 45, y + 4)
    line = '<line class="grid" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>'.format(*ends)
    return f'{line}<text x="{where[0]:.1f}" y="{where[1]:.1f}">{text}</text>'


def _apart(heights: Sequence[float]) -> list[float]:
    """Move texts down until each has a line for itself."""
    moved, free = [0.0] * len(heights), 0.0
    for number in sorted(range(len(heights)), key=heights.__getitem__):
        moved[number] = max(heights[number], free)
        free = moved[number] + LINE
    return moved


def _line(line: Line, places: Sequence[tuple[float, float]], label: float, colour: str) -> list[str]:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    x = places[-1][0]
    return [
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places),
        f'<text x="{x + 8:.1f}" y="{label + 4:.1f}" style="fill:{colour}">{escape(line.name)}</text>',
    ]
