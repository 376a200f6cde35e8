"""Words and colour for people. Colour is for terminals only, and never where NO_COLOR is set."""

from __future__ import annotations

import os
import sys

import click


def wants_color() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, color: str) -> str:
    return click.style(text, fg=color) if wants_color() else text


def count(number: int, noun: str) -> str:
    """A number with its noun: `1 file`, `2 files`, `3 entities`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def short(revision: str | None) -> str:
    return revision[:12] if revision else "no commit"


def lines_of(start: int, end: int) -> str:
    return f"{start}" if start == end else f"{start}-{end}"
