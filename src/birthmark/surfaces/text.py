"""Colour for people: on a terminal only, and never where NO_COLOR is set."""

from __future__ import annotations

import os
import sys

import click


def wants_color() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, color: str) -> str:
    return click.style(text, fg=color) if wants_color() else text
