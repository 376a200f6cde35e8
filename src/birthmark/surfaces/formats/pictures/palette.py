"""The colours and rules of all pictures. What is drawn has classes only; a theme is a set of custom properties.

Text has a contrast of at least 4.5 to 1 on every ground that it is written on, in both themes
(tests/surfaces/pictures/test_palette.py).
"""

from __future__ import annotations

from collections.abc import Mapping

HEAT_STEPS = 5
CHANGES = ("born", "renamed", "edited", "deleted")  # colours of kinds of change, on which numbers are written
LIGHT: Mapping[str, str] = {
    "ground": "#ffffff",
    "ink": "#1f2328",
    "faint": "#59636e",
    "line": "#8c959f",
    "grid": "#d8dee4",
    "box": "#f6f8fa",
    "mark": "#c4320a",
    "root": "#0969da",
    "root-box": "#ddf4ff",
    "test": "#1a7f37",
    "test-box": "#dafbe1",
    "born": "#1a7f37",
    "renamed": "#8250df",
    "edited": "#0969da",
    "documented": "#6e7781",
    "deleted": "#c4320a",
    "heat-1": "#e8eff6",
    "heat-2": "#fae3b8",
    "heat-3": "#f9cf8f",
    "heat-4": "#f5ac63",
    "heat-5": "#ec8352",
}
DARK: Mapping[str, str] = {
    "ground": "#0d1117",
    "ink": "#e6edf3",
    "faint": "#9198a1",
    "line": "#6e7681",
    "grid": "#262c36",
    "box": "#161b22",
    "mark": "#ff9b6a",
    "root": "#58a6ff",
    "root-box": "#0c2d6b",
    "test": "#3fb950",
    "test-box": "#0f2d17",
    "born": "#3fb950",
    "renamed": "#bc8cff",
    "edited": "#58a6ff",
    "documented": "#9198a1",
    "deleted": "#ff9b6a",
    "heat-1": "#1d2733",
    "heat-2": "#3f3323",
    "heat-3": "#5f3d1c",
    "heat-4": "#80431a",
    "heat-5": "#a04518",
}
_SANS = "ui-sans-serif, system-ui, sans-serif"
_MONO = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace'
_RULES = {
    "text": f"font: 13px {_SANS}; fill: {{ink}}",
    ".name": f"font: 12px {_MONO}",
    ".detail": f"font: 10.5px {_MONO}",
    ".strong": "font-weight: 600",
    ".small": "font-size: 11px",
    ".faint": "fill: {faint}",
    ".end": "text-anchor: end",
    ".middle": "text-anchor: middle",
    ".ground": "fill: {ground}",
    ".box": "fill: {box}; stroke: {line}",
    ".line": "fill: none; stroke: {line}",
    ".grid": "fill: none; stroke: {grid}",
    ".head": "fill: {line}",
    ".mark": "stroke: {mark}",
    ".head.mark": "fill: {mark}; stroke: none",
    ".root": "fill: {root-box}; stroke: {root}; stroke-width: 1.5",
    ".test": "fill: {test-box}; stroke: {test}; stroke-dasharray: 4 2",
    ".unsure": "stroke-dasharray: 4 3",
    ".cyclic": "stroke-dasharray: 5 3",
    ".heat": "stroke: {ground}",
    ".heat-0": "fill: {box}; stroke: {line}; stroke-dasharray: 2 2",
    **{f".heat-{step}": f"fill: {{heat-{step}}}" for step in range(1, HEAT_STEPS + 1)},
    **{f".{kind}": f"fill: {{{kind}}}" for kind in CHANGES},
    ", ".join(f".on-{kind}" for kind in CHANGES): "fill: {ground}",
    ".hollow": "fill: {ground}; stroke: {documented}; stroke-width: 2",
    ".halo": "paint-order: stroke; stroke: {ground}; stroke-width: 4px; stroke-linejoin: round",
    "a": "cursor: pointer",
    "a text": "text-decoration: none",
    "a:hover text": "text-decoration: underline",
    "a:hover rect, a:hover path": "stroke: {root}",
    "a:focus-visible": "outline: 2px solid {root}; outline-offset: 1px",
}


def rules(scope: str) -> str:
    """All rules, for what is inside of `scope`."""
    values = {name: f"var(--picture-{name})" for name in LIGHT}
    return "".join(
        f"{', '.join(f'{scope} {one}' for one in selector.split(', '))} {{ {declarations.format(**values)}; }}\n"
        for selector, declarations in _RULES.items()
    )


def theme(selector: str, colours: Mapping[str, str]) -> str:
    """A theme as the custom properties of what is selected."""
    return f"{selector} {{ {' '.join(f'--picture-{name}: {value};' for name, value in colours.items())} }}\n"
