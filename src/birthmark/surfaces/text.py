"""Words, widths and colour for people.

Colour and width are those of the terminal: output to a file or another program has no colour, and no line is cut,
unless COLUMNS says how wide it is. NO_COLOR, FORCE_COLOR and `--color` are respected.

The screen of a command is the one setting that is not passed as an argument: `use_screen` sets it from the options,
before anything is printed.
"""

from __future__ import annotations

import os
import sys
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

import click

_ELLIPSIS = "…"
_LEAST_ENDS = 12  # columns for both ends of a text
_LEAST_WIDTH = 20  # of a column that is wrapped


class Screen(NamedTuple):
    """The terminal that output is written to. Without columns, lines are not cut."""

    has_color: bool
    columns: int | None
    pages: bool = True  # Long output goes through a pager.


_screen: ContextVar[Screen | None] = ContextVar("screen", default=None)


def screen() -> Screen:
    return _screen.get() or find_screen("auto")


def find_screen(color: str) -> Screen:
    """Return the screen with colour `always`, `never`, or `auto`: as terminal and environment have it."""
    has_color = _has_color() if color == "auto" else color == "always"
    return Screen(has_color, _columns())


def _has_color() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _columns() -> int | None:
    given = os.environ.get("COLUMNS", "")
    if given.isdigit() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except (OSError, ValueError):
        return None


def use_screen(chosen: Screen) -> None:
    """Use a screen from now on: for the whole command, or within `same_screen`."""
    _screen.set(chosen)


@contextmanager
def same_screen() -> Iterator[Screen]:
    """Keep the screen while output is redirected, as to a pager."""
    chosen = screen()
    token = _screen.set(chosen)
    try:
        yield chosen
    finally:
        _screen.reset(token)


def paint(text: str, color: str | None) -> str:
    """A colour as `click.style` names it, or `bold` or `dim`."""
    if color is None or not text or not screen().has_color:
        return text
    return click.style(text, **({color: True} if color in ("bold", "dim") else {"fg": color}))


def cells(text: str) -> int:
    """Return the columns that a text takes: East Asian characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def fit(text: str, width: int | None) -> str:
    """Cut a text to some columns; an ellipsis replaces what is cut off."""
    if width is None or cells(text) <= width:
        return text
    cut = text[: max(width - 1, 0)]
    while cut and cells(cut) > width - 1:
        cut = cut[:-1]
    return cut + _ELLIPSIS if width > 0 else ""


def fit_middle(text: str, width: int | None) -> str:
    """Cut the middle of a text, as is best for paths."""
    if width is None or cells(text) <= width or width < _LEAST_ENDS:
        return fit(text, width)
    tail = text[-(width * 3 // 5) :]
    while cells(tail) > width * 3 // 5:
        tail = tail[1:]
    return fit(text, width - cells(tail)) + tail


def wrap_clauses(clauses: Sequence[str], used: int = 0) -> list[str]:
    """Clauses with commas between them, in lines that fit the screen beside so many columns."""
    columns = screen().columns
    lines: list[str] = []
    for clause in clauses:
        joined = f"{lines[-1]}, {clause}" if lines else clause
        if lines and (columns is None or cells(joined) <= columns - used):
            lines[-1] = joined
        else:
            lines.append(clause)
    return [fit_middle(line, None if columns is None else columns - used) for line in lines]


def wrap_text(text: str, indent: str = "", further: str | None = None) -> list[str]:
    """A text in lines that fit the screen; those after the first are indented by `further`. Words are not broken."""
    columns, further = screen().columns, indent if further is None else further
    if columns is None:
        return [indent + text]
    width = max(columns, cells(indent) + _LEAST_WIDTH)
    wrapper = textwrap.TextWrapper(width, indent, further, break_long_words=False, break_on_hyphens=False)
    return wrapper.wrap(text) or [indent]
